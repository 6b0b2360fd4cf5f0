"""The page's own files: read and compressed once, then answered from memory."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

_LEAST_COMPRESSED = 600
"""Bytes; smaller files gain nothing."""
_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}


class Assets:
    """All files below a folder, as they are when the server starts.

    A browser keeps them and asks each time whether they are still the same: that costs a short
    answer without a body.
    """

    def __init__(self, folder: Path) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): _Asset(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    async def __call__(self, request: Request) -> Response:
        """The file that a request names; 404 for anything else, 304 for what is known."""
        asset = self._files.get(request.path_params["path"])
        if asset is None:
            raise HTTPException(404)
        headers = {"etag": asset.tag, "vary": "Accept-Encoding"}
        if asset.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = asset.body
        if asset.packed and "gzip" in request.headers.get("accept-encoding", ""):
            body = asset.packed
            headers["content-encoding"] = "gzip"
        return Response(body, media_type=asset.kind, headers=headers)


class _Asset:
    """One file: its bytes, the same compressed, its type and what tells versions apart."""

    def __init__(self, path: Path) -> None:
        self.body = path.read_bytes()
        large = len(self.body) >= _LEAST_COMPRESSED
        self.packed = gzip.compress(self.body, mtime=0) if large else b""
        self.kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
        self.tag = f'"{hashlib.sha256(self.body).hexdigest()[:24]}"'
