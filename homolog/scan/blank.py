"""The measurement that says of what file it is, and nothing of the article yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homolog.scan.engine import engine_of
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.unit import UnitChoice


def blank_of(
    job: Mapping[str, Any],
    choice: UnitChoice,
    *,
    form: str,
    triangles: int,
    closed: bool,
    algorithm: str,
    libraries: tuple[str, ...] = (),
) -> ScanMeasurement:
    """Return a measurement without numbers, to be filled in with `dataclasses.replace`.

    Args:
        job: Digest of the file, and source.
        choice: The file's unit.
        form: The file's format.
        triangles: Facets in the file as it came.
        closed: Whether the surface was closed and in one sense as it came.
        algorithm: What measures.
        libraries: What it uses besides numpy and scipy.
    """
    return ScanMeasurement(
        sha256=job["sha256"],
        format=form,
        triangles=triangles,
        unit=choice.unit,
        unit_reason=choice.reason,
        unit_is_assumed=choice.is_assumed,
        closed=closed,
        source=job["source"],
        engine=engine_of(algorithm, *libraries),
    )
