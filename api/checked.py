"""The page of a check: what was found clause by clause, with the scan itself; all of it in one answer, nothing of it kept."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from api.accept import JSON, PDF
from api.check import today
from api.faults import failure_of
from api.judge import judged_of, submissions_of
from api.looking import look
from api.problems import Failure
from api.sent import Sent
from api.service import Service
from api.templates import page
from homolog.errors import HomologError

if TYPE_CHECKING:
    from api.spots import Spot
    from homolog.report.view import View

MESH = "model/gltf-binary"
MOST_MESH = 12_000_000
"""Bytes of a surface that a page carries; a larger one is too much for a phone, and the pictures show the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the page shows.

    Attributes:
        pdf: The report's address, its bytes in it; likewise the others.
        mesh: Empty where there is none, or it is too large.
        is_too_large: Whether there is a surface, and the page cannot carry it.
    """

    view: View
    decimal_mark: str
    verdicts: dict[str, str]
    pdf: str
    record: str
    mesh: str
    is_too_large: bool
    spots: tuple[Spot, ...]


async def checked_page(request: Request, sent: Sent, service: Service) -> Response:
    """Judge what a person sent and show what was found.

    Raises:
        Failure: It could not be judged, or the sheet holds several submissions, or there is no place.
    """
    places = service.judging if not sent.scans else service.measuring
    try:
        found = await places.run(lambda: _checked(sent, service))
    except HomologError as error:
        raise failure_of(error, is_form=True) from None
    await look(request)
    shown: dict[str, Any] = {"checked": found, "v": found.view, "w": found.view.words, "drawn": _drawn}
    answer = page(request, "checked.html.j2", **shown)
    # Whoever leads back to it wants to see it again, and a browser keeps nothing of it for others.
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _checked(sent: Sent, service: Service) -> Checked:
    from api.spots import spots_of
    from homolog.report import to_json, to_pdf
    from homolog.report.messages import catalogue
    from homolog.report.view import view_of

    submissions = submissions_of(sent, service.shelf, lot_limit=service.settings.lot_limit)
    if len(submissions) > 1:
        detail = f"The sheet holds {len(submissions)} submissions. This page shows one; take the record (JSON), a line each."
        raise Failure("several_submissions", detail)
    seconds = service.settings.scan_seconds
    (judged,) = judged_of(submissions, sent, service.shelf, today=today(), seconds=seconds, with_mesh=True)
    report, lang, mesh = judged.report, sent.fields.lang, judged.mesh or b""
    words = catalogue(lang)
    return Checked(
        view=view_of(report, lang),
        decimal_mark=words.say("number.decimal_mark"),
        verdicts={verdict: words.name("verdict", verdict) for verdict in ("nonconform", "inconclusive", "needs_judgement")},
        pdf=_address(PDF, to_pdf(report, lang)),
        record=_address(JSON, to_json(report)),
        mesh=_address(MESH, mesh) if 0 < len(mesh) <= MOST_MESH else "",
        is_too_large=len(mesh) > MOST_MESH,
        spots=spots_of(words, report.record) if mesh else (),
    )


def _address(media_type: str, data: bytes) -> str:
    """Return bytes as an address that holds them: the page can be saved, reloaded or left open, and no server has to keep them."""
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def _drawn(svg: str) -> Any:
    """Let a bar through as it is: it holds numbers of ours and escaped labels only."""
    from markupsafe import Markup

    return Markup(svg)  # noqa: S704
