"""The parts that the description of the interface is put together from: schemas, parameters, answers."""

from __future__ import annotations

from typing import Any

from api.fields import Asked, Fields, RulesChoice
from api.problems import ALL_KINDS, MEDIA_TYPE

RECORD = "A record, format homolog-report/1; /api/v1/schemas/report is its schema."
EDITION: dict[str, Any] = {
    "type": "object",
    "required": ["body", "edition", "title", "issuer", "note", "href", "items", "unregulated"],
    "properties": {
        "body": {"type": "string"},
        "edition": {"type": "string"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["item", "id", "title", "status", "effective", "requirements", "sha256", "href"],
                "properties": {"sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "href": {"type": "string"}},
            },
        },
        "unregulated": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
BODY_LIST: dict[str, Any] = {
    "type": "object",
    "required": ["bodies"],
    "properties": {
        "bodies": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["body", "editions"],
                "properties": {"body": {"type": "string"}, "editions": {"type": "array", "items": EDITION}},
            },
        }
    },
}


def query_parameters() -> list[dict[str, Any]]:
    """Return the fields as parameters of an address."""
    return _parameters(Fields)


def rules_parameters() -> list[dict[str, Any]]:
    """Return the choice of rules as parameters of an address."""
    return _parameters(RulesChoice)


def _parameters(asked: type[Asked]) -> list[dict[str, Any]]:
    properties = asked.model_json_schema()["properties"]
    return [
        {"name": name, "in": "query", "description": schema["description"], "schema": _plain(schema)}
        for name, schema in properties.items()
    ]


def form_schema() -> dict[str, Any]:
    """Return what a form may hold."""
    fields = {name: _plain(schema) | {"description": schema["description"]} for name, schema in _field_schemas().items()}
    files = {
        "sheet": "The sheet; its name or type tells the format.",
        "adopted": "A board's adoptions, format homolog-adoptions/1.",
    }
    binary: dict[str, Any] = {name: {"type": "string", "format": "binary", "description": says} for name, says in files.items()}
    binary["scan"] = {
        "type": "array",
        "items": {"type": "string", "format": "binary"},
        "description": "The scan, its ending tells the format; with a sheet that names them, those of a set's pieces and reference "
        "balls too, each a part.",
    }
    binary["reference"] = {
        "type": "array",
        "items": {"type": "string", "format": "binary"},
        "description": "Of a scan without a sheet: a reference ball that was scanned in the same session.",
    }
    fields |= _of_a_scan_alone()
    return {"type": "object", "properties": binary | fields, "anyOf": [{"required": ["sheet"]}, {"required": ["scan"]}]}


def _of_a_scan_alone() -> dict[str, Any]:
    from homolog.submission.submission import MATERIALS

    words = {"type": "string"}
    several = {
        "attribute": "What a scan alone cannot show, as pose=upright; names and values are those of a sheet.",
        "reference_diameter": "Diameter of each reference, in their order, as 25.000 mm.",
        "reference_U": "U (k = 2) of each diameter, in their order, as 0.002 mm.",
    }
    once = {
        "temperature": "The article's temperature while it was scanned alone, as 23 degC.",
        "temperature_U": "Its U (k = 2), as 2 degC; goes with the temperature.",
    }
    found: dict[str, Any] = {name: {"type": "array", "items": words, "description": says} for name, says in several.items()}
    found |= {name: {**words, "description": says} for name, says in once.items()}
    return found | {
        "material": {**words, "enum": list(MATERIALS), "description": "What an article that was scanned alone is made of."}
    }


def _field_schemas() -> dict[str, dict[str, Any]]:
    properties: dict[str, dict[str, Any]] = Fields.model_json_schema()["properties"]
    return properties


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a field's schema without the case of nothing: what is left out is not sent."""
    known = next((case for case in schema.get("anyOf", []) if case != {"type": "null"}), schema)
    kept = {key: value for key, value in known.items() if key in ("type", "enum", "format", "maxLength")}
    return kept | ({"default": schema["default"]} if schema.get("default") is not None else {})


def kept(content: dict[str, Any]) -> dict[str, Any]:
    """Return the answers of what a client may keep."""
    tag = {"ETag": {"description": "Made of a digest of the content.", "schema": {"type": "string"}}}
    return {
        "200": {"description": "What was asked for.", "headers": tag, "content": content},
        "304": {"description": "The copy that If-None-Match names is still good."},
    }


def problem_answers(*codes: str) -> dict[str, Any]:
    """Return the answers of kinds of problems, those of one status together."""
    by_status: dict[str, list[str]] = {}
    for code in codes:
        by_status.setdefault(str(ALL_KINDS[code].status), []).append(ALL_KINDS[code].title)
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": "; ".join(titles) + ".", "content": content} for status, titles in sorted(by_status.items())}


def problem_schema() -> dict[str, Any]:
    """Return what a problem looks like."""
    words = {"type": "string"}
    return {
        "type": "object",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": {"type": "string", "enum": [f"/problems/{code}" for code in ALL_KINDS]},
            "title": words,
            "status": {"type": "integer"},
            "detail": words,
            "instance": {**words, "description": "The number under which a fault of ours stands in the log."},
            "problems": {
                "type": "array",
                "description": "Everything that is wrong, each with its place.",
                "items": {
                    "type": "object",
                    "required": ["where", "what", "todo", "code"],
                    "properties": dict.fromkeys(("where", "what", "todo", "code"), words),
                },
            },
        },
    }
