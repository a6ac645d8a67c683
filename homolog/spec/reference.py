"""The reference of every key of the spec language as Markdown tables, made from the schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from homolog.spec.schema import json_schema

_SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("homolog-spec-1.json", ("Spec", "Edition", "Effective", "Transition", "Source", "Clause", "Attribute")),
    ("homolog-spec-1.json", ("Method", "Quantity", "MethodUse", "Derived")),
    ("homolog-spec-1.json", ("Interpretation", "InterpretationReading", "Adoption")),
    (
        "homolog-spec-1.json",
        ("Limit", "Case", "Inspect", "Judge", "Panel", "Count", "Uniform", "Differs", "OneOf", "Approved", "AnyOf", "Example"),
    ),
    ("homolog-edition-1.json", ("EditionFile", "NamedFile")),
    ("homolog-ids-1.json", ("IdRegister", "RegisteredId", "Tombstone", "Unknown")),
    ("homolog-i18n-1.json", ("CatalogueFile", "Translated")),
    ("homolog-process-1.json", ("Process", "State", "Step", "Asked", "Who", "Branch", "Counting")),
    ("homolog-memorandum-1.json", ("Memorandum", "Paragraph")),
    ("homolog-named-types-1.json", ("NamedTypes", "NamedType")),
)
_BEGIN = "<!-- begin reference: written by tools/write_schemas.py -->"
_END = "<!-- end reference -->"
_COMMON = ("id", "clause", "says", "covers", "when", "purposes", "basis", "interpretation", "note")
_KINDS = ("Limit", "Inspect", "Judge", "Count", "Uniform", "Differs", "OneOf", "Approved", "AnyOf")


def reference() -> str:
    """Return a heading with a table of keys for every part of the language, in reading order."""
    return "\n".join(_reference())


def with_reference(document: str) -> str:
    """Return a document with the reference between its marks."""
    before, _, rest = document.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n\n{reference()}\n{_END}{after}"


def _reference() -> Iterator[str]:
    for name, parts in _SECTIONS:
        schema = json_schema(name)
        models = {schema["title"]: schema, **schema["$defs"]}
        for part in parts:
            if part == "Limit":
                yield from _table("Every requirement", "What all kinds carry.", models[part], models, _COMMON)
            keys = [key for key in models[part]["properties"] if part not in _KINDS or key not in _COMMON]
            yield from _table(_heading(part, models[part]), models[part]["description"], models[part], models, keys)


def _heading(part: str, model: dict[str, Any]) -> str:
    kind = model["properties"].get("kind", {}).get("const")
    return f"{part}: `kind: {kind}`" if kind else part


def _table(
    heading: str, words: str, model: dict[str, Any], models: dict[str, dict[str, Any]], keys: tuple[str, ...] | list[str]
) -> Iterator[str]:
    yield f"### {heading}"
    yield ""
    yield words
    yield ""
    yield "| key | must be there | what it says |"
    yield "|---|---|---|"
    for key in keys:
        value = model["properties"][key]
        must = "yes" if key in model.get("required", ()) else ""
        yield f"| `{key}` | {must} | {value['description']}{_values(value)}{_link(value, models)} |"
    yield ""


def _values(value: dict[str, Any]) -> str:
    """Return the closed list of a key's values, also of the entries of a list."""
    found = value.get("enum") or value.get("items", {}).get("enum") or ([value["const"]] if "const" in value else [])
    return f" One of {', '.join(f'`{one}`' for one in found)}." if len(found) > 1 else "".join(f" Always `{one}`." for one in found)


def _link(value: dict[str, Any], models: dict[str, dict[str, Any]]) -> str:
    """Return a link to the table of what stands under a key; kinds of requirement have one each."""
    inside = (value, value.get("items", {}), value.get("additionalProperties") or {}, *value.get("patternProperties", {}).values())
    references = [part["$ref"].rpartition("/")[2] for part in inside if isinstance(part, dict) and "$ref" in part]
    return "".join(f" See [{name}](#{name.lower()})." for name in references if name in models and "properties" in models[name])
