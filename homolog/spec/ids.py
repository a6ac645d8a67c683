"""The register of permanent requirement ids over all editions: `ids.yaml`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from homolog.gate.yaml_text import Document
from homolog.spec.fields import Strict, Text
from homolog.spec.load import read_model
from homolog.spec.model import Item, Spec
from homolog.spec.requirement import Limit, Requirement, RequirementId

Kind = Literal["limit", "count", "uniform", "differs", "one_of", "inspect", "judge", "approved", "any_of"]
EditionName = Annotated[str, Field(pattern=r"^[a-z0-9-]+ \S+$", description="Body and label, as `fistf 4.0`.")]


class RegisteredId(Strict):
    """What an id was given to, for good."""

    item: Item
    kind: Kind
    of: Text | None = Field(None, description="The quantity, where the kind is limit.")
    since: EditionName


class Tombstone(Strict):
    """The edition that dropped an id."""

    dropped: EditionName
    why: Text


class Unknown(Strict):
    """An edition whose known copy is incomplete, so that nobody can say whether it dropped the id."""

    since: EditionName
    why: Text


class IdRegister(Strict):
    """`ids.yaml`: every id ever used, what it means, where it was dropped, and where nobody knows."""

    format: Literal["homolog-ids/1"]
    ids: dict[RequirementId, RegisteredId]
    tombstones: dict[RequirementId, tuple[Tombstone, ...]] = Field(default_factory=dict)
    unknown: dict[RequirementId, tuple[Unknown, ...]] = Field(default_factory=dict)


@dataclass(frozen=True)
class LoadedIds:
    """The register with the places of its entries."""

    register: IdRegister
    document: Document = field(compare=False)

    def is_dropped(self, identifier: str, edition: str) -> bool:
        """Whether an edition (`fistf 14-2014`) is known to have dropped the id."""
        return any(tombstone.dropped == edition for tombstone in self.register.tombstones.get(identifier, ()))

    def is_unknown(self, identifier: str, edition: str) -> bool:
        """Whether nobody can say if an edition dropped the id."""
        return any(entry.since == edition for entry in self.register.unknown.get(identifier, ()))


def edition_name(spec: Spec) -> str:
    """Return body and label of a spec's edition, as the register writes it."""
    return f"{spec.id.partition('.')[0]} {spec.edition.label}"


def quantity_of(requirement: Requirement) -> str | None:
    """Return the quantity to which an id is tied, or None for kinds that have none."""
    return requirement.of if isinstance(requirement, Limit) else None


def load_ids(path: Path, name: str | None = None) -> LoadedIds:
    """Read the register.

    Raises:
        InputRefused: The text is not plain YAML.
        SpecError: The file does not fit its format.
    """
    register, document = read_model(path.read_bytes(), name or "/".join(path.parts[-2:]), IdRegister)
    return LoadedIds(register, document)
