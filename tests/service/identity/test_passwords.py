"""What may be a password, and when one fits."""

from __future__ import annotations

import pytest

from homolog.errors import InputRefused
from homolog.service.identity.passwords import LONGEST, SHORTEST, fits, hashed, require_password

GOOD = "correct horse battery"


@pytest.mark.parametrize(
    "password",
    ["a" * (SHORTEST - 1), "short", "", "abc" * 20, "aaaaaaaaaaaaaaaa", "b" * (LONGEST + 1), "ann@example.org"],
)
def test_what_is_easily_guessed_is_refused(password: str) -> None:
    with pytest.raises(InputRefused) as refused:
        require_password(password, email="ann@example.org")
    assert refused.value.problems[0].code == "password_refused"


@pytest.mark.parametrize("password", ["abcdefghijkl", GOOD, "п’ять синіх слонів", "q w e r t y u i o p"])
def test_twelve_letters_of_any_alphabet_will_do(password: str) -> None:
    require_password(password, email="ann@example.org")


def test_a_password_fits_its_hash_and_no_other() -> None:
    stored = hashed(GOOD)
    assert stored.startswith("$argon2id$v=19$m=47104,t=1,p=1$")
    assert fits(stored, GOOD)
    assert not fits(stored, GOOD + " ")
    assert not fits(stored, "")
    assert not fits(None, GOOD)
    assert not fits("no hash", GOOD)
    assert not fits(stored, "x" * 10_000_000)  # is not even hashed


def test_two_hashes_of_one_password_differ() -> None:
    assert hashed(GOOD) != hashed(GOOD)


def test_composed_and_decomposed_letters_are_the_same_keys() -> None:
    assert fits(hashed("caf\u00e9 con panna"), "cafe\u0301 con panna")
