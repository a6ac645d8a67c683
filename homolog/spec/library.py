"""Finding specs: by body, edition and item, or by the edition in force on a day."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path

from homolog.data import specs_dir
from homolog.errors import SpecError, UsageError
from homolog.spec.edition import EditionFile
from homolog.spec.load import LoadedSpec, load_spec_file, read_model


@dataclass(frozen=True)
class LoadedEdition:
    """One edition: its file, its folder, and its specs when asked for."""

    file: EditionFile
    folder: Path

    def path_of(self, item: str) -> Path | None:
        """Return where an item's spec stands, or None if the edition has none."""
        named = self.file.files.get(item)  # type: ignore[call-overload]
        return None if named is None else (self.folder / named.file).resolve()

    def spec(self, item: str) -> LoadedSpec | None:
        """Return an item's spec, or None if the edition does not regulate the item.

        Raises:
            SpecError: A published file is not the one that the edition names.
        """
        path = self.path_of(item)
        if path is None:
            return None
        if not path.is_file():
            raise SpecError.because(
                f"files.{item} names {self.file.files[item].file}, which is not there",  # type: ignore[index]
                where="/".join((*self.folder.parts[-2:], "edition.yaml")),
                todo="add the file, or remove its entry",
                code="spec_missing",
            )
        loaded = load_spec_file(path)
        expected = self.file.files[item].sha256  # type: ignore[index]
        if loaded.spec.edition.status == "published" and loaded.sha256 != expected:
            raise SpecError.because(
                f"the published file has changed: its sha256 is {loaded.sha256}, edition.yaml names {expected}",
                where=loaded.name,
                todo="restore the file, or publish the correction under a new label",
                code="spec_changed",
            )
        return loaded

    def owns(self, item: str) -> bool:
        """Whether the item's spec is this edition's own and not named from another edition."""
        path = self.path_of(item)
        return path is not None and path.parent == self.folder.resolve()


@dataclass(frozen=True)
class Library:
    """The editions under one folder.

    Attributes:
        only: Body and label of the editions that are known, for a question of an earlier day; None knows all that are there.
    """

    root: Path = field(default_factory=specs_dir)
    only: frozenset[tuple[str, str]] | None = None

    @cached_property
    def editions(self) -> dict[tuple[str, str], LoadedEdition]:
        """Editions by body and label, in order of body and of first effect."""
        found = {}
        for path in sorted(self.root.glob("*/*/edition.yaml")):
            if self.only is not None and (path.parts[-3], path.parts[-2]) not in self.only:
                continue
            name = "/".join(path.parts[-3:])
            file, _ = read_model(path.read_bytes(), name, EditionFile)
            if (file.body, file.label) != (path.parts[-3], path.parts[-2]):
                raise SpecError.because(
                    f"the file says {file.body} {file.label}, its folder says {path.parts[-3]} {path.parts[-2]}",
                    where=name,
                    todo="make them agree",
                    code="spec_invalid",
                )
            found[file.body, file.label] = LoadedEdition(file, path.parent)
        return found

    def labels(self, body: str) -> list[str]:
        """Return the labels of a body's editions."""
        return [label for known, label in self.editions if known == body]

    def edition(self, body: str, label: str) -> LoadedEdition:
        """Return one edition.

        Raises:
            UsageError: There is no such body or edition.
        """
        edition = self.editions.get((body, label))
        if edition is not None:
            return edition
        bodies = sorted({known for known, _ in self.editions})
        if body not in bodies:
            raise UsageError.because(f"body {body!r} is not known", todo=f"use one of {', '.join(bodies)}", code="body_unknown")
        raise UsageError.because(
            f"edition {label!r} of {body} is not known", todo=f"use one of {', '.join(self.labels(body))}", code="edition_unknown"
        )

    def owners(self, body: str, item: str) -> list[LoadedEdition]:
        """Return the body's editions that hold a spec of their own for the item, earliest first."""
        own = [edition for (known, _), edition in self.editions.items() if known == body and edition.owns(item)]
        return sorted(own, key=lambda edition: _effect(edition, item)[0])

    def in_force(self, body: str, item: str, on: date) -> LoadedEdition:
        """Return the edition whose spec for the item is in force on a day.

        Raises:
            UsageError: The body is not known, or no edition is known to be in force on the day.
        """
        owners = self.owners(body, item)
        if not owners:  # a body may regulate the item through another body's file, or not at all
            owners = [self.edition(body, label) for label in self.labels(body)] or [self.edition(body, "")]
        for edition in reversed(owners):
            since, until = _effect(edition, item)
            if since <= on <= until:
                return edition
        raise UsageError.because(
            f"no edition of {body} for a {item} is known to be in force on {on}",
            todo="name one with --edition",
            code="edition_unknown",
        )


def _effect(edition: LoadedEdition, item: str) -> tuple[date, date]:
    """Return the days between which an edition's rules for an item apply; unknown ends reach as far as they can."""
    loaded = edition.spec(item)
    if loaded is None:
        return date.min, date.max
    effective = loaded.spec.edition.effective
    since = date.min if effective.since == "unknown" else effective.since
    until = date.max if effective.to in (None, "unknown") else effective.to
    return since, until  # type: ignore[return-value]
