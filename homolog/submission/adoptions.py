"""A board's adoptions: which reading of an interpretation it decided for, when, and for what."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path as FilePath

from homolog.errors import InputRefused
from homolog.gate.json_text import parse_json
from homolog.gate.yaml_text import Path, Value, parse_yaml
from homolog.quantity import Adoption
from homolog.spec.load import LoadedSpec
from homolog.submission.document import check_format
from homolog.submission.problems import ProblemList
from homolog.submission.sheet import Sheet

ADOPTIONS_FORMAT = "homolog-adoptions/1"
MAX_ADOPTIONS_BYTES = 1_000_000
_NEEDED = ("interpretation", "reading", "by", "on", "decision")
_KEYS = (*_NEEDED, "requirements", "body", "edition")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adoptions:
    """A file of adoptions, with the digest that enters the record."""

    adoptions: tuple[Adoption, ...]
    sha256: str
    name: str


def read_adoptions(data: bytes, name: str) -> Adoptions:
    """Read a file of adoptions: YAML, or JSON by its ending.

    Raises:
        InputRefused: With every problem of the file, each at its place.
    """
    if len(data) > MAX_ADOPTIONS_BYTES:
        what = f"the file has {len(data)} bytes, more than {MAX_ADOPTIONS_BYTES}"
        raise InputRefused.because(what, where=name, code="file_too_large")
    document = parse_json(data, name) if FilePath(name).suffix.lower() == ".json" else parse_yaml(data, name)
    sheet = Sheet.new(document.where)
    found: list[Adoption] = []
    value = document.value
    if not isinstance(value, dict):
        sheet.fault((), "the document is not a mapping", f"begin with format: {ADOPTIONS_FORMAT}", "shape")
    elif check_format(sheet, value, ADOPTIONS_FORMAT):
        sheet.known_keys(value, (), ("format", "adoptions"))
        if not value.get("adoptions"):
            sheet.fault((), "the file adopts nothing", "list adoptions:, or leave the file out", "shape")
        for number, entry in enumerate(sheet.sequence(value.get("adoptions", ""), ("adoptions",), "adoptions")):
            adoption = _adoption(sheet, entry, ("adoptions", number))
            if adoption is not None:
                _check_overlap(sheet, adoption, found)
                found.append(adoption)
    sheet.finish()
    return Adoptions(adoptions=tuple(found), sha256=hashlib.sha256(data).hexdigest(), name=name)


def _adoption(sheet: Sheet, value: Value, path: Path) -> Adoption | None:
    before = len(sheet.problems)
    told = sheet.mapping(value, path, "an adoption")
    sheet.known_keys(told, path, _KEYS)
    words = {key: sheet.words(told.get(key, ""), (*path, key)) for key in (*_NEEDED, "body", "edition")}
    for key in _NEEDED:
        if words[key] is None and not told.get(key):
            sheet.fault(path, f"the adoption has no {key}", f"write {key}:", "adoption_incomplete")
    on = _day(sheet, words["on"], (*path, "on"))
    listed = told.get("requirements", "")
    if "requirements" in told and not listed:
        sheet.fault((*path, "requirements"), "the list is empty", "name at least one, or leave it out", "adoption_incomplete")
    items = enumerate(sheet.sequence(listed, (*path, "requirements"), "requirements"))
    requirements = [sheet.words(entry, (*path, "requirements", number)) for number, entry in items]
    if len(sheet.problems) > before or on is None:
        return None
    return Adoption(
        interpretation=words["interpretation"] or "",
        reading=words["reading"] or "",
        by=words["by"] or "",
        on=on,
        decision=words["decision"] or "",
        requirements=tuple(requirement for requirement in requirements if requirement),
        body=words["body"],
        edition=words["edition"],
        where=sheet.locate(path),
    )


def _day(sheet: Sheet, text: str | None, path: Path) -> date | None:
    if text is None:
        return None
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    sheet.fault(path, f"{text[:40]!r} is not a date", "write as 2026-01-31", "date_invalid")
    return None


def _check_overlap(sheet: Sheet, adoption: Adoption, earlier: Iterable[Adoption]) -> None:
    for other in earlier:
        if adoption.overlaps(other):
            sheet.problems.add(
                adoption.where,
                f"{adoption.interpretation} is adopted for the same cases at {other.where}",
                "keep one, or tell them apart by requirements, body or edition",
                "adoption_overlap",
            )


def check_adoptions(adoptions: Adoptions, specs: Iterable[LoadedSpec], editions: Iterable[tuple[str, str]] | None = None) -> None:
    """Refuse adoptions of what does not exist: a misspelt one would otherwise decide nothing, in silence.

    Args:
        adoptions: The file.
        specs: The specs of every item and edition that the file may be meant for, not only those of the article at hand.
        editions: All known pairs of body and edition label; without it they are not looked at.

    Raises:
        InputRefused: With every interpretation, reading, requirement, body or edition that is not known.
    """
    readings: dict[str, dict[str, None]] = {}
    requirements: dict[str, dict[str, None]] = {}
    for loaded in specs:
        for interpretation in loaded.spec.interpretations:
            readings.setdefault(interpretation.id, {}).update((reading.id, None) for reading in interpretation.readings)
            using = requirements.setdefault(interpretation.id, {})
            for requirement in loaded.spec.requirements:
                if interpretation.is_decision_rule or requirement.interpretation == interpretation.id:
                    using[requirement.id] = None
    problems = ProblemList()
    known = list(editions or ())
    for adoption in adoptions.adoptions:
        key = adoption.interpretation
        if key not in readings:
            problems.unknown(adoption.where, "the interpretation", key, readings, "interpretation_unknown")
            continue
        if adoption.reading not in readings[key]:
            problems.unknown(adoption.where, f"the reading of {key}", adoption.reading, readings[key], "reading_unknown")
        for requirement_id in adoption.requirements:
            if requirement_id not in requirements[key]:
                kind = f"the requirement that turns on {key}"
                problems.unknown(adoption.where, kind, requirement_id, requirements[key], "requirement_unknown")
        if known:
            _check_edition(problems, adoption, known)
    problems.raise_if_any()


def _check_edition(problems: ProblemList, adoption: Adoption, known: list[tuple[str, str]]) -> None:
    bodies = dict.fromkeys(body for body, _ in known)
    if adoption.body is not None and adoption.body not in bodies:
        problems.unknown(adoption.where, "the body", adoption.body, bodies, "body_unknown")
        return
    labels = dict.fromkeys(label for body, label in known if adoption.body in (None, body))
    if adoption.edition is not None and adoption.edition not in labels:
        problems.unknown(adoption.where, "the edition", adoption.edition, labels, "edition_unknown")
