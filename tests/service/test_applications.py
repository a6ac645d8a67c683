"""The way of an application through the register, on both databases."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from homolog.errors import InputRefused
from homolog.register import audit
from homolog.seal.certificate import certificate_of
from homolog.service import applications, certifying, types
from homolog.service.actor import VISITOR, Actor
from homolog.service.identity.refusals import ChangedMeanwhile
from homolog.service.missing import Missing
from homolog.service.permissions import NotAllowed, SignInNeeded
from homolog.service.workflow.refusal import StepRefused
from tests.service.people import PHOTO, SHEET, World


def codes(refused: pytest.ExceptionInfo[StepRefused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def refusal(world: World, actor: Actor, application: str, step: str, **data: Any) -> list[str]:
    before = seq(world, application)
    with pytest.raises(StepRefused) as refused:
        world.take(actor, application, step, **data)
    assert seq(world, application) == before
    return codes(refused)


def seq(world: World, application: str) -> int:
    return applications.view(world.mary, world.desk, application, now=world.at).seq


def test_a_type_comes_into_the_register_by_its_application(world: World) -> None:
    application = world.submit()
    world.measure(application)
    assessed = world.assess(application)
    assert assessed.case.assessment is not None
    assert assessed.case.assessment.data["outcome"] == "approve"
    assert assessed.case.assessment.data["edition"] == "4.0"
    assert world.vote(application).case.state == "approved"
    view = world.issue(application)
    assert view.record.number == "HML-B-0001"
    assert (view.record.name, view.record.maker, view.record.edition) == ("Swift", "Swift Ltd", "4.0")
    assert view.standing is not None
    assert (view.standing.status, view.standing.since) == ("homologated", date(2026, 12, 1))
    (decision,) = view.decisions
    assert (decision.entered_by, decision.confirmed_by) == (world.anna.account, world.boris.account)
    assert [file.kind for file in view.files] == ["certificate", "photo", "report"]
    assert [change.what for change in view.changes] == ["homologate"]
    ended = applications.view(world.mary, world.desk, application, now=world.at)
    assert ended.case.state == "certified"
    with world.desk.database.read() as session:
        chain = audit.check(session)
        actions = [entry.action for entry in audit.entries(session)]
    assert chain.broken_at is None
    assert "application.vote" in actions
    assert "type.confirm" in actions


def test_the_report_is_kept_byte_for_byte(world: World) -> None:
    application = world.submit()
    world.measure(application)
    view = world.assess(application)
    assert view.case.assessment is not None
    digest = view.case.assessment.data["report"]
    name, pieces = applications.read_file(world.mary, world.desk, application, digest)
    record = json.loads(b"".join(pieces))
    assert name.endswith(".json")
    assert (record["purpose"], record["on"], record["verdict"]) == ("type_approval", "2026-12-01", "conform")


def test_a_sheet_that_fails_can_only_be_refused_or_sent_back(world: World) -> None:
    application = world.submit()
    world.measure(application, SHEET.replace("22.00 mm", "23.00 mm"))
    view = world.assess(application)
    assert view.case.assessment is not None
    assert view.case.assessment.data["outcome"] == "refuse"
    reasons = [{"clause": "III-3.1", "text": "Too large."}]
    said = {"proposal": "approve", "reasons": reasons, "closes": "2027-01-01T00:00:00+00:00"}
    assert refusal(world, world.anna, application, "open_vote", **said) == ["proposal_unfounded"]
    assert world.vote(application, "send_back").case.state == "sent_back"


def test_a_new_application_follows_the_one_that_was_sent_back(world: World) -> None:
    application = world.submit()
    with pytest.raises(StepRefused) as early:
        world.begin(resubmits=application)
    assert codes(early) == ["step_value"]
    world.measure(application)
    world.assess(application)
    world.vote(application, "send_back")
    again = world.begin(resubmits=application)
    view = applications.view(world.mary, world.desk, again, now=world.at)
    assert view.record.resubmits == application
    assert [file.name for file in view.files] == ["front.png", "own.yaml"]
    assert "photos" not in view.case.facts
    world.take(world.mary, again, "describe", photos=[view.files[0].digest], sheet=view.files[1].digest)
    assert applications.view(world.mary, world.desk, application, now=world.at).follow_ups == (again,)


def test_nobody_follows_up_an_application_of_others(world: World) -> None:
    application = world.submit()
    world.take(world.mary, application, "drop")
    with pytest.raises(Missing):
        applications.start(
            world.rival, world.desk, organisation=world.organisations["Rival"], item="ball", resubmits=application, now=world.now
        )


# Who sees what


def test_a_foreign_application_answers_like_one_that_is_not_there(world: World) -> None:
    application = world.submit()
    nowhere = "01900000-0000-7000-8000-000000000000"
    found = set()
    for actor in (world.rival,):
        for one in (application, nowhere, "x"):
            with pytest.raises(Missing) as missing:
                applications.view(actor, world.desk, one, now=world.at)
            found.add(str(missing.value))
            with pytest.raises(Missing):
                world.take(actor, one, "drop")
            with pytest.raises(Missing):
                world.attach(actor, one, b"x", "x.yaml")
            with pytest.raises(Missing):
                applications.read_file(actor, world.desk, one, "0" * 64)
    assert len(found) == 1


def test_a_visitor_signs_in_first_and_a_referee_has_no_step(world: World) -> None:
    application = world.submit()
    for one in (application, "x"):
        with pytest.raises(SignInNeeded):
            applications.view(VISITOR, world.desk, one, now=world.at)
        with pytest.raises(Missing):
            applications.view(world.ralf, world.desk, one, now=world.at)
        with pytest.raises(NotAllowed):
            world.take(world.ralf, one, "drop")
        with pytest.raises(SignInNeeded):
            world.take(VISITOR, one, "drop")


def test_no_program_votes(world: World) -> None:
    application = world.submit()
    token = replace(world.anna, scopes=frozenset({"applications:read", "applications:write"}), via="token")
    assert applications.view(token, world.desk, application, now=world.at).case.state == "submitted"
    assert world.take(token, application, "ask_sample", pieces=1, address="1 Table Street").case.sample_asked is not None
    for step in ("open_vote", "vote", "close_vote", "decide", "judge"):
        with pytest.raises(NotAllowed):
            world.take(token, application, step)
    weak = replace(token, scopes=frozenset({"applications:read"}))
    with pytest.raises(NotAllowed):
        world.take(weak, application, "ask_question", text="Which?")


def test_a_draft_is_its_applicants_alone(world: World) -> None:
    application = world.begin()
    for actor in (world.anna, world.lena):
        with pytest.raises(Missing):
            applications.view(actor, world.desk, application, now=world.at)
        assert applications.listed(actor, world.desk) == ()
    assert [one.id for one in applications.listed(world.mary, world.desk)] == [application]
    with pytest.raises(SignInNeeded):
        applications.listed(VISITOR, world.desk)


def test_a_list_shows_what_one_may_see_a_page_at_a_time(world: World) -> None:
    made = [world.submit() for _ in range(3)]
    world.begin()
    assert [one.id for one in applications.listed(world.anna, world.desk)] == made
    assert [one.id for one in applications.listed(world.lena, world.desk, limit=2)] == made[:2]
    assert [one.id for one in applications.listed(world.lena, world.desk, after=made[1])] == made[2:]
    assert len(applications.listed(world.mary, world.desk)) == 4
    assert applications.listed(world.rival, world.desk) == ()
    assert [one.state for one in applications.listed(world.mary, world.desk, states=["draft"])] == ["draft"]
    assert applications.listed(world.anna, world.desk, states=["draft"]) == ()


def test_an_applicant_learns_the_count_and_no_vote(world: World) -> None:
    application = world.submit()
    world.measure(application)
    world.assess(application)
    world.vote(application)
    view = applications.view(world.mary, world.desk, application, now=world.at)
    assert [dict(event.data) for event in view.events if event.step == "vote"] == [{}, {}, {}]
    assert view.case.ballot is not None
    assert view.case.ballot.votes == ()
    assert view.case.ballot.tally is not None
    assert view.case.ballot.tally.yes == 3
    assert applications.view(world.lena, world.desk, application, now=world.at).events == view.events
    seen = applications.view(world.carla, world.desk, application, now=world.at)
    assert [event.data["choice"] for event in seen.events if event.step == "vote"] == ["yes", "yes", "yes"]


def test_an_open_secret_vote_is_hidden_from_the_board_too(world: World) -> None:
    application = world.submit()
    world.measure(application)
    world.assess(application)
    reasons = [{"clause": "III-3.1", "text": "It holds."}]
    world.take(world.anna, application, "open_vote", proposal="approve", reasons=reasons, closes="2027-01-01T00:00:00+00:00")
    world.take(world.anna, application, "vote", choice="no")
    view = applications.view(world.boris, world.desk, application, now=world.at)
    assert view.case.ballot is not None
    assert [event.data["choice"] for event in view.case.ballot.votes] == ["hidden"]
    assert [event.data["choice"] for event in view.events if event.step == "vote"] == ["hidden"]


# What the service adds and what it does not believe


def test_the_profile_and_the_memorandum_are_the_services_own_words(world: World) -> None:
    application = world.begin()
    view = world.take(world.mary, application, "describe", name="Swift", company="0" * 64)
    assert view.case.facts["company"] != "0" * 64
    view = world.take(
        world.mary,
        application,
        "accept_memorandum",
        version="draft-1",
        memorandum="0" * 64,
        language="en",
        person="Mary Swift",
        office="director",
    )
    assert view.case.memorandum is not None
    assert view.case.memorandum.data["memorandum"] == world.desk.memorandum.sha256
    _, pieces = applications.read_file(world.mary, world.desk, application, world.desk.memorandum.sha256)
    assert b"".join(pieces) == world.desk.memorandum.data


def test_a_memorandum_that_has_changed_is_read_again(world: World) -> None:
    application = world.begin()
    said = {"version": "2019", "language": "en", "person": "Mary Swift", "office": "director"}
    assert refusal(world, world.mary, application, "accept_memorandum", **said) == ["memorandum_changed"]


def test_a_step_names_attached_files_only(world: World) -> None:
    application, other = world.begin(), world.begin()
    elsewhere = world.attach(world.mary, other, PHOTO, "front.png")
    assert refusal(world, world.mary, application, "describe", photos=[elsewhere]) == ["file_unattached"]


def test_an_assessment_and_a_certificate_are_not_taken_from_anybodys_hand(world: World) -> None:
    application = world.submit()
    world.measure(application)
    said = {"report": "0" * 64, "edition": "4.0", "verdict": "conform", "outcome": "approve"}
    assert refusal(world, world.lena, application, "assess", **said) == ["step_elsewhere"]
    assert refusal(world, world.anna, application, "certify", type="HML-B-0001") == ["step_elsewhere"]
    assert refusal(world, world.mary, application, "start") == ["step_elsewhere"]


def test_who_ever_belonged_to_the_applicant_is_called_to_no_vote(world: World) -> None:
    inside = world.person("inside", "board", of=world.organisations["Swift Ltd"])
    application = world.submit()
    world.measure(application)
    world.assess(application)
    reasons = [{"clause": "III-3.1", "text": "It holds."}]
    said = {"proposal": "approve", "reasons": reasons, "closes": "2027-01-01T00:00:00+00:00"}
    listed = [world.anna.account, world.boris.account, world.carla.account, inside.account]
    assert refusal(world, world.anna, application, "open_vote", electors=listed, **said) == ["conflict_of_interest"]
    view = world.take(world.anna, application, "open_vote", **said)
    assert view.case.ballot is not None
    assert set(view.case.ballot.electors) == {world.anna.account, world.boris.account, world.carla.account}
    assert view.case.ballot.counting == world.desk.process.process.counting


def test_who_has_left_the_applicant_judges_nothing_of_it(world: World) -> None:
    inside = world.person("inside", "board", of=world.organisations["Swift Ltd"])
    former = replace(inside, organisations=frozenset())  # the membership has ended since
    number = world.homologated().record.number
    application = world.submit()
    assert refusal(world, former, application, "ask_sample", pieces=1, address="1 Table Street") == ["conflict_of_interest"]
    said = {"on": "2027-01-01", "reasons": [{"clause": "III-3.1", "text": "It is made otherwise now."}]}
    with pytest.raises(StepRefused) as refused:
        types.take(former, world.desk, number, "suspend", said, now=world.now, today=date(2026, 12, 1))
    assert codes(refused) == ["conflict_of_interest"]
    world.take(former, application, "declare_conflict", text="I worked there.")


def test_a_sample_goes_to_laboratories_of_the_register_alone(world: World) -> None:
    application = world.submit()
    world.take(world.anna, application, "receive_sample", pieces=1, condition="whole")
    rival = world.organisations["Rival"]
    assert refusal(world, world.anna, application, "send_sample_on", to=rival, pieces=1, condition="whole") == ["step_value"]
    world.take(world.anna, application, "send_sample_on", to=world.organisations["Measure Well"], pieces=1, condition="whole")


def test_a_laboratory_does_not_apply(world: World) -> None:
    odd = world.person("odd", "manufacturer", of=world.organisations["Measure Well"])
    with pytest.raises(StepRefused) as refused:
        applications.start(odd, world.desk, organisation=world.organisations["Measure Well"], item="ball", now=world.now)
    assert codes(refused) == ["step_value"]


def test_a_change_names_what_was_looked_at(world: World) -> None:
    application = world.begin()
    seen = seq(world, application)
    world.take(world.mary, application, "describe", name="Swift")
    with pytest.raises(ChangedMeanwhile):
        applications.take(world.mary, world.desk, application, "describe", {"name": "Other"}, now=world.now, expected=seen)


def test_a_sheet_of_another_item_or_of_several_is_refused(world: World) -> None:
    application = world.submit()
    world.measure(application, "format: homolog-submission/1\nitem: figure\nattributes: {family: none}\nreadings: {}\n")
    with pytest.raises(InputRefused):
        world.assess(application)
    assert applications.view(world.anna, world.desk, application, now=world.at).case.state == "measured"


def test_a_laboratory_does_not_answer_for_the_board(world: World) -> None:
    application = world.submit()
    world.measure(application, SHEET.replace("role: laboratory}", "role: board}", 1))
    with pytest.raises(InputRefused) as refused:
        world.assess(application)
    assert [problem.code for problem in refused.value.problems] == ["answers_of_others"]
    assert refusal(world, world.anna, application, "judge", requirement="ball.diameter", answer="yes") == ["step_value"]


def test_what_the_rules_leave_to_the_board_its_members_answer_under_their_names(world: World) -> None:
    application = world.submit(item="figure")
    world.measure(application, "format: homolog-submission/1\nitem: figure\nattributes: {family: none}\nreadings: {}\n")
    for actor in (world.anna, world.boris, world.carla):
        world.take(actor, application, "judge", requirement="fig.human_body", answer="yes")
    view = world.assess(application)
    assert view.case.assessment is not None
    _, pieces = applications.read_file(world.anna, world.desk, application, view.case.assessment.data["report"])
    findings = {one["requirement"]: one for one in json.loads(b"".join(pieces))["findings"]}
    assert findings["fig.human_body"]["verdict"] == "conform"
    assert view.case.assessment.data["outcome"] == "open"


# Certificates


def test_two_types_of_one_item_never_share_a_name(world: World) -> None:
    world.homologated()
    application = world.begin()
    world.describe(application, name="SWÏFT")
    world.take(world.mary, application, "submit")
    world.measure(application)
    world.assess(application)
    world.vote(application)
    with pytest.raises(StepRefused) as refused:
        world.issue(application)
    assert codes(refused) == ["type_name_taken"]


def test_a_provisional_approval_ends_in_the_register_too(world: World) -> None:
    application = world.submit()
    world.measure(application)
    world.assess(application)
    assert world.vote(application, "approve_provisionally", until="2027-06-30").case.state == "approved_provisionally"
    view = world.issue(application)
    assert view.standing is not None
    assert (view.standing.status, view.standing.until) == ("provisional", date(2027, 6, 30))
    after = types.view(VISITOR, world.desk, view.record.number, day=date(2027, 7, 1))
    assert after.standing is not None
    assert (after.standing.status, after.standing.is_usable) == ("expired", False)
    _, pieces = types.read_file(world.desk, view.record.number, view.files[0].digest)
    certificate = json.loads(b"".join(pieces))
    assert (certificate["valid_from"], certificate["valid_until"]) == ("2026-12-01", "2027-06-30")
    assert certificate["decision"]["outcome"] == "provisional"


def test_a_number_is_given_out_once_and_never_without_an_approval(world: World) -> None:
    application = world.submit()

    def data() -> dict[str, Any]:
        return certifying.certificate_data(world.anna, world.desk, application, on=date(2026, 12, 1), issuer="FISTF", now=world.now)

    with pytest.raises(StepRefused):
        data()
    world.measure(application)
    world.assess(application)
    world.vote(application)
    assert data()["number"] == data()["number"] == "HML-B-0001"
    certificate = certificate_of(data(), "certificate")
    assert (certificate.edition.body, certificate.edition.edition, certificate.edition.spec) == ("fistf", "4.0", "fistf.ball")
    assert certificate.decision.reasons == "III-3.1: It keeps diameter and mass."
    with pytest.raises(StepRefused) as refused:
        world.issue(application, on=date(2026, 11, 30))
    assert codes(refused) == ["step_value"]
    assert world.issue(application).record.number == "HML-B-0001"
    with pytest.raises(StepRefused):
        world.issue(application)


def test_several_applications_are_shown_as_each_alone(world: World) -> None:
    ids = [world.submit(), world.submit()]
    now = world.now
    assert applications.views(world.anna, world.desk, ids, now=now) == tuple(
        applications.view(world.anna, world.desk, one, now=now) for one in ids
    )
    with pytest.raises(Missing):
        applications.views(world.anna, world.desk, [ids[0], world.begin()], now=now)
