"""A UCI engine that plays by a script: legal moves, and what it is told to do wrong.

    python stub_engine.py [--seed N] [--fault KIND] [--at N] [--once FILE] [--score N]
                          [--variants a,b] [--think S]

At its Nth move (from 1) of a game it does KIND; with FILE, only as long as that file does not
exist, which it then makes: so it misbehaves once though it is started again.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from abdiel.board import Board, find_variant
from abdiel.variants import VARIANTS


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def fault(kind: str) -> None:
    """Misbehave instead of answering `go`."""
    if kind == "illegal":
        say("bestmove a1a8")
    elif kind == "nonsense":
        say('bestmove \x1b[31m}{ \\"')
    elif kind == "empty":
        say("bestmove")
    elif kind == "none":
        say("bestmove (none)")
    elif kind == "crash":
        sys.stderr.write("Segmentation fault, so to speak\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    elif kind == "status":
        sys.stderr.write("out of luck\n")
        sys.exit(3)
    elif kind == "exit":
        sys.exit(0)
    elif kind == "closed":
        os.close(1)
        time.sleep(1000)
    elif kind == "stall":
        time.sleep(1000)
    elif kind == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif kind == "late":
        # An honest engine that has lost its sense of time: it still answers stop.
        while sys.stdin.readline().strip() != "stop":
            pass
        say("bestmove a2a3")
    elif kind == "flood":
        while True:
            sys.stdout.write("lorem ipsum dolor sit amet\n" * 1000)
    elif kind == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    else:
        raise AssertionError(kind)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", default="")
    parser.add_argument("--at", type=int, default=3)
    parser.add_argument("--once", type=Path)
    parser.add_argument("--score", default="cp 0")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--think", type=float, default=0.0)
    parser.add_argument("--child", type=Path, help="start a child and write its number there")
    options = parser.parse_args()
    if options.child:
        child = subprocess.Popen(["sleep", "1000"])
        options.child.write_text(str(child.pid))
    chance = random.Random(options.seed)
    board = Board()
    variant = "angelsanddevils"
    played: tuple[object, list[str]] = (None, [])
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "uci":
            if options.fault == "mute":
                continue
            if options.fault == "unwilling":
                sys.stderr.write("no licence\n")
                sys.exit(1)
            say("id name Stub 1.0")
            say("id author nobody")
            say("option name Hash type spin default 16 min 1 max 1024")
            say("option name Style type combo default solid var solid var wild and mad")
            say("option name Clear Hash type button")
            if options.variants:
                variants = options.variants.split(",")
                say(
                    f"option name UCI_Variant type combo default {variants[0]} "
                    + " ".join(f"var {name}" for name in variants)
                )
            say("uciok")
        elif command == "setoption" and words[2] == "UCI_Variant":
            variant = words[4]
        elif command == "isready":
            say("readyok")
        elif command == "position":
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
            fen = " ".join(words[2:8]) if words[1] == "fen" else None
            start = (variant, fen)
            if start != played[0] or moves[: len(played[1])] != played[1]:
                board = find_variant(variant)(fen)
                played = (start, [])
            for move in moves[len(played[1]) :]:
                board.push_uci(move)
            played = (start, moves)
        elif command == "go":
            misbehaves = options.fault and len(board.move_stack) // 2 + 1 == options.at
            if misbehaves and options.once:
                misbehaves = not options.once.exists()
                options.once.touch()
            if misbehaves:
                fault(options.fault)
                continue
            time.sleep(options.think)
            move = chance.choice(list(board.legal_moves))
            say("info string garbage \xff is no score")
            say(f"info depth 7 seldepth 9 multipv 1 score {options.score} nodes 5 pv {move.uci()}")
            say(f"info depth 7 multipv 2 score cp 9999 pv {move.uci()}")
            say(f"bestmove {move.uci()} ponder a1a1")
        elif command == "quit":
            return


if __name__ == "__main__":
    main()
