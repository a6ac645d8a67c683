"""Whole files through the door: one answer whatever the format, refusals as refusals, nothing left behind."""

from __future__ import annotations

import pytest

from homolog.errors import InputRefused
from homolog.scan.door import measure_scan
from homolog.scan.measurement import ScanMeasurement
from tools import mesh_writers as write
from tools import step_writer
from tools.hostile_meshes import BRACKET

BALL = write.ball(40).scaled(1.5)


def measure(data: bytes, name: str, unit: str | None = None) -> ScanMeasurement:
    return measure_scan(data, name=name, item="goalkeeper", unit=unit)


def numbers(measurement: ScanMeasurement) -> dict[str, float]:
    """Every number of every reading by its name; what a reading does not have is not there."""
    fields = ("value", "expanded_uncertainty", "lo", "hi")
    said = {f"{item.quantity}.{field}": getattr(item, field) for item in measurement.readings for field in fields}
    return {name: float(number) for name, number in said.items() if number is not None}


def test_one_body_gives_one_answer_in_every_format() -> None:
    files = {
        "a.stl": (write.stl(BALL), "mm"),
        "a.obj": (write.obj(BALL.cut()), "mm"),
        "a.ply": (write.ply(BALL.cut(), order=">"), "mm"),
        "inch.3mf": (write.three_mf(BALL.scaled(1 / 25.4), unit="inch"), "in"),
        "metres.glb": (write.glb(BALL.scaled(0.001)), "m"),
        "millimetres.glb": (write.glb(BALL), "mm"),
    }
    found = {name: measure(data, name) for name, (data, _) in files.items()}
    assert {name: item.unit for name, item in found.items()} == {name: unit for name, (_, unit) in files.items()}
    first = numbers(found["a.stl"])
    assert first
    for item in found.values():
        assert item.triangles == BALL.triangles
        assert numbers(item) == pytest.approx(first, rel=1e-4)
    assert found["inch.3mf"].unit_reason == "The file itself states its unit: in."
    assert "the size decides" in found["millimetres.glb"].unit_reason
    assert (found["inch.3mf"].unit_is_assumed, found["millimetres.glb"].unit_is_assumed) == (False, True)


def test_a_step_file_is_measured_behind_the_door() -> None:
    found = measure(step_writer.step_cylinder(4.0, 30.0), "bar.step")
    assert (found.format, found.unit) == ("step", "mm")
    assert found.triangles > 200


def test_a_file_that_ends_or_confuses_the_kernel_is_a_refusal() -> None:
    sound = step_writer.step_of(BRACKET)
    for broken in (sound.replace(b"DIRECTION", b"DIREKTION", 1), sound.replace(b"PRODUCT_DEFINITION_SHAPE", b"PRODUCT_SHAPE")):
        with pytest.raises(InputRefused) as caught:
            measure(broken, "bar.step")
        assert caught.value.problems[0].code.startswith("step_")


def test_a_refusal_of_the_gate_comes_through_with_its_place() -> None:
    with pytest.raises(InputRefused) as caught:
        measure(write.obj(BRACKET).replace(b"f 1 ", b"f 0 ", 1), "scan.obj")
    problem = caught.value.problems[0]
    assert (problem.where, problem.code) == ("scan.obj:16", "mesh_index")


def test_a_declared_unit_that_the_file_contradicts_is_refused() -> None:
    with pytest.raises(InputRefused) as caught:
        measure(write.three_mf(BALL), "scan.3mf", unit="in")
    assert caught.value.problems[0].code == "scan_unit_contradicted"


def test_points_alone_show_no_goalkeeper() -> None:
    with pytest.raises(InputRefused) as caught:
        measure(write.xyz(BALL), "scan.xyz")
    assert caught.value.problems[0].code == "cloud_item"
