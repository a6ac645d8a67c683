"""The door to the measuring process: what it takes, what it refuses, and that it gives what measuring gives."""

from __future__ import annotations

import importlib.util
import json
import math
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from homolog.errors import InputRefused, MeasuringFailed, UsageError
from homolog.scan import SOURCES, ScanMeasurement, measure_scan, rays
from homolog.scan.sandbox.client import supervisor
from homolog.scan.sandbox.job import run_job
from homolog.scan.sandbox.limits import Limits
from homolog.scan.worker import needs_of
from tests.bodies import Recipe, binary_stl, corners_of, ellipsoid, make_keeper, posed
from tests.scan.measuring import OUTER, measure_bytes, value
from tools.step_writer import step_cylinder

DATA = binary_stl(posed(make_keeper(Recipe(edge=0.6)).corners, 2))


@pytest.fixture(scope="module")
def measured() -> ScanMeasurement:
    return measure_scan(DATA, name="keeper.stl", item="goalkeeper")


def test_the_door_gives_the_same_as_measuring_here(measured: ScanMeasurement) -> None:
    here = measure_bytes(DATA)
    assert replace(measured, pictures=(), instrument=None) == replace(here, pictures=())
    assert [picture.alt for picture in measured.pictures] == [picture.alt for picture in here.pictures]
    assert value(measured, OUTER) > 1500


def test_the_sandbox_draws_with_what_draws_outside(measured: ScanMeasurement) -> None:
    assert measured.engine["renderer"] == rays.renderer()
    assert (measured.engine["renderer"] == "numpy") == (importlib.util.find_spec("embreex") is None)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_supervisor_has_one_thread_with_everything_loaded(measured: ScanMeasurement) -> None:
    status = Path(f"/proc/{supervisor().process}/status").read_text(encoding="ascii")
    assert measured.pictures
    assert "Threads:\t1\n" in status


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
    code = (
        "import sys, homolog.scan; print([n for n in ('numpy', 'scipy', 'trimesh', 'manifold3d', 'embreex') if n in sys.modules])"
    )
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


def test_the_true_worker_is_ended_by_the_same_limit() -> None:
    with pytest.raises(MeasuringFailed) as caught:
        measure_scan(DATA, name="keeper.stl", item="goalkeeper", seconds=0.05)
    assert caught.value.problems[0].code == "measuring_timeout"


def test_the_true_worker_cannot_take_more_memory_than_it_is_given() -> None:
    with pytest.raises(MeasuringFailed) as caught:
        measure_scan(DATA, name="keeper.stl", item="goalkeeper", memory_bytes=150 << 20)
    assert caught.value.problems[0].code == "measuring_memory"


def test_a_goalkeeper_of_a_warm_job_loads_nothing_more() -> None:
    measure_scan(DATA, name="keeper.stl", item="goalkeeper")
    head = json.dumps({"name": "k.stl", "item": "goalkeeper", "unit": None, "source": "ct", "sha256": "0" * 64}).encode()
    done = run_job(
        "tests.scan.tries:measure", (head + b"\n", DATA), Limits(), name="k.stl", needs=needs_of({"item": "goalkeeper"}, "STL")
    )
    assert done.answer["loaded"] == []


def test_two_threads_measure_at_once_and_get_the_same(measured: ScanMeasurement) -> None:
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: measure_scan(DATA, name="keeper.stl", item="goalkeeper"), range(2)))
    assert [json.dumps(one.to_json()) for one in both] == [json.dumps(measured.to_json())] * 2


@pytest.mark.parametrize("job", ["fault", "leave", "loop", "answer_nonsense", "take_memory"])
def test_after_a_job_that_went_wrong_a_good_scan_is_measured(job: str, measured: ScanMeasurement) -> None:
    with pytest.raises(MeasuringFailed):
        run_job(f"tests.scan.tries:{job}", (b"900\n",), Limits(seconds=0.6, resident_bytes=200 << 20), name="x.stl")
    assert measure_scan(DATA, name="keeper.stl", item="goalkeeper") == measured


def test_a_step_file_is_measured_behind_the_rings() -> None:
    bar = measure_scan(step_cylinder(9.0, 30.0), name="bar.step", item="goalkeeper", source="cad")
    assert bar.format == "step"
    assert float(bar.facts["whole_volume"].split()[0]) == pytest.approx(math.pi * 81 * 30, rel=1e-3)
