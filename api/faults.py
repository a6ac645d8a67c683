"""Every error becomes a problem: those raised on purpose, those of the router, and those that nobody foresaw."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import log
from api.problems import ALL_KINDS, Failure
from homolog.errors import HomologError, InputRefused, MeasuringFailed, UsageError

_SYNTAX = frozenset({"json_invalid", "yaml_invalid", "text_invalid"})
_HEAVY = frozenset({"measuring_timeout", "measuring_memory"})
# Errors of the service by their code: it may not be known here which room raises them.
_KIND_OF = {
    "missing": "not_found",
    "sign_in_needed": "sign_in_needed",
    "credentials_refused": "credentials_refused",
    "not_allowed": "not_allowed",
    "too_often": "too_often",
    "conflicting": "conflicting",
    "changed_meanwhile": "changed_meanwhile",
    "idempotency_key_used": "idempotency_key_used",
    "idempotency_key_busy": "idempotency_key_busy",
    "provider_silent": "provider_silent",
    "database_unavailable": "database_unavailable",
    "files_unavailable": "database_unavailable",
    "step_refused": "step_refused",
    "upload_offset": "conflicting",
    "rules_refused": "step_refused",
}
_VALUES = frozenset({"step_value", "step_incomplete", "file_unattached"})
_WAIT = {"idempotency_key_busy": 2, "database_unavailable": 5}


def failure_of(error: HomologError, *, is_form: bool = True) -> Failure:
    """Return how an error of the engine is answered.

    A sheet that is the whole body and no JSON or YAML makes the body malformed; in a form it is a bad file in a good form.
    """
    if error.code in _KIND_OF:
        return _known(error)
    if error.code == "keys_missing":
        log.fault("there is no key to sign with", error)
        return Failure("not_ready", "The register has no key to sign with; nothing was changed.")
    match error:
        case InputRefused(problems=problems) if not is_form and {problem.code for problem in problems} <= _SYNTAX:
            return Failure("malformed", "The body cannot be read.", problems=problems)
        case InputRefused(problems=problems):
            return Failure("input_refused", _counted(problems), problems=problems)
        case UsageError(problems=problems):
            return Failure("usage", "The request asks for something that there is not.", problems=problems)
        case MeasuringFailed(problems=problems) if {problem.code for problem in problems} <= _HEAVY:
            return Failure("measuring_failed", "The scan is too heavy for the limits of this service.", problems=problems)
        case MeasuringFailed(problems=problems):
            return _logged("measuring_failed", "The measuring process broke down.", error)
        case _:
            return _logged("internal", "The rules or the engine are at fault, not the request.", error)


def _known(error: HomologError) -> Failure:
    kind = _KIND_OF[error.code]
    if kind == "step_refused" and {problem.code for problem in error.problems} <= _VALUES:
        return Failure("input_refused", _counted(error.problems), problems=error.problems)
    headers = {}
    seconds = getattr(error, "seconds", _WAIT.get(kind))
    if seconds is not None:
        headers["Retry-After"] = str(seconds)
    if ALL_KINDS[kind].status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if kind == "database_unavailable":  # what it says of the database is for the log
        log.fault("the database does not answer", error)
        return Failure(kind, "The register does not answer; try again.", headers=headers)
    return Failure(kind, f"{error.problems[0].what.capitalize()}.", problems=error.problems, headers=headers)


def _counted(problems: Sequence[object]) -> str:
    return "One thing is wrong with the input." if len(problems) == 1 else f"{len(problems)} things are wrong with the input."


def _logged(code: str, detail: str, error: BaseException) -> Failure:
    instance = f"urn:uuid:{uuid.uuid4()}"
    log.fault("request failed", error, instance=instance)
    problems = error.problems if isinstance(error, MeasuringFailed) else ()
    return Failure(code, detail, status=500, problems=problems, more={"instance": instance})


def add_handlers(app: FastAPI) -> None:
    """Have an application answer with problems."""
    app.add_exception_handler(Failure, _answer_failure)
    app.add_exception_handler(HomologError, _answer_error)
    app.add_exception_handler(HTTPException, _answer_router)


async def _answer_failure(request: Request, error: Exception) -> Response:
    if not isinstance(error, Failure):
        raise error
    return error.response()


async def _answer_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HomologError):
        raise error
    return failure_of(error).response()


async def _answer_router(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code != 405:
        return Failure("not_found", f"There is nothing at {request.url.path[:200]!r}.").response()
    allowed = ", ".join(methods_at(request))
    if request.method == "OPTIONS":
        return Response(status_code=204, headers={"Allow": allowed})
    detail = f"This address takes {allowed}, not {request.method[:20]}."
    return Failure("method_not_allowed", detail, headers={"Allow": allowed}).response()


def methods_at(request: Request) -> list[str]:
    """Return every method that the request's address takes; a router by itself names those of one route only."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    found = {method for route in routes if route.matches(request.scope)[0] is not Match.NONE for method in route.methods or ()}
    return sorted({*found, "OPTIONS"})


class Guard:
    """Answers what nobody foresaw with a problem; the trace goes to the log and never to the client."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and answer it if nothing else did."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except Exception as error:
            failure = _logged("internal", "An unforeseen fault; nothing was judged.", error)
            if started:
                raise
            await failure.response()(scope, receive, send)
