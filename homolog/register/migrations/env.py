"""Run by Alembic: migrates the connection that `homolog.register.migrate` handed over."""

from __future__ import annotations

from alembic import context

from homolog.register.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    # SQLite takes table changes back too when it is told where the transaction begins, and here it is told.
    transactional_ddl=True,
)
context.run_migrations()
