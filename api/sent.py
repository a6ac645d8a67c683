"""What a request sends: a sheet, scans, a board's adoptions, and fields; read from the body and checked for their form."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

from starlette.requests import Request

from api.body import chunks, too_large, whole
from api.fields import FILES, Fields
from api.multipart import Part, read_multipart
from api.problems import Failure
from api.settings import Settings
from homolog.errors import Problem

MULTIPART = "multipart/form-data"
SHEET_TYPES = {
    "application/json": "json",
    "application/yaml": "yaml",
    "application/x-yaml": "yaml",
    "text/yaml": "yaml",
    "text/csv": "csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/jsonl": "jsonl",
    "application/x-ndjson": "jsonl",
}
SHEET_ENDINGS = (".yaml", ".yml", ".json", ".jsonl", ".csv", ".xlsx")

_UNPRINTABLE = re.compile(r"[^\w .,+()&#@=~-]")
_LONGEST_LABEL = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file; its name is a label for messages and for the record."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Everything that one request hands in."""

    fields: Fields
    sheet: File | None = None
    scans: tuple[File, ...] = ()
    adopted: File | None = None
    is_form: bool = True


async def read_sent(request: Request, settings: Settings) -> Sent:
    """Read a sheet as a body of its own, or a form.

    Raises:
        Failure: The body's type is not taken, it is too large or malformed, or a field is not known.
    """
    media_type = body_type(request)
    if media_type == MULTIPART:
        refuse_parameters(request, "write them as fields of the form")
        return sent_of(await read_parts(request, settings), settings)
    ending = SHEET_TYPES[media_type]
    fields = Fields.read(request.query_params.multi_items(), kind="parameter")
    data = await whole(request, limit=min(settings.sheet_limit, settings.body_limit), seconds=settings.body_seconds)
    return Sent(fields=fields, sheet=File(name=f"sheet.{ending}", data=data), is_form=False)


def refuse_parameters(request: Request, todo: str) -> None:
    """Refuse a query where none is read.

    Raises:
        Failure: There is one.
    """
    names = request.query_params.keys()
    if names:
        problems = [Problem(f"parameter {name[:40]}", "it is not read here", todo, "usage") for name in names]
        raise Failure("usage", "The address has parameters that are not read here.", problems=problems)


async def read_parts(request: Request, settings: Settings) -> list[Part]:
    """Read the parts of a form.

    Raises:
        Failure: The body is no form, or too large.
    """
    body: AsyncIterator[bytes] = chunks(request, limit=settings.body_limit, seconds=settings.body_seconds)
    return await read_multipart(request.headers.get("content-type", ""), body)


def body_type(request: Request) -> str:
    """Return the type of the body, if it is one that is read here.

    Raises:
        Failure: It is not.
    """
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    media_type = kind.strip().lower()
    taken = [MULTIPART, *SHEET_TYPES]
    headers = {"Accept-Post": ", ".join(taken)}
    if media_type not in taken:
        named = f"{media_type[:60]!r} is not read" if media_type else "The body's type is not named"
        raise Failure("media_type", f"{named}; send one of {', '.join(taken)}.", headers=headers, more={"taken": taken})
    charset = re.search(r"charset\s*=\s*\"?([^\";\s]+)", parameters, re.IGNORECASE)
    if charset is not None and charset[1].lower() not in ("utf-8", "utf8", "us-ascii"):
        raise Failure("media_type", f"Text is read as UTF-8, not as {charset[1][:40]}.", headers=headers, more={"taken": taken})
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        detail = f"A body encoded as {encoding[:40]!r} is not read; send it as it is."
        raise Failure("media_type", detail, headers={"Accept-Encoding": "identity"}, more={"taken": taken})
    return media_type


def sent_of(parts: Iterable[Part], settings: Settings) -> Sent:
    """Sort a form's parts into files and fields.

    Raises:
        Failure: A part is not known, comes twice, is too large, or is no file where one is needed.
    """
    pairs: list[tuple[str, str]] = []
    files: dict[str, File] = {}
    scans: list[File] = []
    problems = []
    for part in parts:
        if part.name not in FILES:
            pairs.append((part.name, _text(part)))
        elif part.filename is None and part.data:
            problems.append(Problem(f"field {part.name}", "it is no file", "send it with a file name", "usage"))
        elif not part.filename and not part.data:
            continue  # what a browser sends for a file that was not chosen
        elif part.name == "scan":
            scans.append(File(name=label_of(part), data=part.data))
        elif part.name in files:
            problems.append(Problem(f"field {part.name}", "it is given twice", "send one file", "usage"))
        else:
            _check_size(part, settings)
            files[part.name] = File(name=label_of(part), data=part.data)
    if problems:
        raise Failure("usage", "The form has a part that cannot be taken.", problems=problems)
    fields = Fields.read(pairs, kind="field")
    if len(scans) > settings.scan_limit:
        problem = Problem("field scan", f"{len(scans)} scans are more than {settings.scan_limit}", "send fewer", "usage")
        raise Failure("usage", "The form has more scans than are measured at once.", problems=[problem])
    if "sheet" not in files and not scans:
        raise Failure("nothing_sent", "Neither a sheet nor a scan was sent; send one of them, or both.")
    return Sent(fields=fields, sheet=files.get("sheet"), scans=tuple(scans), adopted=files.get("adopted"))


def label_of(part: Part) -> str:
    """Return what a file is called in messages: its own name without folders and without what cannot be printed."""
    bare = re.split(r"[/\\]", part.filename or "")[-1]
    label = _UNPRINTABLE.sub("_", bare).strip(" .")
    if len(label) > _LONGEST_LABEL:
        stem, _, ending = label.rpartition(".")
        label = f"{stem[: _LONGEST_LABEL - 10]}.{ending[-8:]}"
    label = label or part.name
    if part.name == "sheet" and not label.lower().endswith(SHEET_ENDINGS) and part.media_type in SHEET_TYPES:
        return f"{label}.{SHEET_TYPES[part.media_type]}"
    return label


def _text(part: Part) -> str:
    try:
        return part.data.decode()
    except UnicodeDecodeError:
        problem = Problem(f"field {part.name[:40]}", "it is not UTF-8", "send it as UTF-8", "usage")
        raise Failure("usage", "The form has a field that cannot be read.", problems=[problem]) from None


def _check_size(part: Part, settings: Settings) -> None:
    if len(part.data) > settings.sheet_limit:
        raise too_large(f"The file {part.name}", settings.sheet_limit)
