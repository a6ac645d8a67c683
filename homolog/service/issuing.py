"""Owns what is decided and signed at once: an assessment, a certificate, an entry about a type. All of it counts, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from homolog.register import log
from homolog.register.session import Session
from homolog.service import assessing, certifying, types
from homolog.service.actor import Actor
from homolog.service.applications import View
from homolog.service.desk import Desk
from homolog.service.permissions import require
from homolog.service.sealing import Sealer, seal_record, seal_statuses
from homolog.service.types import TypeView

if TYPE_CHECKING:
    from homolog.submission.adoptions import Adoptions


def assess(
    actor: Actor,
    desk: Desk,
    sealer: Sealer,
    application_id: str,
    *,
    now: datetime,
    today: date,
    adoptions: Adoptions | None = None,
    seconds: float = 120.0,
    lang: str = "en",
) -> View:
    """Assess what was measured last, and sign the report in the transaction that takes the step.

    Raises:
        KeysMissing: There is no key to sign with; nothing was assessed.
        HomologError: As `homolog.service.assessing.assess`.
    """
    require(actor, "application.assess")
    sealer.record_key(now)

    def sealed(session: Session, said: dict[str, str]) -> None:
        seal_record(session, sealer, desk.files.read(said["report"]), "report", now=now)

    return assessing.assess(
        actor, desk, application_id, now=now, today=today, adoptions=adoptions, seconds=seconds, lang=lang, along=sealed
    )


def issue(actor: Actor, desk: Desk, sealer: Sealer, application_id: str, *, on: date, now: datetime) -> TypeView:
    """Make and sign the certificate of an approved application, enter the type, and sign how it stands.

    Raises:
        KeysMissing: There is no key to sign with.
        HomologError: As `homolog.service.certifying.issue`.
    """
    from homolog.seal.certificate import certificate_of

    require(actor, "application.certify")
    _, issuer = sealer.record_key(now)

    def canonical(data: Mapping[str, Any]) -> bytes:
        return certificate_of(dict(data), "certificate").canonical()

    with desk.database.write() as session, desk.database.join(session):
        view = certifying.issue(actor, desk, application_id, on=on, issuer=issuer, now=now, seal=canonical)
        for file in sorted(view.files, key=lambda one: one.kind, reverse=True):  # the reports before what rests on them
            if file.kind == "report" and log.sealed(session, file.digest) is None:
                seal_record(session, sealer, desk.files.read(file.digest), "report", now=now)
            elif file.kind == "certificate":
                seal_record(session, sealer, desk.files.read(file.digest), "certificate", now=now)
        seal_statuses(session, desk, sealer, view.record.number, now=now, today=now.date())
    return view


def decide(
    actor: Actor,
    desk: Desk,
    sealer: Sealer,
    number: str,
    step: str,
    data: Mapping[str, Any],
    *,
    now: datetime,
    today: date,
    expected: int | None = None,
) -> TypeView:
    """Enter a decision about a type, confirm another member's, or take one back; what counts from then on is signed.

    Raises:
        KeysMissing: There is no key to sign with.
        HomologError: As `homolog.service.types.take`.
    """
    require(actor, "type.decide")
    known = desk.process.step(step)
    is_counting = known is not None and known.effect == "confirms"
    with desk.database.write() as session, desk.database.join(session):
        view = types.take(actor, desk, number, step, data, now=now, today=today, expected=expected)
        if is_counting:
            seal_statuses(session, desk, sealer, number, now=now, today=today)
    return view
