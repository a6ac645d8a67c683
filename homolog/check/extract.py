"""Reading a register's extract: which types may be used from when to when, as a federation hands it out."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import Annotated, Any, Literal

import rfc8785
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from homolog.errors import InputRefused, Problem
from homolog.evaluate.register import Registered, RegisterExtract
from homolog.gate.text import decode_text
from homolog.quantity import same_name

FORMAT = "homolog-register/1"
MAX_BYTES = 64_000_000
_Name = Annotated[str, Field(min_length=1, max_length=200)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Usable(_Strict):
    """Days on which a type may be used, both included; no end is open."""

    since: date
    until: date | None = None


class ExtractType(_Strict):
    """One type of an extract."""

    number: _Name
    item: Literal["ball", "figure", "goalkeeper"]
    names: tuple[_Name, ...] = Field(min_length=1)
    usable: tuple[Usable, ...]


class Extract(_Strict):
    """`homolog-register/1`: the register as it stood on a day."""

    format: Literal["homolog-register/1"]
    body: _Name
    on: date
    types: tuple[ExtractType, ...]


def read_extract(data: bytes, name: str) -> RegisterExtract:
    """Read an extract from a file.

    Raises:
        InputRefused: It is none, or two of its types of one item have one name.
    """
    if len(data) > MAX_BYTES:
        raise InputRefused.because(f"the file is larger than {MAX_BYTES} bytes", where=name, code="file_too_large")
    return extract_from(data, name)


def _value(data: bytes, name: str) -> Any:
    """Return JSON as plain values; a register is larger than any sheet, so the sheets' reader with its places is not used."""
    todo = "send the extract as the register has given it out"

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise InputRefused.because("a key is there twice", where=name, todo=todo, code="key_duplicate")
        return dict(pairs)

    try:
        return json.loads(decode_text(data, name), object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise InputRefused.because("the file is no JSON", where=name, todo=todo, code="register_foreign") from None


def extract_from(data: bytes, name: str) -> RegisterExtract:
    """Return what an assessment looks into, from an extract's text.

    Raises:
        InputRefused: It is none, or two of its types of one item have one name.
    """
    value = _value(data, name)
    try:
        extract = Extract.model_validate(value)
    except ValidationError as error:
        todo = "send the extract as the register has given it out"
        problems = [
            Problem(name, f"{'.'.join(map(str, fault['loc'])) or 'the file'}: {fault['msg']}", todo, "register_foreign")
            for fault in error.errors(include_url=False)[:20]
        ]
        raise InputRefused(*problems) from None
    found: dict[str, dict[str, list[Registered]]] = {}
    owners: dict[tuple[str, str], str] = {}
    for one in extract.types:
        for label in dict.fromkeys((*one.names, one.number)):
            owner = owners.setdefault((one.item, same_name(label)), one.number)
            if owner != one.number:
                what = f"{label!r} is the name of two types, {owner} and {one.number}"
                todo = "have the register give each a name of its own"
                raise InputRefused.because(what, where=name, todo=todo, code="register_foreign")
            spans = found.setdefault(one.item, {}).setdefault(label, [])
            spans.extend(Registered(since=span.since, until=span.until) for span in one.usable)
    digest = hashlib.sha256(rfc8785.dumps(value)).hexdigest()
    return RegisterExtract(found, on=extract.on, body=extract.body, digest=digest)
