/*
    Angels and Devils for Cute Chess, part of Abdiel.
    SPDX-License-Identifier: GPL-3.0-or-later

    This file is free software: you can redistribute it and/or modify it under
    the terms of the GNU General Public License, version 3 or later. It comes
    without any warranty. See <https://www.gnu.org/licenses/>.
*/

#include "angelsanddevilsboard.h"
#include <QRegularExpression>
#include <QStringList>
#include "boardtransition.h"
#include "westernzobrist.h"

namespace Chess {

namespace {

const int KingFile = 5;

} // namespace

AngelsAndDevilsBoard::AngelsAndDevilsBoard()
	: WesternBoard(new WesternZobrist())
{
	// Cute Chess draws no Angels and Devils: its Archbishop and Chancellor
	// stand in for them.
	setPieceType(Angel, tr("angel"), "A");
	setPieceType(Devil, tr("devil"), "D", 0, "C");
}

Board* AngelsAndDevilsBoard::copy() const
{
	return new AngelsAndDevilsBoard(*this);
}

QString AngelsAndDevilsBoard::variant() const
{
	return "angelsanddevils";
}

int AngelsAndDevilsBoard::width() const
{
	return 10;
}

QString AngelsAndDevilsBoard::defaultFenString() const
{
	return "rdnbqkbndr/pppppppppp/10/10/10/10/PPPPPPPPPP/RANBQKBNAR w KQkq - 0 1";
}

bool AngelsAndDevilsBoard::vSetFenString(const QStringList& fen)
{
	const int EnpassantField = 1;

	m_removals.clear();
	for (int file = 0; file < width(); file++)
	{
		if (pieceAt(Square(file, 0)).type() == Pawn
		||  pieceAt(Square(file, height() - 1)).type() == Pawn)
			return false;
	}
	if (fen.size() <= EnpassantField || fen.at(EnpassantField) == "-")
		return WesternBoard::vSetFenString(fen);

	// A FEN may name the square after every double step, but only a legal
	// capture is part of the position and of its key. Whether it is legal
	// shows once the rest has been read.
	QStringList quiet(fen);
	quiet[EnpassantField] = "-";
	const quint64 placement = key();
	if (!WesternBoard::vSetFenString(quiet))
		return false;

	const Side side(sideToMove());
	const Square named(chessSquare(fen.at(EnpassantField)));
	const int rank = (side == Side::White) ? height() - 3 : 2;
	const int up = (side == Side::White) ? 1 : -1;
	if (!isValidSquare(named))
		return false;
	if (named.rank() != rank
	||  !pieceAt(named).isEmpty()
	||  !pieceAt(Square(named.file(), rank + up)).isEmpty()
	||  pieceAt(Square(named.file(), rank - up)) != Piece(side.opposite(), Pawn)
	||  !isEnpassantLegal(squareIndex(named)))
		return true;

	// The second reading writes the castling rights into the key anew.
	xorKey(key() ^ placement);
	return WesternBoard::vSetFenString(fen);
}

bool AngelsAndDevilsBoard::isEnpassantLegal(int square)
{
	const Side side(sideToMove());
	const Piece pawn(side, Pawn);
	const int behind = (width() + 2) * (side == Side::White ? 1 : -1);
	const int passed = square + behind;
	const Piece victim(pieceAt(passed));
	bool legal = false;

	for (int source = passed - 1; source <= passed + 1; source += 2)
	{
		if (legal || pieceAt(source) != pawn)
			continue;

		setSquare(source, Piece::NoPiece);
		setSquare(passed, Piece::NoPiece);
		setSquare(square, pawn);
		legal = !inCheck(side);
		setSquare(square, Piece::NoPiece);
		setSquare(passed, victim);
		setSquare(source, pawn);
	}
	return legal;
}

bool AngelsAndDevilsBoard::parseCastlingRights(QChar c)
{
	const Side side(c.isUpper() ? Side::White : Side::Black);
	const int rank = (side == Side::White) ? 0 : height() - 1;
	const QChar letter(c.toLower());
	int file;

	if (letter == 'k' || letter == QChar('a' + width() - 1))
		file = width() - 1;
	else if (letter == 'q' || letter == 'a')
		file = 0;
	else
		return false;

	// Without King and Rook where the game puts them there is no right,
	// whatever the FEN claims. Abdiel reads it so too.
	if (pieceAt(Square(KingFile, rank)) != Piece(side, King)
	||  pieceAt(Square(file, rank)) != Piece(side, Rook))
		return true;

	return WesternBoard::parseCastlingRights(c);
}

bool AngelsAndDevilsBoard::isCastling(const Move& move) const
{
	// Castling is King takes own Rook here; a King has no other move to a
	// square of its own side.
	return pieceAt(move.sourceSquare()).type() == King
	&&     pieceAt(move.targetSquare()) == Piece(sideToMove(), Rook);
}

AngelsAndDevilsBoard::Removals
AngelsAndDevilsBoard::sideRemovals(const Move& move) const
{
	Removals removals;
	const int source = move.sourceSquare();
	const int target = move.targetSquare();
	const Side enemy(sideToMove().opposite());

	switch (pieceAt(source).type())
	{
	case Angel:
		for (const int step : m_rookOffsets)
		{
			if (target - source != 2 * step && target - source != 4 * step)
				continue;
			for (int sq = source + step; sq != target; sq += step)
			{
				if (pieceAt(sq).side() == enemy)
					removals.append({ sq, pieceAt(sq) });
			}
			break;
		}
		break;
	case Devil:
		for (const int step : m_rookOffsets)
		{
			const Piece piece(pieceAt(target + step));
			if (piece.side() == enemy)
				removals.append({ target + step, piece });
		}
		break;
	default:
		break;
	}
	return removals;
}

int AngelsAndDevilsBoard::captureType(const Move& move) const
{
	const int type = pieceAt(move.sourceSquare()).type();
	if (type != Angel && type != Devil)
		return WesternBoard::captureType(move);

	// WesternBoard resets the fifty moves' count, and strikes out the
	// castling right of a Rook on the target, whenever this names a piece.
	const Piece landing(pieceAt(move.targetSquare()));
	if (landing.isValid())
		return landing.type();
	const Removals removals(sideRemovals(move));
	return removals.isEmpty() ? int(Piece::NoPiece)
				  : removals.first().piece.type();
}

void AngelsAndDevilsBoard::vMakeMove(const Move& move,
				     BoardTransition* transition)
{
	const Removals removals(sideRemovals(move));

	WesternBoard::vMakeMove(move, transition);

	for (const Removal& removal : removals)
	{
		removeCastlingRights(removal.square);
		setSquare(removal.square, Piece::NoPiece);
		if (transition != nullptr)
			transition->addSquare(chessSquare(removal.square));
	}
	m_removals.append(removals);
}

void AngelsAndDevilsBoard::vUndoMove(const Move& move)
{
	WesternBoard::vUndoMove(move);

	for (const Removal& removal : m_removals.last())
		setSquare(removal.square, removal.piece);
	m_removals.removeLast();
}

void AngelsAndDevilsBoard::addPromotions(int sourceSquare,
					 int targetSquare,
					 QVarLengthArray<Move>& moves) const
{
	WesternBoard::addPromotions(sourceSquare, targetSquare, moves);
	moves.append(Move(sourceSquare, targetSquare,
			  sideToMove() == Side::White ? Angel : Devil));
}

void AngelsAndDevilsBoard::generateMovesForPiece(QVarLengthArray<Move>& moves,
						 int pieceType,
						 int square) const
{
	if (pieceType != Angel && pieceType != Devil)
	{
		WesternBoard::generateMovesForPiece(moves, pieceType, square);
		return;
	}

	// Step by step: a single column of wall separates the ranks in the
	// array, and a leap could land behind it.
	const Side side(sideToMove());
	const int reach = (pieceType == Angel) ? 4 : 2;
	for (const int step : m_rookOffsets)
	{
		int target = square;
		for (int distance = 1; distance <= reach; distance++)
		{
			target += step;
			const Piece piece(pieceAt(target));
			if (piece.isWall())
				break;
			if (distance % 2 != 0)
				continue;
			if (piece.side() != side
			||  (pieceType == Devil && piece.type() != King))
				moves.append(Move(square, target));
		}
	}
}

bool AngelsAndDevilsBoard::angelAttacks(Side attacker, int square) const
{
	const Piece angel(attacker, Angel);

	for (const int step : m_rookOffsets)
	{
		// The squares beyond, where an Angel that comes along may land
		bool open[4] = { true, false, false, false };
		int beyond = square;
		for (int i = 1; i <= 3; i++)
		{
			beyond += step;
			const Piece piece(pieceAt(beyond));
			if (piece.isWall())
				break;
			open[i] = (piece.side() != attacker);
		}

		int from = square;
		for (int distance = 1; distance <= 4; distance++)
		{
			from -= step;
			const Piece piece(pieceAt(from));
			if (piece.isWall())
				break;
			if (piece == angel
			&&  (open[4 - distance]
			||   (distance <= 2 && open[2 - distance])))
				return true;
		}
	}
	return false;
}

bool AngelsAndDevilsBoard::devilReaches(Side attacker, int square) const
{
	const Piece landing(pieceAt(square));
	if (landing.isWall() || landing == Piece(attacker, King))
		return false;

	const Piece devil(attacker, Devil);
	for (const int step : m_rookOffsets)
	{
		if (!pieceAt(square - step).isWall()
		&&  pieceAt(square - 2 * step) == devil)
			return true;
	}
	return false;
}

bool AngelsAndDevilsBoard::devilAttacks(Side attacker, int square) const
{
	if (devilReaches(attacker, square))
		return true;
	for (const int step : m_rookOffsets)
	{
		if (devilReaches(attacker, square + step))
			return true;
	}
	return false;
}

bool AngelsAndDevilsBoard::inCheck(Side side, int square) const
{
	if (square == 0)
		square = kingSquare(side);

	return WesternBoard::inCheck(side, square)
	||     angelAttacks(side.opposite(), square)
	||     devilAttacks(side.opposite(), square);
}

bool AngelsAndDevilsBoard::isLegalPosition()
{
	return !inCheck(sideToMove().opposite());
}

bool AngelsAndDevilsBoard::vIsLegalMove(const Move& move)
{
	if (isCastling(move))
	{
		// The King alone walks; the Rook stays until the way is found safe.
		const Side side(sideToMove());
		const Piece king(pieceAt(move.sourceSquare()));
		const int source = move.sourceSquare();
		const int way = (move.targetSquare() > source) ? 1 : -1;
		const CastlingSide castlingSide = (way > 0) ? KingSide : QueenSide;
		const int squares = qAbs(castlingFile(castlingSide) - KingFile);

		bool safe = !inCheck(side, source);
		setSquare(source, Piece::NoPiece);
		for (int i = 1; safe && i <= squares; i++)
		{
			const int square = source + i * way;
			setSquare(square, king);
			safe = !inCheck(side, square);
			setSquare(square, Piece::NoPiece);
		}
		setSquare(source, king);
		if (!safe)
			return false;
	}
	return WesternBoard::vIsLegalMove(move);
}

QString AngelsAndDevilsBoard::lanMoveString(const Move& move)
{
	// WesternBoard takes every move to a castling Rook for castling; a
	// Devil's capture of its own Rook is none.
	if (!isCastling(move))
		return Board::lanMoveString(move);
	return WesternBoard::lanMoveString(move);
}

QString AngelsAndDevilsBoard::sanMoveString(const Move& move)
{
	const Square from(chessSquare(move.sourceSquare()));
	const Piece piece(pieceAt(move.sourceSquare()));
	QString san;

	if (isCastling(move))
		san = (move.targetSquare() > move.sourceSquare()) ? "O-O" : "O-O-O";
	else
	{
		const bool removes = (captureType(move) != Piece::NoPiece);
		bool showFile = false;
		bool showRank = false;

		if (piece.type() == Pawn)
			showFile = removes;
		else
		{
			bool rivals = false;
			bool fileShared = false;
			bool rankShared = false;
			QVarLengthArray<Move> moves;
			generateMoves(moves, piece.type());

			san = pieceSymbol(piece).toUpper();
			for (const Move& other : moves)
			{
				if (other.targetSquare() != move.targetSquare()
				||  other.sourceSquare() == move.sourceSquare()
				||  !vIsLegalMove(other))
					continue;
				const Square rival(chessSquare(other.sourceSquare()));
				rivals = true;
				fileShared |= (rival.file() == from.file());
				rankShared |= (rival.rank() == from.rank());
			}
			showFile = rivals && (rankShared || !fileShared);
			showRank = fileShared;
		}

		const QString name(squareString(from));
		if (showFile)
			san += name.left(1);
		if (showRank)
			san += name.mid(1);
		if (removes)
			san += 'x';
		san += squareString(move.targetSquare());
		if (move.promotion() != Piece::NoPiece)
			san += '=' + pieceSymbol(move.promotion()).toUpper();
	}

	makeMove(move);
	if (inCheck(sideToMove()))
		san += canMove() ? '+' : '#';
	undoMove();

	return san;
}

Move AngelsAndDevilsBoard::moveFromSanString(const QString& str)
{
	static const QRegularExpression castling(
		"^[O0]-[O0](-[O0])?[+#!?]*$");
	static const QRegularExpression pattern(
		"^([KQRBNADP]?)([a-j]?)([1-8]?)(x?)([a-j][1-8])"
		"(?:=?([QRBNADqrbnad]))?[+#!?]*$");

	QRegularExpressionMatch match(castling.match(str));
	const bool castles = match.hasMatch();
	const bool toLeft = castles && !match.captured(1).isEmpty();
	int type = King;
	int promotion = Piece::NoPiece;
	int target = 0;
	if (!castles)
	{
		match = pattern.match(str);
		if (!match.hasMatch())
			return Move();
		type = match.captured(1).isEmpty()
		       ? int(Pawn) : pieceFromSymbol(match.captured(1)).type();
		promotion = pieceFromSymbol(match.captured(6)).type();
		target = squareIndex(match.captured(5));
	}

	Move found;
	QVarLengthArray<Move> moves;
	generateMoves(moves, type);
	for (const Move& move : moves)
	{
		const QString from(squareString(move.sourceSquare()));

		if (castles != isCastling(move))
			continue;
		if (castles)
		{
			if (toLeft != (move.targetSquare() < move.sourceSquare()))
				continue;
		}
		else if (move.targetSquare() != target
		     ||  move.promotion() != promotion
		     ||  !(match.captured(2).isEmpty()
			   || match.captured(2) == from.left(1))
		     ||  !(match.captured(3).isEmpty()
			   || match.captured(3) == from.mid(1)))
			continue;
		// The mark of a removal may be left out, but not be false.
		else if (!match.captured(4).isEmpty()
		     &&  captureType(move) == Piece::NoPiece)
			continue;

		if (!vIsLegalMove(move))
			continue;
		if (!found.isNull())
			return Move();
		found = move;
	}
	return found;
}

} // namespace Chess
