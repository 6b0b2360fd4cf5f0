"""The server put together: page, API, WebSocket."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from plyground.core.ending import exit_soon
from plyground.web.api import routes
from plyground.web.assets import Assets
from plyground.web.connection import Connection
from plyground.web.door import Server, protocol
from plyground.web.security import Guard, error_response
from plyground.web.services import Services
from plyground.web.settings import Settings

STATIC = Path(__file__).with_name("static")
PAGES = ("/", "/play", "/watch", "/replay", "/analyse", "/tournaments", "/run", "/lab", "/class")
"""Addresses of screens: all serve the same page, which looks at its address itself."""

NO_PAGES = ("/api/", "/static/", "/ws")
"""How addresses begin that never lead to a screen; any other unknown one gets the page."""


@cache
def shell() -> str:
    """The page, with a word to the browser which modules it will need: it asks for all at once."""
    modules = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("js/**/*.js"))
    links = "\n    ".join(
        f'<link rel="modulepreload" href="/static/{name}">'
        for name in modules
        if name != "js/theme.js"
    )
    return (STATIC / "index.html").read_text(encoding="utf-8").replace("<!-- modules -->", links)


def make_app(settings: Settings) -> Starlette:
    """The ASGI application."""
    current: list[Services] = []

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        services = Services(settings)
        current.append(services)
        app.state.services = services
        try:
            yield
        finally:
            await services.close()
            current.clear()
            exit_soon()

    files = Assets(STATIC)

    async def assets(request: Request) -> Response:
        return await files(request)

    async def page(request: Request) -> Response:
        return HTMLResponse(shell())

    async def socket(websocket: WebSocket) -> None:
        services = current[0]
        connection = Connection(websocket, services)
        if not services.admit(connection):
            await websocket.close(1013, "too many connections")
            return
        try:
            await websocket.accept()
            await connection.run()
        finally:
            services.connections.discard(connection)

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        wants_page = "text/html" in request.headers.get("accept", "")
        path = request.url.path
        if error.status_code == 404 and wants_page and not path.startswith(NO_PAGES):
            return HTMLResponse(shell(), 404)
        return error_response(error.status_code, "http", str(error.detail))

    return Starlette(
        routes=[
            *(Route(path, page) for path in PAGES),
            *routes(lambda: current[0]),
            WebSocketRoute("/ws", socket),
            Route("/static/{path:path}", assets),
        ],
        middleware=[
            Middleware(Guard, settings=settings),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={HTTPException: http_error},
        lifespan=lifespan,
    )


def make_server(settings: Settings) -> uvicorn.Server:
    """A server that is ready to `run`."""
    config = uvicorn.Config(
        make_app(settings),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nobody speaks for somebody else
        http=protocol(settings),  # type: ignore[arg-type] # it is called, nothing else
        ws="websockets-sansio",
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        backlog=1024,
    )
    return Server(config)
