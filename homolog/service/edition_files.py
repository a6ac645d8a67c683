"""Owns which files an edition may consist of, and the edition.yaml of one that came without."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Final

from homolog.errors import InputRefused, Problem, SpecError
from homolog.gate.yaml_text import parse_yaml
from homolog.spec.edition import EditionFile
from homolog.spec.library import Library
from homolog.spec.load import LoadedSpec, load_spec, read_model

EDITION: Final = "edition.yaml"
MOST_BYTES: Final = 2_000_000
MOST_FILES: Final = 200
_NAME = re.compile(r"([a-z0-9_-]+\.yaml|clauses\.csv|i18n/[a-z]{2,3}/[a-z0-9_-]+\.yaml)", re.ASCII)
_OTHER = re.compile(r"\.\./[A-Za-z0-9][A-Za-z0-9._-]{0,39}/[a-z0-9_-]+\.yaml", re.ASCII)
_APART = (EDITION, "ids.yaml", "clauses.csv")


def named_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files by their paths inside the edition's folder.

    Raises:
        InputRefused: A path leads elsewhere, there are too many, or they are too large.
    """
    problems = []
    for name, data in files.items():
        if not _NAME.fullmatch(name):
            todo = "send edition.yaml, ITEM.yaml, i18n/LANGUAGE/ITEM.yaml, clauses.csv or ids.yaml"
            problems.append(Problem(name[:100], "an edition has no such file", todo, "edition_file"))
        if len(data) > MOST_BYTES:
            problems.append(Problem(name[:100], f"it has more than {MOST_BYTES} bytes", "", "file_too_large"))
    if len(files) > MOST_FILES or not files:
        problems.append(Problem("", f"an edition has 1 to {MOST_FILES} files", "send those that it consists of", "edition_file"))
    if problems:
        raise InputRefused(*problems)
    return dict(files)


def edition_of(files: Mapping[str, bytes], library: Library, body: str) -> tuple[dict[str, bytes], EditionFile]:
    """Return an edition's files, edition.yaml among them, and what that says.

    Where none came, the spec files are the edition's own, and for all other items the rules of the edition before hold unchanged.

    Raises:
        InputRefused: A file is not plain YAML, or edition.yaml names a file that did not come.
        SpecError: A file does not fit its form.
    """
    whole = dict(files)
    if EDITION not in whole:
        whole[EDITION] = _edition_yaml(_specs(files), library, body)
    edition, _ = read_model(whole[EDITION], EDITION, EditionFile)
    problems = [
        Problem(EDITION, f"files.{item} names {named.file[:100]}", todo, "edition_file")
        for item, named in edition.files.items()
        for todo in _fault(named.file, whole)
    ]
    if problems:
        raise InputRefused(*problems)
    return whole, edition


def _fault(name: str, files: Mapping[str, bytes]) -> Iterable[str]:
    if name in files or _OTHER.fullmatch(name):
        return ()
    is_own = str(PurePosixPath(name)) == name and _NAME.fullmatch(name)
    return ("send that file too",) if is_own else ("name a file beside it, or one of another edition as ../4.0/ball.yaml",)


def _specs(files: Mapping[str, bytes]) -> dict[str, LoadedSpec]:
    return {name: load_spec(data, name) for name, data in sorted(files.items()) if "/" not in name and name not in _APART}


def _edition_yaml(specs: Mapping[str, LoadedSpec], library: Library, body: str) -> bytes:
    labels = {loaded.spec.edition.label for loaded in specs.values()}
    if len(labels) != 1:
        what = f"the spec files are of {len(labels)} editions: {', '.join(sorted(labels)) or 'none'}"
        raise SpecError.because(what, todo="send files of one edition, or an edition.yaml beside them")
    label = labels.pop()
    items = {loaded.spec.item: name for name, loaded in specs.items()}
    before = _before(library, body, [loaded.spec.edition.supersedes for loaded in specs.values()])
    first = next(iter(specs.values())).spec
    lines = [
        "format: homolog-edition/1",
        f"body: {body}",
        f"label: {_quoted(label)}",
        f"title: {_quoted(f'{first.source.document}, edition {label}')}",
        f"issuer: {_quoted(first.source.issuer)}",
        "files:",
    ]
    for item, name in sorted(items.items()):
        lines.append(f"  {item}: {{file: {name}, sha256: {specs[name].sha256}}}")
    if before is not None:
        edition = library.edition(body, before)
        for item, named in edition.file.files.items():
            path = edition.path_of(item)
            if item not in items and path is not None:
                lines.append(f"  {item}: {{file: ../{path.parent.name}/{path.name}, sha256: {named.sha256}}}")
        unregulated = {item: why for item, why in edition.file.unregulated.items() if item not in items}
        lines += ["unregulated:"] if unregulated else []
        lines += [f"  {item}: {_quoted(why)}" for item, why in unregulated.items()]
    data = ("\n".join(lines) + "\n").encode()
    parse_yaml(data, EDITION)
    return data


def _before(library: Library, body: str, named: Iterable[str | None]) -> str | None:
    """Return the edition whose other rules hold on: the one that is said to be superseded, else the body's latest."""
    labels = library.labels(body)
    return next((label for label in named if label in labels), labels[-1] if labels else None)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def digest_of(data: bytes) -> str:
    """Return a file's digest, as edition.yaml names it."""
    return hashlib.sha256(data).hexdigest()
