"""Passwords: what may be one, its hash, and whether it fits; always at the same price, whoever is asked for."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

from homolog.errors import InputRefused

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST: Final = 12
LONGEST: Final = 1000


def require_password(password: str, *, email: str, where: str = "password") -> None:
    """Refuse a password that is easily guessed.

    Raises:
        InputRefused: It is too short or long, or made of the address, or of few letters.
    """
    folded = _normal(password)
    if not SHORTEST <= len(folded) <= LONGEST:
        raise _refused(where, f"it has {len(folded)} letters", f"choose {SHORTEST} to {LONGEST}")
    if folded.casefold() in (email.casefold(), email.partition("@")[0].casefold() * 2):
        raise _refused(where, "it is made of your address", "choose another")
    if len(set(folded)) < SHORTEST // 2:
        raise _refused(where, "it is made of very few letters", "choose another")


def hashed(password: str) -> str:
    """Return the argon2id hash of a password; this takes a while and some memory."""
    return _hasher().hash(_normal(password))


def fits(stored: str | None, password: str) -> bool:
    """Whether a password is the one of a hash; without a hash it takes as long and is not.

    Args:
        stored: The hash; None for an account that is not there, or has none.
        password: As typed.
    """
    from argon2.exceptions import InvalidHashError, VerificationError

    # Whoever measures how long the answer takes must not learn which accounts there are.
    if len(password) > LONGEST:
        password = ""
    try:
        _hasher().verify(stored or _nobody(), _normal(password))
    except (InvalidHashError, VerificationError):
        return False
    return stored is not None


def is_outdated(stored: str) -> bool:
    """Whether a hash was made with other costs than today's, and should be made anew when the password is at hand."""
    return _hasher().check_needs_rehash(stored)


def _normal(password: str) -> str:
    # The same keys give composed letters on one machine and decomposed ones on another.
    return unicodedata.normalize("NFKC", password)


def _refused(where: str, what: str, todo: str) -> InputRefused:
    return InputRefused.because(what, where=where, todo=todo, code="password_refused")


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    # OWASP's first choice: 46 MiB and one pass; a few tens of milliseconds.
    return PasswordHasher(time_cost=1, memory_cost=47_104, parallelism=1)


@cache
def _nobody() -> str:
    return _hasher().hash("nobody has this password")
