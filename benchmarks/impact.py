"""Runs an impact over many stored scans with one worker and with two, and compares what both find with one after another.

Usage: python -m benchmarks.impact [--scans N] [--databases sqlite] [--kill] [--alone]

Every scan is measured anew. One line of JSON for each number of workers, then the ratio. `--kill` kills a worker of the second run
half-way for good; `--alone` also does it without workers and compares. Exit code 1 if the results differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import Any

from benchmarks.jobs import register, start
from homolog.register import jobs
from homolog.service import editions, impact
from homolog.service.compared import comparison_of
from homolog.service.rules import Rules
from tests.service.people import EXAMPLES, SHEET, World
from tests.service.test_editions import next_ball


def fill(world: World, scans: int) -> None:
    """Enter applications whose samples were measured, each with a scan of its own bytes."""
    ball = bytearray((EXAMPLES / "ball.stl").read_bytes())
    laboratory = world.organisations["Measure Well"]
    for number in range(scans):
        application = world.begin()
        world.describe(application, f"Swift {number}")
        world.take(world.mary, application, "submit")
        world.take(world.lena, application, "receive_sample", holder=laboratory, pieces=3, condition="whole")
        ball[10:18] = f"{number:08}".encode()  # inside the header, which says nothing of the shape
        sheet = world.attach(world.lena, application, SHEET.encode(), "measured.yaml")
        scan = world.attach(world.lena, application, bytes(ball), "ball.stl")
        world.take(world.lena, application, "measure", laboratory=laboratory, person="Lena", sheet=sheet, scans=[scan])


def run(world: World, environment: dict[str, str], draft: str, workers: int, *, is_killed: bool) -> tuple[dict[str, Any], bytes]:
    """Run an impact and return what was seen, and what it found."""
    rules = Rules(world.desk)
    running: list[subprocess.Popen[bytes]] = start(environment, workers)
    while True:  # until they have loaded what they need
        with world.desk.database.read() as session:
            if len(jobs.workers(session)) >= workers:
                break
        time.sleep(0.5)
    time.sleep(3)
    moment = datetime.now(UTC)
    job = impact.ask_impact(world.anna, rules, draft, measuring="again", now=moment, today=moment.date())
    begun, killed_at, seen = time.monotonic(), None, []
    try:
        while True:
            state = impact.look(world.anna, rules, job.id).job
            if not seen or seen[-1] != state.done:
                seen.append(state.done)
            if state.outcome is not None:
                break
            if is_killed and killed_at is None and state.total and state.done >= state.total // 2:
                running.pop().kill()
                killed_at = state.done
            time.sleep(0.2)
    finally:
        seconds = time.monotonic() - begun
        for process in running:
            process.terminate()
        for process in running:
            process.wait(60)
    found = impact.look(world.anna, rules, job.id)
    line = {
        "workers": workers,
        "seconds": round(seconds, 1),
        "looks": len(seen),
        "killed_at": killed_at,
        "result": found.job.result,
    }
    return line, impact.canonical(found.rows)


def main() -> int:
    """Measure as the words ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scans", type=int, default=20)
    parser.add_argument("--databases", default="sqlite")
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--alone", action="store_true")
    chosen = parser.parse_args()
    is_bad = False
    for kind in chosen.databases.split(","):
        with register(kind) as (world, environment):
            fill(world, chosen.scans)
            rules = Rules(world.desk)
            # Under it the ball of every sheet is too light, whichever way the rule is read.
            stricter = next_ball(("min: 1.45 g, max: 1.55 g", "min: 1.53 g, max: 1.55 g"), ("min: 1.48 g, max", "min: 1.53 g, max"))
            draft = editions.enter_edition(world.anna, rules, {"ball.yaml": stricter}, now=world.now).draft
            one, first = run(world, environment, draft.id, 1, is_killed=False)
            two, second = run(world, environment, draft.id, 2, is_killed=chosen.kill)
            same = first == second
            for line in (one, two):
                print(json.dumps({"database": kind, "scans": chosen.scans, **line}), flush=True)
            if chosen.alone:
                now = datetime.now(UTC)
                asked = comparison_of(rules, draft, known_at=now, today=now.date(), measuring="stored")
                same = same and impact.canonical(impact.one_after_another(asked, now=now)) == first
            print(
                json.dumps({"database": kind, "ratio": round(one["seconds"] / two["seconds"], 2), "same_result": same}), flush=True
            )
            is_bad |= not same
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())
