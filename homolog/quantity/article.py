"""The thing under judgement: what is known of one board, goal, ball, figure, goalkeeper, set or match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from homolog.quantity.reading import Reading, Unmeasured

Role = Literal["board", "laboratory", "referee", "maker"]
ITEMS = ("board", "goal", "ball", "figure", "goalkeeper", "set", "match")
ROLES: tuple[str, ...] = get_args(Role)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One person's answer to a question that the rules leave to people.

    Attributes:
        asks: The requirement's id (`gk.human_body`) or its row in the rules (`goalkeeper.human_body`).
        reading: Which reading of an interpretation the person answered for; None if the sheet is silent.
        place: Which one of several like places; None for the whole.
        is_proven: Whether it is known that who sent it may speak for the role; else it stands as the sheet states it.
    """

    asks: str
    yes: bool
    role: Role
    by: str | None = None
    reading: str | None = None
    place: str | None = None
    is_proven: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """What a submission says of one article; a set or match holds its pieces as articles."""

    item: str
    name: str | None = None
    attributes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    readings: tuple[Reading, ...] = ()
    unmeasured: tuple[Unmeasured, ...] = ()
    answers: tuple[Answer, ...] = ()
    pieces: tuple[Article, ...] = ()
