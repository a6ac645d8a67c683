"""The file that names an edition's specs, by digest, and what the edition leaves unregulated."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from homolog.spec.fields import Strict
from homolog.spec.model import Item


class NamedFile(Strict):
    """A spec file of this edition, or of another one whose rules hold here unchanged."""

    file: str = Field(description="Path relative to the edition's folder.")
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class EditionFile(Strict):
    """`edition.yaml`: what belongs to one edition of one body's rules."""

    format: Literal["homolog-edition/1"]
    body: Annotated[str, Field(pattern="^[a-z0-9-]+$")]
    label: str
    title: str
    issuer: str
    files: dict[Item, NamedFile] = Field(default_factory=dict)
    unregulated: dict[Item, str] = Field(default_factory=dict, description="Items on which the rules are silent, and why.")
    note: str = ""
