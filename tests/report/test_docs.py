from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

from homolog.report import to_json
from homolog.report.messages import read_messages
from homolog.report.schema import RecordForm
from homolog.report.schema_findings import Finding, OutcomeName, VerdictName
from tests.report.samples import full_report

DOC = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
RECORD: dict[str, Any] = json.loads(to_json(full_report()))


def keys_of(value: Any) -> set[str]:
    match value:
        case dict():
            return {key for key in value if re.fullmatch(r"[A-Za-z_0-9]+", key)} | {
                key for inner in value.values() for key in keys_of(inner)
            }
        case list():
            return {key for inner in value for key in keys_of(inner)}
        case _:
            return set()


def test_the_example_is_a_finding() -> None:
    example = json.loads(DOC.partition("```json")[2].partition("```")[0])
    Finding.model_validate(example)
    assert set(example) == set(RECORD["findings"][0])


def test_every_key_of_the_record_is_explained() -> None:
    record = {key: value for key, value in RECORD.items() if key != "notes"}
    free = ("attributes", "facts", "engine", "params", "details", "counts")  # their keys are people's or explained elsewhere
    text = json.dumps(record, default=str)
    record = json.loads(text, object_hook=lambda part: {key: ([] if key in free else value) for key, value in part.items()})
    explained = set(re.findall(r"[`\"]([A-Za-z_0-9]+)[`\"]", DOC))
    assert keys_of(record) - explained == set()


def test_every_head_key_has_a_row() -> None:
    head = DOC.partition("## The head")[2].partition("## Outcomes")[0]
    names = [field.alias or name for name, field in RecordForm.model_fields.items()]
    assert [name for name in names if f"`{name}`" not in head] == []


def test_every_code_is_listed_with_its_words() -> None:
    texts, _ = read_messages("en")
    for key, forms in texts.items():
        group, _, code = key.partition(".")
        if group in ("why", "next", "note"):
            words = forms["other"].replace("[[", "⟦").replace("]]", "⟧")
            assert f"| `{code}` | {words} |" in DOC, key


def test_every_verdict_and_outcome_is_listed() -> None:
    for name in (*get_args(VerdictName), *get_args(OutcomeName)):
        assert f"`{name}`" in DOC
