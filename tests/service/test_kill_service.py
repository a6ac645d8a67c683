"""The service loses nothing that it answered when it is killed; the long run is tools/kill_service.py."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tests.service.people import World

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))

import kill_service as tool


@pytest.mark.slow
def test_three_kills_lose_nothing() -> None:
    said = tool.run("sqlite", 3, random.Random(1), clients=2)  # noqa: S311
    assert said.faults == []
    assert len(said.events) > 10


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_look_sees_what_is_gone_and_what_is_there_twice(world: World) -> None:
    application = world.submit()
    tool.look(world.desk, tool.Said(events={(application, 1): "start"}))
    for said in (
        tool.Said(events={(application, 9): "measure"}),
        tool.Said(events={(application, 1): "submit"}),
        tool.Said(files={(application, "0" * 64)}),
        tool.Said(votes={(application, "nobody")}),
        tool.Said(certificates={application: "HML-B-0001"}),
        tool.Said(jobs={"0": application}),
    ):
        with pytest.raises(AssertionError, match="gone"):
            tool.look(world.desk, said)
    with pytest.raises(AssertionError, match="500"):
        tool.look(world.desk, tool.Said(faults=["GET /: 500"]))
