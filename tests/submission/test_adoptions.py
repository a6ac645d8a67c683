"""A board's adoptions: read strictly, one for each case, and of nothing that does not exist."""

from __future__ import annotations

from datetime import date

import pytest

from homolog.errors import InputRefused
from homolog.quantity import Adoption
from homolog.submission.adoptions import check_adoptions, read_adoptions
from tests.submission.sheets import spec_of

ONE = "{interpretation: INT-contents, reading: outer, by: FISTF board, on: 2026-01-31, decision: minutes 4"


def adoptions(*entries: str) -> bytes:
    return ("format: homolog-adoptions/1\nadoptions:\n" + "".join(f"  - {entry}}}\n" for entry in entries)).encode()


def refused(data: bytes) -> list[tuple[str, str]]:
    with pytest.raises(InputRefused) as caught:
        read_adoptions(data, "a.yaml")
    return [(problem.where, problem.code) for problem in caught.value.problems]


def test_an_adoption_is_read_with_its_scope() -> None:
    found = read_adoptions(adoptions(ONE + ', requirements: [gk.volume], body: fistf, edition: "4.0"'), "a.yaml")
    assert found.adoptions == (
        Adoption(
            interpretation="INT-contents",
            reading="outer",
            by="FISTF board",
            on=date(2026, 1, 31),
            decision="minutes 4",
            requirements=("gk.volume",),
            body="fistf",
            edition="4.0",
            where="a.yaml:3:5",
        ),
    )
    assert (len(found.sha256), found.name) == (64, "a.yaml")
    assert found.adoptions[0].where == "a.yaml:3:5"
    assert found.adoptions[0].is_meant_for(body="fistf", edition="4.0")
    assert not found.adoptions[0].is_meant_for(body="fistf", edition="14-2014")
    assert found.adoptions[0].makes_rule("INT-contents", "gk.volume", date(2026, 1, 31))
    assert not found.adoptions[0].makes_rule("INT-contents", "gk.volume", date(2026, 1, 30))
    assert not found.adoptions[0].makes_rule("INT-contents", "gk.width", date(2026, 1, 31))


def test_json_will_do_too() -> None:
    entry = '{"interpretation": "INT-x", "reading": "a", "by": "b", "on": "2026-01-31", "decision": "d"}'
    text = '{"format": "homolog-adoptions/1", "adoptions": [' + entry + "]}"
    assert read_adoptions(text.encode(), "a.json").adoptions[0].on == date(2026, 1, 31)


@pytest.mark.parametrize(
    ("entry", "at", "code"),
    [
        (ONE.replace("2026-01-31", "2026-02-30"), "on:", "date_invalid"),
        (ONE.replace("2026-01-31", "31.1.2026"), "on:", "date_invalid"),
        (ONE.replace("2026-01-31", "20260131"), "on:", "date_invalid"),
        (ONE.replace(", by: FISTF board", ""), "{", "adoption_incomplete"),
        (ONE + ", requirements: []", "requirements:", "adoption_incomplete"),
        (ONE + ", status: adopted", "status:", "key_unknown"),
    ],
)
def test_an_adoption_is_refused_at_the_place_of_its_fault(entry: str, at: str, code: str) -> None:
    column = f"  - {entry}".replace("interpretation:", "interpretatiox:").index(at) + 1
    assert refused(adoptions(entry)) == [(f"a.yaml:3:{column}", code)]


@pytest.mark.parametrize(
    ("text", "code"),
    [("format: homolog-adoptions/1\n", "shape"), ("adoptions: []\n", "format_unknown"), ("[a]\n", "shape")],
)
def test_the_head_of_the_file_is_needed(text: str, code: str) -> None:
    assert refused(text.encode()) == [("a.yaml:1:1", code)]


@pytest.mark.parametrize(
    ("first", "second", "is_good"),
    [
        ("", "", False),
        ("", ", requirements: [gk.volume]", False),
        (", requirements: [a, b]", ", requirements: [b]", False),
        (", requirements: [a]", ", requirements: [b]", True),
        (", body: x", ", body: y", True),
        (", body: x", ", edition: y", False),
        (", edition: x", ", edition: y", True),
    ],
)
def test_one_case_falls_under_one_adoption(first: str, second: str, is_good: bool) -> None:
    data = adoptions(ONE + first, ONE.replace("outer", "material") + second)
    if is_good:
        assert len(read_adoptions(data, "a.yaml").adoptions) == 2
    else:
        assert refused(data) == [("a.yaml:4:5", "adoption_overlap")]


def checked(entry: str) -> list[tuple[str, str]]:
    found = read_adoptions(adoptions(entry), "a.yaml")
    editions = [("fistf", "4.0"), ("fistf", "14-2014")]
    try:
        check_adoptions(found, [spec_of("goalkeeper"), spec_of("board")], editions)
    except InputRefused as error:
        return [(problem.where, problem.code) for problem in error.problems]
    return []


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (ONE, None),
        (ONE + ", requirements: [gk.volume], body: fistf, edition: '4.0'", None),
        (ONE.replace("INT-contents, reading: outer", "INT-decision, reading: simple") + ", requirements: [gk.height]", None),
        (ONE.replace("INT-contents", "INT-content"), "interpretation_unknown"),
        (ONE.replace("outer", "inner"), "reading_unknown"),
        (ONE + ", requirements: [gk.height]", "requirement_unknown"),
        (ONE + ", body: fisf", "body_unknown"),
        (ONE + ", body: fistf, edition: '5'", "edition_unknown"),
    ],
)
def test_what_does_not_exist_cannot_be_adopted(entry: str, code: str | None) -> None:
    assert checked(entry) == ([] if code is None else [("a.yaml:3:5", code)])


def test_a_file_of_adoptions_is_bounded() -> None:
    assert refused(b"x" * 1_000_001) == [("a.yaml", "file_too_large")]
