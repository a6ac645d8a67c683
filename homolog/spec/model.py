"""One spec file as frozen types: the item's quantities, methods, interpretations and requirements of one edition."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from homolog.spec.fields import DayOrUnknown, MeasureText, Strict, Text, UnitName
from homolog.spec.interpretation import Interpretation
from homolog.spec.requirement import Purpose, Requirement

Item = Literal["board", "goal", "ball", "figure", "goalkeeper", "set", "match"]
ClauseStatus = Literal["checked", "judged", "partly", "not_checkable", "informative"]


class Effective(Strict):
    """From when to when an edition applies; a missing `to` means that no end is known."""

    since: Annotated[DayOrUnknown, Field(alias="from")]
    to: DayOrUnknown | None = None
    basis: Literal["stated", "inferred"]


class Transition(Strict):
    """What happens to types of the edition before: set by the federation, or not known."""

    policy: Literal["unknown", "immediate", "grace", "keep"]
    until: DayOrUnknown | None = None
    note: str = ""


class Edition(Strict):
    """Which edition of the rules the file belongs to."""

    label: Text
    status: Literal["draft", "published"]
    effective: Effective
    supersedes: str | None = None
    transition: Transition | None = None
    incomplete: str | None = Field(None, description="What the copy in hand lacks, so that silence there proves nothing.")
    note: str = ""


class Source(Strict):
    """The document that the numbers come from."""

    document: Text
    issuer: Text
    part: str = ""
    note: str = ""


class Clause(Strict):
    """One clause of the source, or one row of it, and what becomes of it."""

    id: Text
    status: ClauseStatus
    row: Text | None = Field(None, description="The row in the edition's clause table, where one clause says several things.")
    note: str = ""


class Attribute(Strict):
    """A declared property of the article that cases, groups and lists refer to."""

    what: Text
    values: Annotated[tuple[Text, ...], Field(min_length=1)] | None = Field(
        None, description="The closed list; without it any short text."
    )


class Method(Strict):
    """A way to measure: the form of its result, and bounds on the U that may be claimed for it."""

    says: Text
    form: Literal["value", "go_no_go"]
    evidence: Literal["article", "design"] = "article"
    default_U: MeasureText | None = None  # noqa: N815 -- U is the field's own symbol
    floor_U: MeasureText | None = None  # noqa: N815
    ceiling_U: MeasureText | None = None  # noqa: N815
    algorithm: str | None = None


class MethodUse(Strict):
    """A method as one quantity allows it, with bounds of its own."""

    method: Text
    measures: Text | None = Field(None, description="The reading's quantity that this method yields, for a plain quantity.")
    default_U: MeasureText | None = None  # noqa: N815
    floor_U: MeasureText | None = None  # noqa: N815
    ceiling_U: MeasureText | None = None  # noqa: N815


def _is_text(value: object) -> str:
    return "text" if isinstance(value, str) else "other"


MethodEntry = Annotated[Annotated[Text, Tag("text")] | Annotated[MethodUse, Tag("other")], Discriminator(_is_text)]
"""A method by its name alone, or with bounds of its own for the quantity."""

Places = Annotated[
    Annotated[Literal["every"], Tag("text")] | Annotated[tuple[Text, ...], Field(min_length=1), Tag("other")],
    Discriminator(_is_text),
]


class Quantity(Strict):
    """Something measurable, defined so that two people measure the same."""

    unit: UnitName
    what: Text
    methods: tuple[MethodEntry, ...] = Field(min_length=1)
    feature: Literal["external", "internal"] = Field(
        "external", description="Whether a gauge goes over it (a body) or into it (a gap): it turns the meaning of go."
    )
    each: Places | None = Field(None, description="The places to measure one by one; `every` where their number is open.")
    at_most: Text | None = Field(None, description="A quantity that this one can never exceed.")


class Derived(Strict):
    """A quantity worked out from others; the uncertainty is carried along.

    `difference` is the first less the second, `sum` of all, `ratio` the first over the second, `distance` the straight
    line across perpendicular parts, `spread` the largest less the smallest over all places of all operands.
    """

    op: Literal["difference", "sum", "ratio", "distance", "spread"]
    of: tuple[Text, ...] = Field(min_length=1)
    unit: UnitName
    what: Text


class Example(Strict):
    """A sheet in short, and the verdicts that must come out."""

    name: Text
    attributes: dict[str, str] = Field(default_factory=dict)
    given: dict[str, dict[str, object]] = Field(default_factory=dict)
    answers: dict[str, object] = Field(default_factory=dict)
    pieces: tuple[dict[str, object], ...] = ()
    purpose: Purpose = "self_test"
    expect: dict[str, str]


class Spec(Strict):
    """The rules of one edition for one item, complete in one file."""

    format: Literal["homolog-spec/1"]
    id: str
    item: Item
    title: str = ""
    edition: Edition
    language: Literal["en"]
    source: Source
    clauses: tuple[Clause, ...]
    attributes: dict[str, Attribute] = Field(default_factory=dict)
    methods: dict[str, Method] = Field(default_factory=dict)
    quantities: dict[str, Quantity] = Field(default_factory=dict)
    derived: dict[str, Derived] = Field(default_factory=dict)
    interpretations: tuple[Interpretation, ...] = ()
    requirements: tuple[Requirement, ...]
    examples: tuple[Example, ...] = ()
