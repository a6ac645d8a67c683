"""Owns the impact run: whom a draft of rules would hit, found by all workers together, the same as one after another.

The run is a job that divides itself. Each part looks at some submissions and writes what it found in the transaction that ends it;
the last one ends the run. Whatever dies between is begun anew, and finds the same, because every part asks the rules as they were
known when the run was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from homolog.register import applications, editions, jobs
from homolog.register.columns import json_text
from homolog.register.editions import Draft
from homolog.register.ids import is_id, new_id
from homolog.register.jobs import JobRecord, JobState
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.casework import folder_of
from homolog.service.compared import Comparison, Measuring, compare, comparison_of
from homolog.service.jobs.asked import ask
from homolog.service.jobs.work import Work
from homolog.service.missing import Missing
from homolog.service.permissions import require
from homolog.service.rules import Rules

KIND: Final = "impact"
PART: Final = "impact_part"
WORD: Final = "comparing"
WEIGHT: Final = 32
"""How much a part may weigh: one that takes long would be much work lost with its worker, and one that is quick only waits."""
_SHEET, _SCAN = 1, 16
_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """What an impact run has found.

    Attributes:
        job: The run: how far it is, and how it ended.
        rows: What it found so far, by application.
    """

    job: JobState
    rows: Mapping[str, Mapping[str, Any]]

    @property
    def hit(self) -> dict[str, Mapping[str, Any]]:
        """Those whose verdict changes."""
        return {name: row for name, row in self.rows.items() if changes_verdict(row)}


def ask_impact(
    actor: Actor, rules: Rules, draft_id: str, *, measuring: Measuring = "stored", now: datetime, today: date
) -> JobRecord:
    """Have it found out whom a draft would hit.

    Args:
        actor: A member of the board.
        rules: The register's rules.
        draft_id: Which draft; nobody has decided on it yet.
        measuring: `stored` takes readings as they were kept where the programs that measure are the same, else it measures;
            `again` measures every scan.
        now: Aware.
        today: The day for which the rules are asked as they stand.

    Raises:
        NotAllowed: The actor is not on the board.
        Missing: There is no such draft.
    """
    require(actor, "rule.impact")
    with rules.desk().database.write() as session:
        if not is_id(draft_id) or editions.find(session, draft_id) is None:
            raise Missing.because("there is no such draft of rules", todo="look at the list")
        return ask(session, actor, KIND, {"draft": draft_id, "measuring": measuring, "today": today.isoformat()}, now=now)


def look(actor: Actor, rules: Rules, job_id: str) -> Impact:
    """Return what a run has found so far.

    Raises:
        NotAllowed: The actor is neither on the board nor an administrator.
        Missing: There is no such run.
    """
    require(actor, "rule.read")
    with rules.desk().database.read() as session:
        state = jobs.find(session, job_id) if is_id(job_id) else None
        if state is None or state.record.kind != KIND:
            raise Missing.because("there is no such impact run", todo="look at the list of jobs")
        return Impact(job=state, rows=dict(editions.impact_rows(session, job_id)))


# The jobs


def plan(work: Work) -> None:
    """Divide a run; one that was divided and whose parts are over is ended."""
    comparison = _comparison(work, work.job)
    with work.desk.database.read() as session:
        is_divided = jobs.has_parts(session, work.job.id)
    found = None if is_divided else _touched(work, comparison)
    with work.desk.database.write() as session:
        if found is not None and not jobs.has_parts(session, work.job.id):
            _divide(session, work, found)
        _end_if_over(session, work, work.job.id)


def do_part(work: Work) -> None:
    """Look at the submissions of one part."""
    run_id = str(work.job.parent)
    with work.desk.database.read() as session:
        run = jobs.find(session, run_id)
    if run is None or run.outcome is not None:
        raise Missing.because("the impact run that this is a part of is over", todo="ask for another one")
    comparison = _comparison(work, run.record)
    names = list(work.job.params["applications"])
    found = {}
    for done, name in enumerate(names):
        work.tell(WORD, done, len(names))
        found[name] = compare(comparison, name, now=work.now)
    with work.desk.database.write() as session:
        work.end(session, {"applications": len(names)})
        for name, row in found.items():
            editions.add_impact(session, run_id, name, row)
        session.flush()
        jobs.tell(
            session,
            run_id,
            done=editions.impact_count(session, run_id),
            total=int(work.job.params["total"]),
            word=WORD,
            worker="",
        )
        _end_if_over(session, work, run_id)


def _comparison(work: Work, run: JobRecord) -> Comparison:
    with work.desk.database.read() as session:
        draft = editions.find(session, str(run.params["draft"]))
    if draft is None:
        raise Missing.because("there is no such draft of rules", todo="look at the list")
    rules = work.rules
    today = date.fromisoformat(str(run.params["today"]))
    measuring: Measuring = "again" if run.params["measuring"] == "again" else "stored"
    return comparison_of(rules, draft, known_at=run.at, today=today, measuring=measuring)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Touched:
    """The submissions that a draft speaks of, each with its weight; how many others there are, and how many without readings."""

    weights: Mapping[str, int]
    others: int
    unmeasured: int


def _touched(work: Work, comparison: Comparison) -> _Touched:
    weights, others, unmeasured = {}, 0, 0
    for name, item, scans in _stored(comparison):
        if not comparison.touches(item):
            others += 1
        elif scans is None:
            unmeasured += 1
        else:
            weights[name] = _SHEET + _SCAN * scans
    return _Touched(weights=weights, others=others, unmeasured=unmeasured)


def _stored(comparison: Comparison) -> Iterator[tuple[str, str, int | None]]:
    """Yield every application with its item and its number of scans; None where nothing was measured."""
    desk, after = comparison.before, None
    while True:
        with desk.database.read() as session:
            page = applications.listed(session, after=after, limit=_AT_ONCE)
            for summary in page:
                folder = folder_of(session, desk, summary.id)
                if folder is not None:
                    measurement = folder.case.measurement
                    yield summary.id, summary.item, None if measurement is None else len(measurement.data.get("scans", ()))
        if len(page) < _AT_ONCE:
            return
        after = page[-1].id


def _divide(session: Session, work: Work, found: _Touched) -> None:
    now = work.now
    for part in parts_of(found.weights):
        params = {"applications": part, "total": len(found.weights)}
        jobs.add(session, JobRecord(id=new_id(now), kind=PART, params=params, parent=work.job.id, by=work.job.by, at=now))
    if not found.weights:
        work.end(session, {"looked_at": 0, "others": found.others, "unmeasured": found.unmeasured})
        return
    editions.add_plan(session, work.job.id, {"others": found.others, "unmeasured": found.unmeasured})
    jobs.tell(session, work.job.id, done=0, total=len(found.weights), word=WORD, worker="")


def parts_of(weights: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield the submissions in parts that weigh about the same, in their order."""
    part: list[str] = []
    weight = 0
    for name, its in weights.items():
        if part and weight + its > WEIGHT:
            yield part
            part, weight = [], 0
        part.append(name)
        weight += its
    if part:
        yield part


def _end_if_over(session: Session, work: Work, run_id: str) -> None:
    """End a run whose parts are over, in the transaction of the last of them."""
    if jobs.has_ended(session, run_id) or not jobs.has_parts(session, run_id) or jobs.open_parts(session, run_id):
        return
    rows = [row for _, row in editions.impact_rows(session, run_id)]
    failed = len(jobs.failed_parts(session, run_id))
    result = {**editions.plan_of(session, run_id), **tallied(rows), "failed_parts": failed}
    jobs.end(session, run_id, "failed" if failed else "done", result, at=work.now)


# What came of it


def changes_verdict(row: Mapping[str, Any]) -> bool:
    """Whether a submission's verdict under the draft is another one."""
    return "after" in row and row["after"]["verdict"] != row["before"]["verdict"]


def tallied(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many submissions go from which verdict to which, and how many could not be judged."""
    moves: dict[str, int] = {}
    looked_at = problems = hit = 0
    for row in rows:
        looked_at += 1
        if "after" not in row:
            problems += 1
            continue
        hit += changes_verdict(row)
        move = f"{row['before']['verdict']} to {row['after']['verdict']}"
        moves[move] = moves.get(move, 0) + 1
    return {"looked_at": looked_at, "hit": hit, "not_judged": problems, "moves": dict(sorted(moves.items()))}


def grace_of(rules: Rules, draft: Draft) -> dict[str, dict[str, Any]]:
    """Return by item until when types of the edition before may be used, as the draft itself says it.

    Nothing is invented: where the draft sets no day, the answer says that the board sets it.
    """
    board = {"until": None, "says": "The draft sets no day. The board sets it, and writes it into the edition's transition."}
    if draft.kind == "adoption":
        text = "A decision on an interpretation has no transition. The board says what becomes of the types that it hits."
        return {"": {"until": None, "says": text}}
    edition = rules.library(draft=draft).edition(draft.body, str(draft.label))
    found: dict[str, dict[str, Any]] = {}
    for item in edition.file.files:
        spec = edition.spec(item) if edition.owns(item) else None
        if spec is None:
            continue
        transition, since = spec.spec.edition.transition, spec.spec.edition.effective.since
        if transition is None or transition.policy == "unknown":
            found[item] = board
        elif transition.policy == "immediate":
            found[item] = {"until": None, "says": f"The draft grants no time: from {since} on the new rules alone count."}
        elif transition.policy == "keep":
            found[item] = {"until": None, "says": "The draft lets types of the edition before stay as they are."}
        elif isinstance(transition.until, date):
            text = f"The draft lets types of the edition before be used until {transition.until}."
            found[item] = {"until": transition.until.isoformat(), "says": text}
        else:
            found[item] = board
    return found


def one_after_another(comparison: Comparison, *, now: datetime) -> dict[str, dict[str, Any]]:
    """Return what a run finds, without any worker: what two of them find must be the same."""
    wanted = [name for name, item, scans in _stored(comparison) if scans is not None and comparison.touches(item)]
    return {name: compare(comparison, name, now=now) for name in wanted}


def canonical(rows: Mapping[str, Mapping[str, Any]]) -> bytes:
    """Return what was found as canonical JSON: the same for the same draft and submissions, however it was divided."""
    return json_text({name: dict(row) for name, row in sorted(rows.items())}).encode()
