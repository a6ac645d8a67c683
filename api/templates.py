"""The pages' templates and the files they load, as they are shipped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from api.headers import PAGE_POLICY
from api.problems import Failure
from api.specs import cached
from homolog.data import templates_dir
from homolog.version import VERSION

if TYPE_CHECKING:
    import jinja2

# A closed list: an address never becomes a path.
_STATIC = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "mark.svg": "image/svg+xml",
}


def page(name: str, *, status: int = 200, **shown: Any) -> Response:
    """Return a page."""
    text = _environment().get_template(name).render(version=VERSION, **shown)
    headers = {"Content-Security-Policy": PAGE_POLICY, "Cache-Control": "no-cache" if status == 200 else "no-store"}
    return Response(text.encode(), status_code=status, media_type="text/html; charset=utf-8", headers=headers)


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


@cache
def _file(name: str) -> bytes:
    return (templates_dir() / "pages" / "static" / name).read_bytes()
