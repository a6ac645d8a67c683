"""Scans of the pieces of a set, and scans that show several figures side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from homolog.errors import InputRefused
from homolog.report import read_report
from tests.bodies import Recipe, binary_stl, corners_of, ellipsoid, make_keeper, posed
from tests.cli.conftest import Run
from tests.scan.test_figure import disc, faces, figure, plate

DAY = ("--on", "2026-11-30", "--edition", "4.0")
HEIGHTS = ["33", "34", "35", "36", "37"]
PIECE = '  - {{name: "{name}", attributes: {{role: {role}, type: T, paint: red, base_colour: {colour}}}{more}}}\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("set")
    (path / "plate.stl").write_bytes(binary_stl(plate()))
    (path / "one.stl").write_bytes(binary_stl(faces(figure(disc()), 1.0)))
    (path / "keeper.stl").write_bytes(binary_stl(posed(make_keeper(Recipe(edge=0.9)).corners, 1)))
    return path


def write_set(folder: Path, *, figures: int, scans: dict[int, str] | None = None, plate: bool = False, keeper: bool = True) -> Path:
    """Write the sheet of a set; the keys of `scans` are places in the list."""
    scans = scans or {}
    text = "format: homolog-submission/1\nitem: set\n" + ("scans: [{file: plate.stl, unit: mm}]\n" if plate else "") + "pieces:\n"
    for at in range(figures):
        more = f", scans: [{{file: {scans[at]}, unit: mm}}]" if at in scans else ""
        text += PIECE.format(name=f"f{at + 1}", role="field_figure", colour="blue", more=more)
    if keeper:
        text += PIECE.format(name="k", role="goalkeeper", colour="blue", more=", scans: [{file: keeper.stl, unit: mm}]")
    path = folder / "set.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def read(piece: dict[str, Any], quantity: str) -> str:
    (value,) = {
        finding["reading"]["value"]
        for finding in piece["findings"]
        if finding["reading"] is not None and finding["reading"]["quantity"] == quantity and "value" in finding["reading"]
    }
    return str(value)


def test_each_piece_is_judged_with_its_own_scan(run: Run, folder: Path) -> None:
    ran = run("check", write_set(folder, figures=3, scans={1: "one.stl"}), *DAY, "--json")
    record = ran.record
    first, second, third, keeper = record["pieces"]
    assert (first["scan"], third["scan"]) == (None, None)
    assert (first["not_judged"], third["not_judged"]) == ("no_readings", "no_readings")
    assert second["scan"]["unit"] == "mm"
    assert float(read(second, "figure.height")) == pytest.approx(35.0, abs=2)
    assert keeper["scan"]["sha256"] != second["scan"]["sha256"]
    assert {picture["name"] for picture in keeper["pictures"]} >= {"front", "side"}
    assert (record["scan"], record["pictures"]) == (None, [])
    assert "measuring 2 scans" in ran.err


def test_a_pieces_scan_is_in_the_page_and_the_record_reads_back(run: Run, folder: Path, tmp_path: Path) -> None:
    sheet = write_set(folder, figures=2, scans={0: "one.stl"})
    page, record = tmp_path / "r.html", tmp_path / "r.json"
    run("check", sheet, *DAY, "--report", page, "--report", record, "--report", tmp_path / "r.pdf")
    text = page.read_text()
    assert "k: Front view" in text
    assert "f1: figure.height" in text
    assert "f1: Scan, SHA-256" in text
    assert read_report(record.read_bytes()).canonical == record.read_bytes()
    bad = json.loads(record.read_bytes())
    bad["pieces"][2]["pictures"][0]["svg"] = "<svg xmlns='http://www.w3.org/2000/svg' onload='x'/>"
    with pytest.raises(InputRefused) as caught:
        read_report(json.dumps(bad).encode())
    assert caught.value.problems[0].where == "record: pieces[2].pictures[0].svg"


def test_a_record_from_before_pieces_had_scans_reads_back(run: Run, folder: Path, tmp_path: Path) -> None:
    record = json.loads(json.dumps(run("check", write_set(folder, figures=2, keeper=False), *DAY, "--json").record))
    for piece in record["pieces"]:
        del piece["scan"], piece["pictures"]
    old = tmp_path / "old.json"
    old.write_text(json.dumps(record))
    assert run("report", old, "-o", tmp_path / "old.html").code == 0


@pytest.mark.parametrize("is_named", [True, False], ids=["named by the sheet", "given beside it"])
def test_a_plate_is_taken_for_the_figures_in_the_order_of_the_list(run: Run, folder: Path, is_named: bool) -> None:
    sheet = write_set(folder, figures=5, plate=is_named)
    record = run("check", sheet, *([] if is_named else [folder / "plate.stl"]), *DAY, "--json").record
    assert [read(piece, "figure.height").partition(".")[0] for piece in record["pieces"][:5]] == HEIGHTS
    assert [piece["scan"]["facts"]["part"] for piece in record["pieces"][:5]] == [f"{at} of 5" for at in range(1, 6)]
    assert record["pieces"][2]["pictures"][0]["title"] == "Figure 3 of 5 on the plate"
    assert record["pieces"][5]["scan"]["facts"].get("part") is None
    assert record["notes"][-1]["code"] == "plate_order"


def test_a_figure_with_a_scan_of_its_own_is_not_on_the_plate(run: Run, folder: Path) -> None:
    sheet = write_set(folder, figures=6, scans={1: "one.stl"}, plate=True, keeper=False)
    record = run("check", sheet, *DAY, "--json").record
    parts = [piece["scan"]["facts"].get("part") for piece in record["pieces"]]
    assert parts == ["1 of 5", None, "2 of 5", "3 of 5", "4 of 5", "5 of 5"]


@pytest.mark.parametrize("figures", [4, 6])
def test_a_plate_with_another_number_of_figures_is_refused(run: Run, folder: Path, figures: int) -> None:
    ran = run("check", write_set(folder, figures=figures, keeper=False), folder / "plate.stl", *DAY)
    assert ran.code == 4
    assert f"shows 5 figures, the list has {figures}" in ran.err


@pytest.mark.parametrize(
    ("scans", "says"),
    [({0: "one.stl", 1: "one.stl"}, "pieces 1 and 2 of the list have the same scan"), ({0: "none.stl"}, "cannot be read")],
)
def test_scans_that_do_not_fit_the_pieces_are_refused(run: Run, folder: Path, scans: dict[int, str], says: str) -> None:
    ran = run("check", write_set(folder, figures=2, scans=scans, keeper=False), *DAY)
    assert ran.code == 4
    assert says in ran.err


def test_a_piece_is_measured_with_the_reference_beside_it(run: Run, folder: Path) -> None:
    (folder / "ball.stl").write_bytes(binary_stl(corners_of(ellipsoid((0, 0, 0), (12.52, 12.52, 12.52), 0.5))))
    ball = "{file: ball.stl, unit: mm, reference: {diameter: 25 mm, U: 0.002 mm}}"
    sheet = write_set(folder, figures=2, scans={0: "one.stl"}, keeper=False)
    sheet.write_text(sheet.read_text().replace("file: one.stl, unit: mm}]", f"file: one.stl, unit: mm}}, {ball}]"))
    first, second = run("check", sheet, *DAY, "--json").record["pieces"]
    assert first["scan"]["instrument"]["references"][0]["file"] == "ball.stl"
    assert second["scan"] is None
    beside = run("check", sheet, folder / "one.stl", folder / "ball.stl", *DAY, "--json").record["pieces"]
    assert beside[0]["scan"] == first["scan"]


def test_a_scan_of_a_set_without_a_list_is_refused(run: Run, folder: Path) -> None:
    ran = run("check", folder / "plate.stl", "--item", "set", *DAY)
    assert ran.code == 4
    assert "does not say which pieces it shows" in ran.err


def test_several_figures_of_one_scan_are_a_record_each(run: Run, folder: Path, tmp_path: Path) -> None:
    ran = run("check", folder / "plate.stl", "--item", "figure", "--several", *DAY, "--json", "--table", tmp_path / "t.csv")
    assert [record["submission"]["article"] for record in ran.records] == [f"plate #{number}" for number in range(1, 6)]
    assert [record["submission"]["row"] for record in ran.records] == [1, 2, 3, 4, 5]
    assert [read(record, "figure.height").partition(".")[0] for record in ran.records] == HEIGHTS
    assert ran.records[3]["pictures"][0]["title"] == "Figure 4 of 5 on the plate"
    assert [line.partition(",")[0] for line in (tmp_path / "t.csv").read_text().splitlines()[1:]] == [
        f"{folder / 'plate.stl'}:{number}" for number in range(1, 6)
    ]


def test_several_figures_are_taken_from_the_journal_all_or_none(run: Run, folder: Path, tmp_path: Path) -> None:
    journal = tmp_path / "j"
    call = ("check", folder / "plate.stl", "--item", "figure", "--several", *DAY, "--json", "--resume", journal)
    first = run(*call)
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == 6
    again = run(*call)
    assert again.out == first.out
    assert journal.read_bytes() == b"".join(lines)
    journal.write_bytes(b"".join(lines[:3]))
    assert run(*call).out == first.out
    assert len(journal.read_bytes().splitlines()) > 6


def test_measuring_several_gives_each_in_its_order(run: Run, folder: Path) -> None:
    ran = run("measure", folder / "plate.stl", "--item", "figure", "--several", "--json")
    assert [record["facts"]["part"] for record in ran.records] == [f"{number} of 5" for number in range(1, 6)]
    assert "number 2 of 5, left to right" in run("measure", folder / "plate.stl", "--item", "figure", "--several").out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("plate.stl", "--item", "ball", "--several"), 2, "only if they are one of figure, goalkeeper"),
        (("plate.stl", "--item", "goalkeeper", "--several"), 4, "is not one goalkeeper with its rod"),
        (("set.yaml", "--several"), 2, "takes one scan of all its samples, not 0"),
        (("plate.stl", "--item", "figure"), 4, "bodies"),
    ],
)
def test_several_where_it_does_not_belong_is_refused(
    run: Run, folder: Path, arguments: tuple[str, ...], code: int, says: str
) -> None:
    write_set(folder, figures=1, keeper=False)
    file, *rest = arguments
    ran = run("check", folder / file, *rest, *DAY)
    assert ran.code == code
    assert says in ran.err
