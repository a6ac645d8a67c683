"""Answers that are files: streamed from the store, named, and never taken by a browser for something that runs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

_PICTURES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"))
_FOREVER = "public, max-age=31536000, immutable"
# Asked for again each time, and answered 304: the next person at this browser may not see it.
_PRIVATE = "private, no-cache"


def file_answer(request: Request, name: str, pieces: Iterator[bytes], *, digest: str, is_public: bool) -> Response:
    """Return a stored file: pictures to be looked at, all else to be kept. Its address says its bytes, so it never changes.

    Args:
        request: What is answered.
        name: As it was sent.
        pieces: Its bytes.
        digest: SHA-256.
        is_public: Whether others than the one who asks may keep a copy on the way.
    """
    tag = f'"{digest}"'
    headers = {
        "ETag": tag,
        "Cache-Control": _FOREVER if is_public else _PRIVATE,
        "Vary": "Authorization, Cookie",
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    first = next(pieces, b"")
    kind = next((kind for begins, kind in _PICTURES if first.startswith(begins)), None)
    headers["Content-Disposition"] = disposition(name, is_shown=kind is not None)
    return StreamingResponse(chain([first], pieces), media_type=kind or "application/octet-stream", headers=headers)


def disposition(name: str, *, is_shown: bool = False) -> str:
    """Return the header that says what a file is called."""
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._- ") else "_" for letter in name)
    return f"{'inline' if is_shown else 'attachment'}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
