"""Lots on the command line: sheets of many rows, several scans, and one scan of several figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homolog.report import read_lot
from tests.bodies import Recipe, binary_stl, make_keeper, posed
from tests.cli.conftest import Run
from tests.scan.test_figure import plate

DAY = ("--on", "2026-11-30", "--edition", "4.0")
ASKED = "answer.ball.empty_plastic_sphere"
MEASURED = "ball.diameter[mm],ball.diameter.U,ball.diameter.method,ball.mass[g],ball.mass.U,ball.mass.method"
HEAD = f"item,sample,maker,{MEASURED},{ASKED},{ASKED}.role"


def write_csv(path: Path, rows: int, *, bad: int = 0, silent: int = 0) -> Path:
    """Write a lot of balls; the first ones are too heavy, the last ones were not looked at."""
    lines = [HEAD]
    for row in range(rows):
        mass = "1.80" if row < bad else "1.505"
        looked = "," if row >= rows - silent else "yes,maker"
        lines.append(f"ball,b{row + 1},Acme,{22 + row % 3 / 100:.2f},0.02,caliper,{mass},0.005,scale,{looked}")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_sheet_of_many_rows_is_summed_up(run: Run, tmp_path: Path) -> None:
    sheet, lot = write_csv(tmp_path / "lot.csv", 12), tmp_path / "out.json"
    ran = run("check", sheet, *DAY, "--lot", lot, "--lot", tmp_path / "out.pdf", "--lot-size", "500", "--lot-wanted", "109")
    assert ran.code == 0
    assert "No fault found in 12 of 500; with 95 % confidence at most 109 of 500 are outside." in ran.err
    record = read_lot(lot.read_bytes()).record
    assert record["lot"] == {"size": 500, "wanted": 109}
    found = {row["quantity"]: row for row in record["quantities"]}
    assert (found["ball.diameter"]["mean"], found["ball.diameter"]["n"]) == ("22.0100", 12)
    assert found["ball.diameter"]["largest"]["sample"] == {"file": "lot.csv", "row": 4, "article": "b3"}
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("bad", "silent", "outcome", "code"), [(1, 0, "fault_found", 1), (0, 2, "open", 3), (2, 2, "fault_found", 1)]
)
def test_faults_and_doubts_prove_nothing(run: Run, tmp_path: Path, bad: int, silent: int, outcome: str, code: int) -> None:
    lot = tmp_path / "out.json"
    ran = run("check", write_csv(tmp_path / "l.csv", 6, bad=bad, silent=silent), *DAY, "--lot", lot, "--lot-size", "50")
    record = json.loads(lot.read_bytes())
    assert (ran.code, record["outcome"]) == (code, outcome)
    assert (record["statement"]["found"], record["statement"]["undecided"]) == (bad, silent)
    assert record["statement"]["at_most"] is None


def test_the_number_of_workers_and_a_journal_change_no_byte(run: Run, tmp_path: Path) -> None:
    sheets = [write_csv(tmp_path / f"l{at}.csv", 3 + at) for at in range(3)]
    outs = [tmp_path / f"o{at}.json" for at in range(3)]
    run("check", *sheets, *DAY, "--lot", outs[0], "--jobs", "1", "--resume", tmp_path / "j")
    run("check", *sheets, *DAY, "--lot", outs[1], "--jobs", "3")
    run("check", *sheets, *DAY, "--lot", outs[2], "--resume", tmp_path / "j")
    assert len({out.read_bytes() for out in outs}) == 1
    assert json.loads(outs[0].read_bytes())["samples"]["total"] == 12


YAML = """\
format: homolog-submission/1
item: ball
lot: {LOT}
samples:
  - {name: b1, readings: {ball.diameter: {value: 22.01 mm, U: 0.02 mm, method: caliper}}}
  - {name: b2, readings: {ball.diameter: {value: 22.02 mm, U: 0.02 mm, method: caliper}}}
"""


def test_the_sheet_states_the_size_of_the_lot(run: Run, tmp_path: Path) -> None:
    sheet, lot = tmp_path / "lot.yaml", tmp_path / "out.json"
    sheet.write_text(YAML.replace("LOT", "size: 400, wanted: 20"))
    run("check", sheet, *DAY, "--lot", lot)
    assert json.loads(lot.read_bytes())["lot"] == {"size": 400, "wanted": 20}
    ran = run("check", sheet, *DAY, "--lot", lot, "--lot-size", "300")
    assert (ran.code, "stated as 300 and as 400" in ran.err) == (4, True)


@pytest.mark.parametrize(
    ("stated", "code"),
    [
        ("size: 1", "lot of 1 articles"),
        ("size: many", "not a whole number"),
        ("size: 99999999", "lot of 99999999 articles"),
        ("wanted: 3", "no number of articles of the lot"),
        ("size: 10, wanted: 11", "no number of articles of the lot"),
        ("sizes: 10", "sizes"),
    ],
)
def test_a_lot_that_cannot_be_is_refused_at_its_place(run: Run, tmp_path: Path, stated: str, code: str) -> None:
    sheet = tmp_path / "lot.yaml"
    sheet.write_text(YAML.replace("LOT", stated))
    ran = run("check", sheet, *DAY)
    assert ran.code == 4
    assert code in ran.err
    assert "lot.yaml:3:" in ran.err


@pytest.fixture(scope="module")
def keepers(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("keepers")
    paths = [folder / f"k{number}.stl" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_bytes(binary_stl(posed(make_keeper(Recipe(edge=0.9)).corners, number)))
    return paths


def test_several_scans_of_one_item_are_a_lot(run: Run, keepers: list[Path], tmp_path: Path) -> None:
    cut, lot = tmp_path / "cut.stl", tmp_path / "out.json"
    cut.write_bytes(keepers[0].read_bytes()[:-9])
    ran = run("check", *keepers, cut, "--item", "goalkeeper", *DAY, "--lot", lot, "--lot", tmp_path / "o.html", "--lot-size", "200")
    record = json.loads(lot.read_bytes())
    assert ran.code == 4
    assert (record["samples"]["total"], record["samples"]["refused"], record["outcome"]) == (4, 1, "open")
    height = next(row for row in record["quantities"] if row["quantity"] == "goalkeeper.height")
    assert (height["n"], height["common"]["from"]) == (3, "budget")
    # Three scans of one body: they hardly spread, and their offset is the same.
    assert float(height["mean_U"]) >= 2 * float(height["common"]["standard_uncertainty"]) > 10 * float(height["standard_deviation"])
    assert "refused, or not measured" in (tmp_path / "o.html").read_text()


def test_one_scan_twice_is_no_second_sample(run: Run, keepers: list[Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy.stl"
    copy.write_bytes(keepers[0].read_bytes())
    ran = run("check", keepers[0], copy, "--item", "goalkeeper", *DAY, "--lot", tmp_path / "o.json")
    assert (ran.code, "this sample is there twice" in ran.err) == (4, True)
    assert not (tmp_path / "o.json").exists()


def test_the_figures_of_one_scan_are_a_lot(run: Run, tmp_path: Path) -> None:
    scan, lot = tmp_path / "plate.stl", tmp_path / "out.json"
    scan.write_bytes(binary_stl(plate()))
    run("check", scan, "--item", "figure", "--several", *DAY, "--lot", lot, "--lot-size", "40")
    record = json.loads(lot.read_bytes())
    height = next(row for row in record["quantities"] if row["quantity"] == "figure.height")
    assert (height["n"], height["smallest"]["value"].partition(".")[0], height["largest"]["value"].partition(".")[0]) == (
        5,
        "33",
        "37",
    )
    assert height["smallest"]["sample"] == {"file": "plate.stl", "row": 1, "article": "plate #1"}


def test_a_lots_record_becomes_a_page_again(run: Run, tmp_path: Path) -> None:
    sheet = write_csv(tmp_path / "lot.csv", 3)
    run("check", sheet, *DAY, "--lot", tmp_path / "a.json", "--lot", tmp_path / "a.html", "--lang", "it")
    assert run("report", tmp_path / "a.json", "-o", tmp_path / "b.html", "--lang", "it").code == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--lot-size", "50"), "the size of a lot is for its summary"),
        (("--lot", "o.json", "--lot-size", "5", "--lot-wanted", "6"), "cannot be wanted"),
        (("--lot", "o.json", "--lot-wanted", "6"), "needs the lot's size"),
        (("--lot", "o.txt"), "is no report's name"),
        (("--lot", "o.json", "--report", "o.json"), "is named twice"),
    ],
)
def test_a_call_that_means_nothing_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("check", write_csv(tmp_path / "lot.csv", 2), *DAY, *more)
    assert ran.code == 2
    assert says in ran.err
    assert not (tmp_path / "o.json").exists()
