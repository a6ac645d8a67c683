"""Roles are given by another, hold from then until then, and each step is in the log."""

from __future__ import annotations

from datetime import timedelta

import pytest

from homolog.errors import InputRefused
from homolog.service.actor import VISITOR
from homolog.service.identity import founding, roles
from homolog.service.identity.refusals import Conflicting
from homolog.service.missing import Missing
from homolog.service.permissions import NotAllowed, SignInNeeded
from tests.service.identity.conftest import PASSWORD, People


def test_a_role_holds_from_then_until_then(people: People) -> None:
    root, ann = people.actor(people.person("administrator")), people.person()
    begin, end = people.now + timedelta(days=1), people.now + timedelta(days=3)
    roles.give(root, people.database, ann.id, role="board", since=begin, until=end, now=people.now)
    held = []
    for _ in range(4):
        held.append("board" in people.actor(ann).roles)
        people.later(days=1)
    assert held == [False, True, True, False]


def test_a_role_is_taken_back_with_a_reason(people: People) -> None:
    root, ann = people.actor(people.person("administrator")), people.person()
    given = roles.give(root, people.database, ann.id, role="referee", now=people.now)
    assert people.actor(ann).roles == {"referee"}
    people.later(minutes=1)
    roles.end(root, people.database, ann.id, given.id, reason="It is over", now=people.now)
    assert people.actor(ann).roles == set()
    (kept,) = roles.list_grants(root, people.database, ann.id)
    assert (kept.reason, kept.ended_at) == ("It is over", people.now)
    with pytest.raises(Missing):
        roles.end(root, people.database, ann.id, given.id, reason="Again", now=people.now)
    assert people.actions() == ["role.give", "role.end"]


def test_nobody_gives_themselves_a_role(people: People) -> None:
    person = people.person("administrator")
    with pytest.raises(Conflicting):
        roles.give(people.actor(person), people.database, person.id, role="board", now=people.now)
    assert people.actions() == []


@pytest.mark.parametrize("role", ["board", "laboratory", "referee", None])
def test_others_give_no_roles(people: People, role: str | None) -> None:
    actor = people.actor(people.person(*([role] if role else [])))
    with pytest.raises(NotAllowed):
        roles.give(actor, people.database, people.person().id, role="board", now=people.now)
    with pytest.raises(SignInNeeded):
        roles.give(VISITOR, people.database, people.person().id, role="board", now=people.now)


def test_a_manufacturer_is_whoever_belongs_to_one(people: People) -> None:
    ann, ben = people.person(), people.person()
    maker = people.organisation(ann)
    laboratory = people.organisation(ben, kind="laboratory")
    assert people.actor(ann).roles == {"manufacturer"}
    assert people.actor(ann).organisations == {maker}
    assert people.actor(ben).roles == set()  # to measure for the federation, the role is given by it
    assert people.actor(ben).organisations == {laboratory}
    root = people.actor(people.person("administrator"))
    for role in ("manufacturer", "emperor"):
        with pytest.raises(InputRefused):
            roles.give(root, people.database, ann.id, role=role, now=people.now)


def test_a_role_that_is_over_before_it_begins_is_refused(people: People) -> None:
    root, ann = people.actor(people.person("administrator")), people.person()
    with pytest.raises(InputRefused):
        roles.give(root, people.database, ann.id, role="board", until=people.now, now=people.now)


def test_the_last_administrator_stays(people: People) -> None:
    first = people.person("administrator")
    (mine,) = roles.list_grants(people.actor(first), people.database, first.id)
    with pytest.raises(Conflicting):
        roles.end(people.actor(first), people.database, first.id, mine.id, reason="Tired", now=people.now)
    founding.grant(people.database, email=people.person().email, role="administrator", until=None, now=people.now)
    roles.end(people.actor(first), people.database, first.id, mine.id, reason="Tired", now=people.later(minutes=1))


def test_the_command_line_makes_an_administrator_who_is_in_the_log(people: People) -> None:
    made = founding.create_administrator(
        people.database, email="root@a.example", name="Root", language="en", password=PASSWORD, now=people.now
    )
    assert people.actor(made).roles == {"administrator"}
    assert people.actions() == ["account.make", "role.give"]
    with pytest.raises(Conflicting):
        founding.create_administrator(
            people.database, email="ROOT@a.example", name="Root", language="en", password=PASSWORD, now=people.now
        )
