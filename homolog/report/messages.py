"""The message catalogues: every sentence of a report by its key, in each language."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from homolog.data import templates_dir
from homolog.errors import SpecError, UsageError
from homolog.gate.yaml_text import Value, parse_yaml

FORMAT = "homolog-messages/1"
LANGUAGES = ("en", "uk", "it")

_SLOT = re.compile(r"\{([A-Za-z_]+)\}")
_OPTIONAL = re.compile(r"\[\[(.*?)\]\]")
_MEASURE = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?(?: (mm3|mm2|cm3|mm|cm|ml|min|deg|count|in|m|g|s))?", re.ASCII)
# Parameters that are ids, or lists of ids, with a name in words: the group that names them.
_NAMED = {
    "allowed": "method",
    "attributes": "attribute",
    "by": "attribute",
    "item": "item",
    "method": "method",
    "methods": "method",
    "place": "place",
    "places": "place",
    "policy": "policy",
    "purposes": "purpose",
    "roles": "role",
    "unit": "unit",
}
_READING = re.compile(r"([^:;]+): ([a-z_]+)")
Forms = Mapping[str, str]
"""A text by plural category; `other` alone where the text has no number in it."""


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language."""

    lang: str
    texts: Mapping[str, Forms]

    def has(self, key: str) -> bool:
        """Whether the catalogue knows the key."""
        return key in self.texts

    def say(self, key: str, params: Mapping[str, str] | None = None) -> str:
        """Return a sentence; of an unknown key the key and its parameters, so that nothing is lost.

        `{slot}` takes a parameter, `[[...]]` is left out if a parameter inside it is missing. The parameter `n` picks
        the plural form.
        """
        params = params or {}
        forms = self.texts.get(key)
        if forms is None:
            return _raw(key, params)
        template = forms.get(plural(self.lang, params.get("n", ""))) or forms["other"]
        words = {name: self.value(name, text) for name, text in params.items() if text}
        template = _OPTIONAL.sub(lambda match: match[1] if all(slot in words for slot in _SLOT.findall(match[1])) else "", template)
        return _SLOT.sub(lambda match: words.get(match[1], "…"), template)

    def name(self, group: str, code: str | None) -> str:
        """Return the name of an id in words, or the id itself where it has none."""
        key = f"{group}.{code}"
        return self.say(key) if key in self.texts else (code or "")

    def value(self, name: str, text: str) -> str:
        """Return a parameter as this language writes it: numbers with units, and ids that have a name."""
        if name in _NAMED:
            mark = "; " if name == "places" else ", "  # the name of a place may hold a comma
            return mark.join(self.name(_NAMED[name], part) for part in text.split(", "))
        if name == "readings":  # "<reading>: <verdict>; ..."
            return _READING.sub(lambda match: f"{match[1]}: {self.name('verdict', match[2])}", text)
        return self.measure(text) if " " in text else text  # a bare number may be a label, such as edition 4.0

    def measure(self, text: str) -> str:
        """Return `<number> <unit>` as this language writes it; any other text stays as it is."""
        match = _MEASURE.fullmatch(text)
        if match is None:
            return text
        sign = {"-": "\N{MINUS SIGN}", "+": "+"}.get(match[1], "")
        number = f"{sign}{match[2]}"
        if match[3]:
            number += f"{self.say('number.decimal_mark')}{match[3]}"
        if match[4] is None:
            return number
        unit = self.name("unit", match[4])
        return f"{number}\N{NO-BREAK SPACE}{unit}" if unit else number


def plural(lang: str, n: str) -> str:
    """Return the plural category of a whole number (Unicode CLDR): one, few, many or other."""
    if not n.isascii() or not n.isdigit():
        return "other"
    number = int(n)
    if lang != "uk":
        return "one" if number == 1 else "other"
    units, tens = number % 10, number % 100
    if units == 1 and tens != 11:
        return "one"
    return "few" if 2 <= units <= 4 and not 12 <= tens <= 14 else "many"


def source_hash(forms: Forms) -> str:
    """Return the digest that a translation carries of the English text it was made from."""
    text = "\n".join(f"{form}={forms[form]}" for form in sorted(forms))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@lru_cache(maxsize=8)
def catalogue(lang: str) -> Catalogue:
    """Return a language's catalogue.

    Raises:
        UsageError: There is none.
    """
    if lang not in LANGUAGES:
        raise UsageError.because(
            f"there are no messages in language {lang[:20]!r}", todo=f"use one of {', '.join(LANGUAGES)}", code="language_unknown"
        )
    texts, _ = read_messages(lang)
    return Catalogue(lang, texts)


def english() -> Catalogue:
    """Return the English catalogue, from which the record's own sentences come."""
    return catalogue("en")


def read_messages(lang: str) -> tuple[dict[str, Forms], dict[str, str]]:
    """Return a language's texts, and the source digests that its translations carry.

    Raises:
        SpecError: The file is no catalogue.
    """
    return read_file(templates_dir() / "report" / "messages" / f"{lang}.yaml")


def read_file(path: Path) -> tuple[dict[str, Forms], dict[str, str]]:
    """Return the texts of one file, and the source digests that its translations carry.

    Raises:
        SpecError: The file is no catalogue.
    """
    document = parse_yaml(path.read_bytes(), path.name)
    body = document.value
    if not isinstance(body, dict) or body.get("format") != FORMAT or not isinstance(body.get("texts"), dict):
        raise SpecError.because(f"the file is no {FORMAT}", where=path.name, code="messages_invalid")
    texts: dict[str, Forms] = {}
    sources: dict[str, str] = {}
    for key, entry in _entries(body["texts"]):
        forms = {"other": entry} if isinstance(entry, str) else {name: str(text) for name, text in entry.items()}
        source = forms.pop("source", None)
        if source is not None:
            sources[key] = source
        if "text" in forms:
            forms["other"] = forms.pop("text")
        texts[key] = forms
    return texts, sources


def _entries(texts: Value) -> list[tuple[str, str | dict[str, Value]]]:
    """Flatten `group: {code: text}` to `group.code`."""
    if not isinstance(texts, dict):
        return []
    return [
        (f"{group}.{code}", entry)
        for group, entries in texts.items()
        if isinstance(entries, dict)
        for code, entry in entries.items()
        if isinstance(entry, str | dict)
    ]


def _raw(key: str, params: Mapping[str, str]) -> str:
    code = key.partition(".")[2] or key
    if not params:
        return code
    return f"{code} ({', '.join(f'{name}: {text}' for name, text in params.items())})"
