"""The description of the interface says what the service does."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
from starlette.routing import Route

from api.blank import TYPES
from api.fields import FILES, REPEATED, STATED, Fields
from api.openapi import document, written
from api.problems import KINDS
from api.routes import FORMS
from api.routes import PAGES as REGISTER_PAGES
from tests.api.conftest import Door

DOCUMENT = document()
OPERATIONS = [(path, method, operation) for path, methods in DOCUMENT["paths"].items() for method, operation in methods.items()]
# What the register's operations answer, each role to each, is held against the description in test_permissions.py.
WRITTEN = [(path, method, operation) for path, methods in written()["paths"].items() for method, operation in methods.items()]
FILLED = {"{body}": "fistf", "{edition}": "4.0", "{item}": "ball"}
# Pages for people and what they load are no interface for programs; the description does not describe itself.
PAGES = {"/", "/static/{name}", "/problems/{code}", "/api/v1/docs", "/api/v1/openapi.json"}
PAGES |= {page.path for page in (*REGISTER_PAGES, *FORMS)}


def address(path: str, kind: str) -> str:
    endings = {media_type: ending for ending, media_type in TYPES.items()}
    for name, value in (FILLED | {"{ending}": endings.get(kind, "")}).items():
        path = path.replace(name, value)
    return path


def validate(value: Any, schema: dict[str, Any]) -> None:
    whole = {**schema, "components": DOCUMENT["components"], "$schema": "https://json-schema.org/draft/2020-12/schema"}
    jsonschema.Draft202012Validator(whole).validate(value)


def test_it_is_openapi_3_1_and_served(door: Door) -> None:
    served = door.get("/api/v1/openapi.json")
    assert served.json() == DOCUMENT
    assert DOCUMENT["openapi"] == "3.1.0"
    assert {"title", "version"} <= DOCUMENT["info"].keys()


def test_every_operation_is_a_route_and_every_route_an_operation(door: Door) -> None:
    routes = {
        (route.path, method.lower())
        for route in door.app.routes
        if isinstance(route, Route) and route.path not in PAGES
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert routes == {(path, method) for path, method, _ in OPERATIONS}


def test_operations_have_names_of_their_own() -> None:
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(names)) == len(names)


def test_every_parameter_of_an_address_is_described() -> None:
    for path, _, operation in OPERATIONS:
        named = {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path))


def test_every_field_is_a_parameter_and_a_part_of_the_form() -> None:
    operation = DOCUMENT["paths"]["/api/v1/check"]["post"]
    query = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "query"}
    form = operation["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"].keys()
    assert query == set(Fields.model_fields)
    assert form == {*Fields.model_fields, *FILES, *REPEATED, *STATED}


@pytest.mark.parametrize(("path", "method", "operation"), [entry for entry in WRITTEN if entry[1] == "get"])
def test_an_answer_is_as_its_schema_says(door: Door, path: str, method: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]["200"]["content"]
    for kind, media in answers.items():
        answer = door.get(address(path, kind), headers={"Accept": kind})
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, kind)
        if kind.endswith("json"):
            validate(answer.json(), media["schema"])


def examples() -> list[Any]:
    content = DOCUMENT["paths"]["/api/v1/check"]["post"]["requestBody"]["content"]
    found = [(kind, name, example) for kind, media in content.items() for name, example in media.get("examples", {}).items()]
    return [pytest.param(kind, example, id=name) for kind, name, example in found]


@pytest.mark.parametrize(("kind", "example"), examples())
def test_an_example_is_answered_as_it_says(door: Door, kind: str, example: dict[str, Any]) -> None:
    expected = 422 if "422" in example["summary"] else 200
    sheet = example["value"]
    answer = door.check(sheet.encode() if isinstance(sheet, str) else sheet, kind=kind)
    assert answer.status_code == expected, answer.text
    described = DOCUMENT["paths"]["/api/v1/check"]["post"]["responses"][str(expected)]["content"]
    media = described[answer.headers["content-type"]]
    if answer.headers["content-type"].endswith("json"):
        validate(answer.json(), media["schema"])


def test_the_examples_are_there() -> None:
    assert len(examples()) == 3


def test_every_status_of_a_check_is_described() -> None:
    described = DOCUMENT["paths"]["/api/v1/check"]["post"]["responses"].keys()
    raised = {str(kind.status) for code, kind in KINDS.items() if code not in ("not_found", "method_not_allowed")}
    assert described == {"200", *raised}


def test_a_problem_is_as_its_schema_says(door: Door) -> None:
    for answer in (door.check(b"{"), door.get("/nothing"), door.check(b"{}", params={"x": "1"})):
        validate(answer.json(), {"$ref": "#/components/schemas/Problem"})


def test_the_page_of_operations_lists_them_all_and_loads_nothing_from_elsewhere(door: Door) -> None:
    page = door.get("/api/v1/docs").text
    for path, method, _ in OPERATIONS:
        assert f"<code>{path}</code>" in page
        assert f">{method.upper()}<" in page
    assert "http://" not in page
    assert "https://" not in page
