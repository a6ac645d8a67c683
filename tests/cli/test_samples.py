"""A sheet of samples, and one scan that shows them side by side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.bodies import Recipe, binary_stl, make_keeper
from tests.cli.conftest import Run
from tests.cli.test_pieces import HEIGHTS, read
from tests.scan.test_figure import plate

DAY = ("--on", "2026-11-30", "--edition", "4.0", "--json")
KEEPERS = "format: homolog-submission/1\nitem: goalkeeper\nsamples:\n" + "".join(f"  - {{name: K{at}}}\n" for at in range(1, 4))
TALL = (33.0, 30.0, 35.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("samples")
    (path / "plate.stl").write_bytes(binary_stl(plate()))
    keepers = [make_keeper(Recipe(edge=0.9, tall=tall)).corners + np.array([40.0 * at, 0, 0]) for at, tall in enumerate(TALL)]
    (path / "keepers.stl").write_bytes(binary_stl(np.concatenate(keepers)))
    (path / "figures.csv").write_text("sample,maker\n" + "".join(f"P{at},M{at}\n" for at in range(1, 6)))
    (path / "keepers.yaml").write_text(KEEPERS)
    return path


def test_each_row_is_judged_with_its_own_figure_of_the_scan(run: Run, folder: Path) -> None:
    ran = run("check", folder / "figures.csv", folder / "plate.stl", "--item", "figure", "--several", *DAY)
    assert ran.err.count("refused") == 0
    assert [record["submission"]["article"] for record in ran.records] == ["P1", "P2", "P3", "P4", "P5"]
    assert [record["submission"]["attributes"]["maker"] for record in ran.records] == ["M1", "M2", "M3", "M4", "M5"]
    assert [read(record, "figure.height").partition(".")[0] for record in ran.records] == HEIGHTS
    assert ran.records[2]["notes"][-1]["code"] == "sample_order"
    assert ran.records[2]["pictures"][0]["title"] == "Figure 3 of 5 on the plate"


def test_goalkeepers_too_and_a_lot_is_made_of_them(run: Run, folder: Path, tmp_path: Path) -> None:
    call = ("check", folder / "keepers.yaml", folder / "keepers.stl", "--several", *DAY)
    ran = run(*call, "--lot", tmp_path / "lot.json", "--resume", tmp_path / "journal")
    assert [round(float(read(record, "goalkeeper.height"))) for record in ran.records] == [round(tall + 3) for tall in TALL]
    assert (tmp_path / "lot.json").stat().st_size > 1_000
    assert run(*call, "--resume", tmp_path / "journal").out == ran.out


@pytest.mark.parametrize(
    ("rows", "says"), [(4, "shows 5 articles, the sheet has 4 samples"), (6, "shows 5 articles, the sheet has 6")]
)
def test_another_number_of_samples_than_of_articles_is_refused(
    run: Run, folder: Path, tmp_path: Path, rows: int, says: str
) -> None:
    sheet = tmp_path / "few.csv"
    sheet.write_text("sample\n" + "".join(f"P{at}\n" for at in range(rows)))
    ran = run("check", sheet, folder / "plate.stl", "--item", "figure", "--several", *DAY)
    assert (ran.code, ran.out) == (4, "")
    assert says in ran.err


def test_a_sample_with_a_scan_of_its_own_is_not_on_the_plate(run: Run, folder: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "own.csv"
    sheet.write_text("sample,scan.file\nP1,\nP2,one.stl\n")
    ran = run("check", sheet, folder / "plate.stl", "--item", "figure", "--several", *DAY)
    assert ran.code == 4
    assert "the sample P2 names a scan of its own" in ran.err


def test_a_sheet_without_a_scan_or_of_a_set_is_a_wrong_call(run: Run, folder: Path, tmp_path: Path) -> None:
    assert "takes one scan of all its samples, not 0" in run("check", folder / "keepers.yaml", "--several", *DAY).err
    listed = tmp_path / "set.yaml"
    listed.write_text("format: homolog-submission/1\nitem: set\npieces: [{attributes: {role: field_figure}}]\n")
    ran = run("check", listed, folder / "plate.stl", "--several", *DAY)
    assert ran.code == 2
    assert "leave out --several" in ran.err


def test_samples_of_an_item_that_the_edition_does_not_regulate_get_an_answer_each(run: Run, folder: Path) -> None:
    call = (
        "check",
        folder / "figures.csv",
        folder / "plate.stl",
        "--item",
        "figure",
        "--several",
        "--edition",
        "14-2014",
        "--json",
    )
    ran = run(*call)
    assert ran.code == 3
    assert [record["verdict"] for record in ran.records] == ["not_applicable"] * 5


def test_the_meshes_of_several_are_not_written(run: Run, folder: Path, tmp_path: Path) -> None:
    ran = run("measure", folder / "keepers.stl", "--item", "goalkeeper", "--several", "--glb", tmp_path / "k.glb")
    assert ran.code == 2
    assert not (tmp_path / "k.glb").exists()
