"""A request that its sender may repeat: done once, answered each time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime

from homolog.register import requests
from homolog.register.database import Database
from homolog.register.requests import Answer as Answer
from homolog.service.actor import Actor


def once(
    actor: Actor, database: Database, *, key: str, request: bytes, now: datetime, work: Callable[[], Answer]
) -> tuple[Answer, bool]:
    """Do work under its sender's key; all of it, and that it was done, counts together or not at all.

    Args:
        actor: Whose key it is.
        database: Where; every write and read of the work takes part in one transaction, so it must be short.
        key: As sent.
        request: What was asked for; its digest must be the same each time.
        now: Aware.
        work: What is done the first time. If it raises, nothing was done, and the request may be sent again.

    Returns:
        The answer, and whether it is that of a former time.

    Raises:
        UsageError: The key is none, or came with another request.
    """
    owner, digest = f"account:{actor.account}", hashlib.sha256(request).hexdigest()
    with database.write() as session:
        kept = requests.begin(session, owner=owner, key=key, request=digest, now=now)
        if kept is not None:
            return kept, True
        session.flush()
        with database.join(session):
            answer = work()
        requests.finish(session, answer, owner=owner, key=key)
        return answer, False
