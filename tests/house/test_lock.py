"""The lock files hold what pyproject.toml asks for, every line pinned by hash."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = {
    "requirements.lock": PROJECT["dependencies"],
    "requirements-dev.lock": PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"],
}


def pins(lock: str) -> dict[str, list[tuple[Requirement, int]]]:
    """Return each name's pins (one for each Python, where they differ) with the number of their hashes."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    found: dict[str, list[tuple[Requirement, int]]] = {}
    for line in re.findall(r"^[a-z0-9].*$", text, re.MULTILINE | re.IGNORECASE):
        requirement = Requirement(line.split("--hash", 1)[0])
        found.setdefault(canonicalize_name(requirement.name), []).append((requirement, line.count("--hash=sha256:")))
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_is_one_version_with_hashes(lock: str) -> None:
    for name, lines in pins(lock).items():
        for requirement, hashes in lines:
            assert [clause.operator for clause in requirement.specifier] == ["=="], name
            assert hashes, name


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_meets_what_the_project_asks_for(lock: str) -> None:
    locked = pins(lock)
    for text in LOCKS[lock]:
        wanted = Requirement(text)
        lines = locked.get(canonicalize_name(wanted.name))
        assert lines, f"{wanted.name} is not in {lock}; run: make lock"
        for requirement, _ in lines:
            version = next(iter(requirement.specifier)).version
            assert wanted.specifier.contains(version), f"{lock} holds {requirement}, the project asks for {text}; run: make lock"


def test_tests_run_on_the_versions_that_are_shipped() -> None:
    shipped, tested = pins("requirements.lock"), pins("requirements-dev.lock")
    for name, lines in shipped.items():
        assert [requirement.specifier for requirement, _ in tested[name]] == [requirement.specifier for requirement, _ in lines]


def test_nothing_of_the_workshop_is_shipped() -> None:
    assert not {"pytest", "mypy", "ruff", "hypothesis", "playwright", "hatchling"} & pins("requirements.lock").keys()
