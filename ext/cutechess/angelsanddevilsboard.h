/*
    Angels and Devils for Cute Chess, part of Abdiel.
    SPDX-License-Identifier: GPL-3.0-or-later

    This file is free software: you can redistribute it and/or modify it under
    the terms of the GNU General Public License, version 3 or later. It comes
    without any warranty. See <https://www.gnu.org/licenses/>.
*/

#ifndef ANGELSANDDEVILSBOARD_H
#define ANGELSANDDEVILSBOARD_H

#include "westernboard.h"

namespace Chess {

/*!
 * \brief Greg Strong's Angels and Devils, on 10x8 squares
 *
 * Beside the orthodox pieces White has Angels and Black has Devils. An Angel
 * jumps two or four squares in a straight line and captures each enemy on its
 * way; a Devil jumps two, may take its own men, and burns the enemies beside
 * the square it lands on. Abdiel's docs/rules.md has the whole text.
 */
class LIB_EXPORT AngelsAndDevilsBoard : public WesternBoard
{
	public:
		/*! Creates a board; initialize() and a FEN make it ready. */
		AngelsAndDevilsBoard();

		// Inherited from WesternBoard
		virtual Board* copy() const;
		virtual QString variant() const;
		virtual int width() const;
		virtual QString defaultFenString() const;

	protected:
		/*! The two pieces that chess lacks. */
		enum SpecialPieceType
		{
			Angel = 7,	//!< White's special piece
			Devil		//!< Black's special piece
		};

		// Inherited from WesternBoard
		virtual bool vSetFenString(const QStringList& fen);
		virtual bool parseCastlingRights(QChar c);
		virtual QString lanMoveString(const Move& move);
		virtual QString sanMoveString(const Move& move);
		virtual Move moveFromSanString(const QString& str);
		virtual void vMakeMove(const Move& move,
				       BoardTransition* transition);
		virtual void vUndoMove(const Move& move);
		virtual void addPromotions(int sourceSquare,
					   int targetSquare,
					   QVarLengthArray<Move>& moves) const;
		virtual void generateMovesForPiece(QVarLengthArray<Move>& moves,
						   int pieceType,
						   int square) const;
		virtual bool inCheck(Side side, int square = 0) const;
		virtual bool isLegalPosition();
		virtual bool vIsLegalMove(const Move& move);
		/*!
		 * Returns the type of a man that \a move removes, of either
		 * side and on any square, or Piece::NoPiece.
		 */
		virtual int captureType(const Move& move) const;

	private:
		struct Removal
		{
			int square;
			Piece piece;
		};
		// Up to three enemies jumped over, or up to four burned
		typedef QVarLengthArray<Removal, 4> Removals;

		bool isCastling(const Move& move) const;
		bool isEnpassantLegal(int square);
		// The men removed elsewhere than on the square of landing
		Removals sideRemovals(const Move& move) const;
		// Can an Angel of "attacker" remove an enemy on "square"?
		bool angelAttacks(Side attacker, int square) const;
		// The same for a Devil
		bool devilAttacks(Side attacker, int square) const;
		// Can a Devil of "attacker" come down on "square"?
		bool devilReaches(Side attacker, int square) const;

		QVector<Removals> m_removals;
};

} // namespace Chess
#endif // ANGELSANDDEVILSBOARD_H
