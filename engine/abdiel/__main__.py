"""The command `abdiel`: without arguments UCI at once, with arguments one of the commands."""

from __future__ import annotations

import sys


def main() -> int:
    """Returns the exit status: 0, 2 for wrong usage, 130 after Ctrl-C."""
    try:
        if len(sys.argv) == 1:
            from abdiel.protocol.uci import main as speak_uci

            return speak_uci()
        from abdiel.commands import main as command

        return command(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
