"""All tables, one module an area; a module that is not named here is in no migration."""

from homolog.register.tables import accounts, applications, audit, editions, files, jobs, log, requests, types
from homolog.register.tables.base import METADATA, defer_foreign_keys

__all__ = ["METADATA", "accounts", "applications", "audit", "editions", "files", "jobs", "log", "requests", "types"]

defer_foreign_keys()
