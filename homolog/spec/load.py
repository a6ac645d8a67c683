"""Reading a spec file into its types, with every error at its place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from homolog.errors import Problem, SpecError
from homolog.gate.yaml_text import Document, parse_yaml
from homolog.gate.yaml_text import Path as DocumentPath
from homolog.spec.model import Spec
from homolog.spec.requirement import Requirement

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_Model = TypeVar("_Model", bound=BaseModel)

_ADVICE = {
    "extra_forbidden": "the key is not known; remove it or correct its spelling",
    "missing": "the key is missing; add it",
    "string_too_short": "the text is empty; write it out",
    "too_short": "too few entries; write at least {min_length}",
    "string_type": "not a text; write one text",
    "tuple_type": "not a list; write as [a, b]",
    "literal_error": "{given!r} is not known; write {expected}",
    "union_tag_invalid": "the kind {tag!r} is not known; write one of {expected_tags}",
    "union_tag_not_found": "the kind is missing; add one, as kind: limit",
    "model_type": "not a mapping; write its keys, one a line",
    "dict_type": "not a mapping; write its keys, one a line",
}


@dataclass(frozen=True)
class LoadedSpec:
    """A spec with the digest of the file it was read from."""

    spec: Spec
    sha256: str
    name: str
    document: Document

    @cached_property
    def requirements(self) -> dict[str, Requirement]:
        """Requirements by id, in the file's order."""
        return {requirement.id: requirement for requirement in self.spec.requirements}


def document_path(document: Document, location: tuple[str | int, ...]) -> DocumentPath:
    """Turn a validator's location into a path of the document; tags of unions are dropped."""
    path: DocumentPath = ()
    for part in location:
        if (*path, part) in document.positions:
            path = (*path, part)
    return path


def subject_of(document: Document, path: DocumentPath) -> tuple[str, DocumentPath]:
    """Return the id (or name) of the innermost thing that a path leads into, and the rest of the path inside it."""
    subject, rest, value = "", path, document.value
    for depth, part in enumerate(path):
        value = value[part]  # type: ignore[index]  # the path is one of the document's own
        name: object = None
        if isinstance(value, dict) and isinstance(part, int):
            name = value.get("id") or value.get("name")
        elif not isinstance(value, str) and depth == 1:  # a named quantity, method or attribute
            name = part
        if isinstance(name, str):
            subject, rest = name, path[depth + 1 :]
    return subject, rest


def problems_of(document: Document, error: ValidationError, *, code: str) -> tuple[Problem, ...]:
    """Return every fault that validation found, each at its line and column."""
    problems = []
    for fault in error.errors(include_url=False):
        path = path_of_fault(document, fault)
        advice = _ADVICE.get(fault["type"], "").format(**fault.get("ctx", {}), given=fault["input"])
        what, _, todo = (advice or fault["msg"].removeprefix("Value error, ")).partition("; ")
        subject, rest = subject_of(document, path)
        words = [subject, *(str(part) for part in rest)] if subject else [str(part) for part in path]
        if fault["type"] == "missing":
            words.append(str(fault["loc"][-1]))
        key = ".".join(words) or "the document"
        problems.append(Problem(document.where(path), f"{key}: {what}", todo, code))
    return tuple(problems)


def path_of_fault(document: Document, fault: ErrorDetails) -> DocumentPath:
    """Return the deepest part of the document that a fault is about."""
    path = document_path(document, fault["loc"])
    return document_path(document, (*path, "kind")) if fault["type"].startswith("union_tag") else path


def read_model(data: bytes, name: str, model: type[_Model]) -> tuple[_Model, Document]:
    """Read a YAML document into a model.

    Raises:
        InputRefused: The text is not plain YAML.
        SpecError: The document does not fit the model.
    """
    document = parse_yaml(data, name)
    try:
        return model.model_validate(document.value), document
    except ValidationError as error:
        raise SpecError(*problems_of(document, error, code="spec_invalid")) from None


def load_spec(data: bytes, name: str) -> LoadedSpec:
    """Read one spec file.

    Raises:
        InputRefused: The text is not plain YAML.
        SpecError: The file does not fit the spec language.
    """
    spec, document = read_model(data, name, Spec)
    doubles = tuple(_doubles(spec, document))
    if doubles:  # the later of two would silently take the place of the earlier
        raise SpecError(*doubles)
    return LoadedSpec(spec, hashlib.sha256(data).hexdigest(), name, document)


def _doubles(spec: Spec, document: Document) -> Iterator[Problem]:
    lists: tuple[tuple[str, list[str]], ...] = (
        ("requirements", [requirement.id for requirement in spec.requirements]),
        ("interpretations", [interpretation.id for interpretation in spec.interpretations]),
    )
    for key, ids in lists:
        for index, found in enumerate(ids):
            if found in ids[:index]:
                where = document.where((key, index, "id"))
                yield Problem(where, f"{found}: two {key} have this id", "give one of them an id of its own", "id_twice")
    for name in spec.derived:
        if name in spec.quantities:
            where = document.where(("derived", name))
            yield Problem(where, f"{name}: also one of the measured quantities", "remove one of them", "id_twice")


@lru_cache(maxsize=64)
def load_spec_file(path: Path) -> LoadedSpec:
    """Read one spec file from disk, once a process."""
    return load_spec(path.read_bytes(), "/".join(path.parts[-3:]))
