"""Owns files that are sent in parts: whoever began an upload goes on with it, and attaches it once all of it is there."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from homolog.register import uploads
from homolog.register.files import Blob
from homolog.register.ids import is_id
from homolog.register.uploads import State as State
from homolog.service.actor import Actor
from homolog.service.applications import attach_blob
from homolog.service.desk import Desk
from homolog.service.missing import Missing
from homolog.service.permissions import require


def begin(actor: Actor, desk: Desk, *, name: str, media_type: str, size: int | None, expected: str | None, now: datetime) -> State:
    """Begin an upload, with what its sender says of the file; that is held against the file at the end."""
    require(actor, "upload.make")
    with desk.database.write() as session:
        return uploads.begin(
            session, now=now, account_id=actor.account or "", name=name, media_type=media_type, size=size, expected=expected
        )


def state(actor: Actor, desk: Desk, upload_id: str, *, now: datetime) -> State:
    """Return where an upload stands.

    Raises:
        Missing: There is none, it was forgotten, or it is somebody else's.
    """
    require(actor, "upload.read")
    with desk.database.read() as session:
        found = uploads.state(session, upload_id, account_id=actor.account or "", now=now) if is_id(upload_id) else None
    if found is None:
        raise Missing.because("there is no such upload", todo="begin it anew")
    return found


def add(actor: Actor, desk: Desk, upload_id: str, pieces: Iterable[bytes], *, at: int, now: datetime, limit: int) -> State:
    """Take a part in; it is safe when this returns.

    Args:
        actor: Who began it.
        desk: Where.
        upload_id: Which.
        pieces: The part's bytes, as they come.
        at: Where in the file it begins, bytes.
        now: Aware.
        limit: Most bytes of the whole file.

    Raises:
        Missing: There is none, or it is somebody else's.
        UploadElsewhere: The upload stands elsewhere.
        InputRefused: The file would be larger than announced, or than is taken.
    """
    require(actor, "upload.make")
    found = state(actor, desk, upload_id, now=now)
    return uploads.add_part(desk.database, desk.files, found, begin=at, pieces=pieces, now=now, limit=limit)


def attach(actor: Actor, desk: Desk, application_id: str, upload_id: str, *, now: datetime) -> State:
    """Put the parts together and attach the file to an application; doing it again changes nothing.

    Raises:
        Missing: There is no such application or upload, or it is not for the actor.
        InputRefused: Bytes are missing, or they are not those that were announced.
        StepRefused: The application has ended.
    """
    require(actor, "application.attach")
    with desk.database.read() as session:
        found = uploads.state(session, upload_id, account_id=actor.account or "", now=now) if is_id(upload_id) else None
    if found is None:
        raise Missing.because("there is no such upload", todo="begin it anew")
    done = uploads.finish(desk.database, desk.files, found, now=now)
    attach_blob(actor, desk, application_id, Blob(done.digest or "", done.offset), done.name, now=now)
    return done
