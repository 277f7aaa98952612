"""The engines that this process has running, kept from one game to the next."""

from __future__ import annotations

import atexit
import contextlib
import threading
from typing import TYPE_CHECKING

from abdiel.match.client import Client, EngineFailure, StartError

if TYPE_CHECKING:
    from abdiel.match.engines import EngineConfig

KEPT_IDLE = 4  # engines that wait for a thread's next game: enough for two, or a few of more
TRIES = 3  # to start an engine that could be started before

_lock = threading.Lock()
# Those in a game, and those that wait for the next game of a thread, the longest waiting first.
_busy: set[Client] = set()
_idle: dict[int, list[Client]] = {}
# How often everything was ended at once, and how often it had been when a thread's game began:
# where the two differ, the game goes on only in its own thread's mind.
_ends = 0
_ends_before = threading.local()


def begin() -> None:
    """Note that a game begins in this thread."""
    _ends_before.count = _ends


def running() -> list[Client]:
    """Return the engines of this process."""
    with _lock:
        return [*_busy, *(client for clients in _idle.values() for client in clients)]


def start(config: EngineConfig, variant: str) -> Client:
    """Start an engine and make it ready for a game of the variant. Raises `StartError`."""
    client = Client(config)
    with _lock:
        wanted = _ends_before.count == _ends
        if wanted:
            _busy.add(client)
    if not wanted:
        drop(client)
        raise StartError(f"engine {config.name}: no longer wanted, the match was broken off")
    try:
        client.handshake()
        client.check(variant)
        client.new_game(variant)
    except EngineFailure as failure:
        drop(client)
        raise StartError(f"engine {config.name}: not ready for a game: {failure}") from None
    except BaseException:
        drop(client)
        raise
    return client


def take(config: EngineConfig, variant: str) -> Client:
    """Return an engine that is ready for a game of the variant, running already or new.

    Nothing is lost yet when an engine fails here, so it is tried again. Raises `StartError`.
    """
    client = _take_idle(config)
    if client is not None:
        try:
            if client.is_alive():
                client.new_game(variant)
                return client
        except EngineFailure:
            pass
        except BaseException:
            drop(client)
            raise
        drop(client)
    for _ in range(TRIES - 1):
        with contextlib.suppress(StartError):
            return start(config, variant)
    return start(config, variant)


def _take_idle(config: EngineConfig) -> Client | None:
    with _lock:
        clients = _idle.get(threading.get_ident(), [])
        for client in clients:
            if client.config == config:
                clients.remove(client)
                _busy.add(client)
                return client
    return None


def give_back(client: Client) -> None:
    """Keep an engine for the next game, or end it if it is to be started anew for each."""
    if client.config.restart or not client.is_alive():
        end(client)
        return
    too_many = []
    with _lock:
        clients = _idle.setdefault(threading.get_ident(), [])
        if client in _busy:
            _busy.remove(client)
            clients.append(client)
        else:  # everything was ended in the meantime
            too_many.append(client)
        while len(clients) > KEPT_IDLE:
            too_many.append(clients.pop(0))
    for other in too_many:
        other.close()


def end(client: Client) -> None:
    """Let an engine quit."""
    client.close()
    with _lock:
        _busy.discard(client)


def drop(client: Client) -> None:
    """End an engine that cannot be trusted to quit."""
    client.kill()
    end(client)


def close_all(*, kill: bool = False) -> None:
    """End every engine of this process, of all threads; at once if `kill`.

    An engine in a game is killed: the thread whose game it is notices and does the rest.
    """
    global _ends
    with _lock:
        _ends += 1
        waiting = [client for clients in _idle.values() for client in clients]
        playing = list(_busy)
        _idle.clear()
        _busy.clear()
    for client in playing:
        client.kill()
    for client in waiting:
        if kill:
            client.kill()
        client.close()


atexit.register(close_all)
