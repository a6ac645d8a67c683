"""Passkeys: a device in software makes keys and signs; what is not quite right lets nobody in."""

from __future__ import annotations

from typing import Any

import pytest

from homolog.errors import InputRefused
from homolog.register import accounts
from homolog.service.identity import passkeys, sessions
from homolog.service.identity.passkeys import GOOD_FOR, Party
from homolog.service.identity.refusals import Conflicting, NotSignedIn, TooOften
from homolog.service.identity.sessions import Opened
from homolog.service.missing import Missing
from tests.authenticator import PARTY, PRESENT, Authenticator, make_passkey
from tests.service.identity.conftest import CAME, LIMITS, People


def sign_in(people: People, answer: dict[str, Any]) -> Opened:
    return passkeys.sign_in(people.database, PARTY, answer, came=CAME, limits=LIMITS, now=people.now)


def options(people: People) -> dict[str, Any]:
    return passkeys.signing_in(people.database, PARTY, now=people.now)


def test_a_device_makes_a_key_and_signs_in_with_it(people: People) -> None:
    ann = people.person("board", password=False)
    key, device = make_passkey(people.actor(ann), people.database, people.now)
    opened = sign_in(people, device.get(options(people)))
    found = sessions.actor_of(people.database, opened.secret, now=people.now)
    assert found is not None
    assert (found[0].account, opened.session.how) == (ann.id, "passkey")
    (used,) = passkeys.list_passkeys(people.actor(ann), people.database)
    assert (used.id, used.sign_count, used.used_at) == (key.id, 1, people.now)
    assert people.actions() == ["passkey.make", "session.begin"]


def test_a_challenge_is_answered_once_and_in_time(people: People) -> None:
    _, device = make_passkey(people.actor(people.person()), people.database, people.now)
    answer = device.get(options(people))
    sign_in(people, answer)
    with pytest.raises(NotSignedIn):
        sign_in(people, answer)
    late = device.get(options(people))
    people.later(seconds=GOOD_FOR.total_seconds())
    with pytest.raises(NotSignedIn):
        sign_in(people, late)
    sign_in(people, device.get(options(people)))


def test_a_challenge_of_our_own_is_needed(people: People) -> None:
    _, device = make_passkey(people.actor(people.person()), people.database, people.now)
    with pytest.raises(NotSignedIn):
        sign_in(people, device.get({"challenge": "AAAA"}))


def test_the_key_must_be_the_one_that_was_made(people: People) -> None:
    _, device = make_passkey(people.actor(people.person()), people.database, people.now)
    forger = Authenticator()
    forger.id = device.id
    with pytest.raises(NotSignedIn):
        sign_in(people, forger.get(options(people)))
    with pytest.raises(NotSignedIn):
        sign_in(people, Authenticator().get(options(people)))
    assert people.actions() == ["passkey.make", "session.refused"]


@pytest.mark.parametrize("wrong", [{"origin": "https://elsewhere.example"}, {"host": "elsewhere.example"}, {"flags": PRESENT}])
def test_what_was_signed_for_another_place_or_by_nobody_is_refused(people: People, wrong: dict[str, Any]) -> None:
    ann = people.actor(people.person())
    with pytest.raises(InputRefused):
        passkeys.make(
            ann,
            people.database,
            PARTY,
            Authenticator(**wrong).create(passkeys.making(ann, people.database, PARTY, now=people.now)),
            name="A device",
            now=people.now,
        )
    _, device = make_passkey(ann, people.database, people.now)
    for name, value in wrong.items():
        setattr(device, name, value)
    with pytest.raises(NotSignedIn):
        sign_in(people, device.get(options(people)))


def test_a_device_that_was_copied_is_seen_by_its_count(people: People) -> None:
    _, device = make_passkey(people.actor(people.person()), people.database, people.now)
    sign_in(people, device.get(options(people)))
    sign_in(people, device.get(options(people)))
    device.count = 0  # the copy has signed less often
    with pytest.raises(NotSignedIn):
        sign_in(people, device.get(options(people)))


def test_a_closed_account_stays_out(people: People) -> None:
    ann = people.person()
    _, device = make_passkey(people.actor(ann), people.database, people.now)
    with people.database.write() as session:
        accounts.set_disabled(session, ann.id, people.now)
    with pytest.raises(NotSignedIn):
        sign_in(people, device.get(options(people)))


def test_a_key_is_made_by_who_began_and_once(people: People) -> None:
    ann, eve = people.actor(people.person()), people.actor(people.person())
    device = Authenticator()
    answer = device.create(passkeys.making(ann, people.database, PARTY, now=people.now))
    with pytest.raises(InputRefused):
        passkeys.make(eve, people.database, PARTY, answer, name="Mine now", now=people.now)
    answer = device.create(passkeys.making(ann, people.database, PARTY, now=people.now))
    passkeys.make(ann, people.database, PARTY, answer, name="A device", now=people.now)
    answer = device.create(passkeys.making(eve, people.database, PARTY, now=people.now))
    with pytest.raises(Conflicting):
        passkeys.make(eve, people.database, PARTY, answer, name="Mine now", now=people.now)


def test_a_key_is_forgotten_by_its_owner_only(people: People) -> None:
    ann, eve = people.actor(people.person()), people.actor(people.person())
    key, device = make_passkey(ann, people.database, people.now)
    with pytest.raises(Missing):
        passkeys.end(eve, people.database, key.id, now=people.now)
    passkeys.end(ann, people.database, key.id, now=people.now)
    with pytest.raises(NotSignedIn):
        sign_in(people, device.get(options(people)))


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"id": "x"},
        {"id": 5, "response": []},
        {"id": "x", "response": {"clientDataJSON": "!"}},
        {"id": "x", "response": {"clientDataJSON": "e30"}},
        {"id": "\udfff", "response": {"clientDataJSON": "eyJjaGFsbGVuZ2UiOjV9"}},
    ],
)
def test_nonsense_is_refused_and_no_fault_of_ours(people: People, answer: dict[str, Any]) -> None:
    with pytest.raises(NotSignedIn):
        sign_in(people, answer)
    with pytest.raises(InputRefused):
        passkeys.make(people.actor(people.person()), people.database, PARTY, answer, name="x", now=people.now)


def test_a_known_key_with_a_broken_answer_is_refused(people: People) -> None:
    _, device = make_passkey(people.actor(people.person()), people.database, people.now)
    for broken in ({"signature": None}, {"signature": "AA"}, {"authenticatorData": "AA"}, {"authenticatorData": 7}):
        answer = device.get(options(people))
        answer["response"] = {**answer["response"], **broken}
        with pytest.raises(NotSignedIn):
            sign_in(people, answer)
        people.later(minutes=10)


def test_who_tries_too_often_waits(people: People) -> None:
    _, device = make_passkey(people.actor(people.person()), people.database, people.now)
    for _ in range(LIMITS.one):
        with pytest.raises(NotSignedIn):
            sign_in(people, device.get({"challenge": "AAAA"}))
    with pytest.raises(TooOften):
        sign_in(people, device.get(options(people)))
    people.later(minutes=15)
    sign_in(people, device.get(options(people)))


def test_the_party_is_the_host_that_people_reach() -> None:
    assert Party.of("https://register.example.org:8443/x") == Party("register.example.org", "https://register.example.org:8443")
