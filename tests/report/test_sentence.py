from __future__ import annotations

from typing import Any

import pytest

from homolog.evaluate.verdict import Verdict
from homolog.report import EditionNotes, PieceFindings
from homolog.report.messages import LANGUAGES, catalogue, english
from homolog.report.sentence import say_verdict
from tests.report.samples import EDITION, make_finding, make_report

C, N, U, J, M, E, X = (
    Verdict.CONFORM, Verdict.NONCONFORM, Verdict.INCONCLUSIVE, Verdict.NEEDS_JUDGEMENT, Verdict.NOT_MEASURED, Verdict.ERROR,
    Verdict.NOT_APPLICABLE,
)  # fmt: skip


def sentence(purpose: str, outcome: str, *verdicts: Verdict, lang: str = "en", **changes: Any) -> str:
    findings = tuple(make_finding(f"gk.r{index}", verdict) for index, verdict in enumerate(verdicts))
    report = make_report(purpose=purpose, outcome=outcome, findings=findings, verdict=min(verdicts, default=X), **changes)
    return say_verdict(catalogue(lang), report.record)


@pytest.mark.parametrize(
    ("purpose", "outcome", "verdicts", "says"),
    [
        ("self_test", "pass", (C, C, X), "All 2 requirements that apply are shown to be met."),
        ("self_test", "pass", (C,), "The one requirement that applies is shown to be met."),
        ("self_test", "fail", (C, N, U), "1 of 3 requirements that apply is shown not to be met."),
        ("self_test", "open", (C, U, M, E), "Nothing is shown to fail; 3 of 4 requirements are not yet proven."),
        ("self_test", "borderline", (C, U),
         "Nothing is shown to fail, but 1 of 2 requirements lies so near its limit that the measurement does not decide it."),
        ("type_approval", "approve", (C, C),
         "All 2 requirements that apply are shown to be met, so this check found nothing against approval."),
        ("type_approval", "refuse", (N, N),
         "2 of 2 requirements that apply are shown not to be met, so the type cannot be approved on this evidence."),
        ("type_approval", "open", (C, J),
         "No requirement is shown to fail, but 1 of 2 is not proven, so this evidence does not yet carry an approval."),
        ("match", "play", (C, X), "The one requirement that applies is shown to be met: this check found nothing against play."),
        ("match", "play_noted", (C, M, M),
         "No requirement is shown to fail, so this check found nothing against play; 2 of 3 are not proven and are listed below."),
        ("match", "change", (N,), "1 of 1 requirements that apply is shown not to be met: this must be changed before play."),
        ("match", "ask", (J, C), "No requirement is shown to fail, but 1 of 2 is not proven: somebody has to decide before play."),
        ("recheck", "keep", (C, C),
         "All 2 requirements that apply are shown to be met: this check found nothing against keeping the type."),
        ("recheck", "withdraw", (N, C), "1 of 2 requirements that apply is shown not to be met, and no transition keeps the type."),
        ("recheck", "grace", (N, C),
         "1 of 2 requirements of the new edition is not shown to be met; the edition's transition keeps the type for a time."),
        ("recheck", "open", (N, C),
         "No answer yet on keeping the type: 1 of 2 requirements is not shown to be met, or the board has set no transition."),
    ],
)  # fmt: skip
def test_the_sentence_says_what_was_found(purpose: str, outcome: str, verdicts: tuple[Verdict, ...], says: str) -> None:
    assert sentence(purpose, outcome, *verdicts) == says


def test_an_outcome_that_the_counts_do_not_carry_is_not_repeated() -> None:
    assert sentence("recheck", "keep", N, C) == "1 of 2 requirements that apply is shown not to be met."
    assert sentence("self_test", "pass", U, C) == "Nothing is shown to fail; 1 of 2 requirements is not yet proven."
    assert sentence("type_approval", "open", C) == "The one requirement that applies is shown to be met."
    assert sentence("match", "ask", C, N) == "1 of 2 requirements that apply is shown not to be met."


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("en", "All 2 requirements that apply are shown to be met (by edition 1, which is not in force on 2026-03-01)."),
        ("uk", "Доведено, що виконано всі вимоги, які застосовуються (2) — за редакцією 1, яка станом на 2026-03-01 не чинна."),
        (
            "it",
            "Tutti i 2 requisiti che si applicano risultano rispettati (secondo l’edizione 1, che al 2026-03-01 non è in vigore).",
        ),
    ],
)
def test_the_sentence_names_an_edition_that_is_not_in_force(lang: str, says: str) -> None:
    assert sentence("self_test", "pass", C, C, lang=lang, editions=EditionNotes(in_force="2")) == says
    assert "2026-03-01" not in sentence("self_test", "pass", C, C, lang=lang, editions=EditionNotes())


def pieces_of(*not_judged: str | None) -> tuple[PieceFindings, ...]:
    return tuple(PieceFindings(name="p", item="figure", verdict=X, not_judged=reason) for reason in not_judged)


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("en", "The one requirement that applies is shown to be met; 2 of 4 pieces were not measured by themselves."),
        ("uk", "Доведено, що виконано всі вимоги, які застосовуються (1); окремо не виміряно предметів: 2 з 4."),
        ("it", "L’unico requisito che si applica risulta rispettato; 2 pezzi su 4 non sono stati misurati da soli."),
    ],
)
def test_the_sentence_counts_the_pieces_that_nobody_measured(lang: str, says: str) -> None:
    pieces = pieces_of("no_readings", None, "no_readings", "not_regulated")
    assert sentence("self_test", "pass", C, lang=lang, item="set", pieces=pieces) == says
    assert sentence("self_test", "pass", C, item="set", pieces=pieces_of(None)).endswith("is shown to be met.")


def test_the_sentence_may_have_to_say_both() -> None:
    says = sentence("self_test", "pass", C, item="set", pieces=pieces_of("no_readings"), editions=EditionNotes(in_force="2"))
    assert says == (
        "The one requirement that applies is shown to be met (by edition 1, which is not in force on 2026-03-01); "
        "1 of 1 pieces was not measured by itself."
    )


def test_nothing_that_applies_proves_nothing() -> None:
    says = "None of the requirements applies to this article, so nothing is proven either way."
    assert sentence("self_test", "open", X, X) == says
    assert sentence("self_test", "open") == says


def test_an_item_that_the_rules_are_silent_on_is_not_judged() -> None:
    edition = EDITION.model_copy(update={"unregulated": {"ball": "The sheet holds no ball."}})
    assert sentence("self_test", "open", item="ball", spec=None, edition=edition) == (
        "This rule set does not regulate the ball, so there is nothing to judge: The sheet holds no ball."
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_every_outcome_has_a_sentence_in_every_language(lang: str, n: int) -> None:
    cases = {
        "type_approval": {"approve": C, "refuse": N, "open": U},
        "match": {"play": C, "play_noted": M, "change": N, "ask": J},
        "self_test": {"pass": C, "fail": N, "borderline": U, "open": M},
        "recheck": {"keep": C, "grace": N, "withdraw": N, "open": U},
    }
    for purpose, outcomes in cases.items():
        for outcome, verdict in outcomes.items():
            said = sentence(purpose, outcome, *([verdict] * n), lang=lang)
            words = catalogue(lang)
            forms = words.texts[f"sentence.{purpose}_{outcome}"].values()
            params = {"n": str(n), "total": str(n)}
            assert said == words.say(f"sentence.{purpose}_{outcome}", params)
            assert said in [form.replace("{n}", str(n)).replace("{total}", str(n)) for form in forms]


def test_no_sentence_claims_a_federations_approval() -> None:
    for key, forms in english().texts.items():
        if key.startswith("sentence."):
            assert not any("approved by" in form or "is approved" in form or "homologated" in form for form in forms.values()), key
    assert "no homologation" in english().say("page.disclaimer")
