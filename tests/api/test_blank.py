"""Empty sheets through the door."""

from __future__ import annotations

import pytest

from homolog.submission.read import read_submissions
from homolog.submission.template import write_template
from tests.api.conftest import Door
from tests.api.test_page import Elements

ITEMS = ("board", "goal", "ball", "figure", "goalkeeper", "set", "match")


@pytest.mark.parametrize("ending", ["xlsx", "csv", "yaml"])
@pytest.mark.parametrize(("item", "edition"), [("goalkeeper", None), ("goalkeeper", "14-2014"), ("board", "4.0")])
def test_an_empty_sheet_is_that_of_the_edition(door: Door, item: str, ending: str, edition: str | None) -> None:
    answer = door.get(f"/api/v1/templates/{item}.{ending}", params={} if edition is None else {"edition": edition})
    assert (answer.status_code, answer.headers["content-disposition"]) == (200, f'attachment; filename="{item}.{ending}"')
    shelf = door.service.shelf
    assert answer.content == write_template(shelf.library.edition("fistf", edition or "4.0").spec(item), ending)
    (submission,) = read_submissions(answer.content, f"sheet.{ending}", shelf.vocabulary_of)
    assert (submission.article.item, submission.article.readings) == (item, ())


def test_a_client_may_keep_it(door: Door) -> None:
    first = door.get("/api/v1/templates/ball.xlsx")
    again = door.get("/api/v1/templates/ball.xlsx", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("address", "status", "kind"),
    [
        ("ball.pdf", 404, "not_found"),
        ("bat.csv", 404, "not_found"),
        ("ball.csv?edition=9", 422, "usage"),
        ("ball.csv?body=itf", 422, "usage"),
        ("ball.csv?purpose=match", 422, "usage"),
        ("ball.csv?edition=4.0&edition=4.0", 422, "usage"),
        ("ball.csv?body=ua-amateur", 422, "usage"),
    ],
)
def test_what_there_is_not_is_refused(door: Door, address: str, status: int, kind: str) -> None:
    answer = door.get(f"/api/v1/templates/{address}")
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{kind}")


def test_another_form_than_the_address_names_is_not_given(door: Door) -> None:
    assert door.get("/api/v1/templates/ball.csv", headers={"Accept": "application/pdf"}).status_code == 406


def test_the_page_leads_to_every_empty_sheet(door: Door) -> None:
    links = [link["href"] for link in Elements(door.get("/").text).all("a")]
    wanted = [f"/api/v1/templates/{item}.{ending}" for item in ITEMS for ending in ("xlsx", "csv", "yaml")]
    assert [address for address in wanted if address not in links] == []
    assert {door.get(address).status_code for address in wanted} == {200}
