"""`/api/v1/log` and `/api/v1/keys`: what anybody needs to check a signed file."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field, RootModel

from api.call import Call
from api.operation import Operation, operation
from api.paging import Paging
from api.reply import Reply, Shown

ROUTES: list[Operation] = []


class Document(RootModel[dict[str, Any]]):
    """A document of a form of its own; its `format` says which."""


class LogLine(Shown):
    """An entry of the log."""

    index: int
    at: datetime
    kind: str
    sha256: str = Field(description="Of the canonical record that was signed.")
    kid: str
    entry: dict[str, Any] = Field(description="The leaf is its canonical JSON.")


class LogPage(Shown):
    """Entries in their order."""

    items: list[LogLine]
    next: str | None = Field(description="The cursor of the next page; null on the last.")


@operation(ROUTES, "GET", "/api/v1/keys", action="log.read", summary="Give the public keys", answer=Document)
def show_keys(call: Call) -> Reply:
    """Give the key set, homolog-keys/1: every key that ever signed here, with its life. Trust it on another way than this one."""
    return Reply(body=Document(call.sealer.keys().record()))


@operation(
    ROUTES, "GET", "/api/v1/log", action="log.read", summary="Give the last signed head", answer=Document, problems=("not_found",)
)
def show_head(call: Call) -> Reply:
    """Give the last head of the log as it was signed, a flattened JWS."""
    from homolog.service import proofs

    return Reply(body=Document(proofs.head(call.desk).record()))


@operation(ROUTES, "GET", "/api/v1/log/entries", action="log.read", summary="List entries of the log", answer=LogPage)
def list_log_entries(call: Call, paging: Paging) -> Reply:
    """List the entries: whoever keeps a copy can compute every head again."""
    from homolog.service import proofs

    after = paging.after or ""
    place = int(after) if after.isascii() and after.isdecimal() and len(after) < 16 else -1
    found, cursor = paging.cut(proofs.entries(call.desk, after=place, limit=paging.wanted), lambda one: str(one[0]))
    items = [
        LogLine(index=index, at=one.at, kind=one.kind, sha256=one.sha256, kid=one.kid, entry=one.record()) for index, one in found
    ]
    return Reply(body=LogPage(items=items, next=cursor))


@operation(
    ROUTES,
    "GET",
    "/api/v1/log/consistency",
    action="log.read",
    summary="Prove that the log has only grown",
    answer=Document,
    problems=("not_found",),
)
def show_consistency(
    call: Call,
    old: Annotated[int, Query(ge=1, le=2**53, description="Size of the head that you kept.")],
    new: Annotated[int, Query(ge=1, le=2**53, description="Size of a later head.")],
) -> Reply:
    """Give the proof (RFC 9162, 2.1.4) from one signed head to a later one, with both heads: homolog-consistency/1."""
    from homolog.service import proofs

    return Reply(body=Document(proofs.consistency(call.desk, old, new)))


@operation(ROUTES, "GET", "/api/v1/log/{sha256}", action="log.read", summary="Give a receipt", answer=Document)
def show_receipt(call: Call, sha256: str) -> Reply:
    """Give the receipt of a record, homolog-receipt/1: its entry, the proof to the last head, what is said of its type."""
    from homolog.service import proofs

    return Reply(body=Document(proofs.receipt(call.desk, sha256).record()))
