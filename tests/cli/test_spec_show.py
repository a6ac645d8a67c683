"""`homolog spec show`: a requirement, an interpretation, an item, and an item that the edition says nothing of."""

from __future__ import annotations

from tests.cli.conftest import Run


def test_an_interpretation_is_shown_with_its_readings_and_whether_one_is_adopted(run: Run) -> None:
    ran = run("spec", "show", "INT-rod-straight")
    assert ran.code == 0
    assert ran.out.startswith("# INT-rod-straight (III-5.2.1)\n")
    assert "Proposed: no reading is adopted" in ran.out
    readings = [line.partition(":")[0] for line in ran.out.splitlines() if line.startswith("- ")]
    assert readings == ["- by-eye", "- iso-2768-k", "- iso-2768-h"]
    assert "What turns on it: gk.rod_straight.\n" in ran.out


def test_an_interpretation_as_json_has_its_readings(run: Run) -> None:
    shown = run("spec", "show", "INT-rod-straight", "--json").record
    assert (shown["id"], shown["status"], len(shown["readings"])) == ("INT-rod-straight", "proposed", 3)


def test_a_requirement_and_an_item_are_shown_as_before(run: Run) -> None:
    assert run("spec", "show", "gk.volume").out.startswith("# gk.volume (III-5)\n")
    assert run("spec", "show", "ball").out.startswith("# ")
    assert run("spec", "show", "gk.volume", "--json").record["id"] == "gk.volume"
    assert run("spec", "show", "ball", "--json").record["item"] == "ball"


def test_an_item_that_the_edition_does_not_regulate_is_an_answer(run: Run) -> None:
    ran = run("spec", "show", "ball", "--edition", "14-2014")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("fistf 14-2014 does not regulate a ball: The circular regulates the goalkeeper only")
    record = run("spec", "show", "ball", "--edition", "14-2014", "--json").record
    assert (record["item"], record["edition"]) == ("ball", "14-2014")
    assert record["unregulated"].startswith("The circular")


def test_a_name_that_nobody_knows_is_a_wrong_call(run: Run) -> None:
    ran = run("spec", "show", "INT-nothing")
    assert ran.code == 2
    assert "has no requirement, interpretation or item 'INT-nothing'" in ran.err
