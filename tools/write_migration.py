"""Writes the only migration anew from the tables' classes.

Usage: python tools/write_migration.py

Until the first release there is one migration. Branches that both add a table agree by running this after the merge.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from alembic.autogenerate import produce_migrations, render_python_code
from alembic.migration import MigrationContext
from alembic.operations.ops import UpgradeOps
from sqlalchemy import create_engine

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "homolog" / "register" / "migrations" / "versions" / "0001_first.py"
HEAD = '''"""The tables of the first release; written by tools/write_migration.py."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

import homolog.register.columns
from homolog.register.append_only import triggers_for

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = (
{tables})


def upgrade() -> None:
    """Make all tables in an empty database."""
    {upgrade}
    for statement in triggers_for(op.get_bind().dialect.name, APPEND_ONLY):
        op.execute(sa.text(statement))
'''


def text() -> str:
    """Return the migration's source."""
    sys.path.insert(0, str(ROOT))
    from homolog.register.tables import METADATA
    from homolog.register.tables.base import append_only_tables

    # An empty database on no disk: everything that the classes name is missing in it.
    with create_engine("sqlite://").connect() as connection:
        context = MigrationContext.configure(connection, opts={"target_metadata": METADATA, "compare_type": True})
        changes = produce_migrations(context, METADATA).upgrade_ops
    if not isinstance(changes, UpgradeOps):
        raise TypeError("alembic found nothing to write")
    upgrade = render_python_code(changes, user_module_prefix=None)
    # Alembic's remarks to whoever edits by hand, and a name for text that says no more than the usual one.
    upgrade = re.sub(r"# ### .* ###\n?", "", upgrade).replace("sqlmodel.sql.sqltypes.AutoString()", "sa.String()")
    tables = "".join(f'    "{table.name}",\n' for table in append_only_tables())
    return HEAD.format(tables=tables, upgrade=upgrade.strip())


def main() -> None:
    """Write it, in the house's form."""
    TARGET.write_text(text(), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(TARGET)], check=True)


if __name__ == "__main__":
    main()
