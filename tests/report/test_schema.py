from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from homolog.data import templates_dir
from homolog.report import Report, to_json
from homolog.report.schema import json_schema
from tests.report.samples import full_report, make_report

PUBLISHED = Path(__file__).parents[2] / "docs" / "schema" / "homolog-report-1.json"
SHIPPED = templates_dir() / "report" / "schema" / "homolog-report-1.json"


@pytest.mark.parametrize("path", [PUBLISHED, SHIPPED], ids=["published", "shipped"])
def test_the_schema_file_is_the_one_that_the_types_give(path: Path) -> None:
    expected = json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"
    assert path.read_text(encoding="utf-8") == expected, "write it again: python -m homolog.report.schema > " + path.name


@pytest.mark.parametrize("report", [full_report(), make_report()], ids=["everything", "little"])
def test_records_fit_the_published_schema(report: Report) -> None:
    schema = json.loads(PUBLISHED.read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(to_json(report)))


@pytest.mark.parametrize(
    ("key", "value"),
    [("verdict", "fine"), ("counts", {}), ("on", "1.3.2026"), ("extra", 1), ("format", "homolog-report/2"), ("findings", None)],
)
def test_the_schema_refuses_what_is_no_record(key: str, value: object) -> None:
    record = json.loads(to_json(make_report()))
    record[key] = value
    assert not jsonschema.Draft202012Validator(json_schema()).is_valid(record)


def test_the_schema_takes_no_number_for_a_measured_value() -> None:
    record = json.loads(to_json(make_report()))
    record["findings"][0]["reading"]["value"] = 38.95
    assert not jsonschema.Draft202012Validator(json_schema()).is_valid(record)
