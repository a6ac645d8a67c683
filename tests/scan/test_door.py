"""The door to the measuring process: what it takes, what it refuses, and how it ends a process that goes wrong."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from homolog.errors import InputRefused, MeasuringFailed, UsageError
from homolog.scan import SOURCES, ScanMeasurement, measure_scan
from homolog.scan.door import Limits, run_worker
from tests.bodies import Recipe, binary_stl, corners_of, ellipsoid, make_keeper, posed
from tests.scan.measuring import OUTER, measure_bytes, value

DATA = binary_stl(posed(make_keeper(Recipe(edge=0.6)).corners, 2))


@pytest.fixture(scope="module")
def measured() -> ScanMeasurement:
    return measure_scan(DATA, name="keeper.stl", item="goalkeeper")


def run(code: str, *, seconds: float = 20.0, payload: bytes = b"") -> dict[str, object]:
    """Send a job to a program written here."""
    limits = Limits(seconds=seconds)
    return run_worker((sys.executable, "-c", code), {"name": "x"}, payload, limits, name="x.stl")


def failure(code: str, *, seconds: float = 20.0) -> str:
    with pytest.raises(MeasuringFailed) as caught:
        run(code, seconds=seconds)
    return caught.value.problems[0].code


def test_the_door_gives_the_same_as_measuring_here(measured: ScanMeasurement) -> None:
    here = measure_bytes(DATA)
    assert replace(measured, pictures=()) == replace(here, pictures=())
    assert [picture.alt for picture in measured.pictures] == [picture.alt for picture in here.pictures]
    assert value(measured, OUTER) > 1500


def test_the_door_gives_the_same_bytes_twice(measured: ScanMeasurement) -> None:
    again = measure_scan(DATA, name="keeper.stl", item="goalkeeper")
    assert json.dumps(again.to_json()) == json.dumps(measured.to_json())


def test_the_pictures_are_small_plain_and_stand_alone(measured: ScanMeasurement) -> None:
    assert [picture.name for picture in measured.pictures] == ["front", "side", "top", "root"]
    assert sum(len(picture.svg) for picture in measured.pictures) < 300_000
    for picture in measured.pictures:
        assert picture.svg.startswith("<svg xmlns=")
        assert picture.alt in picture.svg.replace("&lt;", "<")
        links = picture.svg.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
        assert "http" not in links
        assert " mm" in picture.alt
        assert "class=" not in picture.svg
        assert "nan" not in picture.svg.split("base64")[0]


def test_importing_the_room_loads_no_mesh_library() -> None:
    code = "import sys, homolog.scan; print([n for n in ('numpy', 'scipy', 'trimesh', 'manifold3d') if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout.strip() == "[]"


def test_a_damaged_file_is_refused_before_a_process_starts() -> None:
    start = time.perf_counter()
    with pytest.raises(InputRefused, match=r"keeper\.stl"):
        measure_scan(DATA[:-7], name="keeper.stl", item="goalkeeper")
    assert time.perf_counter() - start < 0.5


def test_a_refusal_of_the_process_comes_back_with_its_problems() -> None:
    faces = corners_of(ellipsoid((0, 0, 0), (300.0, 300.0, 300.0), edge=60.0))
    with pytest.raises(InputRefused) as caught:
        measure_scan(binary_stl(faces), name="ball.stl", item="goalkeeper")
    problem = caught.value.problems[0]
    assert (problem.where, problem.code) == ("ball.stl", "scan_unit_unknown")


def test_loose_facets_that_enclose_nothing_are_refused() -> None:
    faces = corners_of(ellipsoid((0, 0, 0), (9.0, 3.0, 18.0)))[::7]
    with pytest.raises(InputRefused, match="enclose no body"):
        measure_scan(binary_stl(faces), name="soup.stl", item="goalkeeper")


@pytest.mark.parametrize(
    ("item", "unit", "source"),
    [("spoon", None, "ct"), ("goalkeeper", "ft", "ct"), ("goalkeeper", None, "guess")],
)
def test_unknown_words_are_an_error_of_the_call(item: str, unit: str | None, source: str) -> None:
    with pytest.raises(UsageError):
        measure_scan(DATA, name="keeper.stl", item=item, unit=unit, source=source)


def test_all_sources_are_named() -> None:
    assert set(SOURCES) == {"structured_light", "photogrammetry", "laser", "ct", "cad"}


def test_a_process_that_takes_too_long_is_ended() -> None:
    start = time.perf_counter()
    assert failure("import time; time.sleep(60)", seconds=0.5) == "measuring_timeout"
    assert time.perf_counter() - start < 5


def test_the_children_of_a_process_that_is_ended_end_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    child = f"import time, pathlib; time.sleep(1.5); pathlib.Path({str(mark)!r}).touch()"
    code = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"
    assert failure(code, seconds=0.6) == "measuring_timeout"
    time.sleep(1.6)
    assert not mark.exists()


def test_the_true_worker_is_ended_by_the_same_limit() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        with pytest.raises(MeasuringFailed) as caught:
            measure_scan(DATA, name="keeper.stl", item="goalkeeper", seconds=0.05)
    assert caught.value.problems[0].code == "measuring_timeout"


def test_the_true_worker_cannot_take_more_memory_than_it_is_given() -> None:
    with pytest.raises(MeasuringFailed):
        measure_scan(DATA, name="keeper.stl", item="goalkeeper", memory_bytes=150 << 20)


@pytest.mark.parametrize(
    "code", ["import os; os.abort()", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "raise SystemExit(3)"]
)
def test_a_crash_is_an_error_and_the_caller_lives(code: str) -> None:
    assert failure(code) == "measuring_crashed"


def test_an_answer_that_is_no_record_is_an_error() -> None:
    assert failure("print('[1, 2')") == "measuring_crashed"
    assert failure("print('[1, 2]')") == "measuring_crashed"


def test_a_process_that_does_not_read_its_input_is_an_error() -> None:
    with pytest.raises(MeasuringFailed):
        run("raise SystemExit(1)", payload=b"x" * 5_000_000)


def test_the_process_sees_no_secrets_and_an_empty_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    answer = run("import os, json; print(json.dumps({'env': sorted(os.environ), 'files': os.listdir('.')}))")
    assert "SECRET_TOKEN" not in str(answer["env"])
    assert answer["files"] == []
