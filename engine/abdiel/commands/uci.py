"""abdiel uci."""

from __future__ import annotations

import click

from abdiel.protocol.uci import main


@click.command("uci", short_help="Speak UCI, as abdiel does without a command.")
@click.pass_context
def command(context: click.Context) -> None:
    """Speak UCI on standard input and output, as abdiel does without a command."""
    context.exit(main())
