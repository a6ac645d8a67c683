"""No body sets a column that its model does not name: every model that takes a body, every column of every table."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from api.operation import Operation
from api.reply import Taken
from api.routes import OPERATIONS
from homolog.register.tables import METADATA
from tests.api.bodies import BODIES

COLUMNS = sorted({column.name for table in METADATA.tables.values() for column in table.columns})
# What a person may say of a thing although a column has the same name; each is in a model on purpose.
MEANT = {"name", "email", "language", "password", "scopes", "kind", "role", "since", "until", "reason", "content"}
MEANT |= {"item", "resubmits", "step", "on", "credential", "body", "outcome", "text"}
# What a sender announces of a file; it is held against what came.
MEANT |= {"size", "sha256", "media_type"}


def model_of(operation: Operation) -> type[BaseModel] | None:
    return None if operation.body_field is None else operation.body_field.field_info.annotation


MODELS = sorted({model for one in OPERATIONS if (model := model_of(one)) is not None}, key=lambda model: model.__name__)
TAKING = [one for one in OPERATIONS if model_of(one) is not None]


def test_there_are_columns_and_models_to_try() -> None:
    assert len(COLUMNS) > 40
    assert {"id", "account_id", "version", "created_at", "digest", "disabled_at"} <= set(COLUMNS)
    assert len(MODELS) >= 4


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_model_takes_what_it_names_only(model: type[BaseModel]) -> None:
    assert issubclass(model, Taken), "a body is read into a model that refuses what it does not name"
    assert model.model_config["extra"] == "forbid"
    assert set(model.model_fields) & set(COLUMNS) <= MEANT


@pytest.mark.parametrize("operation", TAKING, ids=lambda one: one.operation_id)
def test_no_column_comes_in_beside_the_fields(operation: Operation) -> None:
    model = model_of(operation)
    assert model is not None
    method = next(iter(operation.methods or ()))
    body = BODIES[(method, operation.path)]
    good: dict[str, Any] = {} if callable(body) else dict(body)
    for column in COLUMNS:
        if column in model.model_fields:
            continue
        with pytest.raises(ValidationError) as refused:
            model.model_validate_json(_json({**good, column: "x"}))
        kinds = {fault["type"] for fault in refused.value.errors() if fault["loc"] == (column,)}
        assert kinds == {"extra_forbidden"}, column


def _json(value: Any) -> str:
    import json

    return json.dumps(value)
