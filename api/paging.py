"""Lists in pages: how many, from where on, and the address of the next."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Query

from api.problems import Failure
from homolog.errors import Problem

MOST = 100
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Asking:
    """Which page is asked for.

    Attributes:
        limit: How many entries; ask the register for one more, `wanted`, to see whether there is a next page.
        after: The key of the last entry that was seen; None for the first page.
    """

    limit: int
    after: str | None

    @property
    def wanted(self) -> int:
        """How many entries to ask for."""
        return self.limit + 1

    def cut(self, found: Sequence[_Item], key: Callable[[_Item], str]) -> tuple[list[_Item], str | None]:
        """Return the page's entries, and the cursor of the next page if there is one.

        Args:
            found: Up to `wanted` entries, in the order of their keys.
            key: The text that an entry is ordered by.
        """
        page = list(found[: self.limit])
        return page, cursor_of(key(page[-1])) if len(found) > self.limit else None


def cursor_of(key: str) -> str:
    """Return a cursor for what comes after a key; for others it is a word without meaning."""
    return base64.urlsafe_b64encode(json.dumps([key]).encode()).decode().rstrip("=")


def _asking(
    limit: Annotated[int, Query(ge=1, le=MOST, description="How many entries at most.")] = 50,
    cursor: Annotated[str | None, Query(max_length=1000, description="`next` of the page before.")] = None,
) -> Asking:
    return Asking(limit, None if cursor is None else key_of(cursor))


def key_of(cursor: str) -> str:
    """Return the key that a cursor of ours stands for.

    Raises:
        Failure: It is none of ours.
    """
    """Return the key that a cursor was made from.

    Raises:
        Failure: It is none of ours.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        match json.loads(base64.b64decode(padded, altchars=b"-_", validate=True)):
            case [str() as key] if "\0" not in key and key.isprintable():
                return key
    except (binascii.Error, ValueError, RecursionError):
        pass
    problem = Problem("parameter cursor", "it is none of ours", "send `next` of the page before", "usage")
    raise Failure("usage", "The cursor cannot be taken.", problems=[problem])


Paging = Annotated[Asking, Depends(_asking)]
"""Write `paging: Paging` as an operation's parameter."""
