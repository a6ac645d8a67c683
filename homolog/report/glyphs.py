"""Which letters the PDF's fonts have: PDF/A refuses a page with a sign that no font can draw.

The ranges were found by setting every sign; a test sets them all again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from homolog.report.wording import LOST

RANGES: tuple[tuple[int, int], ...] = (
    (0x0020, 0x007E),  # Latin
    (0x00A0, 0x00AC),
    (0x00AE, 0x036F),
    (0x0370, 0x0377),  # Greek
    (0x037A, 0x037F),
    (0x0384, 0x038A),
    (0x038C, 0x038C),
    (0x038E, 0x03A1),
    (0x03A3, 0x03FF),
    (0x0400, 0x04FF),  # Cyrillic
    (0x0510, 0x0513),
    (0x051A, 0x051D),
    (0x05D0, 0x05EA),  # Hebrew
    (0x1E00, 0x1EFF),
    (0x2010, 0x2027),  # punctuation
    (0x2030, 0x2040),
    (0x2044, 0x2052),
    (0x2070, 0x2071),
    (0x2074, 0x208E),
    (0x20A0, 0x20BF),
    (0x2100, 0x211E),
    (0x2122, 0x2122),
    (0x2126, 0x2126),
    (0x2150, 0x2151),
    (0x2153, 0x215F),
    (0x2190, 0x23FF),  # arrows, mathematics
    (0x2500, 0x262F),  # boxes, shapes
    (0x2713, 0x2718),  # check marks
    (0x2794, 0x2794),
)
_LONG = re.compile(r"\S{16,}")
_JOINT = re.compile(r"(?<=_)|(?<=[./])(?=[^\W\d])")
_LONGEST_PART = 24
_REFERENCE = re.compile(r"&#[0-9xXa-fA-F]+;")
_EVERY = 12


_CLASS = "".join(f"{re.escape(chr(start))}-{re.escape(chr(end))}" for start, end in RANGES)
_UNPRINTABLE = re.compile(rf"[^{_CLASS}\n\t]")


def can_print(letter: str) -> bool:
    """Whether the PDF's fonts have a sign."""
    return not _UNPRINTABLE.match(letter)


@dataclass
class Printer:
    """Replaces what cannot be printed by a box, and keeps which signs those were."""

    lost: set[str] = field(default_factory=set)

    def text(self, text: str) -> str:
        """Return a text that can be set, with places to break in very long words."""
        return _LONG.sub(_breakable, self._kept(text))

    def drawing(self, svg: str) -> str:
        """Return a drawing whose letters can be set; its markup is ASCII and stays."""
        return self._kept(_REFERENCE.sub(self._reference, svg))

    def _reference(self, match: re.Match[str]) -> str:
        letters = html.unescape(match[0])
        kept = self._kept(letters)
        return match[0] if kept == letters else kept

    def _kept(self, text: str) -> str:
        return _UNPRINTABLE.sub(self._lose, text)

    def _lose(self, match: re.Match[str]) -> str:
        self.lost.add(match[0])
        return LOST


def _breakable(match: re.Match[str]) -> str:
    """Let an id break at its joints; only where it has none, anywhere."""
    return "\N{ZERO WIDTH SPACE}".join(piece for part in _JOINT.split(match[0]) for piece in _pieces(part) if piece)


def _pieces(part: str) -> list[str]:
    if len(part) < _LONGEST_PART:
        return [part]
    return [part[start : start + _EVERY] for start in range(0, len(part), _EVERY)]


def over(value: object, change: Callable[[str], str]) -> object:
    """Return plain values with every text in them changed."""
    match value:
        case str():
            return change(value)
        case dict():
            return {key: over(inner, change) for key, inner in value.items()}
        case list() | tuple():
            return [over(inner, change) for inner in value]
        case _:
            return value
