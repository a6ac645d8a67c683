"""JSON is read as text at its place, or refused."""

from __future__ import annotations

import time

import pytest

from homolog.errors import InputRefused
from homolog.gate.json_text import Bare, parse_json


def refused(text: str | bytes) -> tuple[str, str]:
    with pytest.raises(InputRefused) as caught:
        parse_json(text.encode() if isinstance(text, str) else text, "x.json")
    (problem,) = caught.value.problems
    return problem.where, problem.code


def test_every_scalar_stays_text_and_keeps_its_place() -> None:
    document = parse_json(b'{"a": ["1.10", 1.10, true],\n "b": {"c": null}}', "x.json")
    assert document.value == {"a": ["1.10", "1.10", "true"], "b": {"c": "null"}}
    assert [isinstance(value, Bare) for value in document.value["a"]] == [False, True, True]  # type: ignore[call-overload, index]
    assert [document.where(path) for path in [(), ("a", 1), ("b", "c"), ("b", "x")]] == [
        "x.json:1:1",
        "x.json:1:16",
        "x.json:2:8",
        "x.json:2:2",
    ]


@pytest.mark.parametrize(
    ("text", "value"), [('"\\u00e9\\n"', "é\n"), ('"a\\"b"', 'a"b'), ("[]", []), ("{}", {}), (" -0.5e+3 ", "-0.5e+3")]
)
def test_legal_json_is_read(text: str, value: object) -> None:
    assert parse_json(text.encode(), "x.json").value == value


@pytest.mark.parametrize(
    ("text", "column", "code"),
    [
        ('{"a": 1, "a": 2}', 10, "key_duplicate"),
        ('{"a" 1}', 6, "json_invalid"),
        ("{a: 1}", 2, "json_invalid"),
        ("[1, ]", 5, "json_invalid"),
        ("[1 2]", 4, "json_invalid"),
        ("[01]", 2, "json_invalid"),
        ("[NaN]", 2, "json_invalid"),
        ("[-Infinity]", 2, "json_invalid"),
        ("[1_000]", 2, "json_invalid"),
        ("[٣]", 2, "json_invalid"),
        ('["a', 2, "json_invalid"),
        ('["\\x"]', 2, "json_invalid"),
        ('["\\ud800"]', 2, "text_invalid"),
        ('["\\u0000"]', 2, "text_invalid"),
        ("{} {}", 4, "json_invalid"),
        ("[" * 100, 34, "json_depth"),
    ],
)
def test_broken_json_is_refused_where_it_breaks(text: str, column: int, code: str) -> None:
    assert refused(text) == (f"x.json:1:{column}", code)


def test_the_number_of_values_is_bounded() -> None:
    begin = time.process_time()
    assert refused("[" + "1," * 200_000 + "1]")[1] == "json_size"
    assert time.process_time() - begin < 1


def test_a_file_that_is_not_text_is_refused() -> None:
    assert refused(b"\xff")[1] == "text_invalid"
    assert refused(b"  ")[1] == "file_empty"
