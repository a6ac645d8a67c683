"""A spec's words for a page: its own texts where they are translated, and limits and conditions made from its data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from api.words import words
from homolog.report.messages import catalogue
from homolog.report.wording import limit_text
from homolog.spec.i18n import is_fresh, load_texts

if TYPE_CHECKING:
    from homolog.quantity import Measure
    from homolog.spec.interpretation import Bounds
    from homolog.spec.requirement import Condition, Count, Limit


@dataclass(frozen=True, slots=True)
class Said:
    """A text and the language that it is in: English where nobody has translated it yet."""

    text: str
    lang: str

    def __bool__(self) -> bool:
        """Whether there is a text at all."""
        return bool(self.text)


class RuleWords:
    """Says what one spec holds, in one language."""

    def __init__(self, path: Path, lang: str) -> None:
        self.lang = lang
        self._texts = load_texts(path, lang).texts
        self.page, self.report = words(lang), catalogue(lang)

    def text(self, key: str, english: str) -> Said:
        """Return a text of the spec, translated if there is a translation of exactly this text."""
        found = self._texts.get(key)
        if found is not None and is_fresh(found, english):
            return Said(found.text, self.lang)
        return Said(english, "en")

    def measure(self, measure: Measure) -> str:
        """Return a measure as the language writes it."""
        return self.report.measure(f"{measure.number:f} {measure.unit.name}")

    def limit(self, bounds: Bounds) -> str:
        """Return a limit in words; empty if there is none."""
        if bounds.within is not None:
            return self.report.say("limit.within", {"max": self.measure(bounds.within)})
        low, high = bounds.min or bounds.above, bounds.max or bounds.below
        if low is None and high is None:
            return ""
        if low is not None and high is not None and low.unit is not high.unit:
            return self.report.say("limit.between", {"low": self._side(low, None, bounds), "high": self._side(None, high, bounds)})
        return self._side(low, high, bounds)

    def _side(self, low: Measure | None, high: Measure | None, bounds: Bounds) -> str:
        some = low or high
        said = {
            "min": None if low is None else f"{low.number:f}",
            "max": None if high is None else f"{high.number:f}",
            "min_is_strict": low is not None and bounds.above is not None,
            "max_is_strict": high is not None and bounds.below is not None,
            "unit": "" if some is None else some.unit.name,
        }
        return limit_text(self.report, said)

    def limits(self, requirement: Limit) -> list[tuple[str, str]]:
        """Return a requirement's limits: the condition under which each holds (empty for the usual one), and the limit."""
        found = [("", self.limit(requirement))] if requirement.is_bounded else []
        return [*found, *((self.condition(case.when), self.limit(case)) for case in requirement.cases)]

    def condition(self, condition: Condition) -> str:
        """Return a condition, as `family: Sports or Toccer`; empty if there is none."""
        last = self.page.say("rules.or")
        parts = []
        for name, values in condition.items():
            parts.append(f"{self.attribute(name)}: {f' {last} '.join(self.value(value) for value in values)}")
        return "; ".join(parts)

    def count(self, count: Count) -> str:
        """Return how many a count allows."""
        if count.min is None:
            return self.page.say("rules.count_most", {"max": str(count.max)})
        if count.max is None:
            return self.page.say("rules.count_least", {"min": str(count.min)})
        code = "rules.count_exactly" if count.min == count.max else "rules.count_range"
        return self.page.say(code, {"min": str(count.min), "max": str(count.max)})

    def attribute(self, name: str) -> str:
        """Return an attribute's name, as its id has it where there is no other."""
        return self._plain(self.page.name("attribute_name", name))

    def value(self, value: str) -> str:
        """Return the name of an attribute's value."""
        return self._plain(self.page.name("value", value))

    def names(self, group: str, codes: Iterable[str]) -> str:
        """Return names of the reports, listed."""
        return ", ".join(self.report.name(group, code) for code in codes)

    def _plain(self, name: str) -> str:
        return name.replace("_", " ")


def by_english(spoken: RuleWords, english: Mapping[str, str]) -> dict[str, Said]:
    """Return what a spec's texts are called in the language, by their English words."""
    return {text: spoken.text(key, text) for key, text in english.items()}
