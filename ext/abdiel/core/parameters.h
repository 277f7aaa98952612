/* What the evaluation weighs: every parameter's name, how many values it has, and the term of `eval` that it belongs to.
 *
 * This list is the only place that knows them all. The values are in weights.h, which `abdiel tune` writes; evaluate.pyx
 * and pawns.pyx say what each counts. PAIRS are centipawns in middlegame and endgame. UNITS are summed up to the danger
 * that a King is in, which costs more than in proportion. What goes by piece type is indexed by the type, what goes by
 * rank by the rank as the side sees it. */
#ifndef ABDIEL_PARAMETERS_H
#define ABDIEL_PARAMETERS_H

#include <stdint.h>

#define ABDIEL_PARAMETERS(PAIRS, UNITS)                             \
    PAIRS(material, 11, "material")                                 \
    PAIRS(bishop_pair, 1, "material")                               \
    PAIRS(pair, 11, "material")           /* two or more of a type */ \
    PAIRS(crowd, 11, "material")          /* of a type, by how many enemies stand */ \
    PAIRS(squares, 440, "piece squares")  /* type, rank, file from the edge */ \
    PAIRS(pawn_doubled, 1, "pawns")                                 \
    PAIRS(pawn_isolated, 2, "pawns")      /* opposed or not */      \
    PAIRS(pawn_backward, 2, "pawns")                                \
    PAIRS(pawn_phalanx, 8, "pawns")                                 \
    PAIRS(pawn_supported, 8, "pawns")                               \
    PAIRS(pawn_candidate, 8, "pawns")                               \
    PAIRS(passed, 8, "passed pawns")                                \
    PAIRS(passed_free, 8, "passed pawns") /* nothing on the next square */ \
    PAIRS(passed_safe, 8, "passed pawns") /* the next square is not attacked */ \
    PAIRS(passed_helped, 8, "passed pawns") /* the next square is defended */ \
    PAIRS(passed_clear, 8, "passed pawns") /* nothing on the way attacked or held by the enemy */ \
    PAIRS(passed_own_king, 1, "passed pawns") /* its distance times the rank's step */ \
    PAIRS(passed_enemy_king, 1, "passed pawns")                     \
    PAIRS(passed_rook, 1, "passed pawns") /* behind it */           \
    PAIRS(mobility_knight, 9, "mobility")                           \
    PAIRS(mobility_bishop, 16, "mobility")                          \
    PAIRS(mobility_rook, 17, "mobility")                            \
    PAIRS(mobility_queen, 32, "mobility")                           \
    PAIRS(mobility_archbishop, 24, "mobility")                      \
    PAIRS(mobility_chancellor, 25, "mobility")                      \
    PAIRS(mobility_angel, 9, "mobility")                            \
    PAIRS(mobility_devil, 5, "mobility")                            \
    PAIRS(outpost, 11, "pieces")                                    \
    PAIRS(behind_pawn, 1, "pieces")       /* Knights and Bishops */ \
    PAIRS(bishop_pawns, 1, "pieces")      /* own ones on its colour */ \
    PAIRS(half_open_file, 1, "pieces")    /* Rooks */                \
    PAIRS(open_file, 1, "pieces")                                   \
    PAIRS(shelter, 16, "king shelter")    /* beside or on the King's file, rank; 0 without a pawn */ \
    PAIRS(storm, 16, "king shelter")      /* free or blocked, rank; 0 without a pawn */ \
    PAIRS(castling, 1, "king shelter")    /* rights */              \
    PAIRS(threat_pawn, 11, "threats")     /* victim */              \
    PAIRS(threat_minor, 22, "threats")    /* victim undefended, then defended */ \
    PAIRS(threat_major, 11, "threats")    /* victim undefended */   \
    PAIRS(threat_king, 1, "threats")                                \
    PAIRS(hanging, 1, "threats")                                    \
    PAIRS(threat_push, 1, "threats")                                \
    PAIRS(restricted, 1, "threats")                                 \
    PAIRS(cluster_best, 2, "clusters")    /* the side to move's, the other's; by 32 centipawns of gain */ \
    PAIRS(cluster_second, 2, "clusters")                            \
    PAIRS(cluster_count, 2, "clusters")                             \
    PAIRS(drive_edge, 1, "endings")       /* a bare King, steps from the middle */ \
    PAIRS(drive_near, 1, "endings")       /* the own King to it */  \
    PAIRS(space, 1, "space")                                        \
    PAIRS(tempo, 1, "tempo")                                        \
    UNITS(danger_attacker, 11, "king danger")                       \
    UNITS(danger_hits, 1, "king danger")                            \
    UNITS(danger_weak, 1, "king danger")                            \
    UNITS(danger_check, 11, "king danger") /* a safe one */         \
    UNITS(danger_checks, 11, "king danger") /* several */           \
    UNITS(danger_unsafe_check, 1, "king danger")                    \
    UNITS(danger_pinned, 1, "king danger")                          \
    UNITS(danger_no_queen, 1, "king danger") /* the enemy has none */ \
    UNITS(danger_unsheltered, 4, "king danger") /* files without an own pawn */ \
    UNITS(danger_open_file, 1, "king danger") /* with an enemy Rook or the like on it */ \
    UNITS(danger_flights, 6, "king danger")                         \
    UNITS(danger_defender, 1, "king danger")                        \
    UNITS(danger_always, 1, "king danger")

#define ABDIEL_FIELD(name, count, term) int64_t name[count];
typedef struct {
    ABDIEL_PARAMETERS(ABDIEL_FIELD, ABDIEL_FIELD)
} abdiel_weights_t;
#undef ABDIEL_FIELD

enum { ABDIEL_WEIGHT_COUNT = sizeof(abdiel_weights_t) / sizeof(int64_t) };

/* Both halves of a pair in one number, so that one addition adds both. */
#define S(middlegame, endgame) ((int64_t)(middlegame) * (1LL << 32) + (endgame))

#endif
