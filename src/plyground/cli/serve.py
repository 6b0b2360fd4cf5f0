"""`plyground serve`: the page in the browser."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from cyclopts import Parameter

from plyground.cli.app import console
from plyground.core.errors import InputError


def serve(
    *games: Annotated[str, Parameter(help="Files of games to offer beside the others.")],
    host: Annotated[str, Parameter(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Parameter(help="Port; 0 takes a free one.")] = 8000,
    database: Annotated[Path | None, Parameter(help="Results shown as tournaments.")] = None,
    engines: Annotated[int | None, Parameter(help="Engine processes at most.")] = None,
    agent: Annotated[
        list[str] | None,
        Parameter(help="A file with agents of your own to offer; may be repeated.", negative=""),
    ] = None,
) -> None:
    """Serve the page: play, watch, analyse and run tournaments in the browser.

    Only this machine can open it. With another `--host` every visitor needs the token that is
    printed with the address.

    Example: plyground serve --agent mybot.py
    """
    from plyground.core.paths import data_root
    from plyground.core.registry import admit_file, find_game, game_name, refuse_files
    from plyground.store.database import default_path
    from plyground.web.app import make_server
    from plyground.web.session_store import SESSIONS, SessionStore
    from plyground.web.settings import Settings, is_loopback

    if not 0 <= port <= 65535:
        raise InputError(f"port must be from 0 to 65535, not {port}")
    if engines is not None and engines < 1:
        raise InputError(f"engines must be at least 1, not {engines}")
    for text in games:
        find_game(game_name(text))({})
    for text in agent or ():
        admit_file(text)
    refuse_files()
    folder = data_root() / "web"
    SessionStore(folder / SESSIONS).close()
    listener = _listen(host, port)
    port = listener.getsockname()[1]
    token = "" if is_loopback(host) else secrets.token_urlsafe(18)
    settings = Settings(
        host=host,
        port=port,
        token=token,
        folder=folder,
        results=database or default_path(),
        **({"engine_processes": engines} if engines else {}),
    )
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    suffix = f"?token={token}" if token else ""
    console.print(f"plyground: {address}/{suffix}  (Ctrl+C ends it)", highlight=False)
    for text in games:
        query = urlencode({"new": Path(text).name} | ({"token": token} if token else {}))
        console.print(f"{text}: {address}/play?{query}", highlight=False, soft_wrap=True)
    with listener:
        make_server(settings).run([listener])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise InputError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    return listener
