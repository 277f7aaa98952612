"""abdiel uci."""

from __future__ import annotations

import typer

from abdiel.protocol.uci import main


def uci() -> None:
    """Speak UCI on standard input and output, as abdiel does without a command."""
    raise typer.Exit(main())
