"""Names of specs on the command line: a requirement, an item, an edition, a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from homolog.errors import UsageError

if TYPE_CHECKING:
    from homolog.spec.load import LoadedSpec


@dataclass(frozen=True, slots=True)
class Unregulated:
    """The answer that an edition says nothing of an item, and why."""

    item: str
    body: str
    edition: str
    reason: str

    def __str__(self) -> str:
        return f"{self.body} {self.edition} does not regulate a {self.item}: {self.reason}"


def spec_of_id(name: str, body: str, edition: str | None) -> tuple[LoadedSpec, Path] | Unregulated:
    """Return the spec that holds a requirement or interpretation, or that is the rules for an item, and its file.

    Raises:
        UsageError: The edition knows no such name.
    """
    from homolog.check import default_edition
    from homolog.spec.library import Library

    library = Library()
    chosen = library.edition(body, edition or default_edition(library, body, None) or "")
    for item in chosen.file.files:
        loaded, path = chosen.spec(item), chosen.path_of(item)
        if loaded is not None and path is not None and name in (item, loaded.spec.id, *_parts_of(loaded)):
            return loaded, path
    reasons: dict[str, str] = {str(item): why for item, why in chosen.file.unregulated.items()}
    if name in reasons:
        return Unregulated(name, body, chosen.file.label, reasons[name])
    raise UsageError.because(
        f"{body} {chosen.file.label} has no requirement, interpretation or item {name!r}",
        todo=f"use one of {', '.join(chosen.file.files)}, or the id of a requirement or interpretation",
    )


def _parts_of(loaded: LoadedSpec) -> tuple[str, ...]:
    return (*loaded.requirements, *(entry.id for entry in loaded.spec.interpretations))


def loaded_specs(name: str, body: str) -> dict[str, LoadedSpec]:
    """Return the specs that a name means, by item: a file, BODY/EDITION/ITEM, BODY/EDITION, or an edition of the body.

    Raises:
        UsageError: The name means nothing.
    """
    from homolog.spec.library import Library
    from homolog.spec.load import load_spec_file

    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        if not path.is_file():
            raise UsageError.because(f"there is no file {name}", todo="name a spec file")
        loaded = load_spec_file(path.resolve())
        return {loaded.spec.item: loaded}
    parts = name.split("/")
    if len(parts) == 1:
        parts = [body, *parts]
    edition = Library().edition(parts[0], parts[1])
    items = parts[2:3] or list(edition.file.files)
    specs = {item: edition.spec(item) for item in items}
    found = {item: spec for item, spec in specs.items() if spec is not None}
    if len(parts) > 3 or not found:
        raise UsageError.because(f"{name} names no spec", todo="write BODY/EDITION or BODY/EDITION/ITEM")
    return found
