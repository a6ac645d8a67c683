"""When two written names are one name."""

from __future__ import annotations

import pytest

from homolog.quantity import same_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna Rossi", "  anna   ROSSI "),
        ("Anna Rossi", "Ａｎｎａ Rossi"),  # full width
        ("Fiora", "ﬁora"),  # a ligature
        ("Zoë", "Zoe\u0308"),  # composed and not
        ("Straße", "STRASSE"),
        ("Anna Rossi", "Anna\u00a0Rossi"),
        ("Anna Rossi", "Аnnа Rоssi"),  # with Cyrillic a and o
        ("Іван", "іван"),
    ],
)
def test_one_name_written_in_two_ways(one: str, other: str) -> None:
    assert same_name(one) == same_name(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Anna", "Anne"), ("A. Rossi", "B. Rossi"), ("Іван", "Иван"), ("Вова", "Вера"), ("", "A")]
)
def test_two_names(one: str, other: str) -> None:
    assert same_name(one) != same_name(other)


def test_no_two_letters_of_one_alphabet_become_one() -> None:
    for first, last in (("а", "ӿ"), ("α", "ω"), ("a", "z")):
        letters = [chr(code) for code in range(ord(first), ord(last) + 1)]
        folded = {letter: letter.casefold() for letter in letters}
        assert len({same_name(letter) for letter in letters}) == len(set(folded.values()))
