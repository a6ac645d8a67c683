"""One spelling for all accents and alphabets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homolog.register.folding import LONGEST, beginnings, fold, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zeugo", "ZEUGO"),
        ("Zeugo", "Зеуґо"),
        ("Zeugo", "Зеуго"),
        ("Subbuteo", "Субутео".replace("Субу", "Суббу")),
        ("Müller", "Muller"),
        ("Müller", "Mu\u0308ller"),
        ("Łódź", "Lodz"),
        ("Sørensen", "Sorensen"),
        ("Straße", "STRASSE"),
        ("Σπορτς", "Sports"),
        ("Kyiv", "Київ"),
        ("Swift", "Svift"),
        ("Щука", "Shchuka"),
        ("Ｓｐｏｒｔｓ", "Sports"),
        ("  Flat--style ", "flat style"),
        ("Ёлка", "Елка"),
    ],
)
def test_a_name_is_the_same_in_any_spelling(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_different_names_stay_different() -> None:
    names = ["Sports", "Sport", "Toccer", "Zeugo", "Profibase", "Woodentop", "Flat", "00-scale", "Спорт 2"]
    assert len({fold(name) for name in names}) == len(names)


def test_letters_of_other_scripts_stay() -> None:
    assert fold("卓球 1") == "卓球 1"
    assert fold("!?") == ""


def test_a_letter_that_is_g_or_h_is_found_by_both() -> None:
    assert {"haharin", "gagarin"} <= words("Гагарін")


def test_every_beginning_up_to_the_longest_is_kept() -> None:
    assert beginnings(frozenset({"abc"})) == {"a", "ab", "abc"}
    assert max(map(len, beginnings(frozenset({"subbuteoball"})))) == LONGEST


@given(st.text(max_size=30))
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert folded == " ".join(folded.split())
