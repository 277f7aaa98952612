// Reads questions with their answers, a line each, and tells where the board class answers otherwise:
//     position FEN
//     perft DEPTH COUNT
//     moves COUNT
//     move UCI SAN FEN REMOVED...    the FEN after it, and the squares of the other men that it takes
// The last three are about the latest position; the spaces of a FEN after a move are written as _.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include "angelsanddevilsboard.h"

using namespace Chess;

namespace {

int questions = 0;
int faults = 0;

template <typename T> void expect(const std::string& what, const T& found, const T& expected)
{
    questions++;
    if (found != expected && ++faults <= 20)
        std::cout << what << ": found " << found << ", expected " << expected << '\n';
}

std::string name(const Square& square)
{
    return { char('a' + square.file()), char('1' + square.rank()) };
}

std::string joined(const std::set<std::string>& words)
{
    std::string all;
    for (const std::string& word : words)
        all += (all.empty() ? "" : " ") + word;
    return all;
}

typedef std::map<std::string, std::string> Men; // piece by square

Men men(const Board& board)
{
    Men found;
    for (int file = 0; file < board.width(); file++) {
        for (int rank = 0; rank < board.height(); rank++) {
            const Square square(file, rank);
            if (board.pieceAt(square).isValid())
                found[name(square)] = board.pieceSymbol(board.pieceAt(square)).toStdString();
        }
    }
    return found;
}

void setUp(AngelsAndDevilsBoard& board, const std::string& fen)
{
    expect(fen, board.setFenString(fen), true);
}

quint64 perft(Board& board, int depth)
{
    const QVector<Move> moves(board.legalMoves());
    if (depth == 1)
        return quint64(moves.size());
    quint64 leaves = 0;
    for (const Move& move : moves) {
        board.makeMove(move);
        leaves += perft(board, depth - 1);
        board.undoMove();
    }
    return leaves;
}

// Both ways of writing the move, and what it does, forward and back.
void compare(AngelsAndDevilsBoard& board, const Move& move, const std::string& uci,
             const std::string& san, const std::string& after, const std::string& removed)
{
    const std::string fen(board.fenString());
    const std::string title(fen + ": " + uci);
    const quint64 key = board.key();
    expect(title, board.san(move).toStdString(), san);
    expect(title + ": from SAN", board.lan(board.moveFromSan(san.c_str())).toStdString(), uci);

    const Men before(men(board));
    BoardTransition transition;
    board.makeMove(move, &transition);
    expect(title, board.fenString(), after);
    AngelsAndDevilsBoard fresh;
    setUp(fresh, after);
    expect(title + ": key", board.key(), fresh.key());

    std::set<std::string> listed, missing, taken;
    for (const Square& square : transition.squares())
        listed.insert(name(square));
    Men now(men(board));
    for (const auto& [square, man] : before) {
        if (now[square] != man && listed.count(square) == 0)
            missing.insert(square);
        const bool landing = (square == uci.substr(2, 2));
        const bool source = (square == uci.substr(0, 2));
        if (san[0] != 'O' && !source && (landing || now[square] != man))
            taken.insert(square);
    }
    expect(title + ": not in the transition", joined(missing), std::string());
    expect(title + ": taken", joined(taken), removed);

    board.undoMove();
    expect(title + ": taken back", board.fenString(), fen);
    expect(title + ": key, taken back", board.key(), key);
}

} // namespace

int main()
{
    AngelsAndDevilsBoard board;
    std::map<std::string, Move> moves; // by UCI
    std::string line, word;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        words >> word;
        if (word == "position") {
            std::getline(words >> std::ws, line);
            setUp(board, line);
        } else if (word == "perft") {
            int depth;
            quint64 leaves;
            words >> depth >> leaves;
            expect(board.fenString() + ": perft " + std::to_string(depth), perft(board, depth), leaves);
        } else if (word == "moves") {
            int count;
            words >> count;
            moves.clear();
            for (const Move& move : board.legalMoves())
                moves[board.lan(move).toStdString()] = move;
            expect(board.fenString() + ": moves", int(moves.size()), count);
        } else {
            std::string uci, san, after;
            std::set<std::string> removed;
            words >> uci >> san >> after;
            while (words >> word)
                removed.insert(word);
            std::replace(after.begin(), after.end(), '_', ' ');
            const auto found = moves.find(uci);
            expect(board.fenString() + ": has " + uci, found != moves.end(), true);
            if (found != moves.end())
                compare(board, found->second, uci, san, after, joined(removed));
        }
    }
    std::cout << questions << " answers compared, " << faults << " differ\n";
    return questions == 0 || faults != 0;
}
