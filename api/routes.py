"""All operations and pages of the register; the operations in the order in which they are described."""

from __future__ import annotations

from starlette.routing import Route

from api import account_pages, accounts, audit, me, organisations, rule_pages, sessions, sign_in_pages, tokens
from api.operation import Operation

OPERATIONS: tuple[Operation, ...] = (
    *me.ROUTES,
    *sessions.ROUTES,
    *tokens.ROUTES,
    *organisations.ROUTES,
    *accounts.ROUTES,
    *audit.ROUTES,
)

PAGES: tuple[Route, ...] = (*sign_in_pages.ROUTES, *account_pages.ROUTES, *rule_pages.ROUTES)
