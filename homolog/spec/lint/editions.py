"""Editions of a library: they name their files truly, agree with them, and follow each other day by day."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path

from homolog.gate.yaml_text import Document
from homolog.spec.edition import EditionFile
from homolog.spec.interpretation import Interpretation
from homolog.spec.lint.complaint import Complaint, Subject, complain


@dataclass(frozen=True)
class EditionSubject:
    """An edition under the linter: its file, and the specs of its own folder that could be read, by path."""

    folder: Path
    file: EditionFile
    document: Document
    specs: dict[Path, Subject]

    def path_of(self, item: str) -> Path:
        """Return where the file stands that the edition names for an item."""
        return (self.folder / self.file.files[item].file).resolve()  # type: ignore[index]

    @cached_property
    def own(self) -> dict[str, Subject]:
        """The edition's own specs by item, as far as they can be read."""
        found = {item: self.specs.get(self.path_of(item)) for item in self.file.files}
        return {item: subject for item, subject in found.items() if subject is not None}

    @property
    def name(self) -> str:
        """Body and label."""
        return f"{self.file.body} {self.file.label}"


def lint_editions(editions: list[EditionSubject]) -> Iterator[Complaint]:
    """Complain of editions that do not agree with their folders and their files."""
    by_path = {path: subject for edition in editions for path, subject in edition.specs.items()}
    for edition in editions:
        yield from _folder(edition)
        for item in edition.file.files:
            yield from _named_file(edition, item, by_path)
        yield from _sisters(edition, by_path)


def lint_order(editions: list[EditionSubject]) -> Iterator[Complaint]:
    """Complain of editions that do not follow each other day by day."""
    for edition in editions:
        for item, subject in edition.own.items():
            yield from _order(edition, item, subject, editions)


def _folder(edition: EditionSubject) -> Iterator[Complaint]:
    body, label = edition.folder.parts[-2:]
    if (edition.file.body, edition.file.label) != (body, label):
        yield complain(
            edition.document,
            ("label",),
            about=edition.name,
            what=f"the file says {edition.name}, its folder says {body} {label}",
            todo="make them agree",
            code="edition_folder",
        )
    named = {edition.path_of(item) for item in edition.file.files}
    for path, subject in edition.specs.items():
        if path not in named:
            yield subject.error(
                (),
                about=subject.spec.id,
                what="edition.yaml does not name this file",
                todo="name it there, or remove it",
                code="file_unnamed",
            )
    for double in edition.file.unregulated.keys() & edition.file.files.keys():
        yield complain(
            edition.document,
            ("unregulated", double),
            about=double,
            what="the item has a spec, so it is regulated",
            todo="remove one of the two entries",
            code="unregulated_spec",
        )


def _named_file(edition: EditionSubject, item: str, by_path: dict[Path, Subject]) -> Iterator[Complaint]:
    path, where = edition.path_of(item), ("files", item)
    if not path.is_file():
        yield complain(
            edition.document,
            where,
            about=item,
            what=f"{path.name} is not there",
            todo="add the file, or remove its entry",
            code="file_missing",
        )
        return
    subject = by_path.get(path)
    if subject is None:  # it cannot be read, and has its own complaints
        return
    spec = subject.spec
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if spec.edition.status == "published" and digest != edition.file.files[item].sha256:  # type: ignore[index]
        yield complain(
            edition.document,
            (*where, "sha256"),
            about=spec.id,
            what=f"the published file has changed: its sha256 is {digest}",
            todo="restore the file, or publish the correction under a new label",
            code="spec_changed",
        )
    if spec.item != item:
        yield complain(
            edition.document,
            where,
            about=item,
            what=f"the file is of a {spec.item}",
            todo=f"name it under {spec.item}",
            code="file_item",
        )
    if path in edition.specs:
        for key, found, expected in (
            (("id",), spec.id, f"{edition.file.body}.{spec.item}"),
            (("edition", "label"), spec.edition.label, edition.file.label),
        ):
            if found != expected:
                yield subject.error(
                    key, about=spec.id, what=f"{found!r} does not belong to its edition", todo=f"write {expected}", code="spec_name"
                )


def _sisters(edition: EditionSubject, by_path: dict[Path, Subject]) -> Iterator[Complaint]:
    """Complain of one interpretation that says different things in two files of an edition."""
    first: dict[str, tuple[str, Interpretation]] = {}
    for item in edition.file.files:
        subject = by_path.get(edition.path_of(item))
        for index, interpretation in enumerate(subject.spec.interpretations if subject else ()):
            name, known = first.setdefault(interpretation.id, (item, interpretation))
            same = {"clause": "", "note": ""}
            if subject is not None and known.model_copy(update=same) != interpretation.model_copy(update=same):
                yield subject.error(
                    ("interpretations", index),
                    about=interpretation.id,
                    what=f"it says other things than in the file for {name} of {edition.name}",
                    todo="give both the same question, readings and status, or give this one an id of its own",
                    code="interpretation_differs",
                )


def _order(edition: EditionSubject, item: str, subject: Subject, editions: list[EditionSubject]) -> Iterator[Complaint]:
    """Complain of a spec that does not begin on the day after the one that it supersedes ends."""
    spec = subject.spec
    since, until = spec.edition.effective.since, spec.edition.effective.to
    if isinstance(since, date) and isinstance(until, date) and until < since:
        yield _date(subject, ("edition", "effective"), f"it ends on {until}, before it begins on {since}", "swap the days")
    transition = spec.edition.transition
    if transition is not None and transition.policy == "grace" and transition.until is None:
        yield _date(subject, ("edition", "transition"), "a grace without an end", "give until, or write unknown")
    if spec.edition.supersedes is not None and transition is None:
        yield subject.error(
            ("edition", "supersedes"),
            about=spec.id,
            what="it supersedes an edition and says nothing of the types approved under that: a recheck would withdraw them",
            todo="write transition: {policy: unknown} until the board has set one",
            code="transition_missing",
        )
    others = {
        other.file.label: other.own[item]
        for other in editions
        if other.file.body == edition.file.body and other is not edition and item in other.own
    }
    label = spec.edition.supersedes
    if label is None:
        rivals = [other for other, rival in others.items() if rival.spec.edition.supersedes is None and other < edition.file.label]
        for other in rivals:
            yield _date(
                subject,
                ("edition",),
                f"neither it nor edition {other} says which of them supersedes the other",
                f"write supersedes: {other} in the later one",
            )
    elif label not in others:
        yield _date(
            subject,
            ("edition", "supersedes"),
            f"there is no edition {label!r} of {edition.file.body} for a {item}",
            "name one with a file of its own for the item",
        )
    else:
        yield from _next_day(subject, label, others[label])


def _next_day(subject: Subject, label: str, before: Subject) -> Iterator[Complaint]:
    since, ended = subject.spec.edition.effective.since, before.spec.edition.effective.to
    if not isinstance(since, date):
        yield _date(
            subject, ("edition", "effective"), f"it supersedes {label} from an unknown day", "give the day on which it begins"
        )
    elif ended is None:
        yield _date(
            subject,
            ("edition", "effective"),
            f"it begins on {since}, but edition {label} has no end, so the two overlap",
            f"end {label} on {since - timedelta(days=1)}",
            code="edition_unended",
        )
    elif isinstance(ended, date) and ended + timedelta(days=1) != since:
        fault = "overlap" if ended >= since else "leave a gap"
        yield _date(
            subject,
            ("edition", "effective"),
            f"edition {label} ends on {ended} and this one begins on {since}: they {fault}",
            f"begin on {ended + timedelta(days=1)}, or mend the end of {label}",
        )


def _date(subject: Subject, path: tuple[str, ...], what: str, todo: str, code: str = "edition_dates") -> Complaint:
    return subject.error(path, about=subject.spec.id, what=what, todo=todo, code=code)
