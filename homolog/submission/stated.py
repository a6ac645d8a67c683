"""Attributes that are stated beside a file that cannot hold any, as a scan without a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homolog.submission.article import Words, read_attributes
from homolog.submission.sheet import Sheet
from homolog.submission.vocabulary import Vocabulary


def read_stated(pairs: Iterable[str], vocabulary: Vocabulary, where: str) -> Mapping[str, str]:
    """Return attributes out of texts such as `pose=upright`, held to the same lists as in a sheet.

    Args:
        pairs: One attribute each, its name before the first equals sign.
        vocabulary: The names and values that the item has.
        where: The file that they are stated of.

    Raises:
        InputRefused: A text has no value, a name comes twice, or a name or value is not known; all of them at once.
    """
    sheet = Sheet.new(lambda path: " ".join((where, *map(str, path[1:]))))
    told: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not (name and equals and value):
            sheet.fault(("attributes",), f"{pair[:60]!r} states nothing", "write NAME=VALUE, as pose=upright", "shape")
        elif name in told:
            sheet.fault(("attributes", name), f"the attribute {name!r} is stated twice", "state it once", "key_duplicate")
        else:
            told[name] = value
    found = read_attributes(sheet, dict(told), ("attributes",), Words.of(vocabulary))
    sheet.finish()
    return found
