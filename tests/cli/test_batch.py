"""Many inputs at once: the order and the bytes are those of one at a time, whatever happens in between."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from homolog.cli.results import Result
from homolog.cli.table import row_of, write_rows
from homolog.errors import Problem
from tests.bodies import Recipe, binary_stl, make_keeper, posed
from tests.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[2]
DAY = ("--on", "2026-11-30", "--edition", "4.0", "--item", "goalkeeper")


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Seven scans of different sizes, of which one is damaged."""
    folder = tmp_path_factory.mktemp("scans")
    paths = []
    for number in range(6):
        corners = make_keeper(Recipe(edge=0.9 if number % 2 else 0.6)).corners
        paths.append(folder / f"k{number}.stl")
        paths[-1].write_bytes(binary_stl(posed(corners, number)))
    paths.append(folder / "k3b.stl")
    paths[-1].write_bytes(paths[0].read_bytes()[:-7])
    return sorted(paths)


def start(*arguments: str | Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "homolog.cli.main", "check", *map(str, arguments)]
    # Unbuffered, a stream takes a part only of what is written when a signal comes in between.
    env = os.environ | {"PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_lines(path: Path, count: int) -> None:
    for _ in range(600):
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.05)
    pytest.fail(f"{path} has not {count} lines")


@pytest.fixture(scope="module")
def alone(scans: list[Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """What one at a time gives: standard output and the table."""
    table = tmp_path_factory.mktemp("alone") / "t.csv"
    process = start(*scans, *DAY, "--json", "--jobs", "1", "--table", table)
    out, _ = process.communicate()
    assert process.returncode == 4
    return out, table.read_bytes()


def test_the_number_of_workers_changes_no_byte(run: Run, scans: list[Path], alone: tuple[bytes, bytes], tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    ran = run("check", *scans, *DAY, "--json", "--jobs", "3", "--table", table)
    assert ran.out.encode() == alone[0]
    assert table.read_bytes() == alone[1]
    assert ran.code == 4
    assert [record["submission"]["name"] for record in ran.records] == [path.name for path in scans if path.name != "k3b.stl"]
    lines = [line for line in ran.err.splitlines() if " of 7: " in line]
    assert lines[0] == "1 of 7: k0.stl: not_measured"
    assert lines[4] == "5 of 7: k3b.stl: refused"


def test_reports_of_a_batch_are_the_reports_of_one_at_a_time(run: Run, scans: list[Path], tmp_path: Path) -> None:
    run("check", *scans[:2], *DAY, "--jobs", "2", "--report", tmp_path / "many.json")
    run("check", scans[1], *DAY, "--report", tmp_path / "one.json")
    assert (tmp_path / "many-k1-1.json").read_bytes() == (tmp_path / "one.json").read_bytes()


def test_the_table_holds_each_number_with_its_u(alone: tuple[bytes, bytes]) -> None:
    record = json.loads(alone[0].splitlines()[0])
    rows = list(csv.DictReader(io.StringIO(alone[1].decode())))
    (height,) = [one["reading"] for one in record["findings"] if one["requirement"] == "gk.height"]
    assert rows[0]["goalkeeper.height [mm]"] == height["value"]
    assert rows[0]["U goalkeeper.height [mm]"] == height["U"]
    assert rows[0]["goalkeeper.volume.without_embedded_rod [mm3]"].startswith("at least ")
    assert (rows[0]["verdict"], rows[0]["outcome"]) == (record["verdict"], record["outcome"])
    assert rows[4]["verdict"] == "refused"
    assert "k3b.stl" in rows[4]["problem"]


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".xlsx"])
def test_no_cell_of_a_table_is_a_formula(ending: str) -> None:
    problem = Problem("", "@SUM(A1)", "", "x")
    rows = [row_of(Result(name=name, number=0, code=4, problems=(problem,))) for name in ("=1+1.stl", "-k.stl", "+k.stl")]
    data = write_rows(rows, ending)
    assert data == write_rows(rows, ending)
    if ending == ".csv":
        assert [line.split(",")[0] for line in data.decode().splitlines()[1:]] == ["'=1+1.stl", "'-k.stl", "'+k.stl"]
        assert "'@SUM" in data.decode()
    elif ending == ".jsonl":
        assert json.loads(data.splitlines()[0])["file"] == "=1+1.stl"
    else:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            assert b"<f>" not in book.read("xl/worksheets/sheet1.xml")
            assert b"=1+1.stl" in book.read("xl/sharedStrings.xml")


def test_a_workbook_holds_numbers_as_numbers(run: Run, tmp_path: Path) -> None:
    run("check", "examples/goalkeeper.yaml", "--table", tmp_path / "t.xlsx")
    run("check", "examples/goalkeeper.yaml", "--table", tmp_path / "t.csv")
    (row,) = csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text()))
    with zipfile.ZipFile(tmp_path / "t.xlsx") as book:
        assert f"<v>{float(row['goalkeeper.height [mm]']):g}</v>".encode() in book.read("xl/worksheets/sheet1.xml")


def test_a_lot_has_a_row_a_sample(run: Run, tmp_path: Path) -> None:
    ran = run("check", "examples/figure.csv", "--item", "figure", "--json", "--table", tmp_path / "t.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert len(rows) == len(ran.records) > 1
    assert [row["file"] for row in rows] == [f"examples/figure.csv:{one['submission']['row']}" for one in ran.records]


def test_a_run_that_was_killed_goes_on_where_it_was(scans: list[Path], alone: tuple[bytes, bytes], tmp_path: Path) -> None:
    journal, table = tmp_path / "j", tmp_path / "t.csv"
    command = (*scans, *DAY, "--json", "--jobs", "2", "--resume", journal, "--table", table)
    first = start(*command)
    wait_for_lines(journal, 3)
    first.kill()
    first.communicate()
    assert not table.exists()
    kept = journal.read_bytes()
    journal.write_bytes(kept + b'{"key":"torn#')
    second = start(*command)
    out, _ = second.communicate()
    assert (out, table.read_bytes()) == alone
    assert journal.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    assert b"torn#" not in journal.read_bytes()


def test_what_is_finished_is_not_measured_again_unless_something_else_is_asked(run: Run, scans: list[Path], tmp_path: Path) -> None:
    journal = tmp_path / "j"
    command = ("check", *scans[:2], "--item", "goalkeeper", "--json", "--edition", "4.0", "--resume", journal)
    first = run(*command, "--on", "2026-11-30")
    size = journal.stat().st_size
    assert run(*command, "--on", "2026-11-30").out == first.out
    assert journal.stat().st_size == size
    other = run(*command, "--on", "2026-11-29")
    assert journal.stat().st_size > size
    assert [record["on"] for record in other.records] == ["2026-11-29"] * 2


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"item: goalkeeper\n", ":1: the file is no journal"),
        (b'{"format":"homolog-journal/1"}\n{"key":1}\n', ":2: the line is damaged"),
        (b'{"format":"homolog-journal/1"}\nnull\n', ":2: the line is damaged"),
    ],
)
def test_a_damaged_journal_is_refused_and_left_as_it_is(
    run: Run, scans: list[Path], tmp_path: Path, content: bytes, says: str
) -> None:
    journal = tmp_path / "j"
    journal.write_bytes(content)
    ran = run("check", scans[0], *DAY, "--resume", journal)
    assert ran.code == 4
    assert says in ran.err
    assert journal.read_bytes() == content


def test_two_runs_do_not_share_a_journal(run: Run, scans: list[Path], tmp_path: Path) -> None:
    journal = tmp_path / "j"
    first = start(*scans, *DAY, "--resume", journal)
    wait_for_lines(journal, 1)
    ran = run("check", scans[0], *DAY, "--resume", journal)
    first.kill()
    first.communicate()
    assert ran.code == 2
    assert "another run is writing" in ran.err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--table", "t.pdf"), "t.pdf is no table's name"),
        (("--table", "nowhere/t.csv"), "the folder nowhere does not exist"),
        (("--resume", "nowhere/j"), "the folder nowhere does not exist"),
        (("--resume", "examples/goalkeeper.yaml"), "what is written would replace it"),
        (("--jobs", "0"), "--jobs"),
    ],
)
def test_a_wrong_output_is_a_usage_error_before_any_work(run: Run, options: tuple[str, str], says: str) -> None:
    ran = run("check", "examples/goalkeeper.yaml", *options)
    assert ran.code == 2
    assert says in ran.err
    assert ran.out == ""


def test_an_interrupted_batch_ends_at_once_with_whole_lines_and_no_half_file(scans: list[Path], tmp_path: Path) -> None:
    process = start(*scans, *DAY, "--json", "--jobs", "2", "--table", tmp_path / "t.csv", "--report", tmp_path / "r.json")
    first = tmp_path / "r-k0-1.json"
    for _ in range(600):
        if first.exists():
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    asked = time.perf_counter()
    out, _ = process.communicate(timeout=20)
    assert time.perf_counter() - asked < 10
    assert process.returncode == 130
    assert not (tmp_path / "t.csv").exists()
    assert out == b"" or out.endswith(b"\n")
    for line in out.splitlines():
        assert json.loads(line)["format"] == "homolog-report/1"
    for path in tmp_path.iterdir():
        assert path.name.startswith("r-")
        assert json.loads(path.read_bytes())["format"] == "homolog-report/1"
