"""The form of the page for a check: its choices in the reader's language, and what stands in its fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from api.blank import TYPES
from api.multipart import Part
from api.sent import SHEET_ENDINGS
from api.words import words
from homolog.gate.mesh_file import ENDINGS

if TYPE_CHECKING:
    from api.service import Shelf

_ITEMS = ("goalkeeper", "figure", "ball", "goal", "board", "set", "match")
_PURPOSES = ("self_test", "type_approval", "match", "recheck")
_SOURCES = ("structured_light", "photogrammetry", "laser", "ct", "cad")
_UNITS = ("mm", "cm", "m", "in")
_STATED_OF = ("goalkeeper", "figure")
_STATED = ("family", "pose", "base_form", "material")
"""Attributes with closed lists that say something of a single article; a role is one of a set's."""
_REPEATED = ("attribute",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What stands in the form's fields, so that it can be shown again."""

    item: str = ""
    purpose: str = "self_test"
    rules: str = "fistf/4.0"
    on: str = ""
    source: str = ""
    unit: str = ""
    lang: str = ""
    attribute: tuple[str, ...] = ()
    temperature: str = ""
    temperature_U: str = ""  # noqa: N815 -- as a sheet has it
    material: str = ""
    reference_diameter: str = ""
    reference_U: str = ""  # noqa: N815

    @property
    def is_open(self) -> bool:
        """Whether a field of the second row is filled in."""
        return bool(self.on or self.source or self.unit) or self.lang not in ("", "en")

    @property
    def is_open_alone(self) -> bool:
        """Whether something is stated of a scan without a sheet."""
        stated = (self.temperature, self.temperature_U, self.material, self.reference_diameter, self.reference_U)
        return any(self.attribute) or any(stated)

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Form:
        """Take the fields over from what was sent."""
        known = {field.name for field in fields(cls)}
        sent = [(part.name, part.data.decode("utf-8", "replace")[:40]) for part in parts if part.filename is None]
        once = {name: text for name, text in sent if name in known and name not in _REPEATED}
        return cls(**once, attribute=tuple(text for name, text in sent if name == "attribute"))


def choices_of(shelf: Shelf, lang: str) -> Mapping[str, Any]:
    """Return what the form's lists offer; the names of things are those of the reports."""
    from homolog.report.messages import catalogue

    named, say = catalogue(lang).name, words(lang).say

    def listed(group: str, codes: Iterable[str]) -> tuple[tuple[str, str], ...]:
        return tuple((code, _capital(named(group, code))) for code in codes)

    return {
        "scan_endings": ",".join(ENDINGS),
        "blank_endings": tuple(TYPES),
        "sheet_endings": ",".join(SHEET_ENDINGS),
        "items": (("", say("check.as_sheet")), *listed("item", _ITEMS)),
        "purposes": listed("purpose", _PURPOSES),
        "sources": (("", say("check.as_sheet")), *listed("source", _SOURCES)),
        "units": (("", say("check.unit_any")), *((code, named("unit", code)) for code in _UNITS)),
        "materials": (("", say("check.not_stated")), *listed("material", _materials())),
        "attributes": tuple(_attributes(shelf, lang)),
        "rules": tuple(_rules(shelf, lang)),
    }


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _materials() -> tuple[str, ...]:
    from homolog.submission.submission import MATERIALS

    return MATERIALS


def _attributes(shelf: Shelf, lang: str) -> Iterator[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """Yield each attribute with its label, which names the items that have it, and its values."""
    from homolog.report.messages import catalogue

    named, said = catalogue(lang).name, words(lang)
    lists = {item: shelf.vocabulary_of(item).attributes for item in _STATED_OF}
    for name in _STATED:
        values = {item: closed for item in _STATED_OF if (closed := lists[item].get(name)) is not None}
        items = ", ".join(named("item", item) for item in values)
        label = said.say("check.attribute_of", {"label": _capital(said.name("attribute_name", name)), "of": items})
        found = dict.fromkeys(value for closed in values.values() for value in closed)
        yield name, label, tuple((value, _capital(said.name("value", value))) for value in found)


def _rules(shelf: Shelf, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the editions, and for a body with several the one in force on the day."""
    library = shelf.library
    choices = [(f"{body}/{label}", edition.file.title) for (body, label), edition in library.editions.items()]
    yield from sorted(choices, key=lambda choice: (choice[0] != "fistf/4.0", not choice[0].startswith("fistf/")))
    for body in dict.fromkeys(body for body, _ in library.editions):
        if len(library.labels(body)) > 1:
            yield f"{body}/", words(lang).say("check.in_force", {"body": body.upper()})
