"""What a request sends: a sheet, scans, a board's adoptions, and fields; read from the body and checked for their form."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from starlette.requests import Request

from api.body import chunks, too_large, whole
from api.fields import FILES, REPEATED, STATED, Fields
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
class Reference:
    """A reference ball's scan with what its certificate says, in a sheet's words."""

    file: File
    diameter: str
    u: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Everything that one request hands in.

    Attributes:
        attributes: What is stated of the article that a scan alone shows, as `pose=upright`.
        conditions: What a scan alone was scanned in, by the names that a sheet has for it.
    """

    fields: Fields
    sheet: File | None = None
    scans: tuple[File, ...] = ()
    adopted: File | None = None
    is_form: bool = True
    attributes: tuple[str, ...] = ()
    conditions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    references: tuple[Reference, ...] = ()


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
    balls: list[File] = []
    told: dict[str, list[str]] = {name: [] for name in REPEATED}
    problems = []
    for part in parts:
        if part.name in REPEATED:
            told[part.name] += [text] if (text := _text(part).strip()) else []
        elif part.name not in FILES:
            pairs.append((part.name, _text(part)))
        elif part.filename is None and part.data:
            problems.append(Problem(f"field {part.name}", "it is no file", "send it with a file name", "usage"))
        elif not part.filename and not part.data:
            continue  # what a browser sends for a file that was not chosen
        elif part.name == "scan":
            scans.append(File(name=label_of(part), data=part.data))
        elif part.name == "reference":
            balls.append(File(name=label_of(part), data=part.data))
        elif part.name in files:
            problems.append(Problem(f"field {part.name}", "it is given twice", "send one file", "usage"))
        else:
            _check_size(part, settings)
            files[part.name] = File(name=label_of(part), data=part.data)
    if problems:
        raise Failure("usage", "The form has a part that cannot be taken.", problems=problems)
    fields = Fields.read([pair for pair in pairs if pair[0] not in STATED], kind="field")
    conditions = _once([pair for pair in pairs if pair[0] in STATED and pair[1].strip()])
    references = _references(balls, told)
    if len(scans) + len(balls) > settings.scan_limit:
        what = f"{len(scans) + len(balls)} scans are more than {settings.scan_limit}"
        problem = Problem("field scan", what, "send fewer", "usage")
        raise Failure("usage", "The form has more scans than are measured at once.", problems=[problem])
    if "sheet" not in files and not scans:
        raise Failure("nothing_sent", "Neither a sheet nor a scan was sent; send one of them, or both.")
    sent = Sent(
        fields=fields,
        sheet=files.get("sheet"),
        scans=tuple(scans),
        adopted=files.get("adopted"),
        attributes=tuple(told["attribute"]),
        conditions=conditions,
        references=references,
    )
    _refuse_beside_a_sheet(sent)
    return sent


def _once(pairs: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    names = [name for name, _ in pairs]
    problems = [Problem(f"field {name}", "it is given twice", "give it once", "usage") for name in STATED if names.count(name) > 1]
    if problems:
        raise Failure("usage", "The request has a field that cannot be taken.", problems=problems)
    return MappingProxyType({name: value.strip() for name, value in pairs})


def _references(balls: Sequence[File], told: Mapping[str, Sequence[str]]) -> tuple[Reference, ...]:
    """Put reference balls together with their diameters and U, each in the order in which they came."""
    diameters, us = told["reference_diameter"], told["reference_U"]
    if not len(balls) == len(diameters) == len(us):
        what = f"{len(balls)} reference, {len(diameters)} reference_diameter and {len(us)} reference_U are given"
        problem = Problem("field reference", what, "give each ball its file, its diameter and its U", "usage")
        raise Failure("usage", "The form has a reference that cannot be taken.", problems=[problem])
    return tuple(Reference(file=ball, diameter=size, u=u) for ball, size, u in zip(balls, diameters, us, strict=True))


def _refuse_beside_a_sheet(sent: Sent) -> None:
    """Refuse what is stated of a scan alone where a sheet stands beside it: one of the two would be passed over."""
    if sent.sheet is None:
        return
    given = {"attribute": sent.attributes, "reference": sent.references, **dict.fromkeys(sent.conditions, True)}
    problems = [
        Problem(f"field {name}", "it speaks of a scan alone, and there is a sheet", "write it in the sheet", "usage")
        for name, value in given.items()
        if value
    ]
    if problems:
        raise Failure("usage", "The form has a field that belongs into its sheet.", problems=problems)


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
