"""One article under one spec: a finding for every requirement, in the spec's order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import assert_never

from homolog.evaluate.answers import vote
from homolog.evaluate.context import Context, undeclared, with_judged
from homolog.evaluate.evidence import Evidence
from homolog.evaluate.finding import Finding, Judged, Statement
from homolog.evaluate.groups import declared, holds, judge_pieces
from homolog.evaluate.measured import inspect_finding, limit_finding, with_count
from homolog.evaluate.register import RegisterExtract
from homolog.evaluate.verdict import Verdict, greatest, least
from homolog.quantity import Adoption, Article, Reading
from homolog.spec.load import LoadedSpec
from homolog.spec.requirement import (
    AnyOf,
    Approved,
    Count,
    Differs,
    Inspect,
    Judge,
    Limit,
    OneOf,
    Purpose,
    Requirement,
    Uniform,
)


@dataclass(frozen=True, slots=True)
class Assessment:
    """All findings on one article, their verdict, and the readings that no requirement used."""

    findings: tuple[Finding, ...]
    verdict: Verdict
    unused: tuple[Reading, ...]


def assess(
    loaded: LoadedSpec,
    article: Article,
    *,
    purpose: Purpose,
    on: date,
    decisions: Sequence[Adoption] = (),
    register: RegisterExtract | None = None,
) -> Assessment:
    """Judge an article under a spec.

    Args:
        loaded: The rules of one edition for the article's item.
        article: What was measured and answered.
        purpose: Who asks, and so who carries the doubt.
        on: The day that counts, for adoptions and the register.
        decisions: The board's adoptions; they come before the spec's own.
        register: The approved types; without it, whether a type is approved is not measured.
    """
    # A design may tell its maker how it stands; of an article on the table, or a sample, it proves nothing.
    is_approval = purpose == "type_approval"
    evidence = Evidence(
        loaded,
        article,
        design_proves=purpose == "self_test",
        statements_prove=not is_approval,
        each_place_alone=is_approval,
    )
    closed = {name: attribute.values for name, attribute in loaded.spec.attributes.items()}
    context = Context(
        loaded=loaded,
        article=replace(
            article,
            attributes=declared(article.attributes, {}),
            pieces=tuple(replace(piece, attributes=declared(piece.attributes, closed)) for piece in article.pieces),
        ),
        attributes=declared(article.attributes, closed),
        purpose=purpose,
        on=on,
        decisions=tuple(decisions),
        register=register,
        evidence=evidence,
    )
    findings = _all_findings(context)
    counting = [finding.verdict for finding in findings if finding.alternative_of is None]
    unused = tuple(reading for index, reading in enumerate(article.readings) if index not in evidence.used)
    return Assessment(findings, least(counting), unused)


def _all_findings(context: Context) -> tuple[Finding, ...]:
    requirements = context.loaded.spec.requirements
    found: dict[str, Finding] = {}
    for requirement in requirements:
        if not isinstance(requirement, AnyOf):
            found[requirement.id] = _finding(context, requirement, found)
    for group in _inner_first([one for one in requirements if isinstance(one, AnyOf)]):
        found[group.id] = _finding(context, group, found)
        for member in group.requirements:
            found[member] = replace(found[member], alternative_of=group.id)
    return tuple(found[requirement.id] for requirement in requirements)


def _finding(context: Context, requirement: Requirement, found: Mapping[str, Finding]) -> Finding:
    """Return a requirement's finding: whether it applies at all comes first."""
    base = Finding(
        requirement=requirement.id,
        clause=requirement.clause,
        kind=requirement.kind,
        basis=requirement.basis,
        verdict=Verdict.NOT_APPLICABLE,
    )
    if requirement.purposes and context.purpose not in requirement.purposes:
        params = {"purposes": ", ".join(requirement.purposes)}
        return replace(base, why=Statement(code="not_for_purpose", params=params))
    stops = context.applies(requirement.when)
    if stops is not None:
        return with_judged(base, stops)
    return _judged(context, requirement, base, found)


def _judged(context: Context, requirement: Requirement, base: Finding, found: Mapping[str, Finding]) -> Finding:
    match requirement:
        case Limit():
            return limit_finding(context, requirement, base)
        case Inspect():
            return inspect_finding(context, requirement, base)
        case Judge():
            return with_count(base, vote(context.answers(requirement), requirement.panel))
        case Count() | Uniform() | Differs():
            return with_judged(base, judge_pieces(requirement, context.article.pieces))
        case OneOf():
            return with_judged(base, _one_of(context, requirement))
        case Approved():
            return with_judged(base, _approved(context, requirement))
        case AnyOf():
            return _any_of(requirement, base, found)
        case _:
            assert_never(requirement)


def _one_of(context: Context, requirement: OneOf) -> Judged:
    value = context.article.attributes.get(requirement.attribute)
    if value is None:
        return undeclared([requirement.attribute])
    met = holds({requirement.attribute: requirement.values}, context.article.attributes)
    params = {"attribute": requirement.attribute, "value": value, "values": ", ".join(requirement.values)}
    if met:
        return Judged(Verdict.CONFORM, Statement(code="in_list", params=params))
    return Judged(Verdict.NONCONFORM, Statement(code="not_in_list", params=params))


def _approved(context: Context, requirement: Approved) -> Judged:
    if context.register is None:
        return Judged(Verdict.NOT_MEASURED, Statement(code="no_register"), Statement(code="look_up_register"))
    name = context.article.attributes.get(requirement.by)
    if name is None:
        return undeclared([requirement.by])
    return context.register.look_up(context.article.item, name, context.on)


def _any_of(requirement: AnyOf, base: Finding, found: Mapping[str, Finding]) -> Finding:
    members = [found[member] for member in requirement.requirements]
    best = greatest(member.verdict for member in members)
    leading = next(member for member in members if member.verdict is best)
    code = "one_holds" if best is Verdict.CONFORM else "none_holds"
    params = {"requirements": ", ".join(requirement.requirements)}
    return replace(base, verdict=best, why=Statement(code=code, params=params), next=leading.next)


def _inner_first(groups: list[AnyOf]) -> list[AnyOf]:
    """Order groups so that a group named by another comes before it; the linter refuses rings."""
    by_id = {group.id: group for group in groups}
    ordered: dict[str, AnyOf] = {}

    def visit(group: AnyOf) -> None:
        for member in group.requirements:
            if member in by_id and member not in ordered:
                visit(by_id[member])
        ordered[group.id] = group

    for group in groups:
        visit(group)
    return list(ordered.values())
