"""`/api/v1/uploads`: files in parts, so that a line that breaks costs one part and not the file."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import anyio.to_thread
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.asking import asked_of
from api.attached import pieces_of
from api.body import chunks
from api.call import Call
from api.operation import Operation, operation
from api.problems import Failure
from api.reply import Reply, Shown, Taken
from api.sent import refuse_parameters
from homolog.errors import Problem

if TYPE_CHECKING:
    from homolog.service.uploading import State

ROUTES: list[Operation] = []
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class UploadWanted(Taken):
    """A file that is about to be sent."""

    name: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
    media_type: Annotated[str, Field(max_length=100, pattern=r"^[\x21-\x7e]+$")] = "application/octet-stream"
    size: Annotated[int | None, Field(ge=0, le=2**53, description="Bytes in all, if that is known.")] = None
    sha256: Sha256 | None = Field(None, description="What the file is held against at the end.")


class UploadShown(Shown):
    """An upload on its way."""

    id: str
    name: str
    size: int | None
    offset: int = Field(description="How many bytes are there; the next part begins here.")
    sha256: str | None = Field(description="Of the whole file, once it is attached.")
    until: datetime = Field(description="When it is forgotten, if no part comes.")


class UploadUsed(Taken):
    """A whole upload, to be attached."""

    upload: Annotated[str, Field(min_length=1, max_length=64)]


@operation(ROUTES, "POST", "/api/v1/uploads", action="upload.make", summary="Begin an upload", answer=UploadShown, status=201)
def begin_upload(call: Call, wanted: UploadWanted) -> Reply:
    """Begin to send a file in parts; each goes to the address of the upload with PATCH and its place in Upload-Offset."""
    from homolog.service import uploading

    made = uploading.begin(
        call.actor,
        call.desk,
        name=wanted.name,
        media_type=wanted.media_type,
        size=wanted.size,
        expected=wanted.sha256,
        now=call.now,
    )
    return Reply(body=_shown(made), location=f"/api/v1/uploads/{made.id}")


@operation(ROUTES, "GET", "/api/v1/uploads/{upload}", action="upload.read", summary="Say how far an upload is", answer=UploadShown)
def show_upload(call: Call, upload: str) -> Reply:
    """Say where the next part begins; ask after a line has broken."""
    from homolog.service import uploading

    return Reply(body=_shown(uploading.state(call.actor, call.desk, upload, now=call.now)))


@operation(
    ROUTES,
    "POST",
    "/api/v1/applications/{application}/uploads",
    action="application.attach",
    summary="Attach an upload to an application",
    answer=UploadShown,
    status=201,
    is_repeatable=False,
    problems=("step_refused", "conflicting"),
)
def attach_upload(call: Call, application: str, wanted: UploadUsed) -> Reply:
    """Put the parts together, hold them against what was announced, and attach the file; doing it again changes nothing."""
    from homolog.service import uploading

    done = uploading.attach(call.actor, call.desk, application, wanted.upload, now=call.now)
    return Reply(body=_shown(done), location=f"/api/v1/applications/{application}/files/{done.digest}")


async def add_part(request: Request) -> Response:
    """Take a part in; the header Upload-Offset says where it begins."""
    asked = await asked_of(request, action="upload.make")
    refuse_parameters(request, "leave them out")
    at = _offset(request)
    settings = asked.service.settings

    def added() -> State:
        from homolog.service import uploading

        pieces = pieces_of(chunks(request, limit=settings.body_limit, seconds=settings.body_seconds))
        upload = request.path_params["upload"]
        return uploading.add(asked.actor, asked.desk, upload, pieces, at=at, now=asked.now, limit=settings.body_limit)

    async with asked.service.uploads.held():
        found = await anyio.to_thread.run_sync(added)
    return Response(status_code=204, headers={"Upload-Offset": str(found.offset), "Cache-Control": "no-store"})


def _offset(request: Request) -> int:
    text = request.headers.get("upload-offset", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        problem = Problem("header Upload-Offset", "it does not say where the part begins", "write it as a whole number", "usage")
        raise Failure("usage", "The part has no place.", problems=[problem])
    return int(text)


def _shown(state: State) -> UploadShown:
    return UploadShown(id=state.id, name=state.name, size=state.size, offset=state.offset, sha256=state.digest, until=state.until)


PLAIN: tuple[Route, ...] = (Route("/api/v1/uploads/{upload}", add_part, methods=["PATCH"]),)
