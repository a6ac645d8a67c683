"""Owns what a draft of rules would change for one stored submission: its verdict and findings, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal

from homolog.errors import HomologError
from homolog.register import applications, types
from homolog.register.editions import Draft
from homolog.service.assessing import gathered, question_of
from homolog.service.casework import folder_of
from homolog.service.desk import Desk
from homolog.service.measured import measured_of
from homolog.service.rules import Rules, adoptions_of

if TYPE_CHECKING:
    from homolog.check import Question
    from homolog.report import Report
    from homolog.submission.adoptions import Adoptions

Measuring = Literal["stored", "again"]
"""Whether readings are taken as they were kept where the same programs measured them, or every scan is measured anew."""
SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The rules as they stand, and as the draft would have them.

    Attributes:
        today: The day for which the rules are asked as they stand.
        day: The day for which the draft is asked: the first on which all of it counts.
    """

    draft: Draft
    before: Desk
    after: Desk
    adoptions_before: Adoptions | None
    adoptions_after: Adoptions | None
    today: date
    day: date
    measuring: Measuring

    def touches(self, item: str) -> bool:
        """Whether the draft says anything of an item; for all others it changes nothing."""
        if self.draft.kind == "edition":
            edition = self.after.library.editions.get((self.draft.body, str(self.draft.label)))
            return edition is not None and edition.owns(item)
        named = {one["interpretation"] for one in self.draft.content["adoptions"]}
        return any(
            interpretation.id in named
            for edition in self.before.library.owners(self.before.body, item)
            if (spec := edition.spec(item)) is not None
            for interpretation in spec.spec.interpretations
        )


def comparison_of(rules: Rules, draft: Draft, *, known_at: datetime, today: date, measuring: Measuring) -> Comparison:
    """Return the rules before and after, as both were known at a moment, so that every part of a run asks the same."""
    before = rules.desk(known_at=known_at)
    after = replace(before, library=rules.library(known_at=known_at, draft=draft))
    with before.database.read() as session:
        adopted = adoptions_of(session, known_at=known_at)
        adopting = adoptions_of(session, known_at=known_at, draft=draft)
    return Comparison(
        draft=draft,
        before=before,
        after=after,
        adoptions_before=adopted,
        adoptions_after=adopting,
        today=today,
        day=max([today, *_days(draft, after)]),
        measuring=measuring,
    )


def _days(draft: Draft, after: Desk) -> list[date]:
    if draft.kind == "adoption":
        return [date.fromisoformat(one["on"]) for one in draft.content["adoptions"]]
    edition = after.library.edition(draft.body, str(draft.label))
    own = [spec for item in edition.file.files if edition.owns(item) and (spec := edition.spec(item)) is not None]
    return [since for spec in own if isinstance(since := spec.spec.edition.effective.since, date)]


def compare(comparison: Comparison, application_id: str, *, now: datetime) -> dict[str, Any]:
    """Return what the draft changes for an application; what stands in the way of an answer is part of it.

    Raises:
        DatabaseUnavailable: It did not answer.
        FilesUnavailable: The store did not give a file.
    """
    from homolog.check import judge

    desk = comparison.before
    with desk.database.read() as session:
        folder = folder_of(session, desk, application_id)
        names = {file.digest: file.name for file in applications.attached(session, application_id)}
        number = types.number_for(session, application_id)
    if folder is None or folder.case.measurement is None:
        return {"problems": [{"what": "nothing was measured of it", "code": "step_not_now"}]}
    found: dict[str, Any] = {
        "item": folder.record.item,
        "name": str(folder.case.facts.get("name", "")),
        "state": folder.case.state,
        "number": number,
        "given": _given(folder.case.assessment),
    }
    try:
        sample = gathered(comparison.after, folder, names, SECONDS)
        scans = sample.scans
        found["scans"] = int(scans.own is not None) + len(scans.pieces)
        measured = measured_of(desk, sample.submission.article, scans, now=now, again=comparison.measuring == "again")
        before = judge(sample.submission, question_of(desk, comparison.today, comparison.adoptions_before), measured)
        after = judge(sample.submission, _asked(comparison, folder.record.item), measured)
    except HomologError as error:
        if error.code in ("database_unavailable", "files_unavailable"):
            raise
        problems = [{"where": one.where, "what": one.what, "code": one.code} for one in error.problems]
        return found | {"problems": problems}
    return found | {
        "before": _short(before),
        "after": _short(after),
        "changes": _changes(before.record, after.record),
    }


def _asked(comparison: Comparison, item: str) -> Question:
    question = question_of(comparison.after, comparison.day, comparison.adoptions_after)
    if comparison.draft.kind == "edition" and comparison.touches(item):
        return replace(question, edition=comparison.draft.label)
    return question


def _given(assessment: Any) -> dict[str, Any] | None:
    return None if assessment is None else {name: assessment.data[name] for name in ("edition", "verdict", "outcome")}


def _short(report: Report) -> dict[str, Any]:
    record = report.record
    return {"edition": record["spec"]["edition"], "verdict": record["verdict"], "outcome": report.outcome}


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the findings whose verdict differs, with why each says what it says."""
    old, new = _findings(before), _findings(after)
    return [
        {"requirement": name, "before": old.get(name), "after": new.get(name)}
        for name in dict.fromkeys((*old, *new))
        if _verdict(old.get(name)) != _verdict(new.get(name))
    ]


def _verdict(found: Mapping[str, Any] | None) -> str | None:
    return None if found is None else found["verdict"]


def _findings(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the findings that count, by requirement."""
    counting = [one for one in record["findings"] if one["alternative_of"] is None]
    return {one["requirement"]: {"verdict": one["verdict"], "why": one["why"]["text"]} for one in counting}
