"""The part of the interface's description that comes from the operations themselves."""

from __future__ import annotations

import copy
from typing import Any

from fastapi.openapi.utils import get_openapi

from api.routes import OPERATIONS
from homolog.version import VERSION

SECURITY: dict[str, Any] = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "homolog",
        "description": "A signed-in browser; the name is __Host-homolog where the service is reached by https.",
    },
    "token": {"type": "http", "scheme": "bearer", "description": "An API token, hml_..., with the scopes that are named."},
}


def described() -> dict[str, Any]:
    """Return `paths` and `components` of all operations."""
    found = get_openapi(title="Homolog", version=VERSION, routes=[copy.copy(route) for route in OPERATIONS])
    found["components"].setdefault("schemas", {})
    for methods in found["paths"].values():
        for operation in methods.values():
            _tidy(operation)
    return {"paths": found["paths"], "components": {"schemas": found["components"]["schemas"]}}


def _tidy(operation: dict[str, Any]) -> None:
    """Give each parameter a description, and leave out answers of a kind that the framework adds by itself."""
    for parameter in operation.get("parameters", []):
        parameter.setdefault("description", f"The id of the {parameter['name'].replace('_', ' ')}.")
        parameter["schema"].pop("title", None)
