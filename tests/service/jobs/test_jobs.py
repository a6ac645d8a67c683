"""Jobs: done by processes of their own, once, and by others where a worker dies."""

from __future__ import annotations

import signal
from contextlib import suppress
from pathlib import Path

import pytest

from homolog.check import measure
from homolog.register import applications, jobs
from homolog.service.assessing import gathered
from homolog.service.casework import folder_of
from homolog.service.jobs import asked
from homolog.service.measured import kept_measured, key_of, measurer_of
from homolog.service.missing import Missing
from homolog.service.workflow.refusal import StepRefused
from tests.service.jobs.conftest import Place, until
from tests.service.people import EXAMPLES, SHEET


def test_an_assessment_is_done_by_a_worker_under_the_job(place: Place) -> None:
    world = place.world
    application = world.submit()
    world.measure(application)
    job = asked.ask_assessment(world.anna, world.desk, application, now=world.now)
    with place.working():
        found = place.until_over(job.id)
    assert found.result is not None
    assert (found.outcome, found.result.get("outcome")) == ("done", "approve"), found.result
    with world.desk.database.read() as session:
        steps = [event.step for event in applications.events(session, application)]
    assert steps.count("assess") == 1


def measured_with_scan(place: Place) -> str:
    """Return an application whose measured sample came with a scan."""
    world = place.world
    application = world.submit()
    laboratory = world.organisations["Measure Well"]
    world.take(world.lena, application, "receive_sample", holder=laboratory, pieces=3, condition="whole")
    sheet = world.attach(world.lena, application, SHEET.encode(), "measured.yaml")
    scan = world.attach(world.lena, application, (EXAMPLES / "ball.stl").read_bytes(), "ball.stl")
    world.take(world.lena, application, "measure", laboratory=laboratory, person="Lena", sheet=sheet, scans=[scan])
    return application


def measuring_processes(place: Place) -> list[int]:
    """Return the measuring processes that workers of this place have started and that still are."""
    for process in place.started:
        for thread in Path(f"/proc/{process.pid}/task").glob("*/children"):
            with suppress(OSError):
                place.measuring |= {int(number) for number in thread.read_text().split()}
    return [number for number in place.measuring if is_measuring(number)]


def at_work(place: Place) -> list[int]:
    """Return the measuring processes that have a job in hand; an idle one stays warm for the next job."""
    found = []
    for number in measuring_processes(place):
        with suppress(OSError):
            if any(thread.read_text().split() for thread in Path(f"/proc/{number}/task").glob("*/children")):
                found.append(number)
    return found


def is_measuring(number: int) -> bool:
    try:
        return b"sandbox.supervisor" in Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False


def test_a_scan_is_measured_once_and_kept_for_other_rules(place: Place) -> None:
    world = place.world
    application = measured_with_scan(place)
    job = asked.ask_assessment(world.anna, world.desk, application, now=world.now)
    with place.working():
        found = place.until_over(job.id)
    assert found.outcome == "done", found.result
    with world.desk.database.read() as session:
        folder = folder_of(session, world.desk, application)
        names = {one.digest: one.name for one in applications.attached(session, application)}
    assert folder is not None
    sample = gathered(world.desk, folder, names, 120.0)
    article = sample.submission.article
    kept = kept_measured(world.desk, key_of(article, sample.scans), measurer_of())
    assert kept == measure(article, sample.scans.own, sample.scans.pieces)


def test_a_report_is_set_anew_in_another_language(place: Place) -> None:
    world = place.world
    application = world.submit()
    world.measure(application)
    view = world.assess(application)
    assert view.case.assessment is not None
    report = view.case.assessment.data["report"]
    job = asked.ask_rendering(world.mary, world.desk, application, report, form="html", lang="uk", now=world.now)
    with place.working():
        found = place.until_over(job.id)
    assert found.result is not None
    page = world.desk.files.read(found.result["file"]).decode()
    assert 'lang="uk"' in page


def test_what_a_job_cannot_do_is_said_with_the_reason_and_not_tried_again(place: Place) -> None:
    world = place.world
    application = world.submit()
    world.measure(application, sheet=SHEET.replace("role: laboratory", "role: board"))
    job = asked.ask_assessment(world.anna, world.desk, application, now=world.now)
    with place.working():
        found = place.until_over(job.id)
    assert found.outcome == "failed"
    assert found.result is not None
    assert found.result["problems"][0]["code"] == "answers_of_others"


def test_who_may_not_assess_gets_no_job(place: Place) -> None:
    world = place.world
    application = world.submit()
    world.measure(application)
    with pytest.raises(StepRefused):
        asked.ask_assessment(world.mary, world.desk, application, now=world.now)
    with pytest.raises(Missing):
        asked.ask_assessment(world.rival, world.desk, application, now=world.now)


def test_a_job_of_somebody_else_is_as_if_it_were_not(place: Place) -> None:
    world = place.world
    application = world.submit()
    world.measure(application)
    job = asked.ask_assessment(world.anna, world.desk, application, now=world.now)
    for look in (asked.status, lambda *words: asked.cancel(*words, now=world.now)):
        with pytest.raises(Missing):
            look(world.rival, world.desk.database, job.id)
    assert asked.status(world.boris, world.desk.database, job.id).outcome is None
    assert asked.listed(world.rival, world.desk.database) == ()


def test_a_cancelled_job_takes_no_effect_and_is_still_followed_to_its_end(place: Place) -> None:
    world = place.world
    application = world.submit()
    world.measure(application)
    job = asked.ask_assessment(world.anna, world.desk, application, now=world.now)
    asked.cancel(world.anna, world.desk.database, job.id, now=world.now)
    other = asked.ask_assessment(world.boris, world.desk, application, now=world.now)
    with place.working():
        assert place.until_over(other.id).outcome == "done"
    assert [state.outcome for state in asked.watch(world.anna, world.desk.database, job.id)] == ["cancelled"]
    with world.desk.database.read() as session:
        steps = [event.step for event in applications.events(session, application)]
    assert steps.count("assess") == 1


def test_cancelling_ends_the_measuring_processes_and_the_worker_goes_on(place: Place) -> None:
    world = place.world
    first, second = measured_with_scan(place), measured_with_scan(place)
    job = asked.ask_assessment(world.anna, world.desk, first, now=world.now)
    with place.working():
        until(lambda: measuring_processes(place), bool, 40)
        asked.cancel(world.anna, world.desk.database, job.id, now=world.now)
        until(lambda: at_work(place), lambda found: not found, 20)
        other = asked.ask_assessment(world.anna, world.desk, second, now=world.now)
        assert place.until_over(other.id).outcome == "done"
    assert place.until_over(job.id).outcome == "cancelled"
    until(lambda: measuring_processes(place), lambda found: not found, 20)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_job_of_a_worker_that_ends_is_done_by_another_and_leaves_no_process(place: Place, how: signal.Signals) -> None:
    world = place.world
    application = measured_with_scan(place)
    job = asked.ask_assessment(world.anna, world.desk, application, now=world.now)
    dying = place.start("--patience", "2")
    until(lambda: measuring_processes(place), bool, 40)
    dying.send_signal(how)
    dying.wait(30)
    until(lambda: measuring_processes(place), lambda found: not found, 20)
    assert asked.status(world.anna, world.desk.database, job.id).outcome is None
    with place.working("--patience", "2"):
        assert place.until_over(job.id).outcome == "done"
    with world.desk.database.read() as session:
        steps = [event.step for event in applications.events(session, application)]
    assert steps.count("assess") == 1


def test_jobs_that_the_library_has_forgotten_are_handed_over_again(place: Place) -> None:
    world = place.world
    application = world.submit()
    world.measure(application)
    job = asked.ask_assessment(world.anna, world.desk, application, now=world.now)
    with world.desk.database.write() as session:
        jobs.handed_over(session, job.id, 1)  # as if it had been, into tables that were lost since
    with place.working():
        assert place.until_over(job.id).outcome == "done"


def test_two_workers_on_one_register_do_each_job_once(place: Place) -> None:
    world = place.world
    application = world.submit()
    world.measure(application)
    view = world.assess(application)
    assert view.case.assessment is not None
    report = view.case.assessment.data["report"]
    asked_for = [
        asked.ask_rendering(world.mary, world.desk, application, report, form="html", lang=lang, now=world.now)
        for lang in ("en", "uk", "it") * 4
    ]
    with place.working("--processes", "2"):
        found = [place.until_over(job.id) for job in asked_for]
    assert [state.outcome for state in found] == ["done"] * 12
    with world.desk.database.read() as session:
        assert jobs.count(session) == {"done": 12, "open": 0}
