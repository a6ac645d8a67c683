"""What measuring said of a scan, in a page's language: the record holds English, which is told by its form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from homolog.report.messages import Catalogue, english
from homolog.report.wording import clean

_SLOT = re.compile(r"\\\{([A-Za-z_]+)\\\}")
_SHARE = re.compile(r"([0-9.]+) %")


def said(words: Catalogue, text: str) -> str:
    """Return a sentence of the measuring room in the page's language; one that the catalogue does not know stays as it is."""
    known = clean(text)
    for key, pattern in _patterns():
        found = pattern.fullmatch(known)
        if found is not None:
            told = words.say(key, {name: _part(words, name, part) for name, part in found.groupdict().items()})
            return told if known[:1].isupper() else told[:1].lower() + told[1:]
    share = _SHARE.fullmatch(known)
    return words.measure(known) if share is None else f"{words.measure(share[1])}\N{NO-BREAK SPACE}%"


def fact_name(words: Catalogue, name: str) -> str:
    """Return what a fact of a scan is called; of one that the catalogue does not know, its id in words."""
    return clean(words.name("fact", name) if words.has(f"fact.{name}") else name.replace("_", " "))


def _part(words: Catalogue, name: str, text: str) -> str:
    if name in ("n", "unit"):  # the catalogue itself picks a form by the first, and names the second
        return text
    if name == "others":
        return "; ".join(said(words, one) for one in text.split("; "))
    return words.name("item", text) if words.has(f"item.{text}") else said(words, text)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the English forms, the longest first, so that no short one takes a sentence that a longer one knows whole."""
    found: Mapping[str, str] = {key: forms["other"] for key, forms in english().texts.items() if key.startswith("said.")}
    longest_first = sorted(found, key=lambda key: len(re.sub(r"\{[A-Za-z_]+\}", "", found[key])), reverse=True)
    return tuple((key, re.compile(_SLOT.sub(r"(?P<\1>.+?)", re.escape(found[key])), re.IGNORECASE)) for key in longest_first)
