"""How often somebody may try to come in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from homolog.register import requests
from homolog.register.accounts import email_key
from homolog.register.database import Database
from homolog.service.identity.refusals import TooOften


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInLimits:
    """Tries in a quarter of an hour.

    Attributes:
        one: For one name from one address.
        name: For one name from anywhere: high, or a stranger could lock people out.
        address: From one address for any names.
    """

    one: int = 10
    name: int = 100
    address: int = 60


WINDOW = timedelta(minutes=15)


def count_try(database: Database, limits: SignInLimits, *, action: str, name: str, address: str, now: datetime) -> None:
    """Count a try to come in.

    Args:
        database: Where.
        limits: How many there may be.
        action: What is tried, as `sign_in`.
        name: For whom; only a digest of it is kept.
        address: Where from, as `limits.subject_of` writes it.
        now: Aware.

    Raises:
        TooOften: There were too many.
    """
    whom = hashlib.sha256(email_key(name).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    subjects = ((f"{address} for {whom}", limits.one), (f"name:{whom}", limits.name), (address, limits.address))
    wait = _counted(database, subjects, action, now)
    if wait is not None:
        raise TooOften.until(wait)


def _counted(database: Database, subjects: Iterable[tuple[str, int]], action: str, now: datetime) -> timedelta | None:
    with database.write() as session:
        for subject, most in subjects:
            wait = requests.count(session, subject=subject, action=action, most=most, window=WINDOW, now=now)
            if wait is not None:
                return wait
    return None
