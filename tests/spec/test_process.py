"""The table of steps, the memorandum and the named types: what the linter lets through and what not."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree
from typing import get_args

import pytest

from homolog.data import specs_dir
from homolog.service.actor import Role
from homolog.spec.i18n import load_texts
from homolog.spec.library import Library
from homolog.spec.lint import lint
from homolog.spec.memorandum import load_memorandum, memorandum_texts, shipped_memorandum
from homolog.spec.named import shipped_named
from homolog.spec.process import StepRole, process_texts, shipped_process

TEXT = (specs_dir() / "process" / "type.yaml").read_text(encoding="utf-8")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    for name in ("process", "fistf"):
        copytree(specs_dir() / name, tmp_path / "specs" / name)
    (tmp_path / "specs" / "ids.yaml").write_bytes((specs_dir() / "ids.yaml").read_bytes())
    return tmp_path / "specs"


def complaints(library: Path, name: str, old: str, new: str) -> set[str]:
    """Return the codes of the errors about a file after one change."""
    path = library / "process" / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return {one.code for one in lint(library) if one.severity == "error" and one.place[0].endswith(name)}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("to: sampled\n    effect", "to: sampeld\n    effect", "process_state"),
        ("to: submitted\n", "to: suspended\n", "process_state"),
        ("to: dropped\n", "to: refused\n", "process_state"),
        ("says: \"Refused\", ends: yes", "says: \"Refused\"", "process_state"),
        ("says: \"Being written\"", "says: \"Being written\", ends: yes", "process_state"),
        ("lost: assessed, ", "", "process_state"),
        ("not_by: [open_vote, measure]", "not_by: [measure]", "process_hands"),
        ("not_by: [measure]", "not_by: [mesure]", "process_name"),
        ("effect: votes\n    not_by: [measure]", "effect: votes", "process_hands"),
        ("effect: judges\n    not_by: [measure]", "effect: judges", "process_hands"),
        ("  approve: [approve]", "  approve: [approve, open]", "process_proposal"),
        ("approve_provisionally: [approve, open]", "approve_provisionally: [approve, refuse]", "process_proposal"),
        ("who: [{role: laboratory, relation: holder}]", "who: [{role: laboratory}]", "process_hands"),
        ("who: [{role: board, relation: elector}]", "who: [{role: manufacturer, relation: elector}]", "process_hands"),
        ("- id: describe", "- id: start", "process_name"),
        ("{name: family, kind: name, need: may", "{name: company, kind: name, need: may", "process_name"),
        ("{name: electors, kind: accounts", "{name: electors, kind: account", "process_asks"),
        ("{name: choice, kind: choice, values: [yes, no, abstain]", "{name: choice, kind: choice, values: []", "process_asks"),
        ("complete: [company,", "complete: [colour, company,", "process_asks"),
        ("figure: [III-4.3.2], goalkeeper: [III-5.3.2]}", "figure: [III-9.9], goalkeeper: [III-5.3.2]}", "process_clause"),
        ("figure: [III-4.3.2], goalkeeper: [III-5.3.2]}", "figure: [III-4.3.2]}", "process_clause"),
        ("effect: starts", "effect: begins", "spec_invalid"),
        ("to: draft", "to: draft\n    branch: {on: result, to: {}}", "spec_invalid"),
    ],
)  # fmt: skip
def test_a_fault_in_the_table_of_steps_is_found(library: Path, old: str, new: str, code: str) -> None:
    assert code in complaints(library, "type.yaml", old, new)


def test_a_clause_that_no_table_has_is_found_in_the_other_files(library: Path) -> None:
    assert complaints(library, "memorandum.yaml", "ball: [III-3.6]", "ball: [III-3.66]") == {"process_clause"}
    assert complaints(library, "named-types.yaml", 'clause: "III-3.2"', 'clause: "III-3.22"') == {"process_clause"}
    assert complaints(library, "named-types.yaml", "id: ball-zeugo", "id: ball-subbuteo") == {"process_clause", "process_name"}


@pytest.mark.parametrize("lang", ["uk", "it"])
def test_every_text_is_there_in_each_language(lang: str) -> None:
    for loaded, english in (
        (shipped_process(), process_texts(shipped_process().process)),
        (shipped_memorandum(), memorandum_texts(shipped_memorandum().memorandum)),
    ):
        assert loaded.path is not None
        texts = load_texts(loaded.path, lang)
        assert set(texts.texts) == set(english)
        assert texts.stale(english) == []


def test_the_roles_of_the_table_are_those_of_accounts() -> None:
    assert get_args(StepRole) == get_args(Role)


def test_every_named_type_is_of_a_family_that_its_spec_knows() -> None:
    named = shipped_named()
    edition = Library().edition(named.body, named.edition)
    for one in named.types:
        loaded = edition.spec(one.item)
        assert loaded is not None
        assert one.family in (loaded.spec.attributes["family"].values or ())
    assert [sum(one.item == item for one in named.types) for item in ("ball", "figure", "goalkeeper")] == [2, 7, 6]


def test_a_board_loads_a_memorandum_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "memorandum.yaml"
    text = (specs_dir() / "process" / "memorandum.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace('"draft-1"', '"2027"').replace("status: draft", "status: adopted"), encoding="utf-8")
    loaded = load_memorandum(path.read_bytes(), path.name, path)
    assert (loaded.memorandum.version, loaded.memorandum.status) == ("2027", "adopted")
    assert loaded.sha256 != shipped_memorandum().sha256


def test_steps_and_states_are_found_by_name_and_by_subject() -> None:
    loaded = shipped_process()
    first = loaded.process.steps[0]
    assert loaded.step(first.id) is first
    assert loaded.step("no_such_step") is None
    assert loaded.state("no_such_state") is None
    both = [*loaded.steps("application"), *loaded.steps("type")]
    assert sorted(step.id for step in both) == sorted(step.id for step in loaded.process.steps)


def test_a_memorandum_that_comes_from_no_file_stays_english() -> None:
    shipped = shipped_memorandum()
    own = load_memorandum(shipped.data, "own.yaml")
    assert own.texts("it").text("title", own.memorandum.title) == own.memorandum.title
    assert shipped.texts("it").text("title", shipped.memorandum.title) != own.memorandum.title
