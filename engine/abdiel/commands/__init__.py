"""The command line: one module a command, each with one function that typer makes a command of."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from abdiel.commands.bench import bench
from abdiel.commands.board import board
from abdiel.commands.perft import perft
from abdiel.commands.play import play
from abdiel.commands.uci import uci
from abdiel.version import VERSION

app = typer.Typer(
    name="abdiel",
    help="Angels and Devils, and the Capablanca family. Without a command: speak UCI.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        print(f"abdiel {VERSION}")
        raise typer.Exit()


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_tell_version, is_eager=True, help="Tell the version and exit."
        ),
    ] = False,
) -> None:
    pass


for _command in (uci, play, board, perft, bench):
    app.command()(_command)


def main(arguments: list[str]) -> int:
    """Carry out a command; returns the exit status.

    Wrong usage, and any ValueError or OSError of a command, is one line on stderr and status 2;
    any other exception is a fault of ours and status 1.
    """
    command = typer.main.get_command(app)
    try:
        status = command.main(arguments, prog_name="abdiel", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has read enough; nothing is left to be flushed at exit.
        sys.stdout = None
        return 1
    except typer.Abort:
        return 130
    except (ValueError, OSError, _UsageError) as error:
        print(f"abdiel: {_one_line(error)}", file=sys.stderr)
        return 2
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        print(
            f"abdiel: internal error: {type(error).__name__}: {_one_line(error)}"
            " (python -X dev -m abdiel shows where)",
            file=sys.stderr,
        )
        return 1
    return int(status or 0)


# typer shows BadParameter only; what it raises for wrong usage in general is its base.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def _one_line(error: Exception) -> str:
    text = error.format_message() if hasattr(error, "format_message") else str(error)
    return " ".join(text.split())
