"""What is sent: a body by method and path, or a function of the world, the one who asks, and the ids in the path."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.api.world import PASSWORD, Guest, World

Ids = Mapping[str, str]
Body = dict[str, Any] | Callable[[World, Guest, Ids], dict[str, Any]]
_BALL = json.loads((Path(__file__).resolve().parents[2] / "examples" / "ball.json").read_bytes())


def _sign_in(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    person = (guest if guest.person is not None else world.guest("person")).person
    assert person is not None
    return {"email": person.email, "password": PASSWORD}


BODIES: dict[tuple[str, str], Body] = {
    ("POST", "/"): {},
    ("POST", "/api/v1/check"): _BALL,
    ("PUT", "/api/v1/me"): {"name": "Another Name", "language": "uk"},
    ("POST", "/api/v1/me/password"): {"old": PASSWORD, "new": "another battery staple"},
    ("POST", "/api/v1/sessions"): _sign_in,
    ("POST", "/api/v1/tokens"): {"name": "A program", "scopes": ["account:read"], "days": 30},
}
