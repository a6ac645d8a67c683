"""How often one may come: counts of this process, in windows of a minute."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable

from starlette.requests import Request

from api.problems import Failure

WINDOW = 60
_MOST_SUBJECTS = 100_000


class Turns:
    """Counts requests by who sends them; what is refused is not counted."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._window = 0
        self._counts: dict[tuple[str, str], int] = {}

    def take(self, subject: str, action: str, most: int) -> None:
        """Count a request.

        Args:
            subject: Who, as `address_of` or `account:ID`.
            action: What is counted.
            most: How many there may be in a minute.

        Raises:
            Failure: There were as many already.
        """
        now = self._clock()
        window = int(now // WINDOW)
        if window != self._window or len(self._counts) > _MOST_SUBJECTS:
            self._window = window
            self._counts.clear()
        count = self._counts.get((subject, action), 0)
        if count >= most:
            seconds = max(1, int((window + 1) * WINDOW - now) + 1)
            detail = f"More than {most} such requests in a minute; try again in {seconds} s."
            raise Failure("too_often", detail, headers={"Retry-After": str(seconds)})
        self._counts[(subject, action)] = count + 1


def address_of(request: Request) -> str:
    """Return where a request comes from: an address, of IPv6 the network that one customer has."""
    host = request.client.host if request.client is not None else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return f"address:{host[:60]}"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return f"address:{address.ipv4_mapped}"
        return f"address:{ipaddress.ip_network((address, 64), strict=False)}"
    return f"address:{address}"
