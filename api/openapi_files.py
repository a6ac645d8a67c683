"""The description of routes of the register that answer with files."""

from __future__ import annotations

from typing import Any

from api.accept import HTML, JSON, PDF
from api.openapi_parts import problem_answers

_ALWAYS = ("usage", "credentials_refused", "too_often", "not_ready", "database_unavailable")
_SIGNED_IN = ("sign_in_needed", "not_allowed", "not_found")
_BYTES: dict[str, Any] = {"application/octet-stream": {}, "image/png": {}, "image/jpeg": {}}
_OBJECT: dict[str, Any] = {"schema": {"type": "object"}}
_FEED: dict[str, Any] = {"application/feed+json": _OBJECT}
# Without a schema: OpenAPI 3.1 has no word for a stream, and readers take a schema for that of each event.
_EVENTS: dict[str, Any] = {"text/event-stream": {}}
_PUBLIC: list[dict[str, list[str]]] = []
_SHA256 = {
    "type": "object",
    "required": ["sha256", "name"],
    "properties": {"sha256": {"type": "string"}, "name": {"type": "string"}},
}


def file_paths() -> dict[str, Any]:
    """Return `paths` of these routes."""
    number, application, digest = _at("number"), _at("application"), _at("sha256")
    report = {JSON: {"schema": {"type": "object"}}, HTML: {"schema": {"type": "string"}}, PDF: {}}
    register = {"text/csv": {"schema": {"type": "string"}}, JSON: {"schema": {"type": "object"}}}
    return {
        "/api/v1/register.{ending}": {
            "get": _get("exportRegister", "Give the whole register", register, [_at("ending")], "not_found")
        },
        "/api/v1/feed.json": {"get": _get("showFeed", "Give the last changes as a feed", _FEED, [])},
        "/api/v1/types/{number}/files/{sha256}": {
            "get": _get("showTypeFile", "Give a public file of a type", _BYTES, [number, digest], "not_found")
        },
        "/api/v1/types/{number}/code.svg": {
            "get": _get("showTypeCode", "Give the code that leads to a type's page", {"image/svg+xml": {}}, [number], "not_found")
        },
        "/api/v1/reports/{sha256}": {
            "get": _get(
                "showReport",
                "Give a report or certificate",
                report,
                [digest, _LANG],
                "not_found",
                "not_acceptable",
                "busy",
            )
        },
        "/api/v1/reports/{sha256}/{form}": {
            "get": _get(
                "showReportForm",
                "Give a record in one form",
                report,
                [digest, _at("form"), _LANG],
                "not_found",
                "busy",
            )
        },
        "/api/v1/jobs/{job}/events": {
            "get": {
                **_get("followJob", "Follow a job as it goes on", _EVENTS, [_at("job"), _LAST], *_SIGNED_IN),
                "description": "Server-sent events: `progress` at each change, one `end`, each with the job as its data. Whoever "
                "comes again with the id of the end is answered 204.",
                "security": [{"session": []}, {"token": ["jobs:read"]}],
            }
        },
        "/api/v1/applications/{application}/files": {"post": _attach([application])},
        "/api/v1/applications/{application}/files/{sha256}": {
            "get": {
                **_get("showApplicationFile", "Give a file of an application", _BYTES, [application, digest], *_SIGNED_IN),
                "security": [{"session": []}, {"token": ["applications:read"]}],
            }
        },
    }


def part_path() -> dict[str, Any]:
    """Return the description of taking a part of an upload."""
    offset = {
        "name": "Upload-Offset",
        "in": "header",
        "required": True,
        "description": "Where in the file the part begins, bytes.",
        "schema": {"type": "integer"},
    }
    kinds = ("form_refused", "body_too_large", "body_timeout", "malformed", "input_refused", "conflicting", "busy")
    return {
        "operationId": "addUploadPart",
        "summary": "Send a part of an upload",
        "description": "The part is safe once this is answered; what was sent of a part that broke off does not count.",
        "parameters": [_at("upload"), offset],
        "requestBody": {"required": True, "content": {"application/octet-stream": {}}},
        "responses": {
            "204": {"description": "It is here; the header Upload-Offset says where the next one begins."},
            **problem_answers(*_ALWAYS, *_SIGNED_IN, *kinds),
        },
        "security": [{"session": []}, {"token": ["applications:write"]}],
    }


_SAYS = {
    "upload": "The id of the upload.",
    "job": "The id of the job.",
    "number": "The type's number, as HML-B-0001.",
    "application": "The id of the application.",
    "sha256": "SHA-256 of the file or of the canonical record, in hexadecimal.",
    "ending": "csv, json, or extract.json for homolog check --register.",
    "form": "json, html, pdf (signed), or signed: the record with its signature and receipt.",
}
_LAST = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The id of the last event that was received; it is not told again.",
    "schema": {"type": "string"},
}
_LANG = {
    "name": "lang",
    "in": "query",
    "description": "Language of a page.",
    "schema": {"type": "string", "enum": ["en", "uk", "it"]},
}


def _at(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "description": _SAYS[name], "schema": {"type": "string"}}


def _get(operation: str, summary: str, content: dict[str, Any], parameters: list[dict[str, Any]], *problems: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": operation,
        "summary": summary,
        "responses": {
            "200": {"description": "What was asked for.", "content": content},
            "304": {"description": "The copy that If-None-Match names is still good."},
            **problem_answers(*_ALWAYS, *problems),
        },
        "security": _PUBLIC,
    }
    return told | ({"parameters": parameters} if parameters else {})


def _attach(parameters: list[dict[str, Any]]) -> dict[str, Any]:
    name = {"name": "name", "in": "query", "required": True, "description": "The file's name.", "schema": {"type": "string"}}
    digest = {
        "name": "Content-Digest",
        "in": "header",
        "description": "The file's SHA-256 as RFC 9530 has it; what does not fit it is refused.",
        "schema": {"type": "string"},
    }
    kinds = ("form_refused", "body_too_large", "body_timeout", "malformed", "input_refused", "step_refused", "busy")
    return {
        "operationId": "attachFile",
        "summary": "Attach a file to an application",
        "description": "The body is the file, streamed. Sending the same bytes again changes nothing.",
        "parameters": [*parameters, name, digest],
        "requestBody": {"required": True, "content": {"application/octet-stream": {}}},
        "responses": {
            "201": {"description": "It is attached.", "content": {JSON: {"schema": _SHA256}}},
            **problem_answers(*_ALWAYS, *_SIGNED_IN, *kinds),
        },
        "security": [{"session": []}, {"token": ["applications:write"]}],
    }
