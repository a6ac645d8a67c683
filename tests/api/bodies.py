"""What is sent: a body by method and path, or a function of the world, the one who asks, and the ids in the path."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from homolog.service.identity import passkeys
from tests.api import made, rules_made
from tests.api.world import PASSWORD, Form, Guest, World
from tests.authenticator import PARTY, Authenticator, make_passkey

Ids = Mapping[str, str]
Body = dict[str, Any] | Callable[[World, Guest, Ids], dict[str, Any] | None]
NEW_PASSWORD = "another battery staple"  # noqa: S105
_BALL = json.loads((Path(__file__).resolve().parents[2] / "examples" / "ball.json").read_bytes())


def _sign_in(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    person = (guest if guest.person is not None else world.guest("person")).person
    assert person is not None
    return {"email": person.email, "password": PASSWORD}


def _sign_in_form(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    return Form(_sign_in(world, guest, ids))


def _application(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    maker = guest if guest.role == "manufacturer" else world.guest("manufacturer")
    return {"organisation": maker.organisation, "item": "ball"}


def _measured(world: World, guest: Guest, ids: Ids) -> None:
    made.measured(world, ids["application"])


def _approved(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    made.approved(world, ids["application"])
    return {}


def _assessment(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    application = made.application(world, guest)
    made.measured(world, application)
    return {"kind": "assess", "application": application}


def _edition(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    return {"files": {"ball.yaml": rules_made.next_ball().decode()}}


def _adoptions(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    return {"adoptions": [rules_made.adoption()]}


def _suspended(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    reasons = [{"clause": "III-3.1", "text": "Later samples are larger."}]
    return {"step": "suspend", "said": {"on": world.now.date().isoformat(), "reasons": reasons}}


def _passkey(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    """What a device makes for who asks; for a visitor, something that was made for another."""
    owner = guest if guest.person is not None else world.guest("person")
    options = passkeys.making(world.actor(owner), world.database, PARTY, now=world.now)
    return {"name": "A device", "credential": Authenticator().create(options)}


def _signed(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    owner = guest if guest.person is not None else world.guest("person")
    _, device = make_passkey(world.actor(owner), world.database, world.now)
    return {"credential": device.get(passkeys.signing_in(world.database, PARTY, now=world.now))}


def _upload(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    return {"upload": "x" if guest.person is None else made.upload(world, guest)}


def _suspended_form(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    today = world.now.date().isoformat()
    return Form({"step": "suspend", "suspend.on": today, "suspend.reasons": "III-3.1: Later samples are larger."})


def _measured_form(world: World, guest: Guest, ids: Ids) -> dict[str, Any]:
    _measured(world, guest, ids)
    return Form()


BODIES: dict[tuple[str, str], Body] = {
    ("POST", "/"): {},
    ("POST", "/api/v1/check"): _BALL,
    ("PUT", "/api/v1/me"): {"name": "Another Name", "language": "uk"},
    ("POST", "/api/v1/me/password"): {"old": PASSWORD, "new": NEW_PASSWORD},
    ("POST", "/api/v1/sessions"): _sign_in,
    ("POST", "/api/v1/tokens"): {"name": "A program", "scopes": ["account:read"], "days": 30},
    ("POST", "/api/v1/types/{number}/steps"): _suspended,
    ("POST", "/api/v1/applications"): _application,
    ("POST", "/api/v1/applications/{application}/steps"): {"step": "drop"},
    ("POST", "/api/v1/applications/{application}/assessment"): _measured,
    ("POST", "/api/v1/applications/{application}/certificate"): _approved,
    ("POST", "/api/v1/uploads"): {"name": "scan.stl", "size": 3},
    ("POST", "/api/v1/applications/{application}/uploads"): _upload,
    ("POST", "/types/{number}/steps"): _suspended_form,
    ("POST", "/applications"): lambda world, guest, ids: Form(_application(world, guest, ids)),
    ("POST", "/applications/{application}/steps"): Form(step="drop"),
    ("POST", "/applications/{application}/assessment"): _measured_form,
    ("POST", "/applications/{application}/certificate"): lambda world, guest, ids: Form(_approved(world, guest, ids)),
    ("POST", "/applications/{application}/files"): Form(),
    ("POST", "/api/v1/jobs"): _assessment,
    ("POST", "/api/v1/drafts/editions"): _edition,
    ("POST", "/api/v1/drafts/adoptions"): _adoptions,
    ("POST", "/api/v1/drafts/{draft}/decision"): {"outcome": "dropped", "text": "Not now."},
    ("POST", "/api/v1/drafts/{draft}/impacts"): {"measuring": "stored"},
    ("POST", "/interpretations"): Form(rules_made.adoption()),
    ("POST", "/drafts/editions"): Form(),
    ("POST", "/drafts/{draft}/decision"): Form(outcome="dropped", text="Not now."),
    ("POST", "/drafts/{draft}/impacts"): Form(measuring="stored"),
    ("POST", "/impacts/{job}/cancel"): Form(),
    ("POST", "/sign-in"): _sign_in_form,
    ("POST", "/sign-out"): Form(),
    ("POST", "/language"): Form(lang="uk"),
    ("POST", "/account"): Form(name="Another Name", language="uk"),
    ("POST", "/account/password"): Form(old=PASSWORD, new=NEW_PASSWORD),
    ("POST", "/account/sessions/{session}/end"): Form(),
    ("POST", "/account/tokens"): Form({"token_name": "A program"}, scopes=["account:read", "account:write"], days="30"),
    ("POST", "/account/tokens/{token}/end"): Form(),
    ("POST", "/api/v1/organisations"): {"kind": "manufacturer", "name": "Another Ltd"},
    ("PUT", "/api/v1/organisations/{organisation}"): {"name": "A new name"},
    ("PUT", "/api/v1/organisations/{organisation}/closed"): {"closed": True},
    ("PUT", "/api/v1/organisations/{organisation}/profile"): {"legal_name": "Another Ltd", "address": "1 Table Street\nTown"},
    ("POST", "/api/v1/organisations/{organisation}/invitations"): {"email": "new@a.example"},
    ("PUT", "/api/v1/accounts/{account}/closed"): {"closed": True},
    ("POST", "/api/v1/accounts/{account}/roles"): {"role": "board", "until": "2099-12-31T00:00:00Z"},
    ("POST", "/api/v1/invitations"): {"email": "new@a.example"},
    ("POST", "/organisations/{organisation}"): Form(name="A new name"),
    ("POST", "/organisations/{organisation}/profile"): Form(legal_name="Another Ltd", address="1 Table Street\r\nTown"),
    ("POST", "/organisations/{organisation}/closed"): Form(closed="yes"),
    ("POST", "/organisations/{organisation}/invitations"): Form(invited="new@a.example"),
    ("POST", "/organisations/{organisation}/members/{member}/end"): Form(),
    ("POST", "/join/{invitation}"): Form(name="New Person", password=NEW_PASSWORD),
    ("POST", "/new-password/{reset}"): Form(password=NEW_PASSWORD),
    ("POST", "/accounts"): Form(invited="new@a.example"),
    ("POST", "/organisations"): Form(name="Another Ltd", kind="laboratory"),
    ("POST", "/accounts/{account}/closed"): Form(closed="yes"),
    ("POST", "/accounts/{account}/password-links"): Form(),
    ("POST", "/accounts/{account}/roles"): Form(role="board", last_day="2099-12-31"),
    ("POST", "/accounts/{account}/roles/{grant}/end"): Form(reason="It is over"),
    ("POST", "/account/passkeys/{passkey}/end"): Form(),
    ("POST", "/api/v1/passkeys"): _passkey,
    ("POST", "/api/v1/sessions/passkey"): _signed,
}

QUERIES = {
    ("DELETE", "/api/v1/accounts/{account}/roles/{grant}"): "reason=It+is+over",
    ("GET", "/api/v1/log/consistency"): "old=1&new=1",
}
"""What stands behind the question mark: what an address cannot do without."""
