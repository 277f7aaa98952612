"""The command line: one module a command, imported when it is asked for."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from abdiel.version import VERSION

_NAMES = ("uci", "play", "board", "perft", "bench", "match", "openings", "tune", "cards")


class _Commands(click.Group):
    """Finds the commands; rich and the search are not loaded for one that needs neither."""

    def list_commands(self, _: click.Context) -> list[str]:
        return list(_NAMES)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        if name not in _NAMES:
            return None
        command: click.Command = import_module(f"abdiel.commands.{name}").command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="%(prog)s %(version)s", help="Tell the version and exit.")
def _abdiel() -> None:
    """Angels and Devils, and the Capablanca family. Without a command: speak UCI."""


def main(arguments: list[str]) -> int:
    """Carry out a command; returns the exit status.

    Wrong usage, and any ValueError or OSError of a command, is one line on stderr and status 2;
    any other exception is a fault of ours and status 1.
    """
    # click's own main would hide what is interrupted or cannot be written.
    try:
        with _abdiel.make_context("abdiel", arguments) as context:
            _abdiel.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except BrokenPipeError:
        # Whoever read our output has read enough; nothing is left to be flushed at exit.
        sys.stdout = None
        return 1
    except click.UsageError as error:
        text = error.format_message().removesuffix(".")
        # A BadParameter itself says what is right.
        if type(error) is not click.BadParameter and error.ctx is not None:
            text += f" ({error.ctx.command_path} --help tells what is right)"
        return _complain(text)
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except ValueError as error:
        return _complain(str(error))
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        _complain(
            f"internal error: {type(error).__name__}: {error} (python -X dev -m abdiel shows where)"
        )
        return 1
    return 0


def _complain(text: str) -> int:
    print("abdiel:", " ".join(text.split()), file=sys.stderr)
    return 2
