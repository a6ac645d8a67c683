"""Permanent ids: each requirement's id is registered for what it is, and no edition loses one in silence."""

from __future__ import annotations

from collections.abc import Iterator

from homolog.gate.yaml_text import Path as DocumentPath
from homolog.spec.ids import LoadedIds, RegisteredId, quantity_of
from homolog.spec.lint.complaint import Complaint, Subject, complain
from homolog.spec.lint.editions import EditionSubject
from homolog.spec.requirement import Requirement


def lint_register(ids: LoadedIds, editions: list[EditionSubject]) -> Iterator[Complaint]:
    """Complain of ids that are not registered, reused, or dropped without a word."""
    holders: dict[str, list[tuple[str, Subject]]] = {}
    for edition in editions:
        for subject in edition.own.values():
            for index, requirement in enumerate(subject.spec.requirements):
                holders.setdefault(requirement.id, []).append((edition.name, subject))
                yield from _registered(ids, subject, ("requirements", index, "id"), requirement)
        yield from _dropped(ids, edition, editions)
    yield from _entries(ids, editions, holders)


def _registered(ids: LoadedIds, subject: Subject, path: DocumentPath, requirement: Requirement) -> Iterator[Complaint]:
    entry = ids.register.ids.get(requirement.id)
    if entry is None:
        yield subject.error(
            path, about=requirement.id, what="the id is not registered", todo="register it in ids.yaml", code="id_unregistered"
        )
        return
    was, now = _meaning(entry), (subject.spec.item, requirement.kind, quantity_of(requirement))
    if was != now:
        given, found = (" ".join(part for part in meaning if part) for meaning in (was, now))
        yield subject.error(
            path,
            about=requirement.id,
            what=f"the id was given to {given!r}, here it is {found!r}",
            todo="give the new requirement an id of its own",
            code="id_reused",
        )


def _meaning(entry: RegisteredId) -> tuple[str, str, str | None]:
    return entry.item, entry.kind, entry.of


def _dropped(ids: LoadedIds, edition: EditionSubject, editions: list[EditionSubject]) -> Iterator[Complaint]:
    """Complain of ids that the superseded edition has and this one has not, without tombstone or unknown entry."""
    for item, subject in edition.own.items():
        before = next(
            (
                other.own[item]
                for other in editions
                if (other.file.body, other.file.label) == (edition.file.body, subject.spec.edition.supersedes) and item in other.own
            ),
            None,
        )
        for name in before.loaded.requirements if before else ():
            if name in subject.loaded.requirements or ids.is_dropped(name, edition.name):
                continue
            unknown = ids.is_unknown(name, edition.name)
            if unknown and subject.spec.edition.incomplete:
                continue
            yield subject.error(
                ("edition", "supersedes"),
                about=name,
                what=(
                    f"ids.yaml calls the id unknown in {edition.name}, whose source is not said to be incomplete"
                    if unknown
                    else f"edition {subject.spec.edition.supersedes} has the id, this one drops it in silence"
                ),
                todo="write a tombstone in ids.yaml, or, where the source breaks off, edition.incomplete and an unknown entry",
                code="id_dropped",
            )


def _entries(ids: LoadedIds, editions: list[EditionSubject], holders: dict[str, list[tuple[str, Subject]]]) -> Iterator[Complaint]:
    """Complain of entries of the register that speak of what is not there."""
    register, names = ids.register, {edition.name for edition in editions}
    for name, entry in register.ids.items():
        if entry.since not in [edition for edition, _ in holders.get(name, ())]:
            yield _entry(
                ids, ("ids", name, "since"), name, f"edition {entry.since} has no requirement with the id", "correct since"
            )
    for group, name, index, edition in (
        *(("tombstones", name, i, stone.dropped) for name, stones in register.tombstones.items() for i, stone in enumerate(stones)),
        *(("unknown", name, i, entry.since) for name, found in register.unknown.items() for i, entry in enumerate(found)),
    ):
        path = (group, name, index)
        if name not in register.ids:
            yield _entry(ids, path, name, "the id was never registered", "register it under ids, or correct the name")
        if edition not in names:
            yield _entry(ids, path, name, f"there is no edition {edition!r}", "name an edition as body and label")
        elif edition in [holder for holder, _ in holders.get(name, ())]:
            yield _entry(
                ids, path, name, f"edition {edition} still has the id", "remove the entry, or give the requirement a new id"
            )


def _entry(ids: LoadedIds, path: DocumentPath, name: str, what: str, todo: str) -> Complaint:
    return complain(ids.document, path, about=name, what=what, todo=todo, code="id_entry")
