"""The differences between two editions' specs of an item, said in the reader's language as far as its words go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from api.rule_words import RuleWords, Said, by_english
from homolog.spec.diff import Change, diff
from homolog.spec.requirement import Limit
from homolog.spec.texts import texts_of
from homolog.spec.words import say_condition, say_demand, say_limits

if TYPE_CHECKING:
    from homolog.spec.ids import LoadedIds
    from homolog.spec.load import LoadedSpec

RULES = ("added", "removed", "tightened", "loosened", "changed", "unknown")
PROOF = ("method", "interpretation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One change.

    Attributes:
        says: The rule in short words, of the newer edition if it is there.
        topic: What of it moved; empty for the demand itself.
        about: A method or quantity that the topic is of.
    """

    id: str
    direction: str
    says: Said
    topic: Said
    about: str
    old: Said
    new: Said
    clauses: str


@dataclass(frozen=True, slots=True)
class Side:
    """One edition's spec, and how it is said."""

    loaded: LoadedSpec
    spoken: RuleWords

    def says(self, requirement: str) -> Said:
        """Return a requirement in short words; nothing where this edition does not have it."""
        found = self.loaded.requirements.get(requirement)
        return self.spoken.text("", "") if found is None else self.spoken.text(f"requirement.{found.id}.says", found.says)

    def said(self) -> dict[str, Said]:
        """Return what is said in the language for the English words of this spec."""
        known = by_english(self.spoken, texts_of(self.loaded.spec))
        for requirement in self.loaded.spec.requirements:
            if requirement.when:
                known[say_condition(requirement.when)] = Said(self.spoken.condition(requirement.when), self.spoken.lang)
            if isinstance(requirement, Limit) and (english := say_limits(requirement)):
                limits = (f"{limit} ({when})" if when else limit for when, limit in self.spoken.limits(requirement))
                known[english] = known[say_demand(requirement)] = Said("; ".join(limits), self.spoken.lang)
        return known


def moved(old: Side, new: Side, ids: LoadedIds | None) -> tuple[Moved, ...]:
    """Return every change, in the order of the newer file."""
    return tuple(_moved(old, new, ids))


def _moved(old: Side, new: Side, ids: LoadedIds | None) -> Iterator[Moved]:
    was, now = old.said(), new.said()
    page = new.spoken.page
    for change in diff(old.loaded, new.loaded, ids):
        topic, about = _topic(change)
        said = page.name("rule_topic", topic) if topic else ""
        is_known = not topic or page.has(f"rule_topic.{topic}")
        yield Moved(
            id=change.id,
            direction=change.direction,
            says=new.says(change.id) or old.says(change.id),
            topic=Said(said, new.spoken.lang if is_known else "en"),
            about=about,
            old=_value(change.old, was, old.spoken, topic),
            new=_value(change.new, now, new.spoken, topic),
            clauses=" → ".join(dict.fromkeys(clause for clause in (change.clause_old, change.clause_new) if clause)),
        )


def _topic(change: Change) -> tuple[str, str]:
    """Return what of a requirement moved, as a code, and the method or quantity that it is of."""
    head = change.what.partition(":")[0]
    _, comma, topic = head.partition(", ")
    if not comma or change.direction in ("added", "removed", "unknown"):
        return "", ""
    for code in ("method", "what of", "unit of", "feature of", "places of"):
        if topic.startswith(f"{code} "):
            return code.replace(" ", "_"), topic.removeprefix(f"{code} ")
    return topic.replace(" ", "_"), ""


def _value(text: str, known: dict[str, Said], spoken: RuleWords, topic: str) -> Said:
    if not text:
        return Said("", spoken.lang)
    if text in known:
        return known[text]
    if topic == "basis":
        return Said(spoken.report.name("basis", text), spoken.lang)
    if topic == "when" and text == "always":
        return Said(spoken.page.say("rules.always"), spoken.lang)
    is_a_word = topic in ("clause", "alternative_of")
    return Said(text, spoken.lang if is_a_word else "en")
