"""What refuses a person who comes in, or a change: each with its code."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar, Self

from homolog.errors import HomologError, Problem


class NotSignedIn(HomologError):
    """Name and password, token or session do not let anybody in; it does not say which of them was wrong."""

    code: ClassVar[str] = "credentials_refused"
    exit_code: ClassVar[int] = 2


class TooOften(HomologError):
    """Somebody came too often.

    Attributes:
        seconds: After how long to come again.
    """

    code: ClassVar[str] = "too_often"
    exit_code: ClassVar[int] = 2
    seconds: int = 1

    @classmethod
    def until(cls, wait: timedelta) -> Self:
        """Build the error from how long to wait."""
        seconds = max(1, int(wait.total_seconds()) + 1)
        error = cls(Problem("", "this was tried too often", f"try again in {seconds} s", cls.code))
        error.seconds = seconds
        return error


class ChangedMeanwhile(HomologError):
    """Somebody else changed it since the actor looked at it; nothing was written."""

    code: ClassVar[str] = "changed_meanwhile"
    exit_code: ClassVar[int] = 2


class Conflicting(HomologError):
    """It cannot be so beside what is there already; nothing was written."""

    code: ClassVar[str] = "conflicting"
    exit_code: ClassVar[int] = 2


def require_version(expected: int | None, found: int) -> None:
    """Refuse a change of what somebody else has changed.

    Args:
        expected: The version that the actor has looked at; None does not ask.
        found: The version that is there.

    Raises:
        ChangedMeanwhile: It is another one.
    """
    if expected is not None and expected != found:
        raise ChangedMeanwhile.because(f"version {expected} was looked at, and {found} is there", todo="look at it again")
