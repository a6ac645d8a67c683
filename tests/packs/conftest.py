from __future__ import annotations

import csv
from pathlib import Path

import pytest

from homolog.spec.library import Library, LoadedEdition
from homolog.spec.load import LoadedSpec

LIBRARY = Library()
OWN_SPECS = [(edition, item) for edition in LIBRARY.editions.values() for item in edition.file.files if edition.owns(item)]


def name_of(edition: LoadedEdition, item: str) -> str:
    return f"{edition.file.body}-{edition.file.label}-{item}"


def spec_of(edition: LoadedEdition, item: str) -> LoadedSpec:
    loaded = edition.spec(item)
    assert loaded is not None
    return loaded


def table_of(edition: LoadedEdition) -> list[dict[str, str]]:
    with (edition.folder / "clauses.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="session")
def library() -> Library:
    return LIBRARY


@pytest.fixture(scope="session")
def specs_root() -> Path:
    return LIBRARY.root
