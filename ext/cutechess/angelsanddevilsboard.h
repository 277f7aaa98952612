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

		Board* copy() const override;
		QString variant() const override;
		int width() const override;
		QString defaultFenString() const override;

	protected:
		/*! The two pieces that chess lacks. */
		enum SpecialPieceType
		{
			Angel = 7,	//!< White's special piece
			Devil		//!< Black's special piece
		};

		bool vSetFenString(const QStringList& fen) override;
		bool parseCastlingRights(QChar c) override;
		QString lanMoveString(const Move& move) override;
		QString sanMoveString(const Move& move) override;
		Move moveFromSanString(const QString& str) override;
		void vMakeMove(const Move& move,
			       BoardTransition* transition) override;
		void vUndoMove(const Move& move) override;
		void addPromotions(int sourceSquare,
				   int targetSquare,
				   QVarLengthArray<Move>& moves) const override;
		void generateMovesForPiece(QVarLengthArray<Move>& moves,
					   int pieceType,
					   int square) const override;
		bool inCheck(Side side, int square = 0) const override;
		bool isLegalPosition() override;
		bool vIsLegalMove(const Move& move) override;
		/*!
		 * Returns the type of a man that \a move removes, of either
		 * side and on any square, or Piece::NoPiece.
		 */
		int captureType(const Move& move) const override;

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
