"""Owns what a register begins with: the types that the rules themselves name."""

from __future__ import annotations

from datetime import datetime

from homolog.register import audit, types
from homolog.register.ids import new_id
from homolog.service.desk import Desk
from homolog.service.standing import keep_standing
from homolog.spec.named import NamedTypes, shipped_named


def seed(desk: Desk, *, now: datetime, named: NamedTypes | None = None) -> tuple[str, ...]:
    """Enter the types that the body's rules name and that are not in the register yet; return their numbers.

    They get numbers in the order of their file. What is there already stays as it is, so this may be done at every start.
    """
    source = shipped_named() if named is None else named
    if source.body != desk.body:
        return ()
    entered = []
    with desk.database.write() as session:
        known = types.named(session)
        for one in source.types:
            if one.id in known:
                continue
            number = types.take_number(session, one.item, None, now=now)
            record = types.TypeRecord(
                id=new_id(now),
                number=number,
                item=one.item,
                family=one.family,
                name=one.name,
                maker=one.maker,
                organisation_id=None,
                application_id=None,
                body=source.body,
                edition=source.edition,
                named_by=one.clause,
                named_id=one.id,
                details={"says": one.says, "since": one.since, "also": list(one.also)},
                at=now,
            )
            types.enter(session, record)
            keep_standing(session, desk, record, ())
            types.add_change(session, record.id, "named_in_rules", None, {"clause": one.clause}, now=now)
            audit.record(
                session, now=now, account_id=None, action="type.named", object=f"type:{number}", details={"clause": one.clause}
            )
            entered.append(number)
    return tuple(entered)
