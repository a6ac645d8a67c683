"""Fields that do not fit their model, told as problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from api.problems import Failure
from homolog.errors import Problem

_Model = TypeVar("_Model", bound=BaseModel)


def unfit(faults: Iterable[Any]) -> Failure:
    """Return how what a validation found is answered."""
    problems = [_field(fault) for fault in faults]
    return Failure("usage", "The request has a field or parameter that cannot be taken.", problems=problems)


def taken(model: type[_Model], fields: Mapping[str, Any]) -> _Model:
    """Read the fields of a form, all of them text, into a model.

    Raises:
        Failure: They do not fit.
    """
    try:
        return model.model_validate(dict(fields), strict=False)
    except ValidationError as error:
        raise unfit(error.errors(include_url=False)) from None


def _field(fault: Mapping[str, Any]) -> Problem:
    place, *path = (str(part)[:40] for part in fault["loc"] or ("body",))
    where = ".".join([place, *path]) if place not in ("body", "query", "path", "header") else ".".join(path) or place
    match fault["type"]:
        case "extra_forbidden":
            return Problem(where, "it is not known", "leave it out", "usage")
        case "missing":
            return Problem(where, "it is missing", "write it", "usage")
        case _:
            what, _, todo = str(fault["msg"]).removeprefix("Value error, ").partition("; ")
            return Problem(where, what[:1].lower() + what[1:], todo, "usage")
