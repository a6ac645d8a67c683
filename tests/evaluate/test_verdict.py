"""The one order of verdicts."""

from __future__ import annotations

import operator
from itertools import product

import pytest

from homolog.evaluate.verdict import Verdict, greatest, least, under_open_readings

ORDER = ["nonconform", "error", "not_measured", "needs_judgement", "inconclusive", "conform"]
RANKED = [Verdict(name) for name in ORDER]
NOT_APPLICABLE = Verdict.NOT_APPLICABLE


def test_the_order_is_the_one_that_is_written_down() -> None:
    assert sorted(RANKED, reverse=True) == RANKED[::-1]
    assert all((RANKED[i] < RANKED[j]) == (i < j) for i, j in product(range(6), repeat=2))


def test_a_verdict_is_neither_yes_nor_no() -> None:
    for one in Verdict:
        with pytest.raises(TypeError, match="not a yes or a no"):
            bool(one)


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_a_verdict_is_not_compared_with_anything_else(compare: object) -> None:
    with pytest.raises(TypeError):
        compare(Verdict.CONFORM, "conform")  # type: ignore[operator]
    assert Verdict.CONFORM != "conform"


def test_nothing_is_not_applicable_and_never_conform() -> None:
    for combine in (least, greatest, under_open_readings):
        assert combine([]) is combine([NOT_APPLICABLE, NOT_APPLICABLE]) is NOT_APPLICABLE


@pytest.mark.parametrize(("one", "other"), list(product(RANKED, repeat=2)))
def test_all_is_the_minimum_and_any_the_maximum_without_what_does_not_apply(one: Verdict, other: Verdict) -> None:
    ranks = RANKED.index(one), RANKED.index(other)
    assert least([one, NOT_APPLICABLE, other]) is RANKED[min(ranks)]
    assert greatest([one, NOT_APPLICABLE, other]) is RANKED[max(ranks)]


@pytest.mark.parametrize(("one", "other"), list(product(RANKED, repeat=2)))
def test_open_readings_of_which_some_fail_and_some_do_not_need_judgement(one: Verdict, other: Verdict) -> None:
    failing = {one, other} & {Verdict.NONCONFORM}
    expected = Verdict.NEEDS_JUDGEMENT if failing and one is not other else RANKED[min(RANKED.index(one), RANKED.index(other))]
    assert under_open_readings([one, other, NOT_APPLICABLE]) is expected
