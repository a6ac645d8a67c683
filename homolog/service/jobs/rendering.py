"""Owns the job that sets a stored report anew: as a page or a PDF, in any language there is."""

from __future__ import annotations

from homolog.errors import UsageError
from homolog.register import applications
from homolog.register.ids import new_id
from homolog.service.applications import read_file
from homolog.service.jobs.work import Work

FORMS = ("pdf", "html")


def render_report(work: Work) -> None:
    """Render a report that the actor may see, and attach the file to its application.

    Raises:
        Missing: There is no such report, or it is not for whoever asked.
        InputRefused: The file is no report.
        UsageError: There is no such form or language.
        NotWanted: The job has its end already.
    """
    from homolog.report import read_report, to_html, to_pdf

    params = work.job.params
    application, form, lang = str(params["application"]), str(params["form"]), str(params["lang"])
    if form not in FORMS:
        raise UsageError.because(f"a report cannot be set as {form}", todo=f"write one of {', '.join(FORMS)}", code="file_type")
    work.tell("rendering")
    actor = work.actor()
    name, pieces = read_file(actor, work.desk, application, str(params["report"]))
    report = read_report(b"".join(pieces), name)
    data = (to_pdf if form == "pdf" else to_html)(report, lang, params.get("verify_url"))
    blob = work.desk.files.receive([data])
    with work.desk.database.write() as session:
        now = work.now
        work.desk.files.record(session, blob, now=now)
        shown = f"{name.removesuffix('.json')}-{lang}.{form}"
        applications.attach(session, application, blob.digest, shown, attachment_id=new_id(now), at=now, by=actor.account)
        work.end(session, {"application": application, "file": blob.digest, "name": shown})
