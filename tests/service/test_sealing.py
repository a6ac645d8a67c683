"""What the register signs and enters in its log, on both databases."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from homolog.register import log
from homolog.seal.jws import Jws, holds, read_jws
from homolog.seal.key_folder import make_keys
from homolog.seal.log import covers, read_head, read_status
from homolog.seal.merkle import is_consistent
from homolog.service import applications, issuing, proofs, types
from homolog.service.missing import Missing
from homolog.service.sealing import KeysMissing, Sealer, seal_record
from tests.service.people import START, World

TODAY = date(2026, 12, 1)
REASONS = [{"clause": "III-3.1", "text": "Later samples are larger.\nTwo of three."}]


@pytest.fixture
def sealer(tmp_path: Path) -> Sealer:
    make_keys(tmp_path / "keys", issuer="FISTF", at=START - timedelta(days=1), until=START + timedelta(days=700))
    return Sealer(tmp_path / "keys", "https://register.example")


def homologated(world: World, sealer: Sealer) -> str:
    application = world.submit()
    world.measure(application)
    issuing.assess(world.anna, world.desk, sealer, application, now=world.now, today=TODAY)
    world.vote(application)
    return issuing.issue(world.carla, world.desk, sealer, application, on=TODAY, now=world.now).record.number


def digests(world: World, number: str) -> dict[str, str]:
    view = types.view(world.anna, world.desk, number, day=TODAY)
    return {file.kind: file.digest for file in view.files}


def test_each_entry_is_proved_to_a_head_that_a_key_has_signed(world: World, sealer: Sealer) -> None:
    number = homologated(world, sealer)
    (key,) = [one for one in sealer.keys().keys if one.purpose == "record"]
    for place, kind in enumerate(("report", "certificate")):
        digest = digests(world, number)[kind]
        receipt = proofs.receipt(world.desk, digest)
        head = read_head(receipt.head, "head")
        assert (receipt.index, head.size, head.issuer) == (place, 3, "FISTF")
        assert holds(receipt.head, key)
        assert covers(head, receipt)
        signed = proofs.signed(world.desk, digest)
        assert holds(signed.jws(), key)
        assert signed.receipt == receipt
    found = proofs.consistency(world.desk, 1, 3)
    roots = [bytes.fromhex(read_head(_jws(found[name]), name).root) for name in ("old", "new")]
    assert is_consistent(1, 3, roots[0], roots[1], [bytes.fromhex(one) for one in found["path"]])


def test_a_suspension_for_later_is_signed_beside_what_holds_until_then(world: World, sealer: Sealer) -> None:
    number = homologated(world, sealer)
    entered = issuing.decide(
        world.anna, world.desk, sealer, number, "suspend", {"on": "2027-01-01", "reasons": REASONS}, now=world.now, today=TODAY
    )
    said = {"entry": entered.waiting[0].seq}
    issuing.decide(world.boris, world.desk, sealer, number, "confirm", said, now=world.now, today=TODAY)
    receipt = proofs.receipt(world.desk, digests(world, number)["certificate"])
    statuses = [read_status(one, "status") for one in receipt.statuses]
    last = max(one.at for one in statuses)
    assert sorted((one.status, one.since.isoformat()) for one in statuses if one.at == last) == [
        ("homologated", "2026-12-01"),
        ("suspended", "2027-01-01"),
    ]
    assert next(one.says for one in statuses if one.status == "suspended") == "III-3.1: Later samples are larger. Two of three."


def test_without_a_key_nothing_is_decided_or_issued(world: World, sealer: Sealer, tmp_path: Path) -> None:
    none = Sealer(tmp_path / "nowhere", "https://register.example")
    application = world.submit()
    world.measure(application)
    with pytest.raises(KeysMissing):
        issuing.assess(world.anna, world.desk, none, application, now=world.now, today=TODAY)
    issuing.assess(world.anna, world.desk, sealer, application, now=world.now, today=TODAY)
    world.vote(application)
    with pytest.raises(KeysMissing):
        issuing.issue(world.carla, world.desk, none, application, on=TODAY, now=world.now)
    assert applications.view(world.anna, world.desk, application, now=world.at).case.state == "approved"
    assert types.find(world.desk, types.wanted_of(item=None, family=None, status=None, on=TODAY)).found == ()


def test_what_fails_while_it_is_signed_leaves_no_type_and_no_entry(
    world: World, sealer: Sealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = world.submit()
    world.measure(application)
    issuing.assess(world.anna, world.desk, sealer, application, now=world.now, today=TODAY)
    world.vote(application)

    def fails(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("homolog.service.issuing.seal_statuses", fails)
    with pytest.raises(OSError, match="full"):
        issuing.issue(world.carla, world.desk, sealer, application, on=TODAY, now=world.now)
    with world.desk.database.read() as session:
        assert log.size(session) == 1  # the report of the assessment
    assert applications.view(world.anna, world.desk, application, now=world.at).case.state == "approved"


def test_signing_a_record_again_changes_nothing(world: World, sealer: Sealer) -> None:
    number = homologated(world, sealer)
    data = world.desk.files.read(digests(world, number)["report"])
    with world.desk.database.write() as session:
        seal_record(session, sealer, data, "report", now=world.now)
        assert log.size(session) == 3


def test_the_tree_of_many_entries_is_that_of_its_leaves(world: World) -> None:
    from homolog.seal.merkle import Tree, root

    tree, at = Tree(), datetime(2026, 12, 1, tzinfo=UTC)
    with world.desk.database.write() as session:
        for number in range(37):
            entry = json.dumps({"n": number}).encode()
            tree.add(entry)
            assert log.append(session, f"{number:064x}", entry, at=at) == number + 1
            assert root(number + 1, log.StoredNodes(session)) == root(number + 1, tree)


def test_an_unknown_record_has_no_receipt(world: World) -> None:
    with pytest.raises(Missing):
        proofs.receipt(world.desk, "0" * 64)
    with pytest.raises(Missing):
        proofs.head(world.desk)


def _jws(value: object) -> Jws:
    return read_jws(value, "head")
