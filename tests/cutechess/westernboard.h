// A stand-in, written for this test, for the board classes of Cute Chess: the part of their interface
// that the board class for Angels and Devils uses, and orthodox chess on ten files below it. Where
// the class relies on how Cute Chess's own WesternBoard behaves, a comment says so.
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <utility>
#include "qt.h"

#define LIB_EXPORT

namespace Chess {

class Side {
public:
    enum Type { White, Black, NoSide };
    Side(Type type = NoSide) : m_type(type) {}
    operator Type() const { return m_type; }
    Side opposite() const { return m_type == White ? Black : White; }

private:
    Type m_type;
};

class Piece {
public:
    enum { NoPiece = 0, WallPiece = 100 };
    Piece(int type = NoPiece) : m_type(type) {}
    Piece(Side side, int type) : m_side(side), m_type(type) {}
    Side side() const { return m_side; }
    int type() const { return m_type; }
    bool isEmpty() const { return m_type == NoPiece; }
    bool isWall() const { return m_type == WallPiece; }
    bool isValid() const { return m_side != Side::NoSide; }
    bool operator==(Piece other) const
    {
        return m_type == other.m_type && Side::Type(m_side) == Side::Type(other.m_side);
    }
    bool operator!=(Piece other) const { return !(*this == other); }

private:
    Side m_side;
    int m_type;
};

class Square {
public:
    Square(int file = -1, int rank = -1) : m_file(file), m_rank(rank) {}
    int file() const { return m_file; }
    int rank() const { return m_rank; }

private:
    int m_file;
    int m_rank;
};

// Castling goes from the King to the Rook.
class Move {
public:
    Move(int source = 0, int target = 0, int promotion = Piece::NoPiece)
        : m_source(source), m_target(target), m_promotion(promotion) {}
    bool isNull() const { return m_source == 0; }
    int sourceSquare() const { return m_source; }
    int targetSquare() const { return m_target; }
    int promotion() const { return m_promotion; }

private:
    int m_source;
    int m_target;
    int m_promotion;
};

class BoardTransition {
public:
    void addSquare(const Square& square) { m_squares.append(square); }
    const QVector<Square>& squares() const { return m_squares; }

private:
    QVector<Square> m_squares;
};

class WesternZobrist {};

class Board {
public:
    virtual ~Board() {}
    virtual Board* copy() const = 0;
    virtual QString variant() const = 0;
    virtual int width() const = 0;
    virtual int height() const = 0;
    virtual QString defaultFenString() const = 0;

    quint64 key() const { return m_key; }
    Side sideToMove() const { return m_side; }
    bool setFenString(const std::string& fen);
    virtual std::string fenString() const = 0;
    Piece pieceAt(const Square& square) const { return pieceAt(squareIndex(square)); }
    bool isValidSquare(const Square& square) const;
    QString pieceSymbol(Piece piece) const;
    Piece pieceFromSymbol(const QString& symbol) const;

    void makeMove(const Move& move, BoardTransition* transition = nullptr);
    void undoMove();
    QVector<Move> legalMoves();
    QString lan(const Move& move) { return lanMoveString(move); }
    QString san(const Move& move) { return sanMoveString(move); }
    Move moveFromSan(const QString& san) { return moveFromSanString(san); }

protected:
    static QString tr(const char* text) { return text; }
    void setPieceType(int type, const QString& name, const QString& symbol,
                      unsigned movement = 0, const QString& drawnAs = QString());
    Piece pieceAt(int square) const { return m_squares.at(square); }
    void setSquare(int square, Piece piece);
    void xorKey(quint64 key) { m_key ^= key; }
    Square chessSquare(int index) const;
    Square chessSquare(const QString& name) const;
    int squareIndex(const Square& square) const;
    int squareIndex(const QString& name) const { return squareIndex(chessSquare(name)); }
    QString squareString(const Square& square) const;
    QString squareString(int index) const { return squareString(chessSquare(index)); }
    void generateMoves(QVarLengthArray<Move>& moves, int pieceType = Piece::NoPiece) const;
    bool canMove() { return !legalMoves().isEmpty(); }

    virtual QString lanMoveString(const Move& move);
    virtual QString sanMoveString(const Move& move) = 0;
    virtual Move moveFromSanString(const QString& san) = 0;
    virtual bool vSetFenString(const QStringList& fen) = 0;
    virtual void vMakeMove(const Move& move, BoardTransition* transition) = 0;
    virtual void vUndoMove(const Move& move) = 0;
    virtual void generateMovesForPiece(QVarLengthArray<Move>& moves, int pieceType,
                                       int square) const = 0;
    virtual bool vIsLegalMove(const Move& move) = 0;
    virtual bool isLegalPosition() = 0;
    virtual int captureType(const Move& move) const = 0;

private:
    std::vector<Piece> m_squares;
    QVector<QString> m_symbols;
    QVector<Move> m_moves;
    QVector<quint64> m_keys;
    Side m_side;
    quint64 m_key = 0;
};

class WesternBoard : public Board {
public:
    enum WesternPieceType { Pawn = 1, Knight, Bishop, Rook, Queen, King };

    explicit WesternBoard(WesternZobrist* zobrist);
    int height() const override { return 8; }
    std::string fenString() const override;

protected:
    enum CastlingSide { QueenSide, KingSide, NoCastlingSide };

    int kingSquare(Side side) const;
    int castlingFile(CastlingSide castlingSide) const;
    void removeCastlingRights(int square);

    virtual bool parseCastlingRights(QChar c);
    virtual bool inCheck(Side side, int square = 0) const;
    virtual void addPromotions(int sourceSquare, int targetSquare,
                               QVarLengthArray<Move>& moves) const;
    bool vSetFenString(const QStringList& fen) override;
    QString lanMoveString(const Move& move) override;
    void vMakeMove(const Move& move, BoardTransition* transition) override;
    void vUndoMove(const Move& move) override;
    void generateMovesForPiece(QVarLengthArray<Move>& moves, int pieceType,
                               int square) const override;
    bool vIsLegalMove(const Move& move) override;
    int captureType(const Move& move) const override;

    QVarLengthArray<int> m_knightOffsets;
    QVarLengthArray<int> m_bishopOffsets;
    QVarLengthArray<int> m_rookOffsets;

private:
    struct State {
        std::array<std::array<int, 2>, 2> rooks; // that may castle, [side][castlingSide]; 0 none
        int enpassant;                           // square, 0 none
        int reversible;
        std::vector<std::pair<int, Piece>> before; // what the move that led here has changed
    };

    int up(Side side) const { return side == Side::White ? -(width() + 2) : width() + 2; }
    CastlingSide rookSide(int square) const;
    void setRook(Side side, CastlingSide castlingSide, int square);
    void setEnpassant(int square);
    void change(int square, Piece piece);
    void offerEnpassant(int square);
    void walk(QVarLengthArray<Move>& moves, int source, int step, bool slides) const;
    void generatePawnMoves(QVarLengthArray<Move>& moves, int source) const;
    void generateCastling(QVarLengthArray<Move>& moves, int source) const;

    State m_state{};
    QVector<State> m_history;
    int m_move = 1;
};

} // namespace Chess
