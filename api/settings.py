"""The service's settings, read once from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

PREFIX = "HOMOLOG_"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a host may choose; every name is also a variable, `body_limit` as HOMOLOG_BODY_LIMIT.

    Attributes:
        body_limit: Bytes of a request's body, all parts together.
        sheet_limit: Bytes of a sheet, or of a file of adoptions.
        lot_limit: Samples of one sheet; longer lots belong to the command line, which streams them.
        scan_limit: Scans of one request, as of the pieces of a set.
        body_seconds: Time for a body to arrive.
        uploads: Requests whose bodies may be held at the same time.
        scan_seconds: Time for measuring the scans of one request.
        measurements: Scans measured at the same time.
        sheets: Sheets judged at the same time.
        queue: Requests that may wait for a place, of each kind.
        queue_seconds: How long one waits before it is sent away.
        checks_per_minute: Checks from one address, of each process.
        requests_per_minute: Requests of one account to the register, or from one address without one, of each process.
        sign_in_tries: Tries to sign in within a quarter of an hour, for one name from one address.
        sign_in_tries_address: The same from one address for any names.
    """

    body_limit: int = 50_000_000
    sheet_limit: int = 5_000_000
    lot_limit: int = 1_000
    scan_limit: int = 30
    body_seconds: float = 120
    uploads: int = 16
    scan_seconds: float = 120
    measurements: int = field(default_factory=_cores)
    sheets: int = field(default_factory=_cores)
    queue: int = 8
    queue_seconds: float = 20
    checks_per_minute: int = 240
    requests_per_minute: int = 1_200
    sign_in_tries: int = 10
    sign_in_tries_address: int = 60

    def __post_init__(self) -> None:
        """Refuse a setting that would close the service."""
        for known in fields(self):
            value = getattr(self, known.name)
            if value < 0 or (value == 0 and not known.name.startswith("queue")):
                raise ValueError(f"{PREFIX}{known.name.upper()} is {value}; write a number above 0")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the settings; what is not set keeps its default.

        Raises:
            ValueError: A variable does not hold a whole number, or one that closes the service.
        """
        given = os.environ if environment is None else environment
        chosen: dict[str, Any] = {}
        for known in fields(cls):
            name = PREFIX + known.name.upper()
            text = given.get(name, "").strip()
            if not text:
                continue
            if not (text.isascii() and text.isdigit()):
                raise ValueError(f"{name} is {text!r}; write a whole number")
            chosen[known.name] = int(text)
        return cls(**chosen)
