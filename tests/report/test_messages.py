from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import homolog.check
import homolog.evaluate
import homolog.scan
from homolog.data import templates_dir
from homolog.errors import UsageError
from homolog.evaluate.verdict import Verdict
from homolog.report import messages
from homolog.report.messages import LANGUAGES, catalogue, english, plural, read_messages, source_hash

OTHERS = [lang for lang in LANGUAGES if lang != "en"]
SLOT = re.compile(r"\{[A-Za-z_]+\}")
ENGLISH, _ = read_messages("en")


@pytest.mark.parametrize("lang", OTHERS)
def test_every_text_is_translated_and_none_is_left_over(lang: str) -> None:
    texts, sources = read_messages(lang)
    assert set(texts) == set(ENGLISH)
    assert set(sources) == set(ENGLISH)


@pytest.mark.parametrize("lang", OTHERS)
def test_no_translation_is_stale(lang: str) -> None:
    _, sources = read_messages(lang)
    stale = {key: source_hash(forms) for key, forms in ENGLISH.items() if sources.get(key) != source_hash(forms)}
    assert not stale, "translate these anew, then write the digest beside them"


def test_a_changed_english_text_makes_its_translation_stale() -> None:
    _, sources = read_messages("uk")
    assert sources["why.inside_by"] == source_hash(ENGLISH["why.inside_by"])
    assert sources["why.inside_by"] != source_hash({"other": ENGLISH["why.inside_by"]["other"] + " "})


@pytest.mark.parametrize("lang", OTHERS)
def test_translations_take_the_same_parameters(lang: str) -> None:
    texts, _ = read_messages(lang)
    for key, forms in texts.items():
        allowed = {slot for form in ENGLISH[key].values() for slot in SLOT.findall(form)} | {"{n}", "{total}"}
        needed = set.intersection(*(set(SLOT.findall(form)) for form in ENGLISH[key].values()))
        for form in forms.values():
            found = set(SLOT.findall(form))
            assert needed <= found <= allowed, (key, form)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_has_a_form_for_any_number(lang: str) -> None:
    texts, _ = read_messages(lang)
    assert [key for key, forms in texts.items() if "other" not in forms] == []


def codes_in(source: str) -> set[str]:
    """Return the statement codes of a module: literals, and the choices that a function makes between them."""
    found: set[str] = set()
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.Call) or getattr(function.func, "id", "") != "Statement":
            continue
        for word in function.keywords:
            if word.arg == "code":
                found |= {
                    node.value for node in ast.walk(word.value) if isinstance(node, ast.Constant) and isinstance(node.value, str)
                }
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") in ("code", "ask", "step") for target in node.targets):
            choices = [part for part in ast.walk(node.value) if isinstance(part, ast.IfExp)]
            parts = [branch for choice in choices for branch in (choice.body, choice.orelse)]
            parts += [value for part in ast.walk(node.value) if isinstance(part, ast.Dict) for value in part.values]
            found |= {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return {code for code in found if re.fullmatch(r"[a-z_]+", code)}


def sources(package: str | None) -> list[Path]:
    assert package is not None
    return sorted(Path(package).parent.glob("*.py"))


def test_every_code_of_the_assessment_has_words() -> None:
    codes = set().union(*(codes_in(path.read_text()) for path in sources(homolog.evaluate.__file__)))
    assert {"inside_by", "measure_again", "votes_missing", "state_uncertainty", "one_holds"} <= codes
    assert {code for code in codes if f"why.{code}" not in ENGLISH and f"next.{code}" not in ENGLISH} == set()


def test_every_note_of_the_check_has_words() -> None:
    codes = set().union(*(codes_in(path.read_text()) for path in sources(homolog.check.__file__)))
    assert {code for code in codes if f"note.{code}" not in ENGLISH} == set()


def test_every_code_and_mark_of_the_catalogue_has_a_caller() -> None:
    modules = [path for package in (homolog.evaluate, homolog.check, homolog.scan) for path in sources(package.__file__)]
    nodes = [node for path in modules for node in ast.walk(ast.parse(path.read_text()))]
    said = {node.value.partition(" ")[0] for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    codes = [key.partition(".") for key in ENGLISH if key.partition(".")[0] in ("why", "next", "note", "mark")]
    assert [f"{group}.{code}" for group, _, code in codes if code not in said] == []


def test_every_verdict_and_outcome_has_a_name_in_every_language() -> None:
    outcomes = (
        "approve",
        "refuse",
        "play",
        "play_noted",
        "change",
        "ask",
        "pass",
        "fail",
        "borderline",
        "keep",
        "grace",
        "withdraw",
        "open",
    )
    for lang in LANGUAGES:
        words = catalogue(lang)
        names = [words.name("verdict", verdict.value) for verdict in Verdict]
        assert len(set(names)) == len(Verdict)
        assert all(words.has(f"outcome.{outcome}") for outcome in outcomes)


def test_every_fixed_word_is_used_somewhere() -> None:
    templates = templates_dir() / "report"
    files = [*Path(messages.__file__).parent.glob("*.py"), *templates.glob("*.j2"), *templates.glob("*.typ")]
    code = "".join(path.read_text(encoding="utf-8") for path in files)
    fixed = [key for key in ENGLISH if key.split(".")[0] in ("label", "page", "section", "column", "lot")]
    assert [key for key in fixed if key not in code and f'"{key.split(".")[1]}"' not in code] == []


def test_an_unknown_code_is_shown_with_its_parameters() -> None:
    assert english().say("why.never_heard", {"a": "b", "c": "d"}) == "never_heard (a: b, c: d)"
    assert english().say("why.never_heard") == "never_heard"


def test_a_part_with_a_missing_parameter_is_left_out() -> None:
    assert english().say("why.inside_by") == "Inside the limit."
    assert english().say("why.inside_by", {"margin": "0.05 mm"}) == "Inside the limit by 0.05\N{NO-BREAK SPACE}mm."
    assert english().say("why.inside_by", {"margin": ""}) == "Inside the limit."


def test_a_missing_parameter_that_is_needed_shows() -> None:
    assert english().say("next.measure_again") == "Measure again with U of at most …."


def test_numbers_and_names_are_written_as_the_language_does() -> None:
    words = catalogue("uk")
    assert words.value("U", "0.5 mm3") == "0,5\N{NO-BREAK SPACE}мм³"
    assert words.value("margin", "-0.5 mm") == "\N{MINUS SIGN}0,5\N{NO-BREAK SPACE}мм"
    assert words.value("roles", "laboratory, nobody") == "лабораторія, nobody"
    assert words.value("readings", "outer: nonconform; material: conform") == "outer: не виконано; material: виконано"
    assert words.value("edition", "4.0") == "4.0"
    assert words.value("unit", "mm") == "мм"
    assert words.measure("3 count") == "3"


@pytest.mark.parametrize(
    ("lang", "n", "form"),
    [("en", "1", "one"), ("en", "2", "other"), ("it", "0", "other"), ("uk", "1", "one"), ("uk", "21", "one"), ("uk", "11", "many"),
     ("uk", "3", "few"), ("uk", "13", "many"), ("uk", "5", "many"), ("uk", "", "other"), ("en", "x", "other")],
)  # fmt: skip
def test_plural_forms_follow_the_language(lang: str, n: str, form: str) -> None:
    assert plural(lang, n) == form


def test_an_unknown_language_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="use one of en, uk, it"):
        catalogue("../en")
