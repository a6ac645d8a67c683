"""JSON Schemas of the spec language, made from the models, for completion in editors and for others' programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from homolog.spec.edition import EditionFile
from homolog.spec.i18n import CatalogueFile
from homolog.spec.ids import IdRegister
from homolog.spec.memorandum import Memorandum
from homolog.spec.model import Spec
from homolog.spec.named import NamedTypes
from homolog.spec.process import Process
from homolog.spec.schema_words import WORDS

SCHEMAS: Mapping[str, type[BaseModel]] = {
    "homolog-spec-1.json": Spec,
    "homolog-edition-1.json": EditionFile,
    "homolog-ids-1.json": IdRegister,
    "homolog-i18n-1.json": CatalogueFile,
    "homolog-process-1.json": Process,
    "homolog-memorandum-1.json": Memorandum,
    "homolog-named-types-1.json": NamedTypes,
}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(name: str = "homolog-spec-1.json") -> dict[str, Any]:
    """Return one of the schemas (Draft 2020-12) as a JSON value.

    Raises:
        KeyError: There is no schema of this name.
    """
    schema = SCHEMAS[name].model_json_schema(by_alias=True, ref_template="#/$defs/{model}")
    _describe(schema)
    for definition in schema.get("$defs", {}).values():
        _describe(definition)
    return {"$schema": _DIALECT, "$id": name, **schema}


def schema_text(name: str) -> str:
    """Return a schema as the text of its file, the same on every run."""
    return json.dumps(json_schema(name), indent=2, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> tuple[Path, ...]:
    """Write every schema into a folder and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = tuple(folder / name for name in SCHEMAS)
    for path in paths:
        path.write_text(schema_text(path.name), encoding="utf-8")
    return paths


def _describe(model: dict[str, Any]) -> None:
    """Give each key of a model its words, in place of a title that only repeats the key."""
    words = {**WORDS["*"], **WORDS.get(model.get("title", ""), {})}
    for key, value in model.get("properties", {}).items():
        value.pop("title", None)
        _without_null(value)
        if "patternProperties" in value:
            value["additionalProperties"] = False
        if "$ref" in value:  # words beside a reference add to it, they do not take its place
            value["description"] = words[key]
        value.setdefault("description", words.get(key, ""))


def _without_null(value: dict[str, Any]) -> None:
    """Take out null: a key that says nothing is left out, as an empty text is refused."""
    if {"type": "null"} in value.get("anyOf", []):
        (other,) = (choice for choice in value.pop("anyOf") if choice != {"type": "null"})
        value.pop("default", None)
        value.update({key: words for key, words in other.items() if key not in value})
