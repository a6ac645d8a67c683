"""A link works once, for whom it was made, and not for long."""

from __future__ import annotations

import pytest

from homolog.service.identity import invitations, organisations
from homolog.service.identity.refusals import ChangedMeanwhile, Conflicting, NotSignedIn
from homolog.service.missing import Missing
from homolog.service.permissions import NotAllowed
from tests.service.identity.conftest import CAME, PASSWORD, People


def accept(people: People, secret: str, password: str = PASSWORD) -> str:
    opened = invitations.accept(
        people.database, secret, name="New Person", password=password, language="uk", came=CAME, now=people.now
    )
    return opened.person.id


def test_an_invited_person_has_an_account_and_belongs_to_the_organisation(people: People) -> None:
    ann = people.person()
    maker = people.organisation(ann)
    secret = invitations.invite(people.actor(ann), people.database, email="new@a.example", organisation_id=maker, now=people.now)
    told = invitations.look(people.database, secret, now=people.now)
    assert (told.email, told.organisation, told.has_account) == ("new@a.example", "Swift Ltd", False)
    people.later(seconds=1)
    made = accept(people, secret)
    there = organisations.members(people.actor(ann), people.database, maker)
    assert [member.account_id for member in there] == [ann.id, made]
    assert people.actions() == ["invitation.make", "account.make", "member.join", "session.begin"]


def test_a_link_works_once(people: People) -> None:
    root = people.actor(people.person("administrator"))
    secret = invitations.invite(root, people.database, email="new@a.example", organisation_id=None, now=people.now)
    accept(people, secret)
    with pytest.raises(NotSignedIn):
        accept(people, secret)
    with pytest.raises(NotSignedIn):
        invitations.look(people.database, secret, now=people.now)


def test_a_link_is_over_after_its_time(people: People) -> None:
    root = people.actor(people.person("administrator"))
    secret = invitations.invite(root, people.database, email="new@a.example", organisation_id=None, now=people.now)
    people.later(days=14)
    with pytest.raises(NotSignedIn):
        accept(people, secret)


@pytest.mark.parametrize("secret", ["", "x", "\udfff", "0" * 100_000])
def test_a_guess_is_no_link(people: People, secret: str) -> None:
    with pytest.raises(NotSignedIn):
        invitations.look(people.database, secret, now=people.now)


def test_a_link_for_one_thing_is_none_for_another(people: People) -> None:
    root, ann = people.actor(people.person("administrator")), people.person()
    secret = invitations.make_reset(root, people.database, ann.id, now=people.now)
    with pytest.raises(NotSignedIn):
        accept(people, secret)


def test_who_has_an_account_joins_with_it_and_nobody_else_does(people: People) -> None:
    ann, ben, eve = people.person(), people.person(), people.person()
    maker = people.organisation(ann)
    secret = invitations.invite(people.actor(ann), people.database, email=ben.email.upper(), organisation_id=maker, now=people.now)
    with pytest.raises(Conflicting):
        accept(people, secret)
    with pytest.raises(Missing):
        invitations.join(people.actor(eve), people.database, secret, now=people.now)
    assert invitations.join(people.actor(ben), people.database, secret, now=people.now) == maker
    assert people.actor(ben).organisations == {maker}
    assert people.actor(eve).organisations == set()


def test_only_members_and_administrators_invite_to_an_organisation(people: People) -> None:
    ann, eve, board = people.person(), people.person(), people.person("board")
    maker = people.organisation(ann)
    for stranger in (eve, board):
        with pytest.raises(Missing):
            invitations.invite(
                people.actor(stranger), people.database, email="new@a.example", organisation_id=maker, now=people.now
            )
        with pytest.raises(NotAllowed):
            invitations.invite(people.actor(stranger), people.database, email="new@a.example", organisation_id=None, now=people.now)


def test_a_new_password_by_a_link(people: People) -> None:
    root, ann = people.actor(people.person("administrator")), people.person()
    people.sign_in(ann)
    secret = invitations.make_reset(root, people.database, ann.id, now=people.now)
    assert invitations.look_reset(people.database, secret, now=people.now) == ann.email
    new = "another battery staple"
    invitations.reset(people.database, secret, password=new, came=CAME, now=people.now)
    people.sign_in(ann, new)
    with pytest.raises(NotSignedIn):
        people.sign_in(ann)
    with pytest.raises(NotSignedIn):
        invitations.reset(people.database, secret, password=new, came=CAME, now=people.now)


def test_the_last_member_stays(people: People) -> None:
    ann, ben = people.person(), people.person()
    maker = people.organisation(ann, ben)
    mine, other = organisations.members(people.actor(ann), people.database, maker)
    organisations.end_membership(people.actor(ann), people.database, maker, other.id, now=people.now)
    assert people.actor(ben).roles == set()
    with pytest.raises(Conflicting):
        organisations.end_membership(people.actor(ann), people.database, maker, mine.id, now=people.now)


def test_a_closed_organisation_has_no_one_who_acts_for_it(people: People) -> None:
    ann, root = people.person(), people.actor(people.person("administrator"))
    maker = people.organisation(ann)
    organisations.set_disabled(root, people.database, maker, is_disabled=True, now=people.now)
    assert people.actor(ann).organisations == set()
    assert people.actor(ann).roles == set()


def test_a_profile_is_written_anew_and_the_former_stays(people: People) -> None:
    ann = people.person()
    actor = people.actor(ann)
    maker = people.organisation(ann)
    actor = people.actor(ann)
    first = organisations.put_profile(actor, people.database, maker, {"country": "Italy"}, now=people.now, expected=0)
    second = organisations.put_profile(actor, people.database, maker, {"country": "Malta"}, now=people.now, expected=1)
    assert (first.number, second.number) == (1, 2)
    with pytest.raises(ChangedMeanwhile):
        organisations.put_profile(actor, people.database, maker, {"country": "Spain"}, now=people.now, expected=1)
    assert organisations.profile(actor, people.database, maker).content == {"country": "Malta"}
