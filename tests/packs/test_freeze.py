"""The command that writes the digests of spec files into the edition files."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "freeze_specs.py"


@pytest.fixture
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("freeze_specs", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "body" / "1"
    folder.mkdir(parents=True)
    (folder / "ball.yaml").write_text("rules\n")
    (folder / "edition.yaml").write_text("# kept\nfiles:\n  ball: {file: ball.yaml, sha256: " + "0" * 64 + "}\n")
    return tmp_path


def test_it_writes_the_digest_and_says_what_changed(tool: ModuleType, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    digest = hashlib.sha256(b"rules\n").hexdigest()
    assert tool.main([], root=root) == 0
    assert capsys.readouterr().out == f"body/1/edition.yaml: ball.yaml: 000000000000 -> {digest[:12]}\n"
    text = (root / "body/1/edition.yaml").read_text()
    assert text == f"# kept\nfiles:\n  ball: {{file: ball.yaml, sha256: {digest}}}\n"


def test_a_second_run_changes_nothing(tool: ModuleType, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool.main([], root=root)
    capsys.readouterr()
    assert tool.main([], root=root) == 0
    assert tool.main(["--check"], root=root) == 0
    assert capsys.readouterr().out == ""


def test_a_check_writes_nothing_and_fails_on_an_old_digest(tool: ModuleType, root: Path) -> None:
    before = (root / "body/1/edition.yaml").read_text()
    assert tool.main(["--check"], root=root) == 1
    assert (root / "body/1/edition.yaml").read_text() == before


def test_the_shipped_digests_are_those_of_the_shipped_files(tool: ModuleType) -> None:
    assert tool.main(["--check"]) == 0
