"""Owns the job that assesses an application: measuring its scans, judging, and the step that names the report."""

from __future__ import annotations

from homolog.register.session import Session
from homolog.service.assessing import assess
from homolog.service.jobs.work import Work


def assess_application(work: Work) -> None:
    """Assess what was measured last; the step and the job's end are written together.

    Raises:
        HomologError: As `homolog.service.assessing.assess`.
        NotWanted: The job has its end already.
    """
    application, lang = str(work.job.params["application"]), str(work.job.params.get("lang", "en"))
    work.tell("measuring")

    def end(session: Session, said: dict[str, str]) -> None:
        work.end(session, {"application": application, **said})

    now = work.now
    assess(work.actor(), work.desk, application, now=now, today=now.date(), lang=lang, along=end)
