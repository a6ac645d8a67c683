"""What is sent: a body by method and path, or a function of the world, the one who asks, and the ids in the path."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.api.world import PASSWORD, Form, Guest, World

Ids = Mapping[str, str]
Body = dict[str, Any] | Callable[[World, Guest, Ids], dict[str, Any]]
_BALL = json.loads((Path(__file__).resolve().parents[2] / "examples" / "ball.json").read_bytes())


def _sign_in(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    person = (guest if guest.person is not None else world.guest("person")).person
    assert person is not None
    return {"email": person.email, "password": PASSWORD}


def _sign_in_form(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    return Form(_sign_in(world, guest, ids))


BODIES: dict[tuple[str, str], Body] = {
    ("POST", "/"): {},
    ("POST", "/api/v1/check"): _BALL,
    ("PUT", "/api/v1/me"): {"name": "Another Name", "language": "uk"},
    ("POST", "/api/v1/me/password"): {"old": PASSWORD, "new": "another battery staple"},
    ("POST", "/api/v1/sessions"): _sign_in,
    ("POST", "/api/v1/tokens"): {"name": "A program", "scopes": ["account:read"], "days": 30},
    ("POST", "/sign-in"): _sign_in_form,
    ("POST", "/sign-out"): Form(),
    ("POST", "/language"): Form(lang="uk"),
    ("POST", "/account"): Form(name="Another Name", language="uk"),
    ("POST", "/account/password"): Form(old=PASSWORD, new="another battery staple"),
    ("POST", "/account/sessions/{session}/end"): Form(),
    ("POST", "/account/tokens"): Form({"token_name": "A program"}, scopes=["account:read", "account:write"], days="30"),
    ("POST", "/account/tokens/{token}/end"): Form(),
}
