"""The page of an impact run: how far it is, and whom the draft would hit."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from api.call import Asked
from api.draft_pages import item_named
from api.jobs import state_of
from api.page_route import Form, done, page_route
from api.paging import cursor_of, key_of
from api.problems import Failure
from api.templates import page
from api.words import language_of
from homolog.service.permissions import may

ROUTES: list[Route] = []
_AT_ONCE = 50


def show_impact(call: Asked, job: str, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show a run: its progress while it works, then who changes verdict and why."""
    from homolog.report.messages import catalogue
    from homolog.service import editions, impact

    found = impact.look(call.actor, call.rules, job)
    draft = editions.find(call.actor, call.rules, str(found.job.record.params["draft"]))
    asked = call.request.query_params
    is_all = asked.get("show") == "all"
    after = key_of(asked["cursor"]) if "cursor" in asked else ""
    rows = found.rows if is_all else found.hit
    names = sorted(name for name in rows if name > after)
    verdict = catalogue(language_of(call.request)).name
    return page(
        call.request,
        "impact.html.j2",
        failure=failure,
        job=found.job,
        state=state_of(found.job),
        draft=draft,
        tally=impact.tallied(found.rows.values()),
        grace=impact.grace_of(call.rules, draft),
        rows=[(name, rows[name]) for name in names[:_AT_ONCE]],
        unjudged=[(name, row) for name, row in found.rows.items() if "after" not in row][:_AT_ONCE],
        cursor=cursor_of(names[_AT_ONCE - 1]) if len(names) > _AT_ONCE else "",
        is_all=is_all,
        item_named=item_named(call),
        verdict_named=lambda code: verdict("verdict", code),
        may_cancel=found.job.outcome is None and may(call.actor, "job.cancel", "foreign"),
    )


page_route(ROUTES, "GET", "/impacts/{job}", action="rule.read")(show_impact)


@page_route(ROUTES, "POST", "/impacts/{job}/cancel", action="job.cancel", again=show_impact)
def cancel_impact(call: Asked, job: str, form: Form) -> Response:
    """Cancel a run."""
    from homolog.service.jobs import asked

    asked.cancel(call.actor, call.stores.database, job, now=call.now)
    return done(f"/impacts/{job}")
