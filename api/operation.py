"""An operation of the register: a function with a permission, checked at the door, describing itself in OpenAPI."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal, TypeAlias

import anyio.to_thread
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.params import Query
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from api.accept import JSON, chosen
from api.asking import ask
from api.body import whole
from api.call import Asked
from api.check import accept_of
from api.openapi_parts import problem_answers
from api.problems import Failure
from api.reply import Reply
from api.service import Service, service_of
from api.unfit import unfit
from homolog.errors import InputRefused, Problem
from homolog.service.permissions import RULES

Method: TypeAlias = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Handler: TypeAlias = Callable[..., Reply]
BODY_LIMIT = 100_000
_KEY = "idempotency-key"


class Operation(APIRoute):
    """A route that knows who may take it; see `operation`."""

    action: str
    needs_match: bool
    is_repeatable: bool
    body_limit: int

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request: all that is the same for all operations, then the function."""
        answer = super().get_route_handler()

        async def handle(request: Request) -> Response:
            service = service_of(request)
            request.state.asked = await anyio.to_thread.run_sync(
                lambda: ask(request, service, action=self.action, needs_match=self.needs_match)
            )
            chosen(accept_of(request), (JSON,))
            self._check_parameters(request)
            if self.body_field is not None:
                await _read_body(request, service, self.body_limit)
            try:
                return await answer(request)
            except RequestValidationError as error:
                raise unfit(error.errors()) from None

        return handle

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Take HEAD wherever GET is taken."""
        match, child = super().matches(scope)
        is_head = match is Match.PARTIAL and scope["method"] == "HEAD" and "GET" in (self.methods or ())
        return (Match.FULL, child) if is_head else (match, child)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["method"] == "HEAD" and "GET" in (self.methods or ()):
            await self.app(scope, receive, send)
        else:
            await super().handle(scope, receive, send)

    def _check_parameters(self, request: Request) -> None:
        known = {field.alias for field in get_flat_params(self.dependant) if isinstance(field.field_info, Query)}
        given = [name for name, _ in request.query_params.multi_items()]
        problems = [_parameter(name, "it is not read here", "leave it out") for name in given if name not in known]
        problems += [_parameter(name, "it is given twice", "give it once") for name in known if given.count(name) > 1]
        if problems:
            raise Failure("usage", "The address has parameters that cannot be taken.", problems=problems)


def operation(
    routes: list[Operation],
    method: Method,
    path: str,
    *,
    action: str,
    summary: str,
    answer: type[BaseModel] | None = None,
    status: int | None = None,
    needs_match: bool = False,
    is_repeatable: bool | None = None,
    problems: Sequence[str] = (),
    body_limit: int = BODY_LIMIT,
) -> Callable[[Handler], Handler]:
    """Make a function an operation; it runs in a thread, so that it may block.

    Args:
        routes: The module's list, which api.routes names.
        method: HTTP's.
        path: With its parameters in braces.
        action: A name in the table of permissions: who may do it to nothing at all is sent away before the body is read. Whose
            the object is, the service's function asks.
        summary: What it does, a sentence without the full stop.
        answer: The model of the answer's body; None for an answer without one.
        status: 200, or 204 without a body, if left out.
        needs_match: Whether a change names the version that it was made from.
        is_repeatable: Whether Idempotency-Key is taken, which holds the whole of the work in one transaction: of what POST does,
            if left out. Not for long work, nor for an answer that holds a secret.
        problems: Kinds of problems beside those that any such operation has.
        body_limit: Bytes of a body.
    """
    code = status or (200 if answer is not None else 204)
    repeats = method == "POST" if is_repeatable is None else is_repeatable

    def made(function: Handler) -> Handler:
        @functools.wraps(function)
        def run(**given: Any) -> Response:
            return _run(function, given, code, is_repeatable=repeats)

        route = Operation(
            path,
            run,
            methods=[method],
            response_model=answer,
            status_code=code,
            summary=summary,
            description=(function.__doc__ or summary).partition("\n\n")[0].strip(),
            operation_id=_camel(function.__name__),
            response_description=_described(method, code),
            responses=_problems(method, path, action, problems, needs_match=needs_match, repeats=repeats),
        )
        route.action, route.needs_match, route.is_repeatable, route.body_limit = action, needs_match, repeats, body_limit
        route.openapi_extra = _extra(action, needs_match=needs_match, repeats=repeats)
        routes.append(route)
        return function

    return made


def _run(function: Handler, given: dict[str, Any], status: int, *, is_repeatable: bool) -> Response:
    asked: Asked = given["call"]
    key = asked.request.headers.get(_KEY)
    if key is None:
        return function(**given).response(asked.request, status)
    if not is_repeatable:
        problem = Problem("header Idempotency-Key", "it is not taken here", "leave it out", "usage")
        raise Failure("usage", "What this does is not done again for a key.", problems=[problem])
    if asked.actor.account is None:
        raise Failure("sign_in_needed", "A key belongs to somebody; sign in, or leave it out.")
    return _once(function, given, status, key)


def _once(function: Handler, given: dict[str, Any], status: int, key: str) -> Response:
    from homolog.service.repeat import Answer, once

    asked: Asked = given["call"]
    made: list[Response] = []

    def work() -> Answer:
        response = function(**given).response(asked.request, status)
        made.append(response)
        kept = {name: response.headers[name] for name in ("location", "etag", "content-type") if name in response.headers}
        return Answer(response.status_code, kept, bytes(response.body).decode())

    request = asked.request
    fingerprint = b"\0".join(
        [request.method.encode(), str(request.url.path).encode(), request.url.query.encode(), getattr(request.state, "body", b"")]
    )
    kept, is_again = once(asked.actor, asked.stores.database, key=key, request=fingerprint, now=asked.now, work=work)
    if not is_again:
        return made[0]
    headers = {**kept.headers, "Cache-Control": "private, no-cache", "Idempotent-Replayed": "true"}
    return Response(kept.body.encode(), status_code=kept.status, headers=headers)


async def _read_body(request: Request, service: Service, limit: int) -> None:
    """Read the body with our own reader, and leave it where the framework looks for it."""
    kind, _, _ = request.headers.get("content-type", "").partition(";")
    if kind.strip().lower() != JSON:
        raise Failure("media_type", f"The body is {JSON} here.", headers={"Accept-Post": JSON}, more={"taken": [JSON]})
    data = await whole(request, limit=limit, seconds=service.settings.body_seconds)
    request._body = data  # where the framework keeps a body that was read
    request.state.body = data
    if not data:
        return
    from homolog.gate.json_text import parse_json

    try:
        parse_json(data, "body")  # no key twice, no NaN, not too deep
    except InputRefused as error:
        raise Failure("malformed", "The body cannot be read.", problems=error.problems) from None


def _parameter(name: str, what: str, todo: str) -> Problem:
    return Problem(f"parameter {name[:40]}", what, todo, "usage")


def _problems(
    method: str, path: str, action: str, more: Sequence[str], *, needs_match: bool, repeats: bool
) -> dict[int | str, dict[str, Any]]:
    codes = ["usage", "not_acceptable", "credentials_refused", "too_often", "not_ready", "database_unavailable", *more]
    if "visitor" not in RULES[action].foreign:
        codes += ["sign_in_needed", "not_allowed"]
    if "{" in path:
        codes.append("not_found")
    if method != "GET":
        codes.append("form_refused")
    if method in ("POST", "PUT", "PATCH"):
        codes += ["media_type", "malformed", "body_too_large", "body_timeout", "input_refused"]
    if needs_match:
        codes += ["precondition_required", "changed_meanwhile"]
    if repeats:
        codes += ["idempotency_key_used", "idempotency_key_busy"]
    answers: dict[int | str, dict[str, Any]] = {}
    answers.update(problem_answers(*dict.fromkeys(codes)))
    if method == "GET":
        answers["304"] = {"description": "The copy that If-None-Match names is still good."}
    return answers


def _extra(action: str, *, needs_match: bool, repeats: bool) -> dict[str, Any]:
    parameters = []
    if needs_match:
        parameters.append(_header("If-Match", "The ETag of what was looked at; * for any.", is_required=True))
    if repeats:
        parameters.append(_header("Idempotency-Key", "Chosen by the sender: the same request is done once.", is_required=False))
    rule = RULES[action]
    extra: dict[str, Any] = {"parameters": parameters} if parameters else {}
    if "visitor" in rule.foreign:
        extra["security"] = []
    elif rule.scope is None:
        extra["security"] = [{"session": []}]
    else:
        extra["security"] = [{"session": []}, {"token": [rule.scope]}]
    return extra


def _header(name: str, says: str, *, is_required: bool) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": is_required, "description": says, "schema": {"type": "string"}}


def _described(method: str, status: int) -> str:
    match status:
        case 201:
            return "It is made."
        case 204:
            return "It is done."
        case _:
            return "What was asked for." if method == "GET" else "It is done; this is how it is now."


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
