"""What all tests share: a browser and a PostgreSQL, where there are such."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.databases import (  # noqa: F401 -- fixtures
    _migrated_postgresql,
    _migrated_sqlite,
    database,
    empty_url,
    files,
    postgresql_server,
)

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield Debian's Chromium; a module at a time, because the driver's loop must not meet the tests' own."""
    program = shutil.which("chromium")
    if program is None:
        says = "chromium is not installed, so nothing was looked at in a browser"
        if os.environ.get("HOMOLOG_REQUIRE_CHROMIUM") == "1":
            pytest.fail(says)
        pytest.skip(says)
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program, args=list(QUIET))
        yield chromium
        chromium.close()
