"""Owns who may see a report or a certificate, by its digest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from homolog.errors import HomologError
from homolog.register import applications, types
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.casework import event_of, may_see
from homolog.service.desk import Desk
from homolog.service.missing import Missing
from homolog.service.workflow.case import state_of

_KINDS: dict[str, Literal["report", "certificate"]] = {
    "homolog-report/1": "report",
    "homolog-certificate/1": "certificate",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record as it lies in the store.

    Attributes:
        data: Canonical JSON.
        types: Numbers of the types that rest on it.
    """

    sha256: str
    kind: Literal["report", "certificate"]
    data: bytes
    types: tuple[str, ...]

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it."""
        return bool(self.types)


def find(actor: Actor, desk: Desk, sha256: str) -> Record:
    """Return a record: one that a type of the register rests on to everybody, any other to whom its application is for.

    Raises:
        Missing: There is none, or it is not for the actor.
    """
    with desk.database.read() as session:
        resting = [types.find(session, type_id=one) for one in types.resting_on(session, sha256)]
        numbers = tuple(sorted(one.number for one in resting if one is not None))
        if not numbers and not _is_for(session, actor, desk, sha256):
            raise _missing()
    data = desk.files.read(sha256)
    kind = _kind_of(data)
    if kind is None:
        raise _missing()
    return Record(sha256=sha256, kind=kind, data=data, types=numbers)


def _is_for(session: Session, actor: Actor, desk: Desk, sha256: str) -> bool:
    if actor.account is None:
        return False
    for application_id in applications.with_file(session, sha256):
        record = applications.find(session, application_id)
        events = tuple(event_of(one) for one in applications.events(session, application_id))
        if record is not None and may_see(actor, record, state_of(events, desk.process)):
            return True
    return False


def _kind_of(data: bytes) -> Literal["report", "certificate"] | None:
    try:
        value = json.loads(data) if data.startswith(b"{") else None
    except ValueError:
        return None
    return _KINDS.get(str(value.get("format"))) if isinstance(value, dict) else None


def _missing() -> HomologError:
    return Missing.because("there is no such record", todo="look whether the digest is that of the canonical record")
