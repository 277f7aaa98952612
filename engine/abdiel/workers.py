"""The local executor of matches and simulations: processes that end with it, whatever ends it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from concurrent.futures import Executor, ProcessPoolExecutor
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from multiprocessing.connection import Connection


P = ParamSpec("P")
T = TypeVar("T")


class Workers(Executor):
    """A pool of new processes. Each holds the end of a pipe that closes when this one dies.

    A `ProcessPoolExecutor` alone would leave its processes waiting for ever after a kill -9, with
    all that they have started.
    """

    def __init__(self, count: int, at_end: Callable[[], None] | None = None) -> None:
        """Start no more than `count` processes, when they are needed.

        `at_end`, which must be picklable, is called in each that has to end at once.
        """
        self._count = count
        self._at_end = at_end
        self.renew()

    def renew(self) -> None:
        """Start anew after a process of the pool was killed, which ends all of them."""
        # Not forked: threads and locks of this process are none of theirs.
        context = multiprocessing.get_context("spawn")
        self._reader, self._writer = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(
            self._count, context, initializer=_begin, initargs=(self._reader, self._at_end)
        )

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let one of the processes call a function."""
        # Here the processes are started. Till they ignore Ctrl-C themselves it is held back.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            return self._pool.submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for the calls and end the processes."""
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)
        self._close()

    def abort(self) -> None:
        """End calls and processes now."""
        self._close()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _close(self) -> None:
        self._writer.close()
        self._reader.close()


def _begin(reader: Connection, at_end: Callable[[], None] | None) -> None:
    # Ctrl-C reaches the whole group of processes, but what it means is the parent's affair.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    threading.Thread(target=_watch, args=(reader, at_end), daemon=True).start()


def _watch(reader: Connection, at_end: Callable[[], None] | None) -> None:
    with contextlib.suppress(EOFError, OSError):
        reader.recv_bytes()  # nothing is ever sent: it ends when the other end is closed
    if at_end is not None:
        at_end()
    os._exit(0)
