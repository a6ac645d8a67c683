"""A page of the register: a function with a permission, its form checked at the door, its problems shown to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias
from urllib.parse import parse_qsl, urlencode

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from api.asking import ask
from api.body import whole
from api.call import Asked
from api.faults import failure_of
from api.problems import Failure
from api.sender import Sender, require_own_page
from api.service import service_of
from api.templates import page
from homolog.errors import HomologError

Form: TypeAlias = Mapping[str, str]
Show: TypeAlias = Callable[..., Response]
FORM = "application/x-www-form-urlencoded"
_LIMIT = 100_000
_FIELDS = 200
_NOT_AGAIN = frozenset({"form_refused", "not_found", "not_ready", "internal"})


def page_route(
    routes: list[Route],
    method: Literal["GET", "POST"],
    path: str,
    *,
    action: str,
    again: Show | None = None,
) -> Callable[[Show], Show]:
    """Make a function a page; it runs in a thread, so that it may block.

    A GET is called with the one who asks and the path's parameters; a POST with the form's fields as `form` too, ending in `done`.

    Args:
        routes: The module's list, which api.routes names.
        method: GET shows, POST changes.
        path: With its parameters in braces.
        action: A name in the table of permissions. A visitor who may not is led to the page for signing in.
        again: What shows the form again when it is refused: called as for GET, with `failure` and `form` too.
    """

    def made(function: Show) -> Show:
        async def handle(request: Request) -> Response:
            return await _handled(request, function, action, again)

        routes.append(Route(path, handle, methods=[method], name=function.__name__))
        return function

    return made


def done(address: str, said: str = "") -> Response:
    """Lead to the page that shows what a form has done; `said` is a key of the group `done`."""
    # 303: the browser asks for it anew, and going back or reloading sends nothing a second time.
    return RedirectResponse(f"{address}?{urlencode({'done': said})}" if said else address, status_code=303)


async def _handled(request: Request, function: Show, action: str, again: Show | None) -> Response:
    service = service_of(request)
    is_form = request.method == "POST"
    given: dict[str, Any] = dict(request.path_params)
    try:
        form = await form_of(request) if is_form else {}
        asked = await anyio.to_thread.run_sync(lambda: ask(request, service, action=action, is_form=is_form))
        request.state.asked = asked
        if is_form:
            given["form"] = form
            _require_form(asked, form)
        return await anyio.to_thread.run_sync(lambda: function(asked, **given))
    except Failure as failure:
        return await _refused(request, failure, given, again)
    except HomologError as error:
        return await _refused(request, failure_of(error), given, again)


async def _refused(request: Request, failure: Failure, given: Mapping[str, Any], again: Show | None) -> Response:
    if failure.code == "sign_in_needed" and request.method in ("GET", "HEAD"):
        return RedirectResponse(f"/sign-in?{urlencode({'next': request.url.path})}", status_code=303)
    asked: Asked | None = getattr(request.state, "asked", None)
    if again is not None and asked is not None and failure.code not in _NOT_AGAIN:
        shown = await anyio.to_thread.run_sync(lambda: again(asked, failure=failure, **given))
        shown.status_code = failure.status
    else:
        shown = page(request, "refused.html.j2", status=failure.status, failure=failure)
    for name, value in failure.headers.items():
        shown.headers[name] = value
    return shown


async def form_of(request: Request) -> Form:
    """Read the fields of a form.

    Raises:
        Failure: It is none, or too large, or has a field twice.
    """
    kind, _, _ = request.headers.get("content-type", "").partition(";")
    if kind.strip().lower() != FORM:
        raise Failure("media_type", "This page takes its own form only.", more={"taken": [FORM]})
    data = await whole(request, limit=_LIMIT, seconds=service_of(request).settings.body_seconds)
    try:
        pairs = parse_qsl(data.decode("ascii"), keep_blank_values=True, max_num_fields=_FIELDS, errors="strict")
    except ValueError:
        raise Failure("malformed", "The form cannot be read.") from None
    found: dict[str, str] = {}
    for name, value in pairs:  # boxes of one name that are ticked together are one field with a line each
        found[name] = f"{found[name]}\n{value}" if name in found else value
    return found


def _require_form(asked: Asked, form: Form) -> None:
    """Refuse a form that does not come from a page of ours.

    Raises:
        Failure: It does not.
    """
    sender = Sender(actor=asked.actor, session_id=asked.session_id, secret=asked.secret)
    require_own_page(asked.request, sender, asked.settings, form_token=form.get("form_token", ""))
