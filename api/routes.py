"""All operations and pages of the register; the operations in the order in which they are described."""

from __future__ import annotations

from starlette.routing import Route

from api import (
    account_pages,
    accounts,
    administrator_pages,
    audit,
    join_pages,
    me,
    organisation_pages,
    organisations,
    sessions,
    sign_in_pages,
    tokens,
)
from api.operation import Operation

OPERATIONS: tuple[Operation, ...] = (
    *me.ROUTES,
    *sessions.ROUTES,
    *tokens.ROUTES,
    *organisations.ROUTES,
    *accounts.ROUTES,
    *audit.ROUTES,
)

PAGES: tuple[Route, ...] = (
    *sign_in_pages.ROUTES,
    *account_pages.ROUTES,
    *organisation_pages.ROUTES,
    *join_pages.ROUTES,
    *administrator_pages.ROUTES,
)
