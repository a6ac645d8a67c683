"""The memorandum of understanding that an applicant accepts: its paragraphs as data, with version and digest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from homolog.data import specs_dir
from homolog.gate.yaml_text import Document
from homolog.spec.fields import Strict, Text
from homolog.spec.i18n import NO_TEXTS, SpecTexts, load_texts
from homolog.spec.load import read_model
from homolog.spec.process import StepId, TypeItem


class Paragraph(Strict):
    """One paragraph of the memorandum, and the clauses that ask for it."""

    id: StepId
    says: Text
    clauses: dict[TypeItem, tuple[Text, ...]] = Field(default_factory=dict)


class Memorandum(Strict):
    """`process/memorandum.yaml`: what an applicant promises and accepts."""

    format: Literal["homolog-memorandum/1"]
    id: Literal["process.memorandum"]
    body: Annotated[str, Field(pattern="^[a-z0-9-]+$", description="The body whose clauses are named.")]
    version: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$", description="Label of this wording.")]
    status: Literal["draft", "adopted"] = Field(description="Whether a board has adopted the wording.")
    title: Text
    note: str = ""
    paragraphs: tuple[Paragraph, ...] = Field(min_length=1)
    accept: Text = Field(description="The sentence that the person who accepts puts a name to.")


@dataclass(frozen=True)
class LoadedMemorandum:
    """A memorandum with the digest of the file it was read from."""

    memorandum: Memorandum
    sha256: str
    document: Document = field(compare=False, repr=False)
    data: bytes = field(compare=False, repr=False)
    path: Path | None = field(default=None, compare=False)

    def texts(self, lang: str) -> SpecTexts:
        """Return its translations; a text without one stays English."""
        return NO_TEXTS if self.path is None else load_texts(self.path, lang)


def load_memorandum(data: bytes, name: str, path: Path | None = None) -> LoadedMemorandum:
    """Read a memorandum; a board names its own file in place of the shipped draft.

    Raises:
        InputRefused: The text is not plain YAML.
        SpecError: The file does not fit its format.
    """
    memorandum, document = read_model(data, name, Memorandum)
    return LoadedMemorandum(memorandum, hashlib.sha256(data).hexdigest(), document, data, path)


@lru_cache(maxsize=4)
def shipped_memorandum() -> LoadedMemorandum:
    """Return the draft that Homolog ships, read once."""
    path = specs_dir() / "process" / "memorandum.yaml"
    return load_memorandum(path.read_bytes(), "process/memorandum.yaml", path)


def memorandum_texts(memorandum: Memorandum) -> dict[str, str]:
    """Return every text that a catalogue translates, by key: `title`, `accept`, `paragraph.<id>.says`."""
    return dict(_texts(memorandum))


def _texts(memorandum: Memorandum) -> Iterator[tuple[str, str]]:
    yield "title", memorandum.title
    for paragraph in memorandum.paragraphs:
        yield f"paragraph.{paragraph.id}.says", paragraph.says
    yield "accept", memorandum.accept
