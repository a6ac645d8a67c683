"""The schema in the repository is the models', and every shipped file keeps it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from homolog.data import specs_dir
from homolog.gate.yaml_text import parse_yaml
from homolog.spec.schema import SCHEMAS, json_schema, schema_text, write_schemas
from tests.spec.sample import SPEC, Edit, edited

FOLDER = specs_dir() / "schema"
LINE = re.compile(r"# yaml-language-server: \$schema=(\S+)")


def kind_of(path: Path) -> str:
    if path.name in ("edition.yaml", "ids.yaml"):
        return f"homolog-{path.stem}-1.json"
    if path.parent.name == "process":
        return f"homolog-{'process' if path.stem == 'type' else path.stem}-1.json"
    return "homolog-i18n-1.json" if "i18n" in path.parts else "homolog-spec-1.json"


def shipped() -> list[Path]:
    return sorted(specs_dir().rglob("*.yaml"))


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_the_file_in_the_repository_is_made_from_the_models(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == schema_text(name), "run python tools/write_schemas.py"


def test_the_files_can_be_written_anew(tmp_path: Path) -> None:
    paths = write_schemas(tmp_path / "schema")
    assert [path.name for path in paths] == list(SCHEMAS)
    assert json.loads(paths[0].read_text(encoding="utf-8")) == json_schema()


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_a_schema_is_a_schema_and_says_what_each_key_is(name: str) -> None:
    schema = json_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for model in (schema, *schema.get("$defs", {}).values()):
        assert model["description"]
        assert not [key for key, value in model.get("properties", {}).items() if not value.get("description")], model["title"]
        if "properties" in model:
            assert model["additionalProperties"] is False


@pytest.mark.parametrize("path", shipped(), ids=lambda path: path.relative_to(specs_dir()).as_posix())
def test_a_shipped_file_keeps_its_schema(path: Path) -> None:
    value = parse_yaml(path.read_bytes(), path.name).value
    faults = Draft202012Validator(json_schema(kind_of(path))).iter_errors(value)
    assert [f"{fault.json_path}: {fault.message}" for fault in faults] == []


@pytest.mark.parametrize("path", shipped(), ids=lambda path: path.relative_to(specs_dir()).as_posix())
def test_an_editor_finds_the_schema_of_a_file(path: Path) -> None:
    match = LINE.match(path.read_text(encoding="utf-8"))
    if path.name not in ("edition.yaml", "ids.yaml") and "i18n" not in path.parts:
        assert match, "the first line of a spec names its schema"
    if match:
        assert (path.parent / match[1]).resolve() == FOLDER / kind_of(path)


def faults(text: str) -> list[str]:
    value: Any = parse_yaml(text.encode(), "f").value
    return [fault.json_path for fault in Draft202012Validator(json_schema()).iter_errors(value)]


def test_the_sample_keeps_the_schema() -> None:
    assert faults(SPEC) == []


@pytest.mark.parametrize(
    ("edit", "path"),
    [
        (("height, max: 39 mm", "height, max: 39"), "$.requirements[0]"),
        (("height, max: 39 mm", "height, max: 39 ell"), "$.requirements[0]"),
        (("height, max: 39 mm", "height, maximum: 39 mm"), "$.requirements[0]"),
        (("gk.height, kind: limit", "gk.height, kind: limits"), "$.requirements[0]"),
        (("height: {unit: mm", "height: {unit: ell"), "$.quantities['goalkeeper.height'].unit"),
        (("status: published", "status: final"), "$.edition.status"),
        (("each: [left, right]}\n  goalkeeper.foot", "each: some}\n  goalkeeper.foot"), "$.quantities['goalkeeper.top'].each"),
        (('what: "height"', 'what: ""'), "$.quantities['goalkeeper.height'].what"),
    ],
)
def test_what_the_loader_refuses_an_editor_underlines(edit: Edit, path: str) -> None:
    assert path in faults(edited(SPEC, edit))
