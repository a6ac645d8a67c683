"""The view's pictures: each with its dimensions in the page's language, in the look of what was found of them."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homolog.report.canvas import LOOKS, PLAIN, Dimension
from homolog.report.messages import Catalogue
from homolog.report.overlay import dimensioned
from homolog.report.view_head import Word, verdict_word
from homolog.report.wording import clean, reading_text

_SAME = ("quantity", "place", "evidence", "unit", "value", "lo", "hi", "gauge")
_WORST = ("nonconform", "error", "needs_judgement", "inconclusive", "not_measured", "conform")


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing with its description.

    Attributes:
        is_wide: Whether it wants the whole width of a page.
        data_uri: The drawing as an image's address, where nothing in it can run.
    """

    title: str
    alt: str
    is_wide: bool
    svg: str
    data_uri: str


def pictures_of(words: Catalogue, record: Mapping[str, Any]) -> tuple[Picture, ...]:
    """Return the pictures of the article and of its pieces; pieces of records from before lack the key."""
    holders = [("", record), *((clean(piece["name"]), piece) for piece in record["pieces"])]
    return tuple(_picture(words, picture, piece, holder) for piece, holder in holders for picture in holder.get("pictures", ()))


def _picture(words: Catalogue, picture: Mapping[str, Any], piece: str, holder: Mapping[str, Any]) -> Picture:
    named = f"{holder['item']}_{picture['name']}"
    params = {key: clean(text) for key, text in picture.get("params", {}).items()}
    if "marks" in picture and words.has(f"pictured.{named}"):
        titled = named if words.has(f"picture.{named}") else picture["name"]
        title, says = words.say(f"picture.{titled}", params), words.say(f"pictured.{named}", params)
        told = [says, *_told(words, picture, holder)]
    else:
        title, told = clean(picture["title"]), [clean(picture["alt"])]
    items = [_dimension(words, mark, holder["findings"]) for mark in picture.get("marks", ())]
    legend = words.say("picture.repaired", {"n": str(picture["repaired"])}) if picture.get("repaired") else ""
    svg, is_wide = dimensioned(picture["svg"], items, legend)
    return Picture(
        title=": ".join(part for part in (piece, title) if part),
        alt=" ".join(told),
        is_wide=is_wide,
        svg=svg,
        data_uri="data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode(),
    )


def _told(words: Catalogue, picture: Mapping[str, Any], holder: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a picture shows besides, for those who do not see it."""
    lengths = []
    for mark in picture["marks"]:
        if mark["quantity"] is None:
            continue
        place = f" ({_place(words, mark['place'])})" if mark["place"] and not _has_own_name(words, mark) else ""
        verdict = _verdict(words, mark, holder["findings"])
        found = "" if verdict is None or mark["reading"] is None else f" – {verdict.word}"
        lengths.append(f"{_quantity(words, mark)}{place} {_number(words, mark)}{found}")
    if lengths:
        listed = "; ".join(lengths)
        yield f"{listed[0].upper()}{listed[1:]}."
    for mark in picture["marks"]:
        if mark["spot"] is not None:
            said = _spot(words, mark)
            yield f"{said[0].upper()}{said[1:]}."
    if picture["repaired"]:
        yield words.say("picture.hatched", {"n": str(picture["repaired"])})


def _dimension(words: Catalogue, mark: Mapping[str, Any], findings: Sequence[Mapping[str, Any]]) -> Dimension:
    a, b = ((float(point[0]), float(point[1])) for point in (mark["a"], mark["b"]))
    if mark["spot"] is not None:
        # The legend says what is hatched; beside it a number is enough.
        text = words.measure(clean(mark["number"] or "")) if mark["spot"] == "repaired" else _spot(words, mark)
        return Dimension(mark["form"], mark["side"], a, b, text)
    verdict = _verdict(words, mark, findings)
    by_place = mark["form"] == "within" and mark["place"] and not _has_own_name(words, mark)
    name = _place(words, mark["place"]) if by_place else _quantity(words, mark)
    text = f"{name} {_number(words, mark)}".replace("\N{NO-BREAK SPACE}", " ")
    if verdict is None:
        return Dimension(mark["form"], mark["side"], a, b, text)
    look = LOOKS.get(verdict.code, PLAIN)
    return Dimension(mark["form"], mark["side"], a, b, text, verdict.symbol, look, verdict.code == "nonconform")


def _has_own_name(words: Catalogue, mark: Mapping[str, Any]) -> bool:
    return words.has(f"quantity.{mark['quantity']}.{mark['place']}")


def _quantity(words: Catalogue, mark: Mapping[str, Any]) -> str:
    if _has_own_name(words, mark):
        return words.say(f"quantity.{mark['quantity']}.{mark['place']}")
    return clean(words.name("quantity", mark["quantity"]))


def _place(words: Catalogue, place: str | None) -> str:
    name = words.name("place", place)
    return clean(name.replace("_", " "))


def _number(words: Catalogue, mark: Mapping[str, Any]) -> str:
    return verdict_word(words, "not_measured").word if mark["reading"] is None else reading_text(words, mark["reading"])


def _spot(words: Catalogue, mark: Mapping[str, Any]) -> str:
    number = clean(mark["number"] or "")
    return words.say(f"spot.{mark['spot']}", {"number": words.measure(number)} if number else {})


def _verdict(words: Catalogue, mark: Mapping[str, Any], findings: Sequence[Mapping[str, Any]]) -> Word | None:
    """Return what was found of the very reading that a mark shows; the worst, if several requirements ask for it."""
    if mark["reading"] is None:
        return verdict_word(words, "not_measured")
    found = {verdict for finding in findings for verdict in _verdicts(finding, mark["reading"])}
    worst = next((verdict for verdict in _WORST if verdict in found), None)
    return None if worst is None else verdict_word(words, worst)


def _verdicts(finding: Mapping[str, Any], reading: Mapping[str, Any]) -> Iterator[str]:
    used = finding["interpretation"]
    if used is None:
        places = [place for place in finding["places"] if _is_of(place, reading)]
        if places:
            yield from (place["verdict"] for place in places)
        elif _is_of(finding, reading):
            yield finding["verdict"]
        return
    for way in used["readings"]:
        if used["adoption"] is not None and used["adoption"]["reading"] != way["id"]:
            continue  # what a reading says that the board did not adopt decides nothing
        for holder in (*way["places"], way):
            if _is_of(holder, reading):
                # While nobody has adopted a reading, one that fails alone makes nothing fail.
                yield holder["verdict"] if holder["verdict"] == "conform" else finding["verdict"]
                break


def _is_of(holder: Mapping[str, Any], reading: Mapping[str, Any]) -> bool:
    """Say whether what was judged is this reading; its U may have been raised, and marks added."""
    judged = holder["reading"]
    return judged is not None and all(judged.get(key) == reading.get(key) for key in _SAME)
