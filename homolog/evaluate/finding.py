"""What was found: one requirement's verdict with everything that led to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Literal

from homolog.evaluate.verdict import Verdict
from homolog.quantity import Adoption, Answer, Reading

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence as a code with parameters, so that it can be said in any language.

    Used for why a verdict came out, and for what to do next. Codes are listed in docs/report.md.
    """

    code: str
    params: Mapping[str, str] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict that needed no measurement, why, and what to do."""

    verdict: Verdict
    why: Statement
    next: Statement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitUsed:
    """The limit that a reading was held against, in the quantity's unit; strict sides exclude the limit itself."""

    unit: str
    min: Decimal | None = None
    max: Decimal | None = None
    min_is_strict: bool = False
    max_is_strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """How far the value, without its U, lies inside the nearer side; negative outside."""

    value: Decimal
    side: Literal["min", "max"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """How one reading at one place stands to one limit.

    Attributes:
        reading: The reading as it was judged (unit of the quantity, U after default and floor); None if there is none.
        guarded: The verdict by the three zones.
        simple: The verdict at shared risk: conform if the value is inside and U within the method's ceiling.
        probability: Conformance probability of a value with U (JCGM 106), 0 to 1; None for bounds.
    """

    verdict: Verdict
    place: str | None = None
    reading: Reading | None = None
    limit: LimitUsed | None = None
    margin: Margin | None = None
    probability: Decimal | None = None
    guarded: Verdict | None = None
    simple: Verdict | None = None
    why: Statement | None = None
    next: Statement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOutcome:
    """One reading of an interpretation, and how the article stands under it; the worst place comes first."""

    id: str
    verdict: Verdict
    decided: tuple[Decided, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InterpretationUsed:
    """An interpretation that a requirement turns on, with every reading's outcome."""

    id: str
    status: Literal["proposed", "adopted", "withdrawn"]
    adoption: Adoption | None
    readings: tuple[ReadingOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRule:
    """How uncertainty entered: the rule, and whose decision that is."""

    rule: Literal["guarded", "simple"]
    interpretation: str | None = None
    adoption: Adoption | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One requirement's verdict.

    Attributes:
        decided: The result a place under the adopted (else the first listed) reading; the worst place comes first.
        alternative_of: The `any_of` requirement through which alone this finding counts.
        answers: The answers and votes that were counted.
    """

    requirement: str
    clause: str
    kind: str
    verdict: Verdict
    basis: str = "stated"
    decided: tuple[Decided, ...] = ()
    interpretation: InterpretationUsed | None = None
    decision: DecisionRule | None = None
    answers: tuple[Answer, ...] = ()
    why: Statement | None = None
    next: Statement | None = None
    alternative_of: str | None = None
    details: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
