"""Signing in: who comes in, for how long, and what is said to who does not."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from argon2 import PasswordHasher

from homolog.register import accounts
from homolog.register import sessions as kept
from homolog.register.tables import METADATA
from homolog.service.identity import passwords, sessions
from homolog.service.identity import people as service
from homolog.service.identity.refusals import NotSignedIn, TooOften
from homolog.service.identity.secret import digest_of
from homolog.service.identity.sessions import IDLE, LONGEST
from homolog.service.missing import Missing
from tests.service.identity.conftest import CAME, LIMITS, PASSWORD, People


def test_who_knows_the_password_comes_in(people: People) -> None:
    ann = people.person("board")
    opened = people.sign_in(ann)
    found = sessions.actor_of(people.database, opened.secret, now=people.now)
    assert found is not None
    actor, session_id = found
    assert (actor.account, actor.roles, actor.via, actor.scopes) == (ann.id, {"board"}, "session", None)
    assert session_id == opened.session.id
    assert people.actions() == ["session.begin"]


def test_an_address_is_found_in_any_case_and_width(people: People) -> None:
    people.person(email="Ann@A.example")
    wide = "ＡＮＮ@a.example"
    opened = sessions.sign_in(people.database, email=wide, password=PASSWORD, came=CAME, limits=LIMITS, now=people.now)
    assert opened.person.email == "Ann@A.example"


def test_wrong_unknown_closed_and_without_a_password_are_told_alike(people: People) -> None:
    ann, ben, eve = people.person(), people.person(), people.person(password=False)
    with people.database.write() as session:
        accounts.set_disabled(session, ben.id, people.now)
    unknown = replace(ann, email="nobody@a.example")
    said = set()
    for who, password in ((ann, "wrong horse battery"), (unknown, PASSWORD), (ben, PASSWORD), (eve, "")):
        with pytest.raises(NotSignedIn) as refused:
            people.sign_in(who, password)
        said.add(str(refused.value))
    assert len(said) == 1
    assert people.actions() == ["session.refused"] * 4


def test_an_unknown_name_costs_as_much_as_a_wrong_password(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = people.person()
    verified: list[str] = []
    verify = PasswordHasher.verify

    def counted(self: PasswordHasher, stored: str, password: str) -> bool:
        verified.append(stored.rpartition("$")[0].rpartition("$")[0])
        return verify(self, stored, password)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    for who in (ann, replace(ann, email="nobody@a.example")):
        with pytest.raises(NotSignedIn):
            people.sign_in(who, "wrong horse battery")
    assert len(verified) == 2
    assert verified[0] == verified[1]  # the same costs


def test_the_secret_is_stored_nowhere(people: People) -> None:
    opened = people.sign_in(people.person())
    with people.database.connect(is_write=False) as connection:
        for table in METADATA.tables.values():
            for row in connection.execute(table.select()):
                assert opened.secret not in str(tuple(row))
                assert PASSWORD not in str(tuple(row))


def test_signing_in_gives_a_new_secret_and_ends_the_session_that_the_browser_had(people: People) -> None:
    ann = people.person()
    first = people.sign_in(ann)
    second = people.sign_in(ann, came=replace(CAME, secret=first.secret))
    assert first.secret != second.secret
    assert sessions.actor_of(people.database, first.secret, now=people.now) is None
    assert sessions.actor_of(people.database, second.secret, now=people.now) is not None


def test_a_session_ends_when_nobody_comes(people: People) -> None:
    opened = people.sign_in(people.person())
    last = people.now + IDLE
    assert sessions.actor_of(people.database, opened.secret, now=last) is None
    assert sessions.actor_of(people.database, opened.secret, now=last - timedelta(microseconds=1)) is not None


def test_a_session_that_is_used_lives_on_but_not_for_ever(people: People) -> None:
    opened = people.sign_in(people.person())
    end = people.now + LONGEST
    while people.now + IDLE / 2 < end:
        people.later(seconds=(IDLE / 2).total_seconds())
        assert sessions.actor_of(people.database, opened.secret, now=people.now) is not None
    assert sessions.actor_of(people.database, opened.secret, now=end) is None


def test_a_closed_account_is_out_at_once(people: People) -> None:
    ann, root = people.person(), people.person("administrator")
    opened = people.sign_in(ann)
    service.set_disabled(people.actor(root), people.database, ann.id, is_disabled=True, now=people.now)
    assert sessions.actor_of(people.database, opened.secret, now=people.now) is None
    service.set_disabled(people.actor(root), people.database, ann.id, is_disabled=False, now=people.now)
    assert sessions.actor_of(people.database, opened.secret, now=people.now) is None  # what has ended stays so
    people.sign_in(ann)


def test_a_new_password_ends_all_other_sessions(people: People) -> None:
    ann = people.person()
    here, there = people.sign_in(ann), people.sign_in(ann)
    new = "another battery staple"
    service.change_password(people.actor(ann), people.database, old=PASSWORD, new=new, session_id=here.session.id, now=people.now)
    assert sessions.actor_of(people.database, here.secret, now=people.now) is not None
    assert sessions.actor_of(people.database, there.secret, now=people.now) is None
    with pytest.raises(NotSignedIn):
        people.sign_in(ann)
    people.sign_in(ann, new)


def test_the_old_password_is_asked_for(people: People) -> None:
    ann = people.person()
    with pytest.raises(NotSignedIn):
        service.change_password(
            people.actor(ann), people.database, old="guess", new="another battery staple", session_id=None, now=people.now
        )
    people.sign_in(ann)


def test_nobody_ends_or_sees_the_sessions_of_another(people: People) -> None:
    ann, ben = people.person(), people.person()
    opened = people.sign_in(ann)
    assert sessions.list_sessions(people.actor(ben), people.database, now=people.now) == ()
    with pytest.raises(Missing):
        sessions.end_session(people.actor(ben), people.database, opened.session.id, now=people.now)
    sessions.end_session(people.actor(ann), people.database, opened.session.id, now=people.now)
    assert sessions.list_sessions(people.actor(ann), people.database, now=people.now) == ()
    assert people.actions() == ["session.begin", "session.end"]


def test_signing_out_ends_this_session_only(people: People) -> None:
    ann = people.person()
    here, there = people.sign_in(ann), people.sign_in(ann)
    sessions.sign_out(people.actor(ann), people.database, here.secret, now=people.now)
    assert sessions.actor_of(people.database, here.secret, now=people.now) is None
    assert sessions.actor_of(people.database, there.secret, now=people.now) is not None


def test_who_tries_too_often_waits_and_then_may_again(people: People) -> None:
    ann = people.person()
    for _ in range(LIMITS.one):
        with pytest.raises(NotSignedIn):
            people.sign_in(ann, "wrong horse battery")
    with pytest.raises(TooOften) as refused:
        people.sign_in(ann)  # the right one too: nobody learns that it is right
    people.sign_in(ann, came=replace(CAME, address="address:203.0.113.9"))  # another address is not locked out
    people.later(seconds=refused.value.seconds)
    people.sign_in(ann)


def test_one_address_tries_a_number_of_names_only(people: People) -> None:
    ann = people.person()
    for number in range(LIMITS.address):
        with pytest.raises(NotSignedIn):
            people.sign_in(replace(ann, email=f"guess{number}@a.example"))
    with pytest.raises(TooOften):
        people.sign_in(ann)


def test_a_hash_of_old_costs_is_made_anew(people: People) -> None:
    ann = people.person()
    with people.database.write() as session:
        accounts.set_password(session, ann.id, PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD))
    people.sign_in(ann)
    with people.database.read() as session:
        stored = accounts.password_of(session, ann.id)
    assert stored is not None
    assert stored.startswith("$argon2id$")
    assert not passwords.is_outdated(stored)
    people.sign_in(ann)


def test_the_log_names_no_secret_and_no_password(people: People) -> None:
    opened = people.sign_in(people.person())
    with people.database.read() as session:
        found = kept.find(session, digest_of(opened.secret))
    assert found is not None
    assert found.how == "password"
    assert found.agent == "a browser"
