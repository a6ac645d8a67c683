"""Every route, every role, own and foreign things: what is answered stands in one table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import jsonschema
import pytest
from anyio.from_thread import BlockingPortal
from fastapi import FastAPI
from starlette.routing import Route

from api.app import create_app
from api.openapi import document
from api.operation import Operation
from api.routes import OPERATIONS, PAGES
from api.settings import Settings
from homolog.register.database import Database
from homolog.service.permissions import RULES, SCOPES
from tests.api.bodies import BODIES, QUERIES
from tests.api.objects import OBJECTS
from tests.api.table import TABLE
from tests.api.world import PASSWORD, ROLES, Form, Guest, World, make_world

OWNERS = ("-", "own", "foreign")
FIXED = {
    "body": "fistf",
    "edition": "4.0",
    "item": "ball",
    "ending": "csv",
    "code": "usage",
    "name": "page.css",
    "form": "json",
}
PARAMETER = re.compile(r"{(\w+)}")


@dataclass(frozen=True)
class Row:
    """What each role is answered.

    Attributes:
        whose: `own` thing of the one who asks, `foreign` one of somebody else; `-` where the address names none.
        statuses: By role; None where there is no such case, as of a visitor's own thing.
    """

    method: str
    path: str
    whose: str
    statuses: dict[str, int | None]


def rows() -> list[Row]:
    found = []
    for line in TABLE.strip().splitlines():
        if not line or line.startswith("#"):
            continue
        method, path, whose, *statuses = line.split()
        assert whose in OWNERS, line
        assert len(statuses) == len(ROLES), line
        found.append(
            Row(method, path, whose, {role: None if text == "." else int(text) for role, text in zip(ROLES, statuses, strict=True)})
        )
    return found


ROWS = rows()
CASES = [
    pytest.param(row, role, id=f"{row.method}-{row.path}-{row.whose}-{role}")
    for row in ROWS
    for role in ROLES
    if row.statuses[role] is not None
]


def let_in(row: Row) -> list[str]:
    """Return the roles that may do what a row is about, and have an account."""
    return [role for role in ROLES[1:] if (row.statuses[role] or 500) < 400]


def app() -> FastAPI:
    return create_app(Settings())


def routes() -> set[tuple[str, str]]:
    found = [route for route in app().routes if isinstance(route, Route)]
    assert len(found) == len(app().routes), "a route that is none of ours cannot be looked at"
    return {(method, route.path) for route in found for method in (route.methods or set()) - {"HEAD"}}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, _migrated_sqlite: Any, portal: BlockingPortal) -> World:
    import shutil

    folder = tmp_path_factory.mktemp("world")
    shutil.copy(_migrated_sqlite, folder / "homolog.db")
    return make_world(Database.open(f"sqlite:///{folder / 'homolog.db'}"), folder, portal)


def request_of(world: World, row: Row, guest: Guest) -> tuple[str, Any, dict[str, str]]:
    """Return the address, body and headers of a request about a thing that was made for it."""
    owner = guest if row.whose == "own" else world.guest("manufacturer")
    named = PARAMETER.findall(row.path)
    ids = {name: make(world, owner) for name, make in OBJECTS.items() if name in named}
    url = PARAMETER.sub(lambda found: ids.get(found[1]) or FIXED[found[1]], row.path)
    query = QUERIES.get((row.method, row.path))
    url = url if query is None else f"{url}?{query}"
    body = BODIES.get((row.method, row.path))
    headers = {} if row.method == "GET" else {"If-Match": "*"}
    return url, body(world, guest, ids) if callable(body) else body, headers


def test_every_route_has_its_rows() -> None:
    told = {(row.method, row.path) for row in ROWS}
    assert routes() - told == set(), "write rows for these into tests/api/table.py"
    assert told - routes() == set(), "these rows are of no route"


def test_a_route_that_names_a_thing_is_asked_for_own_and_foreign_ones() -> None:
    for route in (*OPERATIONS, *PAGES):
        for method in (route.methods or set()) - {"HEAD"}:
            whose = {row.whose for row in ROWS if (row.method, row.path) == (method, route.path)}
            # What belongs to nobody, as an edition, is in FIXED and has no owner to ask for.
            wanted = {"own", "foreign"} if set(PARAMETER.findall(route.path)) - set(FIXED) else {"-"}
            assert whose == wanted, f"{method} {route.path}"


@pytest.mark.parametrize(("row", "role"), CASES)
def test_the_table_says_what_is_answered(world: World, row: Row, role: str) -> None:
    guest = world.guest(role)
    url, body, headers = request_of(world, row, guest)
    answer = world.send(guest, row.method, url, body, **headers)
    assert answer.status_code == row.statuses[role], answer.text
    expect_described(row.method, row.path, answer)


def expect_described(method: str, path: str, answer: Any) -> None:
    """Hold an answer of an operation against its description."""
    operation = document()["paths"].get(path, {}).get(method.lower())
    if operation is None:
        return
    described = operation["responses"]
    assert str(answer.status_code) in described, f"{method} {path} does not describe {answer.status_code}"
    content = described[str(answer.status_code)].get("content", {})
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if not content:
        assert answer.content == b""
    elif kind.endswith("json") and "schema" in content[kind]:
        schema = {**content[kind]["schema"], "components": document()["components"]}
        jsonschema.Draft202012Validator(schema).validate(answer.json())


SIGNED_IN = [operation for operation in OPERATIONS if "visitor" not in RULES[operation.action].foreign]


def first_row(operation: Operation) -> tuple[Row, str]:
    """Return a row of an operation, and a role that it lets in."""
    method = next(iter(operation.methods or ()))
    for row in ROWS:
        if (row.method, row.path) == (method, operation.path):
            for role in ROLES:
                status = row.statuses[role]
                if status is not None and status < 300:
                    return row, role
    raise AssertionError(f"nobody may {operation.action}")


@pytest.mark.parametrize("operation", SIGNED_IN, ids=lambda one: one.operation_id)
def test_a_token_does_what_its_scopes_say_and_nothing_else(world: World, operation: Operation) -> None:
    row, role = first_row(operation)
    guest = world.guest(role)
    url, body, headers = request_of(world, row, guest)
    scope = RULES[operation.action].scope
    others = [one for one in SCOPES if one != scope]
    refused = world.send(world.with_token(guest, *others), row.method, url, body, **headers)
    assert refused.status_code == 403, refused.text
    assert refused.json()["problems"][0]["code"] == "scope_missing"
    if scope is not None:
        let_in = world.send(world.with_token(guest, scope), row.method, url, body, **headers)
        assert let_in.status_code == row.statuses[role], let_in.text


@pytest.mark.parametrize(
    "operation", [one for one in SIGNED_IN if "GET" not in (one.methods or ())], ids=lambda one: one.operation_id
)
def test_a_foreign_page_changes_nothing(world: World, operation: Operation) -> None:
    row, role = first_row(operation)
    guest = world.guest(role)
    url, body, headers = request_of(world, row, guest)
    for told in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
        {"X-Form-Token": "0"},
    ):
        refused = world.send(guest, row.method, url, body, **headers, **told)
        assert (refused.status_code, refused.json()["type"]) == (403, "/problems/form_refused"), told


CHANGED_BY_PAGES = {page.path for page in PAGES} - {"/language"}
CHANGING = [row for row in ROWS if row.method == "POST" and row.path in CHANGED_BY_PAGES and let_in(row)]


@pytest.mark.parametrize("row", CHANGING, ids=lambda row: row.path)
def test_a_page_takes_its_own_form_only(world: World, row: Row) -> None:
    guest = world.guest(let_in(row)[-1])
    url, body, headers = request_of(world, row, guest)
    for told, fields in (
        ({"Sec-Fetch-Site": "cross-site"}, {}),
        ({"Sec-Fetch-Site": "same-origin"}, {"form_token": "0" * 64}),
        ({"Sec-Fetch-Site": "same-origin"}, {"form_token": ""}),
        ({"Origin": "https://elsewhere.example"}, {}),
    ):
        refused = world.send(guest, "POST", url, Form(body, **fields), **headers, **told)
        assert refused.status_code == 403, (told, fields)
        assert "/problems/form_refused" in refused.text
    as_json = world.send(guest, "POST", url, dict(body), **headers)
    assert as_json.status_code == 415


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if one.needs_match], ids=lambda one: one.operation_id)
def test_a_change_names_the_version_it_was_made_from(world: World, operation: Operation) -> None:
    row, role = first_row(operation)
    guest = world.guest(role)
    url, body, _ = request_of(world, row, guest)
    assert world.send(guest, row.method, url, body).status_code == 428
    assert world.send(guest, row.method, url, body, **{"If-Match": '"999999.0123456789abcdef"'}).status_code == 412
    assert world.send(guest, row.method, url, body, **{"If-Match": "x"}).status_code == 412


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if one.is_repeatable], ids=lambda one: one.operation_id)
def test_a_repeated_request_is_done_once(world: World, operation: Operation) -> None:
    row, role = first_row(operation)
    guest = world.guest(role)
    url, body, headers = request_of(world, row, guest)
    key = {"Idempotency-Key": "5f7c"}
    first = world.send(guest, row.method, url, body, **headers, **key)
    again = world.send(guest, row.method, url, body, **headers, **key)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert world.send(guest, row.method, f"{url}{'&' if '?' in url else '?'}x=1", body, **headers, **key).status_code == 422


def test_the_password_of_the_world_lets_in(world: World) -> None:
    guest = world.guest("person")
    assert guest.person is not None
    answer = world.send(Guest(role="visitor"), "POST", "/api/v1/sessions", {"email": guest.person.email, "password": PASSWORD})
    assert answer.status_code == 201
