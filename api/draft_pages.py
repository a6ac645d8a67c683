"""The board's pages of rules: open questions, drafts, and the decision on each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from api.call import Asked
from api.drafts import AdoptionsWanted, ImpactWanted, OutcomeWanted, adopted
from api.page_route import Form, done, page_route
from api.paging import cursor_of, key_of
from api.problems import Failure
from api.templates import page
from api.unfit import taken
from api.words import language_of
from homolog.service.permissions import may

ROUTES: list[Route] = []
_AT_ONCE = 50
_RUNS = 200
_SAID = ("entered", "published", "dropped")


def show_drafts(call: Asked, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show all drafts, and where to hand in a new one."""
    from homolog.service import editions

    cursor = call.request.query_params.get("cursor")
    after = None if cursor is None else key_of(cursor)
    found = editions.listed(call.actor, call.rules, after=after, limit=_AT_ONCE + 1)
    return page(
        call.request,
        "drafts.html.j2",
        status=200 if failure is None else failure.status,
        failure=failure,
        drafts=found[:_AT_ONCE],
        cursor=cursor_of(found[_AT_ONCE - 1].id) if len(found) > _AT_ONCE else "",
        may_enter=may(call.actor, "rule.enter"),
    )


page_route(ROUTES, "GET", "/drafts", action="rule.read")(show_drafts)


def show_draft(call: Asked, draft: str, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show a draft: what the linter says, what it changes in words, whom it would hit, and the decision."""
    from homolog.service import editions
    from homolog.service.jobs import asked

    view = editions.look(call.actor, call.rules, draft)
    jobs = asked.listed(call.actor, call.stores.database, limit=_RUNS)
    runs = [one for one in jobs if one.record.kind == "impact" and one.record.params.get("draft") == draft]
    said = call.request.query_params.get("done", "")
    return page(
        call.request,
        "draft.html.j2",
        failure=failure,
        said=said if said in _SAID and failure is None else "",
        form_values={} if form is None else form,
        view=view,
        runs=runs,
        item_named=item_named(call),
        may_decide=may(call.actor, "rule.decide"),
        is_mine=view.draft.by == call.actor.account,
    )


page_route(ROUTES, "GET", "/drafts/{draft}", action="rule.read")(show_draft)


@page_route(ROUTES, "POST", "/drafts/{draft}/decision", action="rule.decide", again=show_draft)
def decide_draft(call: Asked, draft: str, form: Form) -> Response:
    """Publish a draft, or drop it."""
    from homolog.service import editions

    wanted = taken(OutcomeWanted, {name: form.get(name, "") for name in ("outcome", "text")})
    editions.decide(call.actor, call.rules, draft, wanted.outcome, wanted.text, now=call.now, today=call.today)
    return done(f"/drafts/{draft}", wanted.outcome)


@page_route(ROUTES, "POST", "/drafts/{draft}/impacts", action="rule.impact", again=show_draft)
def ask_impact(call: Asked, draft: str, form: Form) -> Response:
    """Ask whom a draft would hit."""
    from homolog.service import impact

    wanted = taken(ImpactWanted, {"measuring": form.get("measuring", "stored")})
    record = impact.ask_impact(call.actor, call.rules, draft, measuring=wanted.measuring, now=call.now, today=call.today)
    return done(f"/impacts/{record.id}")


def show_questions(call: Asked, failure: Failure | None = None, form: Form | None = None) -> Response:
    """Show the open questions of the rules in force, with their readings; for the board with a form to adopt one."""
    from homolog.service.rule_views import questions

    found = questions(call.actor, call.rules, today=call.today)
    return page(
        call.request,
        "questions.html.j2",
        failure=failure,
        form_values={} if form is None else form,
        items={item: [one for one in found if one.item == item] for item in dict.fromkeys(one.item for one in found)},
        # A decision names the question and the edition, not the item: it holds wherever the edition asks the same question.
        shared={
            (one.id, one.edition): [other.item for other in found if (other.id, other.edition) == (one.id, one.edition)]
            for one in found
        },
        item_named=item_named(call),
        today=call.today,
        may_enter=may(call.actor, "rule.enter"),
    )


page_route(ROUTES, "GET", "/interpretations", action="edition.read")(show_questions)


@page_route(ROUTES, "POST", "/interpretations", action="rule.enter", again=show_questions)
def adopt(call: Asked, form: Form) -> Response:
    """Enter a decision for one reading, as a draft that another member decides on."""
    told: dict[str, Any] = {name: form.get(name, "") for name in ("interpretation", "reading", "by", "on", "decision")}
    told |= {name: form[name] for name in ("body", "edition") if form.get(name)}
    view = adopted(call, taken(AdoptionsWanted, {"adoptions": [told]}))
    return done(f"/drafts/{view.draft.id}", "entered")


def item_named(call: Asked) -> Callable[[str], str]:
    """Return what calls an item by its name in the reader's language."""
    from homolog.report.messages import catalogue

    name = catalogue(language_of(call.request)).name
    return lambda item: name("item", item)
