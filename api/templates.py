"""The pages' templates and the files they load, as they are shipped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from api.headers import PAGE_POLICY
from api.problems import Failure
from api.specs import cached
from api.words import NAMES, language_of, words
from homolog.data import templates_dir
from homolog.service.identity.secret import form_token
from homolog.version import VERSION

if TYPE_CHECKING:
    from datetime import datetime

    import jinja2

    from api.call import Asked

# A closed list: an address never becomes a path.
_STATIC = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "rules.css": "text/css; charset=utf-8",
    "check.css": "text/css; charset=utf-8",
    "viewer.js": "text/javascript; charset=utf-8",
    "passkey.js": "text/javascript; charset=utf-8",
    "board.css": "text/css; charset=utf-8",
    "job.js": "text/javascript; charset=utf-8",
    "mark.svg": "image/svg+xml",
}


def page(request: Request, name: str, *, status: int = 200, **shown: Any) -> Response:
    """Return a page in the reader's language.

    Args:
        request: Whose reader; `request.state.asked`, where a route has put it, says who has signed in.
        name: The template's.
        status: HTTP's.
        shown: What the template shows.
    """
    lang = language_of(request)
    said = words(lang)
    asked: Asked | None = getattr(request.state, "asked", None)
    secret = None if asked is None else asked.secret
    known: dict[str, Any] = {
        "version": VERSION,
        "lang": lang,
        "site_languages": NAMES,
        "t": lambda key, **params: said.say(key, {name: str(value) for name, value in params.items()}),
        "named": said.name,
        "moment": _moment,
        "here": request.url.path,
        "actor": None if asked is None or asked.actor.account is None else asked.actor,
        "form_token": "" if secret is None else form_token(secret),
    }
    text = _environment().get_template(name).render(**known, **shown)
    headers = {
        "Content-Security-Policy": PAGE_POLICY,
        "Content-Language": lang,
        "Cache-Control": "no-cache" if status == 200 and secret is None else "no-store",
        "Vary": "Cookie, Accept-Language",
    }
    if asked is not None:  # its forms change things: a browser must be able to say where they come from
        headers["Referrer-Policy"] = "same-origin"
    return Response(text.encode(), status_code=status, media_type="text/html; charset=utf-8", headers=headers)


def _moment(value: datetime) -> str:
    """Return a moment for a person; in UTC, because a server stands in no place."""
    return f"{value:%Y-%m-%d %H:%M} UTC"


async def static(request: Request) -> Response:
    """Give a file that the pages load."""
    name = request.path_params["name"]
    if name not in _STATIC:
        raise Failure("not_found", "There is no such file.")
    return cached(request, _file(name), _STATIC[name])


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_dir() / "pages"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def load() -> None:
    """Compile all templates, so that the first reader of a page need not wait for it.

    Raises:
        OSError: One cannot be read.
    """
    for name in _environment().list_templates(extensions=["j2"]):
        _environment().get_template(name)


@cache
def _file(name: str) -> bytes:
    return (templates_dir() / "pages" / "static" / name).read_bytes()
