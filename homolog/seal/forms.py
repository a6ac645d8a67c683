"""What every document of the seal has in common: strict JSON in, canonical JSON out, times in UTC to the second."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any, TypeVar

import rfc8785
from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, StringConstraints, ValidationError, WithJsonSchema

from homolog.errors import InputRefused, Problem
from homolog.gate.json_text import Bare, parse_json_text
from homolog.gate.text import decode_text
from homolog.gate.yaml_text import Value

MAX_BYTES = 50_000_000
MAX_VALUES = 300_000
_MOST_PROBLEMS = 20
_LARGEST = 2**53 - 1
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)", re.ASCII)
_WORDS = {"true": True, "false": False, "null": None}

AnyForm = TypeVar("AnyForm", bound="Form")


class Form(BaseModel):
    """A document, or a part of one: nothing that is not named may be in it, and nothing in it changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def record(self) -> dict[str, Any]:
        """Return it as plain JSON values; what is optional and absent is left out."""
        return self.model_dump(mode="json", exclude_none=True)

    def canonical(self) -> bytes:
        """Return it as RFC 8785 canonical JSON."""
        return rfc8785.dumps(self.record())


def instant_text(at: datetime) -> str:
    """Return a time as `2026-11-30T17:18:03Z`; a part of a second is dropped.

    Raises:
        ValueError: The time does not say its offset from UTC.
    """
    if at.tzinfo is None:
        raise ValueError("a time without its offset from UTC could mean any of 26 hours")
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _instant(value: object) -> datetime:
    if isinstance(value, datetime):
        return datetime.fromisoformat(instant_text(value))
    if not isinstance(value, str) or not _INSTANT.fullmatch(value):
        raise ValueError("write a time in UTC to the second, as 2026-11-30T17:18:03Z")
    return datetime.fromisoformat(value)


def _day(value: object) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise ValueError("write a day as 2026-11-30")
    return date.fromisoformat(value)


_SHOWN_INSTANT = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$", "description": "UTC, to the second."}
_SHOWN_DAY = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}
Instant = Annotated[datetime, BeforeValidator(_instant), PlainSerializer(instant_text), WithJsonSchema(_SHOWN_INSTANT)]
Day = Annotated[date, BeforeValidator(_day), PlainSerializer(date.isoformat), WithJsonSchema(_SHOWN_DAY)]
# In any alphabet, but on one line, and nothing that could move a terminal's cursor or turn the direction of writing.
_PRINTABLE = r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+$"
Text = Annotated[str, StringConstraints(min_length=1, max_length=2_000, pattern=_PRINTABLE)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=_PRINTABLE)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
KeyId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{43}$")]
Coded = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", max_length=70_000_000)]


def read_json(data: bytes, name: str, *, max_bytes: int = MAX_BYTES) -> Any:
    """Return JSON as plain values; a number that is not whole is refused, because nothing that is signed holds one.

    Raises:
        InputRefused: It is no JSON, too large, too deep, or holds a key twice.
    """
    text = decode_text(data, name, max_bytes=max_bytes)
    return _plain(parse_json_text(text, name, max_values=MAX_VALUES).value, name)


def _plain(value: Value, name: str) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner, name) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, name) for inner in value]
    if not isinstance(value, Bare):
        return value
    if value in _WORDS:
        return _WORDS[value]
    if not _WHOLE.fullmatch(value) or len(value) > 17 or abs(int(value)) > _LARGEST or value == "-0":
        todo = "send the file as it was written"
        raise InputRefused.because(f"{value[:40]} is no whole number", where=name, todo=todo, code="seal_damaged")
    return int(value)


def read_form(form: type[AnyForm], value: object, name: str) -> AnyForm:
    """Return plain JSON values as a document.

    Raises:
        InputRefused: They do not fit its form; every place is named.
    """
    try:
        return form.model_validate(value)
    except ValidationError as error:
        raise InputRefused(*_problems(error, name)) from None


def _problems(error: ValidationError, name: str) -> tuple[Problem, ...]:
    faults = error.errors(include_url=False, include_input=False, include_context=False)[:_MOST_PROBLEMS]
    found = []
    for fault in faults:
        path = ".".join(str(part) for part in fault["loc"]) or "the document"
        what = fault["msg"].removeprefix("Value error, ")
        found.append(Problem(f"{name}: {path[:200]}", what, "send the file as it was written", "seal_damaged"))
    return tuple(found)


def format_of(value: object) -> str | None:
    """Return what a document says that it is."""
    found = value.get("format") if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else None


def encode(data: bytes) -> str:
    """Return bytes as base64url without padding (RFC 7515)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Return the bytes of base64url.

    Raises:
        ValueError: It is none, or another spelling of the same bytes: one signature must not have two spellings.
    """
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(f"it is no base64url: {error}") from None
    if encode(data) != text:
        raise ValueError("it is not the only spelling of its bytes")
    return data
