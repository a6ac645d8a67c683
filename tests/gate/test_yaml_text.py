"""YAML is read as text at its place, or refused; names are checked before they are kept."""

from __future__ import annotations

import pytest

from homolog.errors import InputRefused
from homolog.gate.text import fault_of_words, normal_words
from homolog.gate.yaml_text import parse_yaml


def refused(text: str) -> tuple[str, str]:
    with pytest.raises(InputRefused) as caught:
        parse_yaml(text.encode(), "x.yaml")
    (problem,) = caught.value.problems
    return problem.where, problem.code


def test_no_scalar_changes_its_text() -> None:
    assert parse_yaml(b"a: [NO, 1.10, 010, 1_000, ~]\n", "x.yaml").value == {"a": ["NO", "1.10", "010", "1_000", "~"]}


@pytest.mark.parametrize(
    ("text", "place", "code"),
    [
        ("a: 1\na: 2\n", "2:1", "key_duplicate"),
        ("a: &x 1\n", "1:4", "yaml_alias"),
        ("a: *x\n", "1:4", "yaml_alias"),
        ("<<: {}\n", "1:1", "yaml_alias"),
        ("a: !!python/object:os.system x\n", "1:4", "yaml_tag"),
        ("? [a]\n: b\n", "1:3", "yaml_key"),
        ("a: 1\n---\nb: 2\n", "2:1", "yaml_documents"),
        ("[" * 40, "1:34", "yaml_depth"),
        ("a: [1, 2\n", "2:1", "yaml_invalid"),
    ],
)
def test_what_yaml_would_guess_is_refused(text: str, place: str, code: str) -> None:
    assert refused(text) == (f"x.yaml:{place}", code)


@pytest.mark.parametrize("text", ["Müller & Söhne", "Ґалаґан, м’яч № 3", "Ὀδυσσεύς", "Ø 21 mm ± 0.05 °", "ʼ"])
def test_names_in_the_reports_scripts_are_kept(text: str) -> None:
    assert fault_of_words(text) is None


@pytest.mark.parametrize(
    ("text", "code"), [("a\nb", "U+000A"), ("a\u202eb", "U+202E"), ("مرمى", "U+0645"), ("a\u00adb", "U+00AD"), ("😀", "U+1F600")]
)
def test_names_that_a_report_cannot_print_are_refused(text: str, code: str) -> None:
    fault = fault_of_words(text)
    assert fault is not None
    assert code in fault[0]


def test_a_name_has_200_letters_at_most() -> None:
    assert fault_of_words("x" * 200) is None
    assert fault_of_words("x" * 201) == ("the text has 201 letters, more than 200", "shorten it")


def test_names_are_kept_composed() -> None:
    assert normal_words(" e\u0301 ") == "é"
