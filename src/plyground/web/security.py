"""Who may talk to the server: host, origin, token, and what the page may load."""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plyground.web.settings import Settings, is_loopback

COOKIE = "plyground-token"
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
READING = ("GET", "HEAD")
ELSEWHERE = ("cross-site", "same-site")
"""What a browser says of a request that a page of another site or port makes."""

_LENGTH_DIGITS = 15
NO_CACHE = "no-cache"


class Guard:
    """Checks every request before anything else sees it, and adds the security headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["type"] == "http" and self._brings_token(scope):
            await self._greet(scope)(scope, receive, send)
            return
        refusal = self._refusal(scope, headers)
        if refusal is None:
            bounded = self._bounded(scope, headers, receive)
            await self._app(scope, bounded, self._with_headers(scope, send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
        else:
            response = error_response(refusal[0], "refused", refusal[1])
            await response(scope, receive, self._with_headers(scope, send))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Status and reason when a request must not be served."""
        host = headers.get("host", "")
        if is_loopback(self._settings.host) and not is_loopback(_host_name(host)):
            return 403, "this server answers to localhost only"
        origin = headers.get("origin")
        changes = scope.get("method", "GET") not in READING
        crosses = changes and headers.get("sec-fetch-site", "") in ELSEWHERE
        if crosses or (origin is not None and not is_same_site(origin, host)):
            return 403, "requests from other sites are refused"
        if self._settings.token and not self._knows_token(headers):
            return 401, "open the address with the token that the server printed"
        length = headers.get("content-length", "0")
        if not _is_length(length) or int(length) > self._settings.body_bytes:
            return 413, f"a request may have at most {self._settings.body_bytes} bytes"
        return None

    def _knows_token(self, headers: Headers) -> bool:
        given = headers.get("authorization", "").removeprefix("Bearer ")
        if not given:
            try:
                cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
            except CookieError:
                cookie = None
            given = cookie.value if cookie else ""
        return hmac.compare_digest(given.encode(), self._settings.token.encode())

    def _brings_token(self, scope: Scope) -> bool:
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        given = query.get("token", [""])[0]
        token = self._settings.token
        return bool(token) and hmac.compare_digest(given.encode(), token.encode())

    def _greet(self, scope: Scope) -> Response:
        """Put the token into a cookie and out of the address."""
        # One slash, no backslash: two of them would lead to another site.
        path = "/" + Request(scope).url.path.lstrip("/\\")
        asked = urlencode([(k, v) for k, v in Request(scope).query_params.items() if k != "token"])
        response = RedirectResponse(f"{path}?{asked}" if asked else path, 303)
        response.set_cookie(COOKIE, self._settings.token, httponly=True, samesite="strict")
        return response

    def _bounded(self, scope: Scope, headers: Headers, receive: Receive) -> Receive:
        """Bodies without a length are counted as they come."""
        if scope["type"] != "http" or "content-length" in headers:
            return receive
        room = self._settings.body_bytes

        async def counted() -> Message:
            nonlocal room
            message = await receive()
            room -= len(message.get("body", b""))
            if room < 0:
                return {"type": "http.disconnect"}
            return message

        return counted

    @staticmethod
    def _with_headers(scope: Scope, send: Send) -> Send:
        if scope["type"] != "http":
            return send

        async def wrapped(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                extra = {**HEADERS, "cache-control": NO_CACHE}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in extra.items()
                        if name.encode() not in names
                    ),
                ]
            await send(message)

        return wrapped


def error_response(status: int, kind: str, message: str) -> JSONResponse:
    """The shape of every error."""
    return JSONResponse({"error": {"kind": kind, "message": message}}, status)


def is_same_site(origin: str, host: str) -> bool:
    """Whether a page of this origin is one of ours."""
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


def _is_length(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _LENGTH_DIGITS


def _host_name(host: str) -> str:
    """The host of `host:port`; IPv6 addresses are in brackets. Empty if there is more to it."""
    if set(host) & set("@/?#\\"):
        return ""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
