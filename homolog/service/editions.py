"""Owns the board's work on the rules: entering a draft, looking at what it changes, deciding on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from homolog.errors import HomologError, InputRefused, Problem
from homolog.register import audit, editions
from homolog.register.editions import Decision, Draft
from homolog.register.ids import is_id, new_id
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.edition_files import edition_of, named_files
from homolog.service.missing import Missing
from homolog.service.permissions import require
from homolog.service.rules import Rules, adoption_of, adoptions_of, entry_of
from homolog.submission.adoptions import Adoptions, check_adoptions, read_adoptions

if TYPE_CHECKING:
    from homolog.spec.diff import Change
    from homolog.spec.library import Library, LoadedEdition
    from homolog.spec.lint import Complaint

MOST_TEXT: Final = 20_000
DOUBTFUL: Final = ("edition_unended", "table_missing")
"""What hinders no publication: the edition before ends where this one begins, as the later one is in force; and a table of clauses
shows that nothing of the source was forgotten, which the board may know without one."""
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", re.ASCII)


class RulesRefused(HomologError):
    """A draft of rules cannot be entered or decided on so; the rules are what they were."""

    code: ClassVar[str] = "rules_refused"
    exit_code: ClassVar[int] = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A draft as the board looks at it.

    Attributes:
        since: The days from which its parts count, by item, or by interpretation.
        transitions: What happens to types of the edition before, by item: as the files say.
        complaints: What the linter says; of adoptions nothing, as a faulty one is not taken.
        changes: What changes against the edition before, in words, by item.
        adoptions: What it adopts.
    """

    draft: Draft
    since: Mapping[str, date | Literal["unknown"]]
    transitions: Mapping[str, Mapping[str, Any]]
    complaints: tuple[Complaint, ...] = ()
    changes: Mapping[str, tuple[Change, ...]]
    adoptions: tuple[Mapping[str, Any], ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether the linter finds no error."""
        return not any(complaint.severity == "error" for complaint in self.complaints)


def enter_edition(actor: Actor, rules: Rules, files: Mapping[str, bytes], *, body: str | None = None, now: datetime) -> View:
    """Enter a draft of an edition: a folder's files by their paths, or spec files alone; the edition before gives the rest then.

    Args:
        actor: A member of the board.
        rules: The register's rules.
        files: `ball.yaml`, `edition.yaml`, `i18n/uk/ball.yaml`, `clauses.csv`, `ids.yaml`.
        body: Whose rules, where no edition.yaml says it; None is the register's.
        now: Aware.

    Raises:
        NotAllowed: The actor is not on the board.
        RulesRefused: The files are no edition, or there is one of its label.
    """
    require(actor, "rule.enter")
    library = rules.library()
    whole, edition = edition_of(named_files(files), library, body or rules.desk().body)
    if not _LABEL.fullmatch(edition.label):
        what = f"{edition.label[:40]!r} cannot be an edition's label"
        raise RulesRefused.because(what, todo="write letters, digits, dots and dashes", code="edition_label")
    if (edition.body, edition.label) in library.editions:
        what = f"there is an edition {edition.label} of {edition.body}, and an edition does not change once it is published"
        raise RulesRefused.because(what, todo="give it another label", code="edition_label")
    desk = rules.desk()
    blobs = {name: desk.files.receive([data]) for name, data in sorted(whole.items())}
    content = {"files": {name: blob.digest for name, blob in blobs.items()}}
    draft = _draft(actor, "edition", edition.body, edition.label, content, now)
    rules.library(draft=draft)  # a folder that cannot be a library is found before a row speaks of it
    with desk.database.write() as session:
        for blob in blobs.values():
            desk.files.record(session, blob, now=now)
        _enter(session, actor, draft)
    return _view(rules, draft)


def enter_adoptions(actor: Actor, rules: Rules, data: bytes, name: str, *, now: datetime) -> View:
    """Enter a draft of decisions on interpretations, as a file of adoptions says them.

    Raises:
        NotAllowed: The actor is not on the board.
        InputRefused: The file cannot be read, or adopts what no spec has.
    """
    require(actor, "rule.enter")
    found = read_adoptions(data, name)
    _check_known(rules.library(), found)
    desk = rules.desk()
    content = {"adoptions": [entry_of(one) for one in found.adoptions]}
    draft = _draft(actor, "adoption", desk.body, None, content, now)
    with desk.database.write() as session:
        _refuse_clash(session, draft)
        _enter(session, actor, draft)
    return _view(rules, draft)


def look(actor: Actor, rules: Rules, draft_id: str) -> View:
    """Return a draft with what it changes.

    Raises:
        Missing: There is none.
    """
    require(actor, "rule.read")
    with rules.desk().database.read() as session:
        draft = _found(session, draft_id)
    return _view(rules, draft)


def find(actor: Actor, rules: Rules, draft_id: str) -> Draft:
    """Return a draft as it was entered, without what it changes.

    Raises:
        Missing: There is none.
    """
    require(actor, "rule.read")
    with rules.database.read() as session:
        return _found(session, draft_id)


def listed(actor: Actor, rules: Rules, *, after: str | None = None, limit: int = 50) -> tuple[Draft, ...]:
    """Return drafts, the newest first."""
    require(actor, "rule.read")
    with rules.desk().database.read() as session:
        return editions.listed(session, after=after, limit=max(1, min(limit, 200)))


def decide(
    actor: Actor, rules: Rules, draft_id: str, outcome: Literal["published", "dropped"], text: str, *, now: datetime, today: date
) -> View:
    """Publish a draft, or drop it: a dated decision of the board that is never changed, and that all later assessments use.

    Args:
        actor: A member of the board, and not who entered the draft.
        rules: The register's rules.
        draft_id: Which.
        outcome: published or dropped.
        text: The decision in words, or where it is written down.
        now: Aware.
        today: The day of the decision.

    Raises:
        NotAllowed: The actor is not on the board.
        Missing: There is no such draft.
        RulesRefused: It is decided already, the actor has entered it, or what it says cannot be published.
    """
    require(actor, "rule.decide")
    if not text.strip() or len(text) > MOST_TEXT:
        raise RulesRefused(Problem("text", "a decision needs its words", "write them, or where they stand", "step_value"))
    desk = rules.desk()
    with desk.database.read() as session:
        draft = _found(session, draft_id)
    if draft.by == actor.account:
        what = "whoever has entered a draft does not decide on it"
        raise RulesRefused.because(what, todo="have another member of the board decide", code="four_eyes")
    if outcome == "published":
        _refuse_unsound(_view(rules, draft))
    with desk.database.write() as session:
        draft = _found(session, draft_id)
        if draft.decision is not None:
            what = f"the board has decided on it already: {draft.decision.outcome}"
            raise RulesRefused.because(what, todo="enter a new draft", code="decided_already")
        if outcome == "published":
            _refuse_clash(session, draft)
        decision = Decision(outcome=outcome, on=today, text=text, by=actor.account or "", at=now)
        editions.decide(session, draft_id, decision)
        details = {"on": today.isoformat(), "kind": draft.kind, "body": draft.body, "label": draft.label}
        audit.record(
            session, now=now, account_id=actor.account, action=f"rules.{outcome}", object=f"rules:{draft_id}", details=details
        )
    return look(actor, rules, draft_id)


def _draft(actor: Actor, kind: str, body: str, label: str | None, content: Mapping[str, Any], now: datetime) -> Draft:
    return Draft(id=new_id(now), kind=kind, body=body, label=label, content=content, by=actor.account or "", at=now)


def _enter(session: Session, actor: Actor, draft: Draft) -> None:
    editions.add(session, draft)
    details = {"kind": draft.kind, "body": draft.body, "label": draft.label}
    about = f"rules:{draft.id}"
    audit.record(session, now=draft.at, account_id=actor.account, action="rules.enter", object=about, details=details)


def _found(session: Session, draft_id: str) -> Draft:
    found = editions.find(session, draft_id) if is_id(draft_id) else None
    if found is None:
        raise Missing.because("there is no such draft of rules", todo="look at the list")
    return found


def _view(rules: Rules, draft: Draft) -> View:
    if draft.kind == "adoption":
        adopted = tuple(draft.content["adoptions"])
        since: dict[str, date | Literal["unknown"]] = {one["interpretation"]: date.fromisoformat(one["on"]) for one in adopted}
        return View(draft=draft, since=since, transitions={}, changes={}, adoptions=adopted)
    library = rules.library(draft=draft)
    edition = library.edition(draft.body, str(draft.label))
    complaints = _linted(edition, library)
    if any(complaint.severity == "error" for complaint in complaints):
        return View(draft=draft, since={}, transitions={}, complaints=complaints, changes={})
    own = {item: spec for item in edition.file.files if edition.owns(item) and (spec := edition.spec(item)) is not None}
    return View(
        draft=draft,
        since={item: spec.spec.edition.effective.since for item, spec in own.items()},
        transitions={
            item: {"policy": found.policy, "until": None if found.until is None else str(found.until), "note": found.note}
            for item, spec in own.items()
            if (found := spec.spec.edition.transition) is not None
        },
        complaints=complaints,
        changes={item: _changes(library, edition, item) for item in own},
    )


def _linted(edition: LoadedEdition, library: Library) -> tuple[Complaint, ...]:
    from homolog.evaluate.examples import run_examples
    from homolog.spec.lint import lint

    root = library.root.name
    found = []
    for complaint in lint([edition.folder], run_examples=run_examples):
        # Paths as the person knows them, not where this process has put the files.
        where = complaint.where.rpartition(f"{root}/")[2]
        severity = "warning" if complaint.code in DOUBTFUL else complaint.severity
        found.append(replace(complaint, where=where, severity=severity))
    return tuple(found)


def _changes(library: Library, edition: LoadedEdition, item: str) -> tuple[Change, ...]:
    """Return what changes against the edition before: the one that the file says it supersedes, else the one of the days before."""
    from homolog.spec.diff import diff
    from homolog.spec.ids import load_ids

    new = edition.spec(item)
    owners = [one for one in library.owners(edition.file.body, item) if one.file.label != edition.file.label]
    if new is None or not owners:
        return ()
    named = new.spec.edition.supersedes
    before = next((one for one in owners if one.file.label == named), owners[-1]).spec(item)
    return () if before is None else tuple(diff(before, new, load_ids(library.root / "ids.yaml")))


def _refuse_unsound(view: View) -> None:
    """Refuse to publish what the linter calls wrong, what still says of itself that it is a draft, or has no day."""
    problems = [Problem(one.where, one.what, one.todo, "edition_faulty") for one in view.complaints if one.severity == "error"]
    for item, since in view.since.items():
        if since == "unknown":
            what = f"the rules for a {item} do not say from which day they count"
            problems.append(Problem(f"{item}.yaml", what, "write edition.effective.from, and enter it anew", "edition_undated"))
    if view.draft.kind == "edition" and not view.since and not problems:
        problems.append(Problem("edition.yaml", "it has no rules of its own", "add a spec file", "edition_empty"))
    if problems:
        raise RulesRefused(*problems)


def _check_known(library: Library, adoptions: Adoptions) -> None:
    owned = [edition.spec(item) for edition in library.editions.values() for item in edition.file.files if edition.owns(item)]
    check_adoptions(adoptions, [spec for spec in owned if spec is not None], library.editions)


def _refuse_clash(session: Session, draft: Draft) -> None:
    """Refuse two decisions of one day on the same question that differ: nobody could say which of them makes the rule."""
    if draft.kind != "adoption":
        return
    known = adoptions_of(session)
    for entry in draft.content["adoptions"]:
        mine = adoption_of(entry)
        for other in () if known is None else known.adoptions:
            same_rank = (other.on, bool(other.requirements)) == (mine.on, bool(mine.requirements))
            if same_rank and other.overlaps(mine) and other.reading != mine.reading:
                what = f"{mine.interpretation} is adopted for the same cases from the same day as {other.reading}"
                raise InputRefused.because(what, todo="write another day from which it counts", code="adoption_overlap")
