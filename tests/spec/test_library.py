"""Finding the rules: by body, edition and item, and by the day."""

from datetime import date

import pytest

from homolog.data import specs_dir
from homolog.errors import SpecError, UsageError
from homolog.spec.library import Library
from tests.spec.sample import Shelf


def indoor(shelf: Shelf, files: str = "") -> None:
    """Add a body that names another body's file, or none."""
    text = shelf.read("fistf/4.0/edition.yaml").replace("body: fistf", "body: fistf-indoor").replace('label: "4.0"', 'label: "1"')
    start, end = text.index("  goalkeeper:"), text.index("unregulated:")
    text = text[:start] + (files or text[start:end].replace("goalkeeper.yaml", "../../fistf/4.0/goalkeeper.yaml")) + text[end:]
    shelf.write("fistf-indoor/1/edition.yaml", text)


def test_an_edition_is_found_by_body_and_label(shelf: Shelf) -> None:
    library = Library(shelf.root)
    edition = library.edition("fistf", "5.0")
    spec = edition.spec("goalkeeper")
    assert spec is not None
    assert spec.spec.edition.label == "5.0"
    assert library.labels("fistf") == ["4.0", "5.0"]
    assert edition.spec("ball") is None
    assert edition.owns("goalkeeper")
    assert not edition.owns("ball")


def test_without_a_root_the_shipped_specs_are_meant() -> None:
    assert Library().root == specs_dir()


@pytest.mark.parametrize(("body", "label", "code"), [("itf", "4.0", "body_unknown"), ("fistf", "9", "edition_unknown")])
def test_what_is_not_there_is_named_with_what_is(shelf: Shelf, body: str, label: str, code: str) -> None:
    with pytest.raises(UsageError) as refused:
        Library(shelf.root).edition(body, label)
    assert refused.value.problems[0].code == code
    assert "fistf" in refused.value.problems[0].todo or "4.0" in refused.value.problems[0].todo


@pytest.mark.parametrize(
    ("on", "label"), [("1990-01-01", "4.0"), ("2014-05-07", "4.0"), ("2014-05-08", "5.0"), ("2030-01-01", "5.0")]
)
def test_the_edition_in_force_follows_the_day(shelf: Shelf, on: str, label: str) -> None:
    assert Library(shelf.root).in_force("fistf", "goalkeeper", date.fromisoformat(on)).file.label == label


def test_no_edition_is_in_force_after_the_last_known_day(shelf: Shelf) -> None:
    shelf.edit("fistf/5.0/goalkeeper.yaml", ("from: 2014-05-08, basis", "from: 2014-05-08, to: 2015-01-01, basis"))
    with pytest.raises(UsageError, match="no edition of fistf for a goalkeeper is known to be in force on 2016-01-01"):
        Library(shelf.root).in_force("fistf", "goalkeeper", date(2016, 1, 1))


def test_an_unknown_end_reaches_as_far_as_it_can(shelf: Shelf) -> None:
    shelf.edit("fistf/5.0/goalkeeper.yaml", ("from: 2014-05-08, basis", "from: 2014-05-08, to: unknown, basis"))
    assert Library(shelf.root).in_force("fistf", "goalkeeper", date(2030, 1, 1)).file.label == "5.0"


def test_a_body_may_regulate_an_item_by_another_bodys_file(shelf: Shelf) -> None:
    indoor(shelf)
    library = Library(shelf.root)
    assert library.owners("fistf-indoor", "goalkeeper") == []
    assert library.in_force("fistf-indoor", "goalkeeper", date(2010, 1, 1)).file.label == "1"


def test_a_body_that_is_silent_on_an_item_has_an_edition_in_force_for_it(shelf: Shelf) -> None:
    indoor(shelf)
    assert Library(shelf.root).in_force("fistf-indoor", "ball", date(2010, 1, 1)).spec("ball") is None


def test_a_body_that_is_not_there_has_no_edition_in_force(shelf: Shelf) -> None:
    with pytest.raises(UsageError, match="body 'itf' is not known"):
        Library(shelf.root).in_force("itf", "ball", date(2010, 1, 1))


def test_a_published_file_that_has_changed_is_refused(shelf: Shelf) -> None:
    shelf.write("fistf/4.0/goalkeeper.yaml", shelf.read("fistf/4.0/goalkeeper.yaml") + "\n# a word more\n")
    with pytest.raises(SpecError, match="the published file has changed"):
        Library(shelf.root).edition("fistf", "4.0").spec("goalkeeper")


def test_a_draft_that_has_changed_is_read(shelf: Shelf) -> None:
    shelf.edit("fistf/4.0/goalkeeper.yaml", ("status: published", "status: draft"))
    shelf.write("fistf/4.0/goalkeeper.yaml", shelf.read("fistf/4.0/goalkeeper.yaml") + "\n# a word more\n")
    assert Library(shelf.root).edition("fistf", "4.0").spec("goalkeeper") is not None


def test_a_named_file_that_is_not_there_is_refused(shelf: Shelf) -> None:
    (shelf.root / "fistf/4.0/goalkeeper.yaml").unlink()
    with pytest.raises(SpecError, match=r"4\.0/edition\.yaml: files\.goalkeeper names goalkeeper\.yaml, which is not there"):
        Library(shelf.root).edition("fistf", "4.0").spec("goalkeeper")


def test_an_edition_in_a_folder_of_another_name_is_refused(shelf: Shelf) -> None:
    (shelf.root / "fistf/4.0").rename(shelf.root / "fistf/4.1")
    with pytest.raises(SpecError, match=r"the file says fistf 4\.0, its folder says fistf 4\.1"):
        Library(shelf.root).labels("fistf")
