// SPDX-License-Identifier: GPL-3.0-or-later
#include "westernboard.h"
#include <sstream>

namespace Chess {

namespace {

quint64 scrambled(quint64 number)
{
    // splitmix64: any mixing will do that gives keys which do not cancel each other
    number += 0x9E3779B97F4A7C15u;
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
    return number ^ (number >> 31);
}

enum KeyOf { PieceKey, SideKey, CastlingKey, EnpassantKey };

quint64 keyOf(KeyOf what, int detail, int square)
{
    return scrambled(quint64(what) << 32 | quint64(detail) << 16 | quint64(square));
}

} // namespace

// Board

void Board::setPieceType(int type, const QString&, const QString& symbol, unsigned, const QString&)
{
    while (m_symbols.size() <= type)
        m_symbols.append(QString());
    m_symbols[type] = symbol;
}

QString Board::pieceSymbol(Piece piece) const
{
    // A piece of neither side, which a bare type is, has a symbol too.
    const QString symbol(m_symbols.at(piece.type()));
    if (piece.side() != Side::Black)
        return symbol;
    return QString(QChar(symbol.toStdString()[0]).toLower());
}

Piece Board::pieceFromSymbol(const QString& symbol) const
{
    for (int type = 1; type < m_symbols.size() && !symbol.isEmpty(); type++) {
        if (m_symbols.at(type) == symbol.toUpper())
            return Piece(symbol == symbol.toUpper() ? Side::White : Side::Black, type);
    }
    return Piece();
}

bool Board::isValidSquare(const Square& square) const
{
    return square.file() >= 0 && square.file() < width()
        && square.rank() >= 0 && square.rank() < height();
}

// As in Cute Chess the last rank comes first, with a wall of two ranks above and below and of a file
// at either side.
int Board::squareIndex(const Square& square) const
{
    if (!isValidSquare(square))
        return 0;
    return (height() - 1 - square.rank() + 2) * (width() + 2) + 1 + square.file();
}

Square Board::chessSquare(int index) const
{
    return Square(index % (width() + 2) - 1, height() - 1 + 2 - index / (width() + 2));
}

Square Board::chessSquare(const QString& name) const
{
    const std::string& text = name.toStdString();
    return text.size() == 2 ? Square(text[0] - 'a', text[1] - '1') : Square();
}

QString Board::squareString(const Square& square) const
{
    return QString(std::string{ char('a' + square.file()), char('1' + square.rank()) });
}

void Board::setSquare(int square, Piece piece)
{
    for (const Piece changed : { m_squares.at(square), piece }) {
        if (changed.isValid())
            xorKey(keyOf(PieceKey, changed.type() << 1 | changed.side(), square));
    }
    m_squares.at(square) = piece;
}

bool Board::setFenString(const std::string& fen)
{
    std::istringstream words(fen);
    std::string placement, side, word;
    QStringList rest;
    words >> placement >> side;
    while (words >> word)
        rest.append(QString(word));

    m_key = 0;
    m_moves.clear();
    m_keys.clear();
    m_squares.assign((width() + 2) * (height() + 4), Piece(Piece::WallPiece));
    for (int file = 0; file < width(); file++) {
        for (int rank = 0; rank < height(); rank++)
            setSquare(squareIndex(Square(file, rank)), Piece());
    }
    int file = 0;
    int rank = height() - 1;
    for (std::size_t i = 0; i < placement.size(); i++) {
        const char c = placement[i];
        if (c == '/') {
            file = 0;
            rank--;
        } else if (std::isdigit(c)) {
            const bool ten = placement.compare(i, 2, "10") == 0;
            file += ten ? 10 : c - '0';
            i += ten;
        } else {
            setSquare(squareIndex(Square(file++, rank)), pieceFromSymbol(QString(QChar(c))));
        }
    }
    m_side = side == "w" ? Side::White : Side::Black;
    if (m_side == Side::Black)
        xorKey(keyOf(SideKey, 0, 0));
    return vSetFenString(rest);
}

void Board::makeMove(const Move& move, BoardTransition* transition)
{
    m_moves.append(move);
    m_keys.append(m_key);
    vMakeMove(move, transition);
    m_side = m_side.opposite();
    xorKey(keyOf(SideKey, 0, 0));
}

void Board::undoMove()
{
    m_side = m_side.opposite();
    vUndoMove(m_moves.last());
    m_key = m_keys.last();
    m_moves.removeLast();
    m_keys.removeLast();
}

void Board::generateMoves(QVarLengthArray<Move>& moves, int pieceType) const
{
    for (int square = 0; square < int(m_squares.size()); square++) {
        const Piece piece(pieceAt(square));
        if (piece.side() == m_side && (pieceType == Piece::NoPiece || piece.type() == pieceType))
            generateMovesForPiece(moves, piece.type(), square);
    }
}

QVector<Move> Board::legalMoves()
{
    QVarLengthArray<Move> all;
    QVector<Move> legal;
    generateMoves(all);
    for (const Move& move : all) {
        if (vIsLegalMove(move))
            legal.append(move);
    }
    return legal;
}

QString Board::lanMoveString(const Move& move)
{
    QString text(squareString(move.sourceSquare()));
    text += squareString(move.targetSquare());
    if (move.promotion() != Piece::NoPiece)
        text += pieceSymbol(Piece(Side::Black, move.promotion()));
    return text;
}

// WesternBoard

WesternBoard::WesternBoard(WesternZobrist* zobrist)
    : m_knightOffsets{ -25, -23, -14, -10, 10, 14, 23, 25 },
      m_bishopOffsets{ -13, -11, 11, 13 },
      m_rookOffsets{ -12, -1, 1, 12 }
{
    delete zobrist;
    const char* symbols = "PNBRQK";
    for (int type = Pawn; type <= King; type++)
        setPieceType(type, QString(), QString(QChar(symbols[type - 1])));
}

int WesternBoard::kingSquare(Side side) const
{
    for (int square = 0; square < (width() + 2) * (height() + 4); square++) {
        if (pieceAt(square) == Piece(side, King))
            return square;
    }
    return 0;
}

int WesternBoard::castlingFile(CastlingSide castlingSide) const
{
    return castlingSide == QueenSide ? 2 : width() - 2;
}

WesternBoard::CastlingSide WesternBoard::rookSide(int square) const
{
    const auto& rooks = m_state.rooks[sideToMove()];
    return square == rooks[QueenSide] ? QueenSide
         : square == rooks[KingSide]  ? KingSide
                                      : NoCastlingSide;
}

void WesternBoard::setRook(Side side, CastlingSide castlingSide, int square)
{
    int& rook = m_state.rooks[side][castlingSide];
    if ((rook != 0) != (square != 0))
        xorKey(keyOf(CastlingKey, side << 1 | castlingSide, 0));
    rook = square;
}

void WesternBoard::setEnpassant(int square)
{
    for (const int changed : { m_state.enpassant, square }) {
        if (changed != 0)
            xorKey(keyOf(EnpassantKey, 0, changed));
    }
    m_state.enpassant = square;
}

bool WesternBoard::parseCastlingRights(QChar c)
{
    const Side side(c.isUpper() ? Side::White : Side::Black);
    const int rank = (side == Side::White) ? 0 : height() - 1;
    const bool kingSide = (c.toLower() == QChar('k'));
    setRook(side, kingSide ? KingSide : QueenSide,
            squareIndex(Square(kingSide ? width() - 1 : 0, rank)));
    return true;
}

// As in Cute Chess this adds rights to the key and takes none out of it that an earlier call added.
bool WesternBoard::vSetFenString(const QStringList& fen)
{
    m_state = State();
    m_history.clear();
    for (const char c : fen.at(0).toStdString()) {
        if (c != '-' && !parseCastlingRights(c))
            return false;
    }
    if (!(fen.at(1) == "-"))
        setEnpassant(squareIndex(fen.at(1)));
    m_state.reversible = std::stoi(fen.at(2).toStdString());
    m_move = std::stoi(fen.at(3).toStdString());
    return isLegalPosition();
}

std::string WesternBoard::fenString() const
{
    std::ostringstream fen;
    for (int rank = height() - 1; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file <= width(); file++) {
            const bool end = (file == width());
            const Piece piece(end ? Piece() : pieceAt(Square(file, rank)));
            if (!end && piece.isEmpty()) {
                empty++;
                continue;
            }
            if (empty != 0)
                fen << empty;
            empty = 0;
            fen << pieceSymbol(piece).toStdString();
        }
        fen << (rank != 0 ? "/" : "");
    }
    std::string rights;
    for (const Side side : { Side(Side::White), Side(Side::Black) }) {
        if (m_state.rooks[side][KingSide] != 0)
            rights += (side == Side::White) ? 'K' : 'k';
        if (m_state.rooks[side][QueenSide] != 0)
            rights += (side == Side::White) ? 'Q' : 'q';
    }
    fen << (sideToMove() == Side::White ? " w " : " b ") << (rights.empty() ? "-" : rights) << ' '
        << (m_state.enpassant != 0 ? squareString(m_state.enpassant).toStdString() : "-") << ' '
        << m_state.reversible << ' ' << m_move;
    return fen.str();
}

void WesternBoard::removeCastlingRights(int square)
{
    for (const Side side : { Side(Side::White), Side(Side::Black) }) {
        for (const CastlingSide castlingSide : { QueenSide, KingSide }) {
            if (m_state.rooks[side][castlingSide] == square)
                setRook(side, castlingSide, 0);
        }
    }
}

bool WesternBoard::inCheck(Side side, int square) const
{
    if (square == 0)
        square = kingSquare(side);

    const Side enemy(side.opposite());
    for (const int step : m_knightOffsets) {
        if (pieceAt(square + step) == Piece(enemy, Knight))
            return true;
    }
    for (const auto* steps : { &m_rookOffsets, &m_bishopOffsets }) {
        const int slider = (steps == &m_rookOffsets) ? Rook : Bishop;
        for (const int step : *steps) {
            int from = square + step;
            if (pieceAt(from) == Piece(enemy, King))
                return true;
            while (pieceAt(from).isEmpty())
                from += step;
            if (pieceAt(from) == Piece(enemy, slider) || pieceAt(from) == Piece(enemy, Queen))
                return true;
        }
    }
    const Piece pawn(enemy, Pawn);
    return pieceAt(square + up(side) - 1) == pawn || pieceAt(square + up(side) + 1) == pawn;
}

int WesternBoard::captureType(const Move& move) const
{
    const Piece piece(pieceAt(move.sourceSquare()));
    if (piece.type() == Pawn && move.targetSquare() == m_state.enpassant)
        return Pawn;
    // Castling, a move to an own Rook, captures nothing.
    const Piece landing(pieceAt(move.targetSquare()));
    return landing.side() == piece.side() ? int(Piece::NoPiece) : landing.type();
}

// The fifty moves' count and the right of a Rook on the target follow captureType(), as in Cute Chess.
void WesternBoard::vMakeMove(const Move& move, BoardTransition* transition)
{
    const Side side(sideToMove());
    const int source = move.sourceSquare();
    const int target = move.targetSquare();
    const Piece piece(pieceAt(source));
    const bool captures = (captureType(move) != Piece::NoPiece);
    const int enpassant = (piece.type() == Pawn) ? m_state.enpassant : 0;
    const CastlingSide castling = (piece.type() == King) ? rookSide(target) : NoCastlingSide;

    m_history.append(m_state);
    m_state.before.clear();
    m_state.reversible = (captures || piece.type() == Pawn) ? 0 : m_state.reversible + 1;
    m_move += (side == Side::Black);
    setEnpassant(0);
    removeCastlingRights(source);
    if (captures)
        removeCastlingRights(target);
    if (piece.type() == King) {
        setRook(side, QueenSide, 0);
        setRook(side, KingSide, 0);
    }

    change(source, Piece());
    if (castling != NoCastlingSide) {
        const int way = (castling == KingSide) ? 1 : -1;
        const int king = squareIndex(Square(castlingFile(castling), chessSquare(source).rank()));
        change(target, Piece());
        change(king, piece);
        change(king - way, Piece(side, Rook));
    } else {
        const int promotion = move.promotion();
        change(target, promotion != Piece::NoPiece ? Piece(side, promotion) : piece);
        if (target == enpassant)
            change(target - up(side), Piece());
        else if (piece.type() == Pawn && target == source + 2 * up(side))
            offerEnpassant(source + up(side));
    }
    if (transition != nullptr) {
        for (const auto& changed : m_state.before)
            transition->addSquare(chessSquare(changed.first));
    }
}

void WesternBoard::change(int square, Piece piece)
{
    m_state.before.emplace_back(square, pieceAt(square));
    setSquare(square, piece);
}

// Only a legal capture is part of the position, as in Cute Chess.
void WesternBoard::offerEnpassant(int square)
{
    const Side enemy(sideToMove().opposite());
    const int passed = square - up(enemy);
    for (const int source : { square - up(enemy) - 1, square - up(enemy) + 1 }) {
        const Piece pawn(enemy, Pawn);
        if (pieceAt(source) != pawn)
            continue;
        const Piece victim(pieceAt(passed));
        setSquare(source, Piece::NoPiece);
        setSquare(passed, Piece::NoPiece);
        setSquare(square, pawn);
        const bool legal = !inCheck(enemy);
        setSquare(square, Piece::NoPiece);
        setSquare(passed, victim);
        setSquare(source, pawn);
        if (legal) {
            setEnpassant(square);
            return;
        }
    }
}

void WesternBoard::vUndoMove(const Move&)
{
    for (const auto& [square, piece] : m_state.before)
        setSquare(square, piece);
    m_state = m_history.last();
    m_history.removeLast();
    m_move -= (sideToMove() == Side::Black);
}

void WesternBoard::walk(QVarLengthArray<Move>& moves, int source, int step, bool slides) const
{
    int target = source;
    do {
        target += step;
        if (pieceAt(target).isWall() || pieceAt(target).side() == sideToMove())
            return;
        moves.append(Move(source, target));
    } while (slides && pieceAt(target).isEmpty());
}

void WesternBoard::generateMovesForPiece(QVarLengthArray<Move>& moves, int pieceType,
                                         int square) const
{
    if (pieceType == Pawn)
        generatePawnMoves(moves, square);
    if (pieceType == Knight) {
        for (const int step : m_knightOffsets)
            walk(moves, square, step, false);
    }
    const bool slides = (pieceType != King);
    if (pieceType == Bishop || pieceType == Queen || pieceType == King) {
        for (const int step : m_bishopOffsets)
            walk(moves, square, step, slides);
    }
    if (pieceType == Rook || pieceType == Queen || pieceType == King) {
        for (const int step : m_rookOffsets)
            walk(moves, square, step, slides);
    }
    if (pieceType == King)
        generateCastling(moves, square);
}

void WesternBoard::generatePawnMoves(QVarLengthArray<Move>& moves, int source) const
{
    const Side side(sideToMove());
    const int step = up(side);
    const int rank = chessSquare(source).rank();
    const bool promotes = (rank == (side == Side::White ? height() - 2 : 1));
    const auto add = [&](int target) {
        if (promotes)
            addPromotions(source, target, moves);
        else
            moves.append(Move(source, target));
    };

    if (pieceAt(source + step).isEmpty()) {
        add(source + step);
        if (rank == (side == Side::White ? 1 : height() - 2) && pieceAt(source + 2 * step).isEmpty())
            add(source + 2 * step);
    }
    for (const int target : { source + step - 1, source + step + 1 }) {
        if (pieceAt(target).side() == side.opposite() || target == m_state.enpassant)
            add(target);
    }
}

void WesternBoard::addPromotions(int sourceSquare, int targetSquare,
                                 QVarLengthArray<Move>& moves) const
{
    for (int type = Knight; type <= Queen; type++)
        moves.append(Move(sourceSquare, targetSquare, type));
}

// Whether the way is safe is the board class's to say.
void WesternBoard::generateCastling(QVarLengthArray<Move>& moves, int source) const
{
    for (const int rook : m_state.rooks[sideToMove()]) {
        if (rook == 0)
            continue;
        const int way = (rook > source) ? 1 : -1;
        int square = source + way;
        while (pieceAt(square).isEmpty())
            square += way;
        if (square == rook)
            moves.append(Move(source, rook));
    }
}

bool WesternBoard::vIsLegalMove(const Move& move)
{
    makeMove(move);
    const bool legal = isLegalPosition();
    undoMove();
    return legal;
}

// As in Cute Chess any move to a Rook that may castle is spelt as castling.
QString WesternBoard::lanMoveString(const Move& move)
{
    const CastlingSide castling = rookSide(move.targetSquare());
    if (castling == NoCastlingSide)
        return Board::lanMoveString(move);
    const int rank = chessSquare(move.sourceSquare()).rank();
    QString text(squareString(move.sourceSquare()));
    text += squareString(Square(castlingFile(castling), rank));
    return text;
}

} // namespace Chess
