"""The types that the rules themselves name, with which a register begins."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from homolog.data import specs_dir
from homolog.spec.fields import Strict, Text
from homolog.spec.load import read_model
from homolog.spec.process import TypeItem


class NamedType(Strict):
    """One type that a clause names."""

    id: Annotated[str, Field(pattern="^[a-z0-9-]+$", description="Permanent id.")]
    item: TypeItem
    family: Text = Field(description="The family under which the specs know it; none where they have none for it.")
    name: Text = Field(description="The name under which the register lists it.")
    also: tuple[Text, ...] = Field((), description="Other names under which it is found and looked up.")
    maker: str = Field("", description="Who makes it, where the clause says so.")
    clause: Text
    since: str = Field("", description="Since when the type is made, as the clause says; it is no day of a homologation.")
    says: Text = Field(description="What the clause says of it, in our own words.")


class NamedTypes(Strict):
    """`process/named-types.yaml`: the types that a body's rules name, without any application."""

    format: Literal["homolog-named-types/1"]
    body: Annotated[str, Field(pattern="^[a-z0-9-]+$", description="The body whose clauses are named.")]
    edition: Text = Field(description="Label of the edition that names them.")
    types: tuple[NamedType, ...] = Field(min_length=1)


def load_named(path: Path) -> NamedTypes:
    """Read a file of named types.

    Raises:
        InputRefused: The text is not plain YAML.
        SpecError: The file does not fit its format.
    """
    named, _ = read_model(path.read_bytes(), "/".join(path.parts[-2:]), NamedTypes)
    return named


@lru_cache(maxsize=2)
def shipped_named() -> NamedTypes:
    """Return the types that the shipped rules name, read once."""
    return load_named(specs_dir() / "process" / "named-types.yaml")
