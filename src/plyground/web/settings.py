"""Settings and limits of the server. Every number that bounds what a request can cost is here."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path

import msgspec

from plyground.core.errors import PlygroundError


class NotFoundError(PlygroundError, kind="not-found"):
    """There is no such game, position or run."""


class BusyError(PlygroundError, kind="busy"):
    """The server does as much as it may; try again later."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How the server runs; times in seconds, sizes in bytes."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""
    """Asked of every request when not empty; needed on hosts other than loopback."""
    folder: Path
    """Where the sessions are kept."""
    results: Path
    """The database of runs that the tournament screen shows."""

    engine_processes: int = max(2, min(6, (os.cpu_count() or 2)))
    games_per_engine: int = 8
    """Agents that one process keeps in memory, more if they are small; further games are set up
    anew at their turn."""
    engine_idle: float = 60.0
    game_idle: float = 60.0
    quiet_games: int = 50
    """Games that nobody looks at and that are kept in memory; all others are only on disk."""
    pending_searches: int = 600
    analyses: int = 8
    analyses_per_connection: int = 2
    move_seconds: float = 60.0
    """The longest time per move that a game may have."""
    analysis_seconds: float = 300.0
    loading_seconds: float = 300.0

    body_bytes: int = 2 << 20
    message_bytes: int = 64 << 10
    connections: int = 1000
    sockets: int = 1500
    """Connections of any kind, those that have not asked for anything yet included."""
    request_seconds: float = 20.0
    """Within this time a connection has to send a whole request."""
    live_games: int = 2000
    moves_per_game: int = 100_000
    record_moves: int = 20_000
    running_tournaments: int = 1
    tournament_games: int = 400


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
