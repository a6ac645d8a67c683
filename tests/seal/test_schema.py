from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from homolog.errors import InputRefused, UsageError
from homolog.seal.certificate import read_certificate
from homolog.seal.forms import Form
from homolog.seal.log import read_head
from homolog.seal.schema import DOCUMENTS, file_name, json_schema
from homolog.seal.signed_file import read_signed
from tests.seal.making import CERTIFICATE, bytes_of, certificate, keys, log_of, signed, status

PUBLISHED = Path(__file__).parents[2] / "docs" / "schema"
LOG = log_of("11" * 32, "22" * 32, statuses=(status(reports=["11" * 32]),))
RECEIPT = LOG.find("11" * 32)
assert RECEIPT is not None
SAMPLES: dict[str, Form] = {
    "homolog-certificate/1": read_certificate(certificate(family="none", valid_until="2028-03-01")),
    "homolog-entry/1": LOG.entries[0],
    "homolog-keys/1": keys(),
    "homolog-log-head/1": read_head(LOG.heads[0][0], "head"),
    "homolog-receipt/1": RECEIPT,
    "homolog-signed/1": read_signed(signed() | {"receipt": RECEIPT.record()}, "file"),
    "homolog-status/1": LOG.statuses[0][1],
}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_schema_file_is_the_one_that_the_types_give(document: str) -> None:
    expected = json.dumps(json_schema(document), indent=1, ensure_ascii=False) + "\n"
    path = PUBLISHED / file_name(document)
    assert path.read_text(encoding="utf-8") == expected, f"write it again: python -m homolog.seal.schema {document} > {path}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_fit_their_schemas_and_nothing_else_does(document: str) -> None:
    schema = json_schema(document)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    record = SAMPLES[document].record()
    validator.validate(record)
    assert not validator.is_valid(record | {"extra": 1})
    for member in schema["required"]:
        assert not validator.is_valid({name: value for name, value in record.items() if name != member})


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_come_back_as_they_were(document: str) -> None:
    form = SAMPLES[document]
    assert type(form).model_validate(json.loads(form.canonical())) == form


def test_an_unknown_document_has_no_schema() -> None:
    with pytest.raises(UsageError):
        json_schema("homolog-report/1")


@pytest.mark.parametrize(
    "members",
    [
        {"number": ""},
        {"number": None},
        {"names": []},
        {"item": "set"},
        {"reports": ["xyz"]},
        {"reports": ["AB" * 32]},
        {"valid_until": "2026-02-28"},
        {"valid_from": "2026-02-28"},
        {"valid_from": "2026-02-30"},
        {"valid_from": "1.3.2026"},
        {"valid_from": 20260301},
        {"decision": {"outcome": "refused", "by": "The board", "on": "2026-03-01"}},
        {"edition": {"body": "fistf"}},
        {"maker": 7},
        {"maker": "x" * 201},
    ],
    ids=str,
)
def test_a_certificate_that_says_no_clear_thing_is_refused(members: dict[str, object]) -> None:
    with pytest.raises(InputRefused) as refused:
        read_certificate(bytes_of({name: value for name, value in (CERTIFICATE | members).items() if value is not None}))
    assert {problem.code for problem in refused.value.problems} == {"seal_damaged"}


def test_another_document_is_no_certificate() -> None:
    with pytest.raises(InputRefused) as refused:
        read_certificate(b'{"format":"homolog-report/1"}')
    assert [problem.code for problem in refused.value.problems] == ["seal_foreign"]


def test_the_certificate_in_the_docs_is_one() -> None:
    text = (PUBLISHED.parent / "verify.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert read_certificate(block.encode()).decision.reference == "Minutes 7"
