"""Pages of applications: the list of one's own or of the board's queue, and an application with its path, evidence and steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Route

from api.applications import ApplicationWanted, CertificateWanted, assessed
from api.call import Asked
from api.page_route import Form, done, page_route
from api.paging import cursor_of, key_of
from api.problems import Failure
from api.register_pages import ITEMS, number_of
from api.sent import SHEET_ENDINGS
from api.step_form import forms_of, said_of
from api.templates import page
from api.unfit import taken
from api.words import language_of

if TYPE_CHECKING:
    from homolog.service.applications import Attached, View
    from homolog.service.desk import Desk
    from homolog.service.views import Evidence
    from homolog.spec.process import LoadedProcess

ROUTES: list[Route] = []
_PAGE = 25
_SAID = ("step_taken", "attached", "assessed", "begun")
# Steps that have a button of their own.
_OWN_WAY = frozenset({"start", "assess", "certify"})
_VOTE_DAYS = 7
_PICTURES = (".png", ".jpg", ".jpeg")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An application in the list, with what is asked next."""

    id: str
    name: str
    item: str
    maker: str
    says: str
    state: str
    changed: Any
    next: str
    roles: tuple[str, ...]
    is_yours: bool


def show_applications(call: Asked, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show one's organisations' applications, or those that the board and laboratories have before them."""
    from homolog.service import applications
    from homolog.service.identity import people

    lang = language_of(call.request)
    given = call.request.query_params.get("cursor")
    found = applications.listed(call.actor, call.desk, after=None if given is None else key_of(given), limit=_PAGE + 1)
    profile = people.view(call.actor, call.stores.database, call.actor.account or "")
    makers = [one for one in profile.organisations if one.kind == "manufacturer"]
    return page(
        call.request,
        "applications.html.j2",
        lines=_lines(call, [one.id for one in found[:_PAGE]], lang),
        following=cursor_of(found[_PAGE - 1].id) if len(found) > _PAGE else None,
        makers=[(one.id, one.name) for one in makers],
        items=ITEMS,
        failure=failure,
        form_says=form or {},
    )


page_route(ROUTES, "GET", "/applications", action="application.list")(show_applications)


@page_route(ROUTES, "POST", "/applications", action="application.begin", again=show_applications)
def begin_on_page(call: Asked, form: Form) -> Response:
    """Begin an application."""
    from homolog.service import applications

    given = {name: form[name] for name in ("organisation", "item", "resubmits") if form.get(name)}
    wanted = taken(ApplicationWanted, given)
    view = applications.start(
        call.actor, call.desk, organisation=wanted.organisation, item=wanted.item, resubmits=wanted.resubmits, now=call.now
    )
    return done(f"/applications/{view.record.id}", "begun")


def show_application(call: Asked, application: str, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show an application: where it stands, what is asked next, all that is known, and the forms of one's own steps."""
    from homolog.service import applications, names
    from homolog.service.workflow.path import awaited, path_of

    lang, desk = language_of(call.request), call.desk
    view = applications.view(call.actor, desk, application, now=call.now, lang=lang)
    open_steps = [one for one in view.next if one.is_yours and not one.blocks and one.step not in _OWN_WAY]
    ids = {view.record.organisation_id, *(one for one in (view.case.holder, view.case.receiver) if one is not None)}
    said = call.request.query_params.get("done", "")
    mine = {one.step for one in view.next if one.is_yours and not one.blocks}
    is_measuring = bool({"measure", "receive_sample", "send_sample_on"} & mine)
    return page(
        call.request,
        "application.html.j2",
        view=view,
        case=view.case,
        path=path_of(view.case, desk.process, lang),
        organisations=names.of_organisations(desk, ids),
        people=names.of_people(call.actor, desk, view),
        laboratories=names.laboratories(call.actor, desk) if is_measuring else (),
        choices=_choices(view),
        steps=forms_of(open_steps, form, _begin(call, view)),
        blocked=[one for one in view.next if one.is_yours and one.blocks and one.is_main],
        waiting=[one for one in awaited(view.next, view.case, desk.process) if not one.is_yours],
        can_assess="assess" in mine,
        can_certify="certify" in mine,
        can_attach=view.case.state not in ("certified", *applications.RESUBMITTED),
        can_resubmit=view.case.state in applications.RESUBMITTED and view.record.organisation_id in call.actor.organisations,
        memorandum=_memorandum(desk, view, lang) if "accept_memorandum" in mine else None,
        evidence=_evidence(call, view, lang),
        failure=failure,
        said=said if said in _SAID and failure is None else "",
        today=call.today.isoformat(),
    )


page_route(ROUTES, "GET", "/applications/{application}", action="application.read")(show_application)


@page_route(ROUTES, "POST", "/applications/{application}/steps", action="application.step", again=show_application)
def take_step_on_page(call: Asked, application: str, form: Form) -> Response:
    """Take a step."""
    from homolog.service import applications

    name = form.get("step", "")
    step = call.desk.process.step(name)
    said = {} if step is None else said_of(step.asks, form)
    applications.take(call.actor, call.desk, application, name, said, now=call.now, expected=number_of(form.get("seq", "")))
    return done(f"/applications/{application}", "step_taken")


@page_route(ROUTES, "POST", "/applications/{application}/assessment", action="application.assess", again=show_application)
def assess_on_page(call: Asked, application: str, form: Form) -> Response:
    """Have what was measured assessed."""
    assessed(call, application, lang=language_of(call.request))
    return done(f"/applications/{application}", "assessed")


@page_route(ROUTES, "POST", "/applications/{application}/certificate", action="application.certify", again=show_application)
def certify_on_page(call: Asked, application: str, form: Form) -> Response:
    """Issue the certificate, and go to the type's page."""
    from homolog.service import issuing

    wanted = taken(CertificateWanted, {name: form[name] for name in ("on",) if form.get(name)})
    view = issuing.issue(call.actor, call.desk, call.sealer, application, on=wanted.on or call.today, now=call.now)
    return done(f"/types/{view.record.number}", "step_taken")


def _lines(call: Asked, ids: list[str], lang: str) -> list[Line]:
    from homolog.service import applications, names

    views = applications.views(call.actor, call.desk, ids, now=call.now, lang=lang)
    makers = names.of_organisations(call.desk, {view.record.organisation_id for view in views})
    return [_line(view, makers, call.desk.process) for view in views]


def _line(view: View, makers: Mapping[str, str], process: LoadedProcess) -> Line:
    from homolog.service.workflow.path import awaited

    following = next(iter(awaited(view.next, view.case, process)), None)
    return Line(
        id=view.record.id,
        name=str(view.case.facts.get("name", "")),
        item=view.record.item,
        maker=makers.get(view.record.organisation_id, ""),
        says=view.says,
        state=view.case.state,
        changed=view.events[-1].at,
        next="" if following is None else following.says,
        roles=() if following is None else following.roles,
        is_yours=following is not None and following.is_yours,
    )


def _begin(call: Asked, view: View) -> dict[str, dict[str, str]]:
    """Return what fields begin with: what was said before, and what is usual."""
    from homolog.service.workflow.event import thawed

    facts = thawed(view.case.facts)
    variants = ["; ".join(one.get(name, "") for name in ("name", "colour", "material")) for one in facts.get("variants", ())]
    described = {name: str(value) for name, value in facts.items() if isinstance(value, str)}
    lists = {name: "\n".join(value) for name, value in facts.items() if name in ("photos", "scans")}
    memorandum = call.desk.memorandum.memorandum
    laboratory = next(iter(sorted(call.actor.organisations)), "") if "laboratory" in call.actor.roles else ""
    return {
        "describe": {**described, **lists, "variants": "\n".join(one.rstrip("; ") for one in variants)},
        "accept_memorandum": {"version": memorandum.version, "language": language_of(call.request)},
        "open_vote": {"closes": (call.today + timedelta(days=_VOTE_DAYS)).isoformat()},
        "receive_sample": {"holder": laboratory},
        "measure": {"laboratory": laboratory},
    }


def _choices(view: View) -> dict[str, list[Attached]]:
    """Return the files that a field can name, by what it asks; under no name all of them."""
    from homolog.gate.mesh_file import ENDINGS

    endings = {"photos": _PICTURES, "sheet": SHEET_ENDINGS, "scans": tuple(ENDINGS)}
    fitting = {asks: [one for one in view.files if one.name.lower().endswith(ends)] for asks, ends in endings.items()}
    return {**fitting, "": list(view.files)}


def _memorandum(desk: Desk, view: View, lang: str) -> dict[str, Any]:
    loaded = desk.memorandum
    texts = loaded.texts(lang)
    return {
        "title": texts.text("title", loaded.memorandum.title),
        "version": loaded.memorandum.version,
        "accept": texts.text("accept", loaded.memorandum.accept),
        "paragraphs": [
            (texts.text(f"paragraph.{one.id}.says", one.says), one.clauses.get(view.record.item, ()))  # type: ignore[call-overload]
            for one in loaded.memorandum.paragraphs
        ],
    }


def _evidence(call: Asked, view: View, lang: str) -> tuple[str, Evidence] | None:
    """Return what the last report says, with its digest; None before the first assessment."""
    from homolog.service import records, views

    if view.case.assessment is None:
        return None
    digest = str(view.case.assessment.data["report"])
    return digest, views.evidence(records.find(call.actor, call.desk, digest), lang)
