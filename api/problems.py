"""What can go wrong at the door, and how it is told: problems as RFC 9457 has them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from starlette.responses import Response

from homolog.errors import Problem

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of problem; its page stands at `/problems/{code}`.

    Attributes:
        status: The status it is answered with, unless the place where it is raised says otherwise.
        title: The kind in a few words; the same for every occurrence.
        says: What it means and what to do, for the page.
    """

    status: int
    title: str
    says: str


_Kinds = Mapping[str, Kind]

KINDS: _Kinds = MappingProxyType(
    {
        "not_found": Kind(
            status=404,
            title="There is nothing at this address",
            says="No page, edition or spec has this address. /api/v1/specs lists the specs, /api/v1/docs the operations.",
        ),
        "method_not_allowed": Kind(
            status=405,
            title="The address does not take this method",
            says="The header Allow of the answer lists the methods that it takes.",
        ),
        "not_acceptable": Kind(
            status=406,
            title="None of the wanted forms can be given",
            says="The header Accept of the request wants forms that this address does not give. The answer lists those it gives.",
        ),
        "several_submissions": Kind(
            status=406,
            title="The sheet holds several submissions",
            says="A report as a page or a document is of one article. Ask for application/jsonl, which holds a record a line, or "
            "send the samples one by one.",
        ),
        "body_timeout": Kind(
            status=408,
            title="The body did not arrive in time",
            says="The request was given up because its body came too slowly. Send it again over a faster line, or send less.",
        ),
        "body_too_large": Kind(
            status=413,
            title="The body is too large",
            says="The body, or one of its parts, has more bytes than this service takes; the answer says how many it takes. The "
            "command line takes larger files.",
        ),
        "media_type": Kind(
            status=415,
            title="The body's type is not taken",
            says="The header Content-Type names a type that is not read here, or an encoding. The answer lists the types.",
        ),
        "malformed": Kind(
            status=400,
            title="The body is not what its type says",
            says="The body cannot be read as the type that the header Content-Type names: cut short, or written wrongly. The "
            "problems name the place.",
        ),
        "nothing_sent": Kind(
            status=422,
            title="There is nothing to judge",
            says="A form needs a sheet, a scan, or both.",
        ),
        "usage": Kind(
            status=422,
            title="A field or parameter cannot be taken",
            says="A field or parameter is not known, given twice, or has a value that it does not take, such as an unknown "
            "edition. Nothing was judged.",
        ),
        "input_refused": Kind(
            status=422,
            title="The input is refused",
            says="The sheet, the scan or the file of adoptions cannot be taken as it is. All problems are listed, each with its "
            "place. Nothing of a refused input is used.",
        ),
        "measuring_failed": Kind(
            status=422,
            title="The scan could not be measured",
            says="Measuring ran out of its time or memory (status 422: a smaller mesh may go through, the same one will not), or "
            "it broke down (status 500: please report it with the scan).",
        ),
        "too_often": Kind(
            status=429,
            title="Too many requests",
            says="This was asked for too often from one account or address. The header Retry-After says when to try again.",
        ),
        "busy": Kind(
            status=503,
            title="All places are taken",
            says="Other requests are being measured and the queue is full. The header Retry-After says when to try again.",
        ),
        "not_ready": Kind(
            status=503,
            title="The service is not ready",
            says="The rules cannot be loaded, so nothing can be judged. This is a fault of the installation.",
        ),
        "internal": Kind(
            status=500,
            title="The service failed",
            says="A fault of ours: nothing was judged. Please report it with the number that the answer names as its instance.",
        ),
    }
)

"""What a check, or a look at what is public, may be answered with."""

REGISTER_KINDS: _Kinds = MappingProxyType(
    {
        "sign_in_needed": Kind(
            status=401,
            title="This is for people who have signed in",
            says="Sign in on the page /sign-in, or send an API token in the header Authorization, as Bearer hml_....",
        ),
        "credentials_refused": Kind(
            status=401,
            title="Nobody comes in with this",
            says="The address and password, the passkey or the token let nobody in: written wrongly, ended, or closed. It is not "
            "said which, because that would tell strangers who has an account.",
        ),
        "not_allowed": Kind(
            status=403,
            title="Your account may not do this",
            says="The account has no role for it, or the token lacks the scope. An administrator gives roles.",
        ),
        "form_refused": Kind(
            status=403,
            title="The request does not come from a page of this service",
            says="A browser that is signed in may change things from the pages of this service only. Open the page again and send "
            "its form; a program uses an API token instead of a cookie.",
        ),
        "conflicting": Kind(
            status=409,
            title="It cannot be so beside what is there",
            says="What was asked for contradicts what is there already; the problems say what. Nothing was changed.",
        ),
        "step_refused": Kind(
            status=409,
            title="This step cannot be taken",
            says="Where the matter stands, who you are in it, or what is still missing does not allow this step now; the problems "
            "say which of these, and what to do. Nothing was changed.",
        ),
        "idempotency_key_busy": Kind(
            status=409,
            title="The first request with this key has not ended",
            says="A request with this Idempotency-Key is under way. Send it again in a while.",
        ),
        "changed_meanwhile": Kind(
            status=412,
            title="Somebody has changed it meanwhile",
            says="The header If-Match names another version than the one that is there. Look at it again, then repeat the change.",
        ),
        "idempotency_key_used": Kind(
            status=422,
            title="This key belongs to another request",
            says="The Idempotency-Key was sent with another request before. A new request needs a new key.",
        ),
        "precondition_required": Kind(
            status=428,
            title="The version that you change is missing",
            says="A change names the version that it was made from: send the ETag of what you looked at in the header If-Match.",
        ),
        "provider_silent": Kind(
            status=502,
            title="The provider does not answer",
            says="The OpenID provider by which people sign in does not answer, or not rightly. Try again, or use the password.",
        ),
        "database_unavailable": Kind(
            status=503,
            title="The register does not answer",
            says="The database did not answer in time. Nothing was changed; the header Retry-After says when to try again.",
        ),
    }
)
"""What else the register's operations are answered with."""

ALL_KINDS: _Kinds = MappingProxyType({**KINDS, **REGISTER_KINDS})


class Failure(Exception):
    """A request that is answered with a problem.

    Attributes:
        more: Further members of the problem, beside those of RFC 9457.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        problems: Sequence[Problem] = (),
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.kind = ALL_KINDS[code]
        self.status = status or self.kind.status
        self.problems = tuple(problems)
        self.headers = dict(headers or {})
        self.more = dict(more or {})

    def document(self) -> dict[str, Any]:
        """Return the problem as RFC 9457 has it."""
        told: dict[str, Any] = {
            "type": f"/problems/{self.code}",
            "title": self.kind.title,
            "status": self.status,
            "detail": self.detail,
        }
        if self.problems:
            told["problems"] = [asdict(problem) for problem in self.problems]
        return told | self.more

    def response(self) -> Response:
        """Return the answer to send."""
        body = json.dumps(self.document(), ensure_ascii=False, separators=(",", ":")).encode()
        headers = {"Cache-Control": "no-store", **self.headers}
        return Response(body, status_code=self.status, media_type=MEDIA_TYPE, headers=headers)
