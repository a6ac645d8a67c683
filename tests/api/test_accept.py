"""Which form is wanted: the header Accept as RFC 9110, 12.5.1 has it."""

import pytest

from api.accept import choose, chosen
from api.problems import Failure

OFFERS = ("application/json", "text/html", "application/pdf")


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/html", "text/html"),
        ("TEXT/HTML", "text/html"),
        ("text/*", "text/html"),
        ("application/*", "application/json"),
        ("application/pdf, */*;q=0.1", "application/pdf"),
        ("application/json;q=0.4, text/html;q=0.5", "text/html"),
        ("application/json;q=0.5, text/html;q=0.5", "application/json"),
        ("*/*, application/json;q=0", "text/html"),
        ("application/*;q=0.9, application/json;q=0.1, text/html;q=0.5", "application/pdf"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("text/html;level=1", "text/html"),
        ("text/html ; Q=1.000", "text/html"),
        ("image/png", None),
        ("text/html;q=0", None),
        ("text/html;q=0.000", None),
        ("text/html;q=2", None),
        ("text/html;q=yes", None),
        ("*/html", None),
        ("nonsense, text/html", "text/html"),
        ("nonsense", None),
    ],
)
def test_the_best_of_the_wanted_forms_is_chosen(accept: str | None, expected: str | None) -> None:
    assert choose(accept, OFFERS) == expected


def test_the_order_of_the_ranges_does_not_matter() -> None:
    assert choose("*/*;q=0.5, text/html;q=0.1", OFFERS) == choose("text/html;q=0.1, */*;q=0.5", OFFERS) == "application/json"


def test_a_refusal_lists_what_there_is() -> None:
    with pytest.raises(Failure) as caught:
        chosen("image/png", OFFERS)
    assert caught.value.status == 406
    assert caught.value.document()["available"] == list(OFFERS)
