"""All operations of the register, in the order in which they are described."""

from __future__ import annotations

from api import me, sessions, tokens
from api.operation import Operation

OPERATIONS: tuple[Operation, ...] = (*me.ROUTES, *sessions.ROUTES, *tokens.ROUTES)
