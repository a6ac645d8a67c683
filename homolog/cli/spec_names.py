"""Names of specs on the command line: a requirement, an item, an edition, a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from homolog.errors import UsageError

if TYPE_CHECKING:
    from homolog.spec.load import LoadedSpec


def spec_of_id(name: str, body: str, edition: str | None) -> tuple[LoadedSpec, Path]:
    """Return the spec that holds a requirement, or that is the rules for an item, and its file.

    Raises:
        UsageError: The edition has neither.
    """
    from homolog.check import default_edition
    from homolog.spec.library import Library

    library = Library()
    chosen = library.edition(body, edition or default_edition(library, body, None) or "")
    for item in chosen.file.files:
        loaded, path = chosen.spec(item), chosen.path_of(item)
        if loaded is not None and path is not None and name in (item, loaded.spec.id, *loaded.requirements):
            return loaded, path
    if name in chosen.file.unregulated:
        reason = chosen.file.unregulated[name]
        raise UsageError.because(
            f"{body} {chosen.file.label} does not regulate a {name}: {reason}", todo="choose another body or edition"
        )
    raise UsageError.because(
        f"{body} {chosen.file.label} has no requirement or item {name!r}",
        todo=f"use one of {', '.join(chosen.file.files)}, or a requirement's id",
    )


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
