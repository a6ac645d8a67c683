"""Owns the assessment of what a laboratory has measured: the whole pipeline, under the edition in force on the day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from homolog.errors import InputRefused
from homolog.gate.mesh_file import ENDINGS as SCANS
from homolog.register import applications
from homolog.register.ids import new_id
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.applications import View, as_seen
from homolog.service.casework import Folder, add, read
from homolog.service.desk import Desk
from homolog.service.identity.refusals import ChangedMeanwhile
from homolog.service.measured import measured_of
from homolog.service.permissions import require
from homolog.service.rules import adoptions_of
from homolog.service.workflow.refusal import StepRefused

if TYPE_CHECKING:
    from homolog.check import Question, ScanFile, Scans
    from homolog.report import Report
    from homolog.submission.adoptions import Adoptions
    from homolog.submission.submission import Submission


def assess(
    actor: Actor,
    desk: Desk,
    application_id: str,
    *,
    now: datetime,
    today: date,
    adoptions: Adoptions | None = None,
    seconds: float = 120.0,
    lang: str = "en",
    along: Callable[[Session, dict[str, str]], None] | None = None,
) -> View:
    """Assess what was measured last, store the report's bytes, and take the step that names them.

    Nothing is locked meanwhile: measuring a scan may take minutes. If the sample was measured anew by then, nothing is kept.

    Args:
        actor: Who asks for it; the verdict does not depend on it.
        desk: Where.
        application_id: Which.
        now: Aware.
        today: The day on which the edition must be in force.
        adoptions: The board's decisions on interpretations; None takes those of the register.
        seconds: How long measuring the scans may take.
        lang: Language of the words in the view.
        along: Called with what the step says, in the transaction that writes it.

    Raises:
        Missing: There is no such application, or it is not for the actor.
        StepRefused: The actor may not, or nothing was measured.
        InputRefused: The sheet or a scan cannot be taken as it is.
        MeasuringFailed: The measuring process ended without an answer.
    """
    require(actor, "application.assess")
    with desk.database.read() as session:
        folder = read(session, desk, actor, application_id)
        names = {file.digest: file.name for file in applications.attached(session, application_id)}
        adoptions = adoptions_of(session) if adoptions is None else adoptions
    if folder.case.measurement is None:
        raise StepRefused.because("nothing was measured yet", todo="measure the sample first", code="step_not_now")
    report = _judge(desk, folder, names, today, seconds, adoptions, now)
    blob = desk.files.receive([report.canonical])
    record = report.record
    said = {
        "report": blob.digest,
        "edition": record["spec"]["edition"],
        "verdict": record["verdict"],
        "outcome": report.outcome,
    }
    with desk.database.write() as session:
        again = read(session, desk, actor, application_id)
        if (again.case.measurement, again.case.judgements) != (folder.case.measurement, folder.case.judgements):
            what = "the sample was measured or judged anew while it was assessed"
            raise ChangedMeanwhile.because(what, todo="assess it again")
        desk.files.record(session, blob, now=now)
        name = f"report-{again.case.seq + 1}.json"
        applications.attach(session, application_id, blob.digest, name, attachment_id=new_id(now), at=now, by=actor.account)
        add(session, desk, actor, again, "assess", said, now=now)
        if along is not None:
            along(session, said)
    return as_seen(actor, desk, application_id, now=now, lang=lang)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was handed in of a sample, as it is assessed: the sheet with the board's answers, and the scans."""

    submission: Submission
    scans: Scans


def gathered(desk: Desk, folder: Folder, names: Mapping[str, str], seconds: float) -> Gathered:
    """Return what was measured last of an application, read from the store.

    Args:
        desk: Where.
        folder: The application.
        names: Of its files, by their digests.
        seconds: How long measuring the scans may take.

    Raises:
        InputRefused: The sheet or a scan cannot be taken as it is.
    """
    from homolog.check import Told, scans_of, vocabulary_of
    from homolog.submission.read import read_submissions

    measurement = folder.case.measurement
    data = {} if measurement is None else measurement.data
    sheet, scans = data["sheet"], data.get("scans", ())
    found = read_submissions(desk.files.read(sheet), names[sheet], vocabulary_of(desk.library), folder.record.item)
    if len(found) != 1 or found[0].article.item != folder.record.item:
        what = f"the sheet is of {len(found)} samples, and one of a {folder.record.item} is assessed"
        raise InputRefused.because(what, where=names[sheet], todo="send a sheet of that one sample", code="sheet_of_another")
    submission = _with_board(found[0], folder, names[sheet])
    files = [_scan(desk, names, digest) for digest in scans]
    belonging = scans_of(submission, files, Told(seconds=seconds / max(1, len(files))), None, is_lot=False)
    return Gathered(submission=submission, scans=belonging)


def question_of(desk: Desk, on: date, adoptions: Adoptions | None) -> Question:
    """Return what is asked of a type that is to be homologated, under the edition in force on a day."""
    from homolog.check import Question

    # Whether a type stands in the register is asked at a match and at a recheck, never of one that is to come into it.
    return Question(
        on=on,
        body=desk.body,
        edition=None,
        purpose="type_approval",
        adoptions=adoptions,
        roles=frozenset({"laboratory"}),
        library=desk.library,
    )


def _judge(
    desk: Desk, folder: Folder, names: Mapping[str, str], today: date, seconds: float, adoptions: Adoptions | None, now: datetime
) -> Report:
    from homolog.check import judge

    question = question_of(desk, today, adoptions)
    question.edition_of(folder.record.item)  # an edition that does not exist is found before minutes of measuring
    found = gathered(desk, folder, names, seconds)
    return judge(found.submission, question, measured_of(desk, found.submission.article, found.scans, now=now))


def _with_board(submission: Submission, folder: Folder, name: str) -> Submission:
    """Return a laboratory's sheet with what members of the board have answered under their own names."""
    from homolog.quantity import Answer

    if any(answer.role != "laboratory" for answer in submission.article.answers):
        what = "the sheet holds answers of others than the laboratory"
        todo = "leave them out: members of the board answer for themselves"
        raise InputRefused.because(what, where=name, todo=todo, code="answers_of_others")
    answers = tuple(
        Answer(asks=requirement, yes=event.data["answer"] == "yes", role="board", by=account, is_proven=True)
        for (requirement, account), event in sorted(folder.case.judgements.items())
        if account not in folder.case.conflicts
    )
    article = replace(submission.article, answers=(*submission.article.answers, *answers))
    return replace(submission, article=article)


def _scan(desk: Desk, names: Mapping[str, str], digest: str) -> ScanFile:
    from homolog.check import ScanFile

    name = names[digest]
    if not name.lower().endswith(tuple(SCANS)):
        raise InputRefused.because("its ending is that of no scan", where=name, todo="send it under its own name", code="file_type")
    return ScanFile(name=name, data=desk.files.read(digest))
