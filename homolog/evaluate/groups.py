"""Judging the pieces of a set or a match: how many, all alike, none alike another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from homolog.evaluate.finding import Judged, Statement
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Article, same_name
from homolog.spec.requirement import Condition, Count, Differs, Uniform


def declared(attributes: Mapping[str, str], closed: Mapping[str, tuple[str, ...] | None]) -> dict[str, str]:
    """Return the attributes that say something: not blank, and out of the closed list where there is one.

    A value outside its list is as good as none: it must not make a rule inapplicable that its right value would bring in.
    """
    return {name: value for name, value in attributes.items() if value.strip() and _is_listed(value, closed.get(name))}


def _is_listed(value: str, values: tuple[str, ...] | None) -> bool:
    return values is None or same_name(value) in {same_name(listed) for listed in values}


def holds(condition: Condition, attributes: Mapping[str, str]) -> bool | None:
    """Return whether attributes meet a condition; None if one that matters is not declared."""
    unknown = False
    for name, values in condition.items():
        declared = attributes.get(name)
        if declared is None:
            unknown = True
        elif same_name(declared) not in {same_name(value) for value in values}:
            return False
    return None if unknown else True


def missing_attributes(condition: Condition, attributes: Mapping[str, str]) -> list[str]:
    """Return the attributes that a condition needs and that are not declared."""
    return [name for name in condition if name not in attributes]


def _sorted(pieces: Sequence[Article], condition: Condition) -> tuple[list[Article], list[Article]]:
    """Return the pieces that meet a condition, and those of which it cannot be said."""
    known = [(piece, holds(condition, piece.attributes)) for piece in pieces]
    return [piece for piece, met in known if met], [piece for piece, met in known if met is None]


def _declare(names: Sequence[str], pieces: Sequence[Article]) -> Judged:
    params = {"attributes": ", ".join(names), "pieces": _names(pieces)}
    return Judged(
        Verdict.NOT_MEASURED, Statement(code="missing_piece_attribute", params=params), Statement(code="declare", params=params)
    )


def _names(pieces: Sequence[Article]) -> str:
    return ", ".join(piece.name or "(unnamed)" for piece in pieces[:12])


_NO_PIECES = Judged(Verdict.NOT_MEASURED, Statement(code="no_pieces"), Statement(code="list_pieces"))


def judge_pieces(requirement: Count | Uniform | Differs, pieces: Sequence[Article]) -> Judged:
    """Return the verdict on pieces: of all together, or with `each` the least of those of each value of an attribute."""
    if not pieces:
        return _NO_PIECES
    groups: dict[str | None, list[Article]] = {}
    for piece in pieces:
        label = piece.attributes.get(requirement.each) if requirement.each is not None else None
        groups.setdefault(None if label is None else same_name(label), []).append(piece)
    if len(groups) == 1:
        return _judge_group(requirement, pieces)
    if None in groups:
        return _declare([requirement.each or ""], groups[None])
    return min((_judge_group(requirement, group) for group in groups.values()), key=lambda judged: judged.verdict)


def _judge_group(requirement: Count | Uniform | Differs, pieces: Sequence[Article]) -> Judged:
    match requirement:
        case Count():
            return _judge_count(requirement, pieces)
        case Uniform():
            return _judge_uniform(requirement, pieces)
        case Differs():
            return _judge_differs(requirement, pieces)
        case _:
            assert_never(requirement)


def _judge_count(requirement: Count, pieces: Sequence[Article]) -> Judged:
    """Return whether there are as many pieces as the rule wants; pieces of unknown kind may or may not count."""
    sure, unsure = _sorted(pieces, requirement.of)
    fewest, most = len(sure), len(sure) + len(unsure)
    lower = 0 if requirement.min is None else requirement.min
    upper = most if requirement.max is None else requirement.max
    wanted = {"min": "" if requirement.min is None else str(lower), "max": "" if requirement.max is None else str(upper)}
    why = Statement(code="counted", params={"count": str(fewest), **wanted})
    if most < lower or fewest > upper:
        return Judged(Verdict.NONCONFORM, why)
    if fewest >= lower and most <= upper:
        return Judged(Verdict.CONFORM, why)
    return _declare(list(requirement.of), unsure)


def _judge_uniform(requirement: Uniform, pieces: Sequence[Article]) -> Judged:
    """Return whether all pieces of a kind carry the same label."""
    sure, unsure = _sorted(pieces, requirement.of)
    labels = {same_name(piece.attributes[requirement.by]): piece for piece in sure if requirement.by in piece.attributes}
    if len(labels) > 1:
        shown = " / ".join(piece.attributes[requirement.by] for piece in labels.values())
        return Judged(Verdict.NONCONFORM, Statement(code="unlike", params={"by": requirement.by, "found": shown}))
    silent = [piece for piece in sure if requirement.by not in piece.attributes]
    if unsure or silent or not sure:
        return _declare([*requirement.of, requirement.by], unsure + silent)
    return Judged(Verdict.CONFORM, Statement(code="all_alike", params={"by": requirement.by, "count": str(len(sure))}))


def _judge_differs(requirement: Differs, pieces: Sequence[Article]) -> Judged:
    """Return whether no piece of one kind carries a label of the other kind."""
    first, unsure_first = _sorted(pieces, requirement.of)
    second, unsure_second = _sorted(pieces, requirement.against)
    alike = [
        one.attributes[requirement.by]
        for one in first
        for other in second
        # A piece of both kinds is not held against itself.
        if one is not other and requirement.by in one.attributes and requirement.by in other.attributes
        if same_name(one.attributes[requirement.by]) == same_name(other.attributes[requirement.by])
    ]
    if alike:
        shown = ", ".join(sorted(dict.fromkeys(alike)))
        return Judged(Verdict.NONCONFORM, Statement(code="alike", params={"by": requirement.by, "found": shown}))
    silent = [piece for piece in (*first, *second) if requirement.by not in piece.attributes]
    unsure = [*unsure_first, *(piece for piece in unsure_second if piece not in unsure_first)]
    if unsure or silent or not first or not second:
        names = list(dict.fromkeys([*requirement.of, *requirement.against, requirement.by]))
        return _declare(names, unsure + silent)
    return Judged(Verdict.CONFORM, Statement(code="none_alike", params={"by": requirement.by}))
