"""Reading a spec file into its types, with every error at its place."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from homolog.errors import Problem, SpecError
from homolog.gate.yaml_text import Document, parse_yaml
from homolog.gate.yaml_text import Path as DocumentPath
from homolog.spec.model import Spec
from homolog.spec.requirement import Requirement

_Model = TypeVar("_Model", bound=BaseModel)

_ADVICE = {
    "extra_forbidden": "the key is not known; remove it or correct its spelling",
    "missing": "the key is missing; add it",
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


def problems_of(document: Document, error: ValidationError, *, code: str) -> tuple[Problem, ...]:
    """Return every fault that validation found, each at its line and column."""
    problems = []
    for fault in error.errors(include_url=False):
        location = fault["loc"]
        path = document_path(document, location)
        key = ".".join(str(part) for part in location) or "the document"
        message = _ADVICE.get(fault["type"]) or fault["msg"].removeprefix("Value error, ")
        what, _, todo = message.partition("; ")
        problems.append(Problem(document.where(path), f"{key}: {what}", todo, code))
    return tuple(problems)


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
    return LoadedSpec(spec, hashlib.sha256(data).hexdigest(), name, document)


@lru_cache(maxsize=64)
def load_spec_file(path: Path) -> LoadedSpec:
    """Read one spec file from disk, once a process."""
    return load_spec(path.read_bytes(), "/".join(path.parts[-3:]))
