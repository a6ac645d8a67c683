"""What an operation of the register answers: a model as JSON, with its version as an ETag."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import Response

from api.problems import Failure

_TAG = re.compile(r'"([0-9]{1,18})\.[0-9a-f]{16}"', re.ASCII)
_UNSEEN = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"}


class Shown(BaseModel):
    """Base of all models that answers are made from."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Taken(BaseModel):
    """Base of all models that bodies are read into: what they do not name is refused, and nothing is guessed."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer.

    Attributes:
        version: Of the thing that the body shows, for If-Match; None where nothing of it changes.
        location: Where what was made can be looked at.
        status: None for the operation's own.
    """

    body: BaseModel | None = None
    version: int | None = None
    location: str | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self, request: Request, status: int) -> Response:
        """Return what is sent."""
        headers = {**_UNSEEN, **self.headers}
        if self.location is not None:
            headers["Location"] = self.location
        if self.body is None:
            return Response(status_code=self.status or status, headers=headers)
        data = self.body.model_dump_json().encode()
        if self.version is not None:
            headers["ETag"] = tag_of(self.version, data)
        elif request.method in ("GET", "HEAD"):
            headers["ETag"] = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
        if request.method in ("GET", "HEAD") and _is_held(request, headers.get("ETag", "")):
            return Response(status_code=304, headers=headers)
        return Response(data, status_code=self.status or status, media_type="application/json", headers=headers)


def tag_of(version: int, data: bytes) -> str:
    """Return an ETag: the version, for If-Match, and a digest of what is shown, for If-None-Match."""
    return f'"{version}.{hashlib.sha256(data).hexdigest()[:16]}"'


def expected_of(request: Request, *, is_needed: bool) -> int | None:
    """Return the version that the header If-Match names; None for any.

    Raises:
        Failure: It is needed and missing, or it names no version of ours.
    """
    given = request.headers.get("if-match")
    if given is None:
        if is_needed:
            raise Failure("precondition_required", "Send the ETag of what you looked at in the header If-Match.")
        return None
    if given.strip() == "*":
        return None
    found = _TAG.fullmatch(given.strip())
    if found is None:
        raise Failure("changed_meanwhile", "The header If-Match names no version of this; send the ETag of what you looked at.")
    return int(found[1])


def _is_held(request: Request, tag: str) -> bool:
    held = {part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")}
    return bool(tag) and (tag in held or "*" in held)
