"""A UCI engine that answers at once: it replays a game that it is given, move by move.

    python instant_engine.py MOVE ...

Its `bestmove` is the MOVE that follows as many as the position names; when there is none left,
the runner has called the game.
"""

import sys


def main() -> None:
    moves = sys.argv[1:]
    answers = [f"info depth 1 score cp 0 nodes 1\nbestmove {move}\n" for move in moves]
    count = 0
    write, flush = sys.stdout.write, sys.stdout.flush
    for line in sys.stdin:
        if line.startswith("go"):
            write(answers[count])
        elif line.startswith("position"):
            played = line.partition(" moves ")[2]
            count = played.count(" ") + 1 if played else 0
            continue
        elif line.startswith("uci\n"):
            write("option name UCI_Variant type combo default x var x var angelsanddevils\nuciok\n")
        elif line.startswith("isready"):
            write("readyok\n")
        elif line.startswith("quit"):
            return
        else:
            continue
        flush()


if __name__ == "__main__":
    main()
