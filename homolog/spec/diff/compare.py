"""Comparing two specs of one item, requirement by requirement."""

from __future__ import annotations

from collections.abc import Iterator

from homolog.spec.diff.change import Change, Direction, of_sets
from homolog.spec.diff.demands import Aspect, demands
from homolog.spec.diff.means import interpretation_aspects, method_aspects, say_interpretation
from homolog.spec.ids import LoadedIds, edition_name
from homolog.spec.load import LoadedSpec
from homolog.spec.requirement import Requirement
from homolog.spec.words import say_demand, say_name


def diff(old: LoadedSpec, new: LoadedSpec, ids: LoadedIds | None = None) -> tuple[Change, ...]:
    """Return every change between two editions' specs, in the order of the newer file, lost ids last.

    An id that is absent where a source is incomplete, without a tombstone, is `unknown`: silence there proves nothing.
    """
    changes: list[Change] = []
    for name, after in new.requirements.items():
        before = old.requirements.get(name)
        changes.extend([_newcomer(old, after, ids)] if before is None else _pair(old, new, before, after))
    for name, before in old.requirements.items():
        if name not in new.requirements:
            changes.append(_absent(new, before, ids))
    changes.extend(_unattached(old, new))
    return tuple(changes)


def _newcomer(old: LoadedSpec, after: Requirement, ids: LoadedIds | None) -> Change:
    name, label, lost = say_name(after.id), old.spec.edition.label, _is_lost(old, after.id, ids)
    return Change(
        id=after.id,
        direction="unknown" if lost else "added",
        what=f"{name}: not in the known part of {label} (unknown)" if lost else f"{name}: added",
        new=say_demand(after),
        clause_new=after.clause,
    )


def _absent(new: LoadedSpec, before: Requirement, ids: LoadedIds | None) -> Change:
    name, label, lost = say_name(before.id), new.spec.edition.label, _is_lost(new, before.id, ids)
    return Change(
        id=before.id,
        direction="unknown" if lost else "removed",
        what=f"{name}: not in the known part of {label} (unknown)" if lost else f"{name}: removed",
        old=say_demand(before),
        clause_old=before.clause,
    )


def _is_lost(loaded: LoadedSpec, name: str, ids: LoadedIds | None) -> bool:
    """Whether the edition may hold an absent id in a part that its known copy lacks; a tombstone says that it does not."""
    edition = edition_name(loaded.spec)
    if ids is not None and ids.is_dropped(name, edition):
        return False
    return loaded.spec.edition.incomplete is not None or (ids is not None and ids.is_unknown(name, edition))


def _pair(old: LoadedSpec, new: LoadedSpec, before: Requirement, after: Requirement) -> Iterator[Change]:
    aspects = [
        *demands(old.spec, new.spec, before, after),
        *method_aspects(old.spec, new.spec, before, after),
        *interpretation_aspects(old.spec, new.spec, before, after),
        *_editorial(before, after),
    ]
    for aspect in aspects:
        yield _change(aspect, before.id, before.clause, after.clause)


def _change(aspect: Aspect, name: str, clause_old: str | None, clause_new: str | None) -> Change:
    topic = f"{say_name(name)}{', ' if aspect.topic else ''}{aspect.topic}"
    return Change(
        id=name,
        direction=aspect.direction,
        what=f"{topic}: {aspect.old or 'none'} -> {aspect.new or 'none'} ({aspect.direction})",
        old=aspect.old,
        new=aspect.new,
        clause_old=clause_old,
        clause_new=clause_new,
    )


def _editorial(before: Requirement, after: Requirement) -> Iterator[Aspect]:
    for topic, old, new in (
        ("clause", before.clause, after.clause),
        ("words", before.says, after.says),
        ("note", before.note, after.note),
    ):
        if old != new:
            yield Aspect("editorial", topic, old, new)


def _unattached(old: LoadedSpec, new: LoadedSpec) -> Iterator[Change]:
    """Yield changes that no requirement carries: the decision rule's, and those of attributes' closed lists."""
    before = {entry.id: entry for entry in old.spec.interpretations if entry.is_decision_rule}
    after = {entry.id: entry for entry in new.spec.interpretations if entry.is_decision_rule}
    for name in before | after:
        was, now = say_interpretation(before.get(name)), say_interpretation(after.get(name))
        if was != now:
            yield _change(Aspect("interpretation", "", was, now), name, None, None)
    for name, attribute in new.spec.attributes.items():
        known = old.spec.attributes.get(name)
        values, earlier = attribute.values or (), (known.values or ()) if known else ()
        direction: Direction | None = of_sets(frozenset(earlier), frozenset(values), more="changed", fewer="changed")
        if known is not None and direction is not None:
            yield _change(Aspect(direction, "values", ", ".join(earlier), ", ".join(values)), f"attribute.{name}", None, None)
