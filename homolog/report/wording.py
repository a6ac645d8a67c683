"""How a page writes the record's parts: readings, limits, names of people's making, days."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from homolog.report.messages import Catalogue

SYMBOLS = {
    "conform": "✓",
    "nonconform": "✗",
    "inconclusive": "≈",
    "needs_judgement": "?",
    "not_measured": "○",
    "error": "!",
    "not_applicable": "–",
}
_LONGEST_FRACTION = 9
_ENDS = {"0.0001": "below", "0.9999": "above"}
LOST = "□"
_STEERING = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def clean(text: str) -> str:
    """Return a text of people's making with what would steer the page (controls, direction marks) shown as a box."""
    normal = unicodedata.normalize("NFC", text)
    return "".join(LOST if unicodedata.category(letter) in _STEERING else letter for letter in normal)


def number(words: Catalogue, text: str | None, unit: str | None = None) -> str:
    """Return a number of the record; a fraction too long to read is cut with a visible mark, never rounded."""
    if text is None:
        return ""
    whole, point, fraction = text.partition(".")
    cut = "…" if len(fraction) > _LONGEST_FRACTION else ""
    shown = words.measure(f"{whole}{point}{fraction[:_LONGEST_FRACTION]}") + cut
    name = words.name("unit", unit) if unit else ""
    return f"{shown}\N{NO-BREAK SPACE}{name}" if name else shown


def reading_text(words: Catalogue, reading: Mapping[str, Any] | None) -> str:
    """Return a reading with its U or bounds, in its unit."""
    if reading is None:
        return words.say("reading.none")
    unit = reading["unit"]
    if "value" in reading:
        if reading["U"] is None:
            return number(words, reading["value"], unit)
        return f"{number(words, reading['value'])} ± {number(words, reading['U'], unit)}"
    if "gauge" in reading:
        size = number(words, reading["gauge"], unit)
        spread = "" if reading["U"] is None else f" ± {number(words, reading['U'], unit)}"
        return words.say(f"reading.gauge_{reading['result']}", {"gauge": f"{size}{spread}"})
    return bounds_text(words, reading["lo"], reading["hi"], unit)


def bounds_text(words: Catalogue, lo: str | None, hi: str | None, unit: str) -> str:
    """Return where a value lies, either end open; nothing where nothing is known."""
    if lo is None and hi is None:
        return ""
    form = "both" if lo is not None and hi is not None else "lo" if lo is not None else "hi"
    return words.say(f"bounds.{form}", {"lo": number(words, lo, unit), "hi": number(words, hi, unit)})


def limit_text(words: Catalogue, limit: Mapping[str, Any] | None) -> str:
    """Return a limit in words; a strict side says that the limit itself is excluded."""
    if limit is None:
        return ""
    unit = limit["unit"]
    if _is_about_zero(limit):
        return words.say("limit.within", {"max": number(words, limit["max"], unit)})
    if limit["min"] is not None and limit["max"] is not None and not _is_strict(limit):
        return words.say("limit.range", {"min": number(words, limit["min"]), "max": number(words, limit["max"], unit)})
    sides = []
    if limit["min"] is not None:
        form = "limit.above" if limit.get("min_is_strict") else "limit.min"
        sides.append(words.say(form, {"min": number(words, limit["min"], unit)}))
    if limit["max"] is not None:
        form = "limit.below" if limit.get("max_is_strict") else "limit.max"
        sides.append(words.say(form, {"max": number(words, limit["max"], unit)}))
    return words.say("limit.between", {"low": sides[0], "high": sides[1]}) if len(sides) > 1 else "".join(sides)


def _is_about_zero(limit: Mapping[str, Any]) -> bool:
    """Whether a limit allows as much below 0 as above, which no reader wants to see as two sides."""
    has_both = limit["min"] is not None and limit["max"] is not None
    return has_both and not _is_strict(limit) and Decimal(limit["max"]) == -Decimal(limit["min"]) > 0


def _is_strict(limit: Mapping[str, Any]) -> bool:
    return bool(limit.get("min_is_strict") or limit.get("max_is_strict"))


def margin_text(words: Catalogue, margin: Mapping[str, Any] | None, limit: Mapping[str, Any] | None) -> str:
    """Return a margin with its sign: plus is inside."""
    if margin is None or limit is None:
        return ""
    text = margin["value"]
    signed = text if text.startswith("-") or not text.strip("0.") else f"+{text}"
    return number(words, signed, limit["unit"])


def probability_text(words: Catalogue, text: str | None) -> str:
    """Return a probability; at either end of what the record can hold, that it lies beyond."""
    if text is None:
        return ""
    end = _ENDS.get(text)
    return number(words, text) if end is None else words.say(f"probability.{end}", {"p": number(words, text)})


def statement_text(words: Catalogue, group: str, statement: Mapping[str, Any] | None) -> str:
    """Return a statement in the page's language; of a code that the catalogue lacks, the record's own words."""
    if statement is None:
        return ""
    key = f"{group}.{statement['code']}"
    params = {name: clean(text) for name, text in statement["params"].items()}
    return words.say(key, params) if words.has(key) else clean(statement["text"])


def mark_text(words: Catalogue, mark: str) -> str:
    """Return a mark in words; `at_most x` names another quantity."""
    code, _, rest = mark.partition(" ")
    name = words.name("mark", code)
    return f"{name} ({clean(rest)})" if rest else clean(name)
