"""`GET /api/v1/templates/{item}.{ending}`: an empty sheet to fill in."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from api.accept import YAML, chosen
from api.check import accept_of
from api.faults import failure_of
from api.fields import RulesChoice
from api.problems import Failure
from api.service import Shelf, service_of
from api.specs import cached
from homolog.errors import UsageError
from homolog.quantity import ITEMS

TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv",
    "yaml": YAML,
}


async def blank(request: Request) -> Response:
    """Give an empty sheet with the quantities, units, limits and methods of an edition."""
    item, ending = request.path_params["item"], request.path_params["ending"]
    if item not in ITEMS or ending not in TYPES:
        raise Failure("not_found", f"There is no such sheet; it is called after one of {', '.join(ITEMS)}, as {ITEMS[0]}.xlsx.")
    rules = RulesChoice.read(request.query_params.multi_items(), kind="parameter")
    media_type = chosen(accept_of(request), (TYPES[ending],))
    service = service_of(request)
    data = await service.reading.run(lambda: _sheet(service.shelf, item, ending, rules))
    answer = cached(request, data, media_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{item}.{ending}"'
    return answer


def _sheet(shelf: Shelf, item: str, ending: str, rules: RulesChoice) -> bytes:
    from homolog.check import empty_sheet

    try:
        return empty_sheet(shelf.library, item, ending, body=rules.body, edition=rules.edition)
    except UsageError as error:
        raise failure_of(error) from None
