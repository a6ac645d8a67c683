"""Owns what everybody may see of the rules: which editions are in force, which readings the board adopted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from homolog.quantity import Adoption
from homolog.service.actor import Actor
from homolog.service.permissions import require
from homolog.service.rules import Rules, adoptions_of

if TYPE_CHECKING:
    from homolog.spec.interpretation import Interpretation
    from homolog.spec.library import Library, LoadedEdition
    from homolog.spec.load import LoadedSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRules:
    """An edition's rules for one item.

    Attributes:
        since: First day on which they count; None where it is not known.
        until: Last day; None where none is set or known.
        taken_over: Whether they stand in another edition, which this one names.
        is_in_force: Whether an article is judged by them today.
    """

    item: str
    since: date | None
    until: date | None
    taken_over: bool
    is_in_force: bool
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionView:
    """An edition that is known: shipped, or published by the board."""

    body: str
    label: str
    title: str
    issuer: str
    items: tuple[ItemRules, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An open question of the rules in force for an item, with what the board has decided on it.

    Attributes:
        requirements: Those that turn on it.
        decisions: All that the register and the spec itself know, the oldest first.
        adopted: The one that makes the rule today for all that turns on it; None while the question is open.
    """

    body: str
    edition: str
    item: str
    interpretation: Interpretation
    requirements: tuple[str, ...]
    decisions: tuple[Adoption, ...]
    adopted: Adoption | None

    @property
    def id(self) -> str:
        """The interpretation's id."""
        return self.interpretation.id


def editions_known(actor: Actor, rules: Rules, *, today: date) -> tuple[EditionView, ...]:
    """Return every edition with the days on which its rules count."""
    require(actor, "edition.read")
    library = rules.library()
    return tuple(_edition(library, edition, today) for edition in library.editions.values())


def questions(actor: Actor, rules: Rules, *, today: date) -> tuple[Question, ...]:
    """Return the open questions of the rules that the register goes by today, in the order of items and files."""
    require(actor, "edition.read")
    desk = rules.desk()
    with desk.database.read() as session:
        known = adoptions_of(session)
    given = () if known is None else known.adoptions
    return tuple(
        _question(edition, loaded, interpretation, given, today)
        for edition, loaded in _in_force(desk.library, desk.body, today)
        for interpretation in loaded.spec.interpretations
    )


def _edition(library: Library, edition: LoadedEdition, today: date) -> EditionView:
    file = edition.file
    return EditionView(
        body=file.body,
        label=file.label,
        title=file.title,
        issuer=file.issuer,
        items=tuple(
            _item(library, edition, item, loaded, today) for item in file.files if (loaded := edition.spec(item)) is not None
        ),
    )


def _item(library: Library, edition: LoadedEdition, item: str, loaded: LoadedSpec, today: date) -> ItemRules:
    effective = loaded.spec.edition.effective
    now = _label_in_force(library, edition.file.body, item, today)
    return ItemRules(
        item=item,
        since=effective.since if isinstance(effective.since, date) else None,
        until=effective.to if isinstance(effective.to, date) else None,
        taken_over=not edition.owns(item),
        is_in_force=edition.owns(item) and now == edition.file.label,
        sha256=loaded.sha256,
    )


def _label_in_force(library: Library, body: str, item: str, today: date) -> str | None:
    from homolog.errors import UsageError

    try:
        return library.in_force(body, item, today).file.label
    except UsageError:
        return None


def _in_force(library: Library, body: str, today: date) -> Iterator[tuple[LoadedEdition, LoadedSpec]]:
    """Yield the edition in force for each item with its spec; of several bodies' files one spec comes once."""
    items = dict.fromkeys(item for label in library.labels(body) for item in library.edition(body, label).file.files)
    for item in items:
        label = _label_in_force(library, body, item, today)
        edition = None if label is None else library.edition(body, label)
        loaded = None if edition is None else edition.spec(item)
        if edition is not None and loaded is not None:
            yield edition, loaded


def _question(
    edition: LoadedEdition, loaded: LoadedSpec, interpretation: Interpretation, given: tuple[Adoption, ...], today: date
) -> Question:
    from homolog.evaluate.adoption import adopted

    file = edition.file
    meant = [one for one in given if one.is_meant_for(body=file.body, edition=file.label)]
    mine = [one for one in meant if one.interpretation == interpretation.id]
    own = interpretation.adoption
    if own is not None:
        first = Adoption(interpretation=interpretation.id, reading=own.reading, by=own.by, on=own.on, decision=own.decision)
        mine = [first, *mine]
    named = (
        requirement.id
        for requirement in loaded.spec.requirements
        if getattr(requirement, "interpretation", None) == interpretation.id
    )
    return Question(
        body=file.body,
        edition=file.label,
        item=loaded.spec.item,
        interpretation=interpretation,
        requirements=tuple(named),
        decisions=tuple(sorted(mine, key=lambda one: one.on)),
        # Asked for no requirement in particular: what was decided for some alone does not settle the question.
        adopted=adopted(interpretation, "", meant, today),
    )
