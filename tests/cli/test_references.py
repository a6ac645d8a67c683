"""Reference balls on the command line: beside a scan alone, and named in a sheet."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from tests.bodies import binary_stl, ellipsoid, rough
from tests.cli.conftest import Run

OFFSET = 0.03
SHEET = """\
format: homolog-submission/1
item: ball
instruments:
  SC-1: {kind: scanner, source: structured_light, scale_U: 0.2 mm/m, calibrated: 2026-05-01, certificate: K-77}
scans:
  - {file: article.stl, instrument: SC-1, temperature: 21 degC, temperature_U: 2 degC, material: resin}
  - {file: ball.stl, reference: {diameter: 25.000 mm, U: 0.002 mm}}
"""
KNOWN = ("--diameter", "25.000 mm", "--reference-U", "0.002 mm")


def ball(diameter: float, seed: int) -> bytes:
    return binary_stl(rough(ellipsoid((0, 0, 0), (diameter / 2 + OFFSET,) * 3, edge=0.3), 0.01, 0.5, seed).astype(np.float32))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("scans")
    (found / "article.stl").write_bytes(ball(22.0, 1))
    (found / "ball.stl").write_bytes(ball(25.0, 2))
    (found / "sheet.yaml").write_text(SHEET)
    return found


def test_a_reference_corrects_what_a_scan_alone_measures(run: Run, folder: Path) -> None:
    scan = folder / "article.stl"
    bare = json.loads(run("measure", scan, "--item", "ball", "--json").out)
    ran = run("measure", scan, "--item", "ball", "--reference", folder / "ball.stl", *KNOWN, "--json")
    found = json.loads(ran.out)
    before, after = (next(r for r in one["readings"] if r["place"] == "least_squares") for one in (bare, found))
    assert ran.code == 0
    assert float(before["value"]) == pytest.approx(22 + 2 * OFFSET, abs=0.004)
    assert float(after["value"]) == pytest.approx(22, abs=0.004)
    assert float(after["expanded_uncertainty"]) < 0.45 * float(before["expanded_uncertainty"])
    assert (before["marks"], after["marks"]) == ([], ["reference_ball"])
    (reference,) = found["instrument"]["references"]
    assert reference["sha256"] == hashlib.sha256((folder / "ball.stl").read_bytes()).hexdigest()


def test_the_words_say_what_the_reference_showed(run: Run, folder: Path) -> None:
    out = run("measure", folder / "article.stl", "--item", "ball", "--reference", folder / "ball.stl", *KNOWN).out
    assert "reference ball.stl" in out
    assert "25.000 ± 0.002 mm known" in out
    assert "mm inward, U 0.0" in out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--diameter", "25.000 mm"), "1 --reference, 1 --diameter and 0 --reference-U are given"),
        (("--diameter", "25.000", "--reference-U", "0.002 mm"), "has no unit"),
        (("--diameter", "25.000 mm", "--reference-U", "0 mm"), "no ball is known exactly"),
        (("--diameter", "250 mm", "--reference-U", "0.002 mm"), "is no diameter of a scan"),
    ],
)
def test_what_is_said_of_a_reference_must_be_true_of_one(run: Run, folder: Path, options: tuple[str, ...], says: str) -> None:
    ran = run("measure", folder / "article.stl", "--item", "ball", "--reference", folder / "ball.stl", *options)
    assert ran.code == 2
    assert says in ran.err


def test_a_reference_of_another_diameter_is_refused(run: Run, folder: Path) -> None:
    options = ("--diameter", "26 mm", "--reference-U", "0.002 mm")
    ran = run("measure", folder / "article.stl", "--item", "ball", "--reference", folder / "ball.stl", *options)
    assert ran.code == 4
    assert "ball.stl" in ran.err
    assert "see the diameter and the unit" in ran.err


@pytest.mark.parametrize("named", [(), ("article.stl", "ball.stl"), ("ball.stl", "article.stl")], ids=["beside", "given", "turned"])
def test_a_sheet_and_its_scans_are_one_submission(run: Run, folder: Path, named: tuple[str, ...]) -> None:
    ran = run("check", folder / "sheet.yaml", *(folder / name for name in named), "--json")
    scan = ran.record["scan"]
    assert scan["sha256"] == hashlib.sha256((folder / "article.stl").read_bytes()).hexdigest()
    used = scan["instrument"]
    assert (used["name"], used["certificate"], used["offset_from"], used["scale_from"]) == ("SC-1", "K-77", "reference", "stated")
    assert (used["temperature"], used["material"]) == ("21", "resin")
    assert float(used["offset_correction"]) == pytest.approx(OFFSET, abs=0.003)
    marks = {mark for finding in ran.record["findings"] for mark in finding["marks"]}
    assert {"reference_ball", "instrument_stated"} <= marks


@pytest.mark.parametrize(
    ("sheet", "given", "says"),
    [
        (SHEET, ["article.stl"], "the sheet names the scan ball.stl, which was not sent"),
        (
            SHEET,
            ["article.stl", "ball.stl", "other.stl"],
            "the sheet names the scans article.stl, ball.stl, but other.stl was given",
        ),
        ("format: homolog-submission/1\nitem: ball\n", ["article.stl", "ball.stl"], "does not say which of them shows the article"),
    ],
    ids=["missing", "other", "unnamed"],
)
def test_scans_that_the_sheet_does_not_account_for_are_refused(
    run: Run, folder: Path, tmp_path: Path, sheet: str, given: list[str], says: str
) -> None:
    for name in given:
        (tmp_path / name).write_bytes((folder / ("ball.stl" if name == "ball.stl" else "article.stl")).read_bytes())
    (tmp_path / "sheet.yaml").write_text(sheet)
    ran = run("check", tmp_path / "sheet.yaml", *(tmp_path / name for name in given))
    assert ran.code == 4
    assert says in ran.err
