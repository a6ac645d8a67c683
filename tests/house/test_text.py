"""Tracked files name no download address and no path of somebody's machine."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Written so that no pattern matches itself.
FORBIDDEN = {
    "a registry's address": re.compile(
        r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|deb\.debian\.org|registry\.yarnpkg|crates\.io|[/]simple/[a-z]",
        re.IGNORECASE,
    ),
    "a machine's path": re.compile(r"(?<![\w.])[/](?:work|root|home|Users)/[\w.]|[/]opt/pypi|[.]pyenv|\b[A-Z]:\\Users"),
    "a neighbouring folder": re.compile(r"[.]{2}/shared\b"),
}


def tracked() -> list[tuple[str, str]]:
    """Return the name and the text of every tracked text file."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    found = []
    for name in filter(None, done.stdout.decode().split("\0")):
        data = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        if b"\0" not in data:
            found.append((name, data.decode("utf-8", errors="replace")))
    return found


def places(kind: str, files: list[tuple[str, str]]) -> list[str]:
    pattern = FORBIDDEN[kind]
    return [
        f"{name}:{number}: {match[0]}"
        for name, text in files
        if pattern.search(text)
        for number, line in enumerate(text.splitlines(), start=1)
        for match in [pattern.search(line)]
        if match
    ]


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_no_tracked_file_names(kind: str) -> None:
    files = tracked()
    assert "pyproject.toml" in dict(files)
    assert places(kind, files) == []


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("a registry's address", ("https://files.python", "hosted.org/x")),
        ("a registry's address", ("index-url = https://py", "pi.org/")),
        ("a registry's address", ("http://mirror", "/simple", "/numpy")),
        ("a machine's path", ("see /wo", "rk/main")),
        ("a machine's path", ("'/ho", "me/ann/homolog'")),
        ("a neighbouring folder", ("..", "/shared/cases")),
    ],
)
def test_a_forbidden_word_is_seen(kind: str, parts: tuple[str, ...]) -> None:
    assert places(kind, [("x.md", "".join(("first line\n", *parts)))])
    assert not places(kind, [("x.md", "docs/work/list.md and a simple/thing at https://example.org/home/page")])
