"""The interface for programs, described: OpenAPI 3.1 with examples that the tests run."""

from __future__ import annotations

from functools import cache
from typing import Any

from api.accept import HTML, JSON, JSON_LINES, NDJSON, PDF, YAML
from api.openapi_parts import (
    BODY_LIST,
    EDITION,
    RECORD,
    form_schema,
    kept,
    problem_answers,
    problem_schema,
    query_parameters,
    rules_parameters,
)
from api.problems import KINDS
from homolog.version import VERSION

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
BODIES = {
    JSON: "A sheet, format homolog-submission/1; the fields are parameters of the address.",
    YAML: "The same sheet as YAML.",
    "text/csv": "A sheet or a lot with a row a sample.",
    XLSX: "A sheet as a workbook.",
    JSON_LINES: "A lot with a sheet a line.",
    "multipart/form-data": "A sheet, a scan or both as files, a board's adoptions, and the fields beside them.",
}
SHEET_EXAMPLE: dict[str, Any] = {
    "format": "homolog-submission/1",
    "item": "ball",
    "attributes": {"family": "none", "maker": "Example maker", "model": "Example ball"},
    "readings": {
        "ball.diameter": {"value": "22.0 mm", "U": "0.05 mm", "method": "caliper"},
        "ball.mass": {"value": "1.70 g", "U": "0.02 g", "method": "scale"},
    },
}
REFUSED_EXAMPLE: dict[str, Any] = {
    "format": "homolog-submission/1",
    "item": "ball",
    "readings": {"ball.diametre": {"value": "22.0 mm", "method": "caliper"}},
}
CSV_EXAMPLE = "item,ball.diameter[mm],ball.diameter.U,ball.diameter.method\nball,22.0,0.05,caliper\nball,22.1,0.05,caliper\n"


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document: what is written here, and what the register's operations say of themselves."""
    from api.described import SECURITY, described
    from api.openapi_files import file_paths, part_path

    whole, of_register = written(), described()
    components = whole["components"]
    schemas = {**of_register["components"]["schemas"], **components["schemas"]}
    of_register["paths"]["/api/v1/uploads/{upload}"]["patch"] = part_path()  # beside the operations at the same address
    return {
        **whole,
        "paths": {**whole["paths"], **of_register["paths"], **file_paths()},
        "components": {**components, "schemas": schemas, "securitySchemes": SECURITY},
    }


@cache
def written() -> dict[str, Any]:
    """Return the description of what is public and stores nothing."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Homolog",
            "version": VERSION,
            "summary": "Judges equipment of sports table football clause by clause.",
            "description": "A sheet or a scan goes in, a record comes out: each requirement with its verdict, and what is not "
            "proven with its reason; of a check nothing is stored. The register's operations are for people who have signed in, "
            "and for their tokens. Every error is a problem (RFC 9457).",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {
            "/api/v1/check": {"post": _check()},
            "/api/v1/specs": {"get": _list("listSpecs", "List the bodies with their editions", BODY_LIST)},
            "/api/v1/specs/{body}/{edition}": {"get": _list("showEdition", "Show one edition", EDITION, _at("body", "edition"))},
            "/api/v1/specs/{body}/{edition}/{item}": {"get": _spec()},
            "/api/v1/templates/{item}.{ending}": {"get": _blank()},
            "/api/v1/schemas/report": {"get": _schema()},
            "/healthz": {"get": _health("healthz", "Say that the process is up", {})},
            "/readyz": {
                "get": _health("readyz", "Say whether all can be judged, and which rings hold", problem_answers("not_ready"))
            },
        },
        "components": {"schemas": {"Problem": problem_schema(), "Record": {"type": "object", "description": RECORD}}},
    }


def _check() -> dict[str, Any]:
    record = {"$ref": "#/components/schemas/Record"}
    examples = {"a_ball": {"summary": "A ball that was measured", "value": SHEET_EXAMPLE}}
    refused = {"an_unknown_quantity": {"summary": "A sheet that is refused with 422", "value": REFUSED_EXAMPLE}}
    return {
        "operationId": "check",
        "summary": "Judge a sheet, a scan, or both",
        "description": "The header Accept chooses the form: the record, a report as a page or as PDF/A, or a record a line where "
        "the sheet holds several samples.",
        "parameters": [*query_parameters(), _ACCEPT],
        "requestBody": {
            "required": True,
            "content": {
                JSON: {"schema": {"type": "object"}, "examples": {**examples, **refused}},
                YAML: {"schema": {"type": "string"}},
                "text/csv": {
                    "schema": {"type": "string"},
                    "examples": {"a_lot": {"summary": "Two balls; answered with a record a line", "value": CSV_EXAMPLE}},
                },
                XLSX: {},
                JSON_LINES: {"schema": {"type": "string"}},
                "multipart/form-data": {"schema": form_schema()},
            },
        },
        "responses": {
            "200": {
                "description": "It was judged; the verdict stands in the record.",
                "content": {
                    JSON: {"schema": record},
                    HTML: {"schema": {"type": "string"}},
                    PDF: {},
                    JSON_LINES: {"schema": {"type": "string"}},
                    NDJSON: {"schema": {"type": "string"}},
                },
            },
            **problem_answers(*(code for code in KINDS if code not in ("not_found", "method_not_allowed", "not_ready"))),
        },
    }


_ACCEPT = {
    "name": "Accept",
    "in": "header",
    "description": "The form of the answer; the record if left out.",
    "schema": {"type": "string"},
}


def _at(*names: str) -> list[dict[str, Any]]:
    says = {
        "body": "Whose rules, as fistf.",
        "edition": "The edition's label, as 4.0.",
        "item": "The item, as goalkeeper.",
        "ending": "xlsx, csv or yaml.",
    }
    return [
        {"name": name, "in": "path", "required": True, "description": says[name], "schema": {"type": "string"}} for name in names
    ]


def _list(operation: str, summary: str, schema: dict[str, Any], parameters: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    problems = problem_answers("not_found", "not_acceptable", "usage") if parameters else problem_answers("not_acceptable", "usage")
    told = {"operationId": operation, "summary": summary, "responses": {**kept({JSON: {"schema": schema}}), **problems}}
    return told | ({"parameters": parameters} if parameters else {})


def _spec() -> dict[str, Any]:
    schema = {
        "type": "object",
        "required": ["sha256", "spec"],
        "properties": {"sha256": {"type": "string"}, "spec": {"type": "object"}},
    }
    return {
        "operationId": "showSpec",
        "summary": "Give one spec",
        "description": "As its parsed document, or with Accept: application/yaml as the file that the digest is of.",
        "parameters": _at("body", "edition", "item"),
        "responses": {
            **kept({JSON: {"schema": schema}, YAML: {"schema": {"type": "string"}}}),
            **problem_answers("not_found", "not_acceptable", "usage"),
        },
    }


def _blank() -> dict[str, Any]:
    content: dict[str, Any] = {XLSX: {}, "text/csv": {"schema": {"type": "string"}}, YAML: {"schema": {"type": "string"}}}
    return {
        "operationId": "showTemplate",
        "summary": "Give an empty sheet to fill in",
        "description": "With the quantities, units, limits and methods of an edition; the ending chooses the form.",
        "parameters": [*_at("item", "ending"), *rules_parameters()],
        "responses": {**kept(content), **problem_answers("not_found", "not_acceptable", "usage")},
    }


def _schema() -> dict[str, Any]:
    content = {"application/schema+json": {"schema": {"type": "object"}}, JSON: {"schema": {"type": "object"}}}
    return {
        "operationId": "showReportSchema",
        "summary": "Give the JSON Schema of the record",
        "responses": {**kept(content), **problem_answers("not_acceptable", "usage")},
    }


def _health(operation: str, summary: str, problems: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "required": ["status", "version"]}
    answer = {"description": "It is so.", "content": {JSON: {"schema": schema}}}
    return {"operationId": operation, "summary": summary, "responses": {"200": answer, **problems}}
