"""Running the program inside the test's process, as a shell would run it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from homolog.cli.main import main


@dataclass(frozen=True)
class Ran:
    """What one call left behind."""

    code: int
    out: str
    err: str

    @property
    def record(self) -> dict[str, Any]:
        """The only record on stdout."""
        (line,) = self.out.splitlines()
        record: dict[str, Any] = json.loads(line)
        return record

    @property
    def records(self) -> list[dict[str, Any]]:
        """All records on stdout."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["homolog", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        return Ran(int(left.value.code or 0), out, err)

    return call


SHEET = """\
format: homolog-submission/1
item: goalkeeper
attributes: {family: none, pose: upright}
readings:
  goalkeeper.height: {value: HEIGHT, U: 0.05 mm, method: caliper}
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Callable[..., Path]:
    def write(height: str = "38.50 mm", name: str = "sheet.yaml") -> Path:
        path = tmp_path / name
        path.write_text(SHEET.replace("HEIGHT", height), encoding="utf-8")
        return path

    return write


def finding(record: dict[str, Any], requirement: str) -> dict[str, Any]:
    """Return a record's finding on a requirement."""
    (found,) = [one for one in record["findings"] if one["requirement"] == requirement]
    result: dict[str, Any] = found
    return result
