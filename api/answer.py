"""The forms of an answer: the record, or a report made from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from starlette.responses import Response

from api.accept import HTML, JSON, JSON_LINES, NDJSON, PDF, choose
from api.headers import REPORT_POLICY
from api.judge import judged_of, submissions_of
from api.problems import Failure
from api.sent import Sent
from api.settings import Settings

if TYPE_CHECKING:
    from api.service import Shelf
    from homolog.report import Report

ONE = (JSON, HTML, PDF, JSON_LINES, NDJSON)
SEVERAL = (JSON_LINES, NDJSON)
_ENDINGS = {JSON: "json", HTML: "html", PDF: "pdf", JSON_LINES: "jsonl", NDJSON: "jsonl"}
_CHARSETS = {HTML: "text/html; charset=utf-8"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is sent back: bytes of one form."""

    media_type: str
    body: bytes

    def response(self, *, save: bool = False) -> Response:
        """Return the response; `save` has a browser keep it as a file."""
        kind = "attachment" if save else "inline"
        headers = {
            "Cache-Control": "no-store",
            "Vary": "Accept",
            "Content-Disposition": f'{kind}; filename="homolog-report.{_ENDINGS[self.media_type]}"',
        }
        if self.media_type == HTML:
            headers["Content-Security-Policy"] = REPORT_POLICY
        return Response(self.body, headers=headers, media_type=_CHARSETS.get(self.media_type, self.media_type))


def answer_of(sent: Sent, shelf: Shelf, settings: Settings, *, accept: str | None, today: date) -> Answer:
    """Judge what was sent and return it in the form that is wanted; this blocks.

    Raises:
        Failure: The sheet holds several submissions, and the form wanted is of one.
        HomologError: It could not be judged.
    """
    submissions = submissions_of(sent, shelf, lot_limit=settings.lot_limit)
    form = choose(accept, ONE if len(submissions) == 1 else SEVERAL)
    if form is None:
        raise Failure(
            "several_submissions",
            f"The sheet holds {len(submissions)} submissions. A report is of one; they can be given as a record a line.",
            more={"available": list(SEVERAL)},
        )
    judged = judged_of(submissions, sent, shelf, today=today, seconds=settings.scan_seconds)
    return Answer(media_type=form, body=_rendered([one.report for one in judged], form, sent.fields.lang))


def _rendered(reports: Sequence[Report], form: str, lang: str) -> bytes:
    from homolog.report import to_html, to_json, to_pdf

    match form:
        case "application/json":
            return to_json(reports[0])
        case "text/html":
            return to_html(reports[0], lang)
        case "application/pdf":
            return to_pdf(reports[0], lang)
        case _:
            return b"".join(to_json(report) + b"\n" for report in reports)
