"""All operations and pages of the register; the operations in the order in which they are described."""

from __future__ import annotations

from starlette.routing import Route

from api import (
    account_pages,
    accounts,
    administrator_pages,
    application_pages,
    applications,
    attached,
    audit,
    draft_files,
    draft_pages,
    drafts,
    editions,
    impact_pages,
    impacts,
    job_events,
    jobs,
    join_pages,
    me,
    organisation_pages,
    organisations,
    page_files,
    passkeys,
    published,
    register_pages,
    reports,
    rule_pages,
    seals,
    sessions,
    sign_in_pages,
    tokens,
    types,
    uploads,
)
from api.operation import Operation

OPERATIONS: tuple[Operation, ...] = (
    *me.ROUTES,
    *sessions.ROUTES,
    *passkeys.ROUTES,
    *tokens.ROUTES,
    *organisations.ROUTES,
    *accounts.ROUTES,
    *audit.ROUTES,
    *types.ROUTES,
    *applications.ROUTES,
    *uploads.ROUTES,
    *seals.ROUTES,
    *jobs.ROUTES,
    *editions.ROUTES,
    *drafts.ROUTES,
    *impacts.ROUTES,
)

PAGES: tuple[Route, ...] = (
    *sign_in_pages.ROUTES,
    *account_pages.ROUTES,
    *organisation_pages.ROUTES,
    *join_pages.ROUTES,
    *administrator_pages.ROUTES,
    *rule_pages.ROUTES,
    *register_pages.ROUTES,
    *application_pages.ROUTES,
    *draft_pages.ROUTES,
    *impact_pages.ROUTES,
)

PLAIN: tuple[Route, ...] = (*published.ROUTES, *reports.ROUTES, *attached.ROUTES, *uploads.PLAIN, *job_events.ROUTES)
"""Routes for programs that answer with files; described by hand in api.openapi_files."""

FORMS: tuple[Route, ...] = (*page_files.ROUTES, *draft_files.ROUTES)
"""Pages' forms that send files."""
