"""The closed set of typed kinds of requirement."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from homolog.spec.fields import Strict, Text, Texts, Whole
from homolog.spec.interpretation import Bounds

Purpose = Literal["type_approval", "match", "self_test", "recheck"]
Condition = dict[Text, Texts]
"""Attribute to the value, or values, under which something applies."""

RequirementId = Annotated[str, Field(pattern=r"^(gk|fig|ball|goal|board|set|match)\.[a-z0-9_]+(\.[a-z0-9_]+)*$")]


class _Common(Strict):
    """What every requirement carries."""

    id: RequirementId
    clause: Text
    says: str = Field("", description="The rule in our own short words.")
    covers: tuple[Text, ...] = Field((), description="Rows of the edition's clause table; without it the row of the same name.")
    when: Condition = Field(default_factory=dict)
    purposes: tuple[Purpose, ...] = Field((), description="Under other purposes it does not apply; empty means always.")
    basis: Literal["stated", "implied", "interpreted"] = "stated"
    interpretation: Text | None = None
    note: str = ""


class Case(Bounds):
    """A limit that holds under a condition, in place of the requirement's own."""

    when: Condition


class Limit(_Common, Bounds):
    """A quantity within limits."""

    kind: Literal["limit"]
    of: Text
    cases: tuple[Case, ...] = ()


class Inspect(_Common):
    """A question that a trained person can answer yes or no."""

    kind: Literal["inspect"]
    ask: Text
    criteria: tuple[Text, ...] = ()


class Panel(Strict):
    """How many of the board must vote, and how many of the votes must be yes."""

    votes: Whole = Field(ge=1)
    passes: Literal["majority", "unanimous"] = Field("majority", alias="pass")


class Judge(_Common):
    """A notion on which the board's panel rules."""

    kind: Literal["judge"]
    ask: Text
    criteria: tuple[Text, ...] = ()
    panel: Panel


class _OfPieces(_Common):
    """What every requirement on the pieces of a set or a match carries."""

    of: Condition
    each: Text | None = Field(None, description="Judge the pieces separately for each value of this attribute, such as player.")


class Count(_OfPieces):
    """How many pieces of a kind there are."""

    kind: Literal["count"]
    min: Whole | None = None
    max: Whole | None = None

    @model_validator(mode="after")
    def _sides_agree(self) -> Count:
        if self.min is None and self.max is None:
            raise ValueError("a count needs min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError("min is above max; swap them")
        return self


class Uniform(_OfPieces):
    """All pieces of a kind are alike by an attribute."""

    kind: Literal["uniform"]
    by: Text


class Differs(_OfPieces):
    """No piece of one kind is like a piece of another kind by an attribute."""

    kind: Literal["differs"]
    against: Condition
    by: Text


class OneOf(_Common):
    """An attribute is one out of a list."""

    kind: Literal["one_of"]
    attribute: Text
    values: tuple[Text, ...] = Field(min_length=1)


class Approved(_Common):
    """The type stands in the register on the day that counts."""

    kind: Literal["approved"]
    by: Text = "type"


class AnyOf(_Common):
    """At least one of the named requirements holds; those count through this one only."""

    kind: Literal["any_of"]
    requirements: tuple[Text, ...] = Field(min_length=2)


Requirement = Annotated[
    Limit | Inspect | Judge | Count | Uniform | Differs | OneOf | Approved | AnyOf,
    Field(discriminator="kind"),
]
