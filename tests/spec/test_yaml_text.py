"""YAML is read as text with places, and nothing else."""

import time

import pytest

from homolog.errors import InputRefused
from homolog.gate.text import decode_text
from homolog.gate.yaml_text import MAX_NODES, Position, parse_yaml


def test_every_scalar_stays_text() -> None:
    document = parse_yaml(b"a: NO\nb: 1.10\nc: [010, ~, 1_000]\nd:\n", "f.yaml")
    assert document.value == {"a": "NO", "b": "1.10", "c": ["010", "~", "1_000"], "d": ""}


def test_each_part_has_its_place() -> None:
    document = parse_yaml(b"a: x\nb:\n  - c: {d: e}\n", "f.yaml")
    assert document.positions[("b", 0, "c", "d")] == Position(3, 9)
    assert document.where(("b", 0, "c")) == "f.yaml:3:5"
    assert document.where(("b", 0, "not there")) == "f.yaml:3:5"
    assert document.where(()) == "f.yaml:1:1"


def test_a_byte_order_mark_is_dropped() -> None:
    assert parse_yaml(b"\xef\xbb\xbfa: x", "f.yaml").value == {"a": "x"}


@pytest.mark.parametrize(
    ("data", "where", "code"),
    [
        (b"", "f", "file_empty"),
        (b"# no document\n", "f", "file_empty"),
        (b"a: \x00", "f", "text_invalid"),
        (b"a: b\nc: \xff", "f:2", "text_invalid"),
        (b"a: &x b", "f:1:4", "yaml_alias"),
        (b"a: {&x b: c}", "f:1:5", "yaml_alias"),
        (b"a: *x", "f:1:4", "yaml_alias"),
        (b"a: b\n<<: {c: d}", "f:2:1", "yaml_alias"),
        (b"a: !!int 3", "f:1:4", "yaml_tag"),
        (b"a: !x b", "f:1:4", "yaml_tag"),
        (b"a: [1\n", "f:2:1", "yaml_invalid"),
        (b"a: 1\nb: \x01", "f:2:4", "yaml_invalid"),
        ("é: é\x7f".encode(), "f:1:5", "yaml_invalid"),
        (b"a: 1\nb: 2\na: 3", "f:3:1", "key_duplicate"),
        (b"? [a]\n: b", "f:1:3", "yaml_key"),
        (b"a: b\n---\nc: d", "f:2:1", "yaml_documents"),
        (b"[" * 40 + b"]" * 40, "f:1:34", "yaml_depth"),
    ],
)
def test_what_is_not_plain_yaml_is_refused_at_its_place(data: bytes, where: str, code: str) -> None:
    with pytest.raises(InputRefused) as refused:
        parse_yaml(data, "f")
    (problem,) = refused.value.problems
    assert (problem.where, problem.code) == (where, code)


def test_an_unquoted_decimal_comma_is_not_read_as_a_second_key() -> None:
    assert parse_yaml(b"{max: 39,0 mm}", "f").value == {"max": "39", "0 mm": ""}  # the model refuses the key


@pytest.mark.parametrize("piece", [b"x,", b"[],", b"{},", b"k: v,"])
def test_a_file_with_too_many_parts_is_refused_at_once(piece: bytes) -> None:
    start = time.process_time()
    with pytest.raises(InputRefused) as refused:
        parse_yaml(b"[" + piece * (MAX_NODES + 1) + b"]", "f")
    assert refused.value.problems[0].code == "yaml_size"
    assert time.process_time() - start < 5


def test_a_file_that_is_too_large_is_refused_unread() -> None:
    with pytest.raises(InputRefused) as refused:
        decode_text(b"abc", "f", max_bytes=2)
    assert refused.value.problems[0].code == "file_too_large"
