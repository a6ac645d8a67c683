"""Tokens: what a program may with one, and for how long."""

from __future__ import annotations

import pytest

from homolog.errors import InputRefused
from homolog.register import accounts
from homolog.service.identity import organisations, roles, tokens
from homolog.service.identity.refusals import Conflicting
from homolog.service.missing import Missing
from homolog.service.permissions import NotAllowed
from tests.service.identity.conftest import People


def test_a_token_is_its_owner_within_its_scopes(people: People) -> None:
    ann = people.person("board")
    secret, token = tokens.make(
        people.actor(ann), people.database, name="A program", scopes=["account:read"], days=30, now=people.now
    )
    assert secret.startswith("hml_")
    assert len(secret) == 4 + 43
    actor = tokens.actor_of(people.database, secret, now=people.now)
    assert actor is not None
    assert (actor.account, actor.roles, actor.scopes, actor.via) == (ann.id, {"board"}, {"account:read"}, "token")
    assert token.used_at is None
    (used,) = tokens.list_tokens(people.actor(ann), people.database)
    assert used.used_at == people.now


def test_a_token_never_does_more_than_its_owner_may_today(people: People) -> None:
    root, ann = people.actor(people.person("administrator")), people.person()
    given = roles.give(root, people.database, ann.id, role="board", now=people.now)
    secret, _ = tokens.make(people.actor(ann), people.database, name="t", scopes=["organisations:read"], days=30, now=people.now)
    maker = people.organisation(people.person())
    actor = tokens.actor_of(people.database, secret, now=people.now)
    assert actor is not None
    assert organisations.view(actor, people.database, maker).id == maker
    roles.end(root, people.database, ann.id, given.id, reason="It is over", now=people.now)
    actor = tokens.actor_of(people.database, secret, now=people.later(minutes=1))
    assert actor is not None
    with pytest.raises(Missing):
        organisations.view(actor, people.database, maker)


def test_no_token_makes_or_sees_tokens(people: People) -> None:
    ann = people.person()
    secret, _ = tokens.make(people.actor(ann), people.database, name="t", scopes=["account:read"], days=1, now=people.now)
    actor = tokens.actor_of(people.database, secret, now=people.now)
    assert actor is not None
    with pytest.raises(NotAllowed):
        tokens.make(actor, people.database, name="t", scopes=["account:read"], days=1, now=people.now)
    with pytest.raises(NotAllowed):
        tokens.list_tokens(actor, people.database)


def test_a_token_ends_on_its_day_or_before_and_with_its_owner(people: People) -> None:
    ann = people.person()
    actor = people.actor(ann)
    secret, token = tokens.make(actor, people.database, name="t", scopes=["account:read"], days=1, now=people.now)
    assert tokens.actor_of(people.database, secret, now=token.until) is None
    assert tokens.actor_of(people.database, secret, now=people.now) is not None
    with people.database.write() as session:
        accounts.set_disabled(session, ann.id, people.now)
    assert tokens.actor_of(people.database, secret, now=people.now) is None
    with people.database.write() as session:
        accounts.set_disabled(session, ann.id, None)
    tokens.end(actor, people.database, token.id, now=people.now)
    assert tokens.actor_of(people.database, secret, now=people.now) is None
    assert people.actions() == ["token.make", "token.end"]


def test_nobody_ends_the_token_of_another(people: People) -> None:
    ann, ben = people.person(), people.person("administrator")
    _, token = tokens.make(people.actor(ann), people.database, name="t", scopes=["account:read"], days=1, now=people.now)
    with pytest.raises(Missing):
        tokens.end(people.actor(ben), people.database, token.id, now=people.now)


@pytest.mark.parametrize(("scopes", "days"), [([], 1), (["everything"], 1), (["account:read"], 0), (["account:read"], 367)])
def test_a_token_is_asked_for_rightly(people: People, scopes: list[str], days: int) -> None:
    with pytest.raises(InputRefused):
        tokens.make(people.actor(people.person()), people.database, name="t", scopes=scopes, days=days, now=people.now)


@pytest.mark.parametrize("secret", ["", "hml_", "hml_x", "xyz", "hml_\udfff", "hml_" + "é" * 43])
def test_a_guess_is_no_token(people: People, secret: str) -> None:
    assert tokens.actor_of(people.database, secret, now=people.now) is None


def test_nobody_has_more_tokens_than_they_can_look_after(people: People) -> None:
    actor = people.actor(people.person())
    for _ in range(tokens.MOST):
        tokens.make(actor, people.database, name="t", scopes=["account:read"], days=1, now=people.now)
    with pytest.raises(Conflicting):
        tokens.make(actor, people.database, name="t", scopes=["account:read"], days=1, now=people.now)
    tokens.make(actor, people.database, name="t", scopes=["account:read"], days=1, now=people.later(days=1))
