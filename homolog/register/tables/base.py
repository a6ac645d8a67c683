"""What all tables share: names of constraints, and what is written once."""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy import MetaData, Table
from sqlalchemy.orm import declared_attr, registry
from sqlmodel import SQLModel

# Named, so that a later migration can speak of a constraint on both databases.
METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

APPEND_ONLY: Final[dict[str, Any]] = {"info": {"append_only": True}}
"""Last in `__table_args__` of what happened: its rows are never changed nor deleted, and both databases refuse it."""


PASSING: Final[dict[str, Any]] = {"info": {"passing": True}}
"""Last in `__table_args__` of what only passes, as a session or a limit: a backup leaves it out."""


class Row(SQLModel, registry=registry(metadata=METADATA)):
    """Base of all tables. A table validates nothing: what comes from outside is read by a model of its own."""

    metadata = METADATA

    @declared_attr.directive
    def __tablename__(cls) -> str:  # noqa: N805
        """`ApiToken` lies in `api_token`."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()


def append_only_tables() -> list[Table]:
    """Return the tables whose rows are written once, sorted by name."""
    return [table for _, table in sorted(METADATA.tables.items()) if table.info.get("append_only")]


def defer_foreign_keys() -> None:
    """Look at foreign keys when a transaction ends: rows that belong together go in in any order, and a restored copy too."""
    for table in METADATA.tables.values():
        for key in table.foreign_key_constraints:
            key.deferrable = True
            key.initially = "DEFERRED"
