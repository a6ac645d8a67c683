"""Owns the job that assesses an application: measuring its scans, judging, and the step that names the report."""

from __future__ import annotations

from homolog.register.session import Session
from homolog.service.assessing import assess
from homolog.service.jobs.work import Work
from homolog.service.sealing import seal_record


def assess_application(work: Work) -> None:
    """Assess what was measured last; the step, the report's signature and the job's end are written together.

    Raises:
        HomologError: As `homolog.service.issuing.assess`.
        NotWanted: The job has its end already.
    """
    application, lang = str(work.job.params["application"]), str(work.job.params.get("lang", "en"))
    work.tell("measuring")

    now = work.now
    work.sealer.record_key(now)  # a register without a key is found before minutes of measuring

    def end(session: Session, said: dict[str, str]) -> None:
        seal_record(session, work.sealer, work.desk.files.read(said["report"]), "report", now=now)
        work.end(session, {"application": application, **said})

    assess(work.actor(), work.desk, application, now=now, today=now.date(), lang=lang, along=end)
