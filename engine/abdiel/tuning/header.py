"""The file of weights that the core is compiled with, and the weights as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abdiel.core.weights import GAMES, parameters, weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    Values = Sequence[tuple[int, int]]

_HEAD = """\
/* The evaluation's weights, one set a game: parameters.h says what each is. `abdiel tune` writes
 * this file. */
#include "parameters.h"

static const abdiel_weights_t ABDIEL_WEIGHTS[2] = {
"""
# What fits a line, and how a list is broken that does not.
_SHORT = 6
_COLUMNS = {"squares": 5}
_DEFAULT_COLUMNS = 8


def weights_header(changed: dict[int, Values]) -> str:
    """Return the header's text with the compiled weights but for the games' sets that are given."""
    sets = [_set(game, changed.get(game) or weights(game)) for game in range(len(GAMES))]
    return _HEAD + "".join(sets) + "};\n"


def _set(game: int, values: Values) -> str:
    lines = [f"    {{ /* {GAMES[game]} */"]
    at = 0
    for name, count, _, pairs in parameters():
        own = values[at : at + count]
        at += count
        words = [f"S({first}, {second})" if pairs else str(first) for first, second in own]
        if count <= _SHORT:
            lines.append(f"        .{name} = {{{', '.join(words)}}},")
            continue
        lines.append(f"        .{name} = {{")
        width = _COLUMNS.get(name, _DEFAULT_COLUMNS)
        rows = (words[start : start + width] for start in range(0, count, width))
        lines.extend(f"            {', '.join(row)}," for row in rows)
        lines.append("        },")
    return "\n".join([*lines, "    },"]) + "\n"
