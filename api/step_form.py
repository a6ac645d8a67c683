"""A step as a form of a page: what it asks as fields, and what was written in them as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from homolog.service.workflow.next import Next, Wanted
    from homolog.spec.process import Asked

# What the service fills in better than a person could; see homolog.service.applications.take.
_FILLED = frozenset({"company", "memorandum", "counting", "electors"})
_LINES = {"variants": ("name", "colour", "material"), "reasons": ("clause", "text")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field.

    Attributes:
        name: In the form; two steps on one page have names of their own.
        kind: As the table of steps says.
        value: What is written in it.
        values: What can be chosen.
    """

    name: str
    asks: str
    says: str
    kind: str
    is_needed: bool
    value: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepForm:
    """A step with its fields."""

    step: str
    says: str
    is_main: bool
    fields: tuple[Field, ...]
    is_tried: bool


def forms_of(
    steps: Sequence[Next], form: Mapping[str, str] | None, begin: Mapping[str, Mapping[str, str]] | None = None
) -> list[StepForm]:
    """Return the forms of steps.

    Args:
        steps: Those that are shown.
        form: What was sent and refused, to be mended.
        begin: What fields of a step begin with.
    """
    tried = "" if form is None else form.get("step", "")
    return [_form(step, form if step.step == tried else None, (begin or {}).get(step.step, {})) for step in steps]


def _form(step: Next, sent: Mapping[str, str] | None, begin: Mapping[str, str]) -> StepForm:
    fields = [_field(step.step, wanted, sent, begin) for wanted in step.wants if wanted.name not in _FILLED]
    return StepForm(step=step.step, says=step.says, is_main=step.is_main, fields=tuple(fields), is_tried=sent is not None)


def _field(step: str, wanted: Wanted, sent: Mapping[str, str] | None, begin: Mapping[str, str]) -> Field:
    name = f"{step}.{wanted.name}"
    return Field(
        name=name,
        asks=wanted.name,
        says=wanted.what,
        kind=wanted.asked.kind,
        is_needed=wanted.is_needed,
        value=sent.get(name, "") if sent is not None else begin.get(wanted.name, ""),
        values=tuple(wanted.asked.values),
    )


def said_of(asks: Iterable[Asked], form: Mapping[str, str]) -> dict[str, Any]:
    """Return what a form says with its step; a field that was left empty says nothing."""
    step = form.get("step", "")
    said: dict[str, Any] = {}
    for asked in asks:
        text = form.get(f"{step}.{asked.name}", "").replace("\r\n", "\n").strip()
        if text:
            said[asked.name] = _value(asked.kind, text)
    return said


def _value(kind: str, text: str) -> Any:
    """Return what a text means; one that means nothing stays as it is, for the workflow to refuse with its reason."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    match kind:
        case "whole" | "event":
            return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text
        case "digests" | "accounts":
            return list(dict.fromkeys(lines))
        case "variants":
            return [_parts(line, ";", _LINES["variants"]) for line in lines]
        case "reasons":
            return [_parts(line, ":", _LINES["reasons"]) for line in lines]
        case "moment":
            return _moment(text)
        case _:
            return text


def _parts(line: str, mark: str, names: tuple[str, ...]) -> dict[str, str]:
    parts = [part.strip() for part in line.split(mark, len(names) - 1)]
    return {name: part for name, part in zip(names, parts, strict=False) if part}


def _moment(text: str) -> str:
    """Return a day's end, or a moment as a browser writes it, in UTC."""
    try:
        if len(text) == 10:
            return datetime.combine(date.fromisoformat(text), time(23, 59), UTC).isoformat()
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).isoformat()
    except ValueError:
        return text
