"""Owns the end of an approved application: the number, the certificate's data, and the type in the register."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from homolog.errors import Problem
from homolog.register import applications, people, types
from homolog.register.files import Blob
from homolog.register.ids import new_id
from homolog.register.session import Session
from homolog.register.types import TypeRecord
from homolog.service.actor import Actor
from homolog.service.casework import Folder, add, read
from homolog.service.desk import Desk
from homolog.service.permissions import require
from homolog.service.types import TypeView
from homolog.service.types import add as add_entry
from homolog.service.types import view as view_type
from homolog.service.workflow.event import Event, frozen, thawed
from homolog.service.workflow.refusal import StepRefused

MOST_REASONS = 2_000
"""Characters that a certificate has room for."""
APPROVED = ("approved", "approved_provisionally")


def certificate_data(actor: Actor, desk: Desk, application_id: str, *, on: date, issuer: str, now: datetime) -> dict[str, Any]:
    """Return what the certificate of an approved application says, as plain JSON of the form `homolog-certificate/1`.

    The type's number is given out here, once: asking again gives the same.

    Args:
        actor: Who asks; somebody who may issue it.
        desk: Where.
        application_id: Which.
        on: From when it holds.
        issuer: Who issues it, as the signature names it.
        now: Aware.

    Raises:
        Missing: There is no such application, or it is not for the actor.
        StepRefused: It is not approved, or another type of the item has its name.
    """
    require(actor, "application.certify")
    with desk.database.read() as session:
        rules = _rules(desk, read(session, desk, actor, application_id))
    with desk.database.write() as session:
        folder = read(session, desk, actor, application_id)
        if folder.record.organisation_id in actor.organisations:
            what = "you are a member of the organisation that applies"
            raise StepRefused.because(what, todo="leave it to another", code="conflict_of_interest")
        _check_ready(session, folder, on)
        number = types.take_number(session, folder.record.item, application_id, now=now)
        return _certificate(session, folder, number, on, issuer, rules)


def certify(
    actor: Actor, desk: Desk, application_id: str, certificate: Blob, *, on: date, now: datetime, name: str = "certificate.json"
) -> TypeView:
    """Enter the type of an approved application in the register, with its certificate.

    The decision has been proposed by one person and confirmed by another already; both are the two persons of the entry.

    Args:
        actor: Who issues it.
        desk: Where.
        application_id: Which.
        certificate: The signed certificate, safe in the store.
        on: From when it holds; the day that the certificate says.
        now: Aware.
        name: The certificate's name as a file.

    Raises:
        Missing: There is no such application, or it is not for the actor.
        StepRefused: It is not approved, no number was given out, or the actor may not.
    """
    require(actor, "application.certify")
    with desk.database.write() as session:
        folder = read(session, desk, actor, application_id)
        _check_ready(session, folder, on)
        number = types.number_for(session, application_id)
        if number is None:
            raise StepRefused.because("no number was given out yet", todo="make the certificate first", code="step_not_now")
        desk.files.record(session, certificate, now=now)
        applications.attach(session, application_id, certificate.digest, name, attachment_id=new_id(now), at=now, by=actor.account)
        said = {"type": number, "certificate": certificate.digest, "on": on.isoformat()}
        add(session, desk, actor, folder, "certify", said, now=now)
        record = _enter(session, desk, folder, number, now)
        _decide(session, desk, folder, record, on, now)
        _publish(session, folder, record, certificate.digest, name, now)
    return view_type(actor, desk, number, day=on)


def issue(
    actor: Actor,
    desk: Desk,
    application_id: str,
    *,
    on: date,
    issuer: str,
    now: datetime,
    seal: Callable[[Mapping[str, Any]], bytes],
    name: str = "certificate.json",
) -> TypeView:
    """Make the certificate, have it signed, store it, and enter the type: each of these can be done again.

    Args:
        actor: Who issues it.
        desk: Where.
        application_id: Which.
        on: From when it holds.
        issuer: Who issues it, as the signature names it.
        now: Aware.
        seal: Signs the certificate's data and returns the file.
        name: The certificate's name as a file.

    Raises:
        Missing: There is no such application, or it is not for the actor.
        StepRefused: It is not approved, another type has its name, or the actor may not.
    """
    data = certificate_data(actor, desk, application_id, on=on, issuer=issuer, now=now)
    blob = desk.files.receive([seal(data)])
    return certify(actor, desk, application_id, blob, on=on, now=now, name=name)


def _check_ready(session: Session, folder: Folder, on: date) -> None:
    case = folder.case
    if case.state not in APPROVED or case.decision is None or case.ballot is None:
        what = f"the application is {case.state}, and a certificate is of an approved one"
        raise StepRefused.because(what, code="step_not_now")
    if on < case.decision.at.date():
        raise StepRefused(Problem("on", "it is before the day of the decision", "write a later day", "step_value"))
    until = case.ballot.opened.data.get("until")
    if until is not None and date.fromisoformat(until) < on:
        raise StepRefused(Problem("on", "the provisional approval is over by then", "write an earlier day", "step_value"))
    taken = types.with_name(session, folder.record.item, str(case.facts["name"]))
    if taken is not None:
        what = f"{taken} of the register has this name already"
        raise StepRefused(Problem("name", what, "agree with the applicant on a name of its own", "type_name_taken"))


def _rules(desk: Desk, folder: Folder) -> dict[str, Any]:
    """Return by which rules the type was judged, as the report itself says."""
    if folder.case.assessment is None:
        return {}
    spec = json.loads(desk.files.read(folder.case.assessment.data["report"]))["spec"]
    named = {"spec": spec["id"], "sha256": spec["sha256"]}
    return {"body": spec["body"], "edition": spec["edition"], **{key: value for key, value in named.items() if value is not None}}


def _certificate(session: Session, folder: Folder, number: str, on: date, issuer: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    case = folder.case
    maker = people.organisation(session, folder.record.organisation_id)
    assessed: Mapping[str, Any] = {} if case.assessment is None else case.assessment.data
    opened = {} if case.ballot is None else thawed(case.ballot.opened.data)
    decided_on = on if case.decision is None else case.decision.at.date()
    is_provisional = case.state == "approved_provisionally"
    data: dict[str, Any] = {
        "format": "homolog-certificate/1",
        "number": number,
        "names": [case.facts["name"]],
        "maker": "" if maker is None else maker.name,
        "item": folder.record.item,
        "family": case.facts["family"],
        "edition": dict(rules),
        "reports": [assessed["report"]] if "report" in assessed else [],
        "decision": {
            "outcome": "provisional" if is_provisional else "homologated",
            "by": issuer,
            "on": decided_on.isoformat(),
            "reasons": _reasons(opened.get("reasons", [])),
        },
        "issuer": issuer,
        "valid_from": on.isoformat(),
    }
    if "until" in opened:
        data["valid_until"] = opened["until"]
    return data


def said(reasons: Iterable[Mapping[str, str]]) -> str:
    """Return reasons on one line, as a signed text has to be."""
    return " ".join(f"{one['clause']}: {' '.join(one['text'].split())}" for one in reasons)


def _reasons(reasons: Sequence[Mapping[str, str]]) -> str:
    """Return the reasons as a certificate has room for them: in full, or the clauses alone."""
    whole = said(reasons)
    return whole if len(whole) <= MOST_REASONS else ", ".join(dict.fromkeys(one["clause"] for one in reasons))[:MOST_REASONS]


def _enter(session: Session, desk: Desk, folder: Folder, number: str, now: datetime) -> TypeRecord:
    case = folder.case
    maker = people.organisation(session, folder.record.organisation_id)
    record = TypeRecord(
        id=new_id(now),
        number=number,
        item=folder.record.item,
        family=str(case.facts["family"]),
        name=str(case.facts["name"]),
        maker="" if maker is None else maker.name,
        organisation_id=folder.record.organisation_id,
        application_id=folder.record.id,
        body=desk.body,
        edition="" if case.assessment is None else str(case.assessment.data["edition"]),
        named_by=None,
        named_id=None,
        details={"variants": thawed(case.facts["variants"])},
        at=now,
    )
    types.enter(session, record)
    return record


def _decide(session: Session, desk: Desk, folder: Folder, record: TypeRecord, on: date, now: datetime) -> None:
    """Write the decision as the first entry about the type: by who proposed it, confirmed by who confirmed it."""
    case = folder.case
    if case.ballot is None or case.decision is None:
        return
    data: dict[str, Any] = {"on": on.isoformat(), "application": folder.record.id}
    step = "homologate"
    if case.state == "approved_provisionally":
        step, data["until"] = "homologate_provisionally", case.ballot.opened.data["until"]
    to = "homologated" if step == "homologate" else "provisional"
    entry = _entry(1, step, to, case.ballot.opened.by, data, desk, now)
    events = add_entry(session, desk, record, (), entry)
    add_entry(session, desk, record, events, _entry(2, "confirm", "", case.decision.by, {"entry": 1}, desk, now))


def _entry(seq: int, step: str, to: str, by: str, data: Mapping[str, Any], desk: Desk, now: datetime) -> Event:
    return Event(
        id=new_id(now), seq=seq, at=now, by=by, role="board", step=step, to=to, data=frozen(data), process=desk.process.sha256
    )


def _publish(session: Session, folder: Folder, record: TypeRecord, certificate: str, name: str, now: datetime) -> None:
    """Make public what the register shows of a type: its photos, its certificate, the report behind it."""
    names = {file.digest: file.name for file in applications.attached(session, folder.record.id)}
    public = [("photo", digest, names[digest]) for digest in folder.case.facts["photos"]]
    public.append(("certificate", certificate, name))
    if folder.case.assessment is not None:
        report = folder.case.assessment.data["report"]
        public.append(("report", report, names[report]))
    for kind, digest, shown in public:
        types.add_file(session, record.id, kind, digest, shown, file_id=new_id(now), now=now)  # type: ignore[arg-type]
