"""Requests that are made up from the description get the answers that it describes; the long run is benchmarks/fuzz.py."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from api.openapi import document
from benchmarks import fuzz


def test_made_up_requests_get_described_answers() -> None:
    found = fuzz.fuzz(300, 20_261_130)
    assert found.sent >= 300
    assert found.faults == {}
    assert {200, 401, 403, 404, 422} <= found.statuses.keys()


def test_an_answer_that_is_not_described_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    poorer: dict[str, Any] = copy.deepcopy(document())
    poorer["paths"] = {"/api/v1/keys": poorer["paths"]["/api/v1/keys"], "/healthz": poorer["paths"]["/healthz"]}
    del poorer["paths"]["/api/v1/keys"]["get"]["responses"]["200"]
    poorer["paths"]["/healthz"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]["required"] = ["health"]
    monkeypatch.setattr(fuzz, "document", lambda: poorer)
    found = fuzz.fuzz(20, 1)
    assert ("GET /api/v1/keys", "UndefinedStatusCode") in found.faults
    assert ("GET /healthz", "JsonSchemaError") in found.faults
