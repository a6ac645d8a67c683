# ruff: noqa: E501 -- a table of edits reads best with one case a line
"""What the linter says of a library: editions, ids, clause tables and catalogues."""

import pytest

from homolog.spec.i18n import source_hash
from homolog.spec.texts import texts_of
from tests.spec.sample import Edit, Shelf, load

KEEPER, NEW, IDS, TABLE = "fistf/4.0/goalkeeper.yaml", "fistf/5.0/goalkeeper.yaml", "ids.yaml", "fistf/4.0/clauses.csv"
HEIGHT = '  - {id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1", says: "At most 39 mm high."}\n'


def test_the_library_has_no_fault_and_no_doubt(shelf: Shelf) -> None:
    assert shelf.lint() == ()


def test_only_complaints_about_what_is_asked_for_are_returned(shelf: Shelf) -> None:
    shelf.edit(KEEPER, ("height, max: 39 mm", "height, max: 39 g"))
    assert shelf.lint("fistf/5.0") == ()
    assert {complaint.code for complaint in shelf.lint(KEEPER)} == {"limit_dimension"}


# the place, the code, what is edited, and the edits
CASES = [
    ("fistf/4.0/edition.yaml: label: \"4.1\"", "edition_folder", "fistf/4.0/edition.yaml", [('label: "4.0"', 'label: "4.1"')]),
    ("fistf/4.0/edition.yaml: goalkeeper: {file", "file_missing", "fistf/4.0/edition.yaml", [("file: goalkeeper.yaml", "file: keeper.yaml")]),
    ("fistf/4.0/goalkeeper.yaml: format", "file_unnamed", "fistf/4.0/edition.yaml", [("file: goalkeeper.yaml", "file: keeper.yaml")]),
    ("fistf/4.0/edition.yaml: figure: {file", "file_item", "fistf/4.0/edition.yaml", [("  goalkeeper:", "  figure:")]),
    ("fistf/4.0/edition.yaml: goalkeeper: \"no", "unregulated_spec", "fistf/4.0/edition.yaml", [("  ball:", "  goalkeeper:")]),
    ("fistf/4.0/edition.yaml: bodi", "spec_invalid", "fistf/4.0/edition.yaml", [("body: fistf", "bodi: fistf")]),
    ("fistf/4.0/goalkeeper.yaml: id: itf.goalkeeper", "spec_name", KEEPER, [("id: fistf.goalkeeper", "id: itf.goalkeeper")]),
    ("fistf/4.0/goalkeeper.yaml: label: \"4.1\"", "spec_name", KEEPER, [('label: "4.0"', 'label: "4.1"')]),
    ("fistf/4.0/goalkeeper.yaml: max", "spec_invalid", KEEPER, [("height, max: 39 mm", "height, max: 39")]),
    # dates
    ("fistf/4.0/goalkeeper.yaml: effective", "edition_dates", KEEPER, [("from: unknown", "from: 2015-01-01")]),
    ("fistf/5.0/goalkeeper.yaml: effective", "edition_dates", NEW, [("from: 2014-05-08", "from: 2014-05-07")]),
    ("fistf/5.0/goalkeeper.yaml: effective", "edition_dates", NEW, [("from: 2014-05-08", "from: 2014-05-09")]),
    ("fistf/5.0/goalkeeper.yaml: effective", "edition_dates", NEW, [("from: 2014-05-08", "from: unknown")]),
    ("fistf/5.0/goalkeeper.yaml: effective", "edition_unended", KEEPER, [(", to: 2014-05-07", "")]),
    ("fistf/5.0/goalkeeper.yaml: supersedes: \"3.0\"", "edition_dates", NEW, [('supersedes: "4.0"', 'supersedes: "3.0"')]),
    ("fistf/5.0/goalkeeper.yaml: edition", "edition_dates", NEW, [('  supersedes: "4.0"\n', "")]),
    ("fistf/5.0/goalkeeper.yaml: transition", "edition_dates", NEW, [(", until: 2015-01-01", "")]),
    ("fistf/5.0/goalkeeper.yaml: supersedes: \"4.0\"", "transition_missing", NEW, [("\n  transition: {policy: grace, until: 2015-01-01}", "")]),
    # ids
    ("fistf/4.0/goalkeeper.yaml: id: gk.height", "id_unregistered", IDS, [('  gk.height: {item: goalkeeper, kind: limit, of: goalkeeper.height, since: "fistf 4.0"}\n', "")]),
    ("fistf/4.0/goalkeeper.yaml: id: gk.height", "id_reused", IDS, [("of: goalkeeper.height", "of: goalkeeper.width")]),
    ("fistf/4.0/goalkeeper.yaml: id: gk.body", "id_reused", IDS, [("gk.body: {item: goalkeeper, kind: judge", "gk.body: {item: goalkeeper, kind: inspect")]),
    ("fistf/4.0/goalkeeper.yaml: id: gk.body", "id_reused", IDS, [("gk.body: {item: goalkeeper", "gk.body: {item: figure")]),
    ("ids.yaml: since: \"fistf 3.0\"", "id_entry", IDS, [('judge, since: "fistf 4.0"', 'judge, since: "fistf 3.0"')]),
    ("ids.yaml: gk.body: {kind", "spec_invalid", IDS, [("gk.body: {item: goalkeeper, ", "gk.body: {")]),
    # the clause table
    ("fistf/4.0/clauses.csv: 6,", "row_unaccounted", TABLE, [("5,goalkeeper,goalkeeper.grip", "6,goalkeeper,goalkeeper.hold,,,,,match,match\n5,goalkeeper,goalkeeper.grip")]),
    ("fistf/4.0/goalkeeper.yaml: {id: \"5\"", "row_unknown", TABLE, [("5,goalkeeper,goalkeeper.grip,,,,,match,match\n", "")]),
    ("fistf/4.0/goalkeeper.yaml: covers", "row_unknown", TABLE, [("4,goalkeeper,goalkeeper.hue,,,,,set,set\n", "")]),
    ("fistf/4.0/goalkeeper.yaml: {id: gk.height", "limit_differs", TABLE, [("mm,,39,", "mm,,39.5,")]),
    ("fistf/4.0/goalkeeper.yaml: {id: gk.height", "limit_differs", TABLE, [("mm,,39,", "mm,1,39,")]),
    ("fistf/4.0/goalkeeper.yaml: {id: gk.ten", "limit_differs", TABLE, [("count,2,10", "count,3,10")]),
    ("fistf/4.0/clauses.csv: clause", "table_columns", TABLE, [("row,unit", "quantity,unit")]),
]  # fmt: skip


@pytest.mark.parametrize(("place", "code", "path", "edits"), CASES, ids=lambda value: value[:40] if isinstance(value, str) else "")
def test_a_fault_is_named_at_its_place(shelf: Shelf, place: str, code: str, path: str, edits: list[Edit]) -> None:
    shelf.edit(path, *edits)
    found = [complaint for complaint in shelf.lint() if complaint.code == code]
    assert any(shelf.at(complaint).startswith(place) for complaint in found), "\n".join(
        f"{shelf.at(complaint)[:80]} <- {complaint}" for complaint in shelf.lint()
    )
    assert {complaint.severity for complaint in found} == {"error"}


def test_the_same_length_in_another_unit_agrees_with_the_clause_table(shelf: Shelf) -> None:
    shelf.edit(TABLE, ("mm,,39,", "cm,,3.9,"))
    assert shelf.lint() == ()


def test_a_limit_with_cases_is_not_held_against_one_row(shelf: Shelf) -> None:
    shelf.edit(TABLE, ("goalkeeper.flare,,,,", "goalkeeper.flare,mm,,9,"))
    assert shelf.lint() == ()


def test_a_limit_left_to_its_readings_is_not_held_against_the_row(shelf: Shelf) -> None:
    shelf.edit(
        KEEPER,
        ("goalkeeper.volume, max: 2700 mm3", "goalkeeper.volume"),
        ("uses: goalkeeper.volume.outer, says", "uses: goalkeeper.volume.outer, max: 2700 mm3, source: x, says"),
    )
    assert [complaint.code for complaint in shelf.lint("fistf/4.0")] == []


def test_an_edition_without_a_clause_table_is_named_at_its_own_file(shelf: Shelf) -> None:
    (shelf.root / TABLE).unlink()
    complaint = shelf.only()
    assert (complaint.code, shelf.at(complaint)) == ("table_missing", "fistf/4.0/edition.yaml: format: homolog-edition/1")


def test_a_library_without_a_register_of_ids_is_named_once_a_spec(shelf: Shelf) -> None:
    (shelf.root / IDS).unlink()
    assert [complaint.code for complaint in shelf.lint()] == ["id_unregistered", "id_unregistered"]


def test_one_interpretation_says_the_same_in_all_files_of_an_edition(shelf: Shelf) -> None:
    figure = shelf.read(KEEPER).replace("goalkeeper", "figure").replace("gk.", "fig.").replace("by zones", "with zones")
    shelf.write("fistf/4.0/figure.yaml", figure)
    shelf.edit("fistf/4.0/edition.yaml", ("unregulated:", f"  figure: {{file: figure.yaml, sha256: {'0' * 64}}}\nunregulated:"))
    found = [complaint for complaint in shelf.lint() if complaint.code == "interpretation_differs"]
    assert [complaint.id for complaint in found] == ["INT-decision", "INT-contents"]
    assert shelf.at(found[0]).startswith("fistf/4.0/figure.yaml: id: INT-decision")


def test_a_published_file_that_has_changed_is_named_where_its_digest_stands(shelf: Shelf) -> None:
    shelf.write(KEEPER, shelf.read(KEEPER) + "# one more line\n")
    complaint = shelf.only()
    assert complaint.code == "spec_changed"
    assert shelf.at(complaint).startswith("fistf/4.0/edition.yaml: sha256")


def test_a_draft_may_change(shelf: Shelf) -> None:
    shelf.edit(KEEPER, ("status: published", "status: draft"))
    shelf.write(KEEPER, shelf.read(KEEPER) + "# one more line\n")
    assert shelf.lint() == ()


DROP = (HEIGHT, ""), ("gk.height: conform, ", ""), ("gk.height: nonconform, ", "")
LOST_ROW = ("1,goalkeeper,goalkeeper.height,mm,,39,,dimension,goalkeeper\n", "")


def drop_height(shelf: Shelf, *more: Edit) -> None:
    """Take the height out of the newer edition."""
    shelf.edit(NEW, *DROP, *more)
    shelf.edit("fistf/5.0/clauses.csv", LOST_ROW)


def errors(shelf: Shelf) -> list[tuple[str, str]]:
    return [(complaint.code, complaint.id) for complaint in shelf.lint() if complaint.severity == "error"]


def test_an_id_dropped_in_silence_is_an_error_at_the_newer_edition(shelf: Shelf) -> None:
    drop_height(shelf)
    assert errors(shelf) == [("id_dropped", "gk.height")]
    (found,) = [complaint for complaint in shelf.lint() if complaint.code == "id_dropped"]
    assert shelf.at(found).startswith('fistf/5.0/goalkeeper.yaml: supersedes: "4.0"')


def test_a_tombstone_says_that_an_edition_dropped_an_id(shelf: Shelf) -> None:
    drop_height(shelf)
    shelf.write(IDS, shelf.read(IDS) + 'tombstones: {gk.height: [{dropped: "fistf 5.0", why: "gone"}]}\n')
    assert errors(shelf) == []


def test_an_incomplete_source_may_leave_an_id_unknown(shelf: Shelf) -> None:
    drop_height(shelf, ('  label: "5.0"', '  label: "5.0"\n  incomplete: "it breaks off"'))
    shelf.write(IDS, shelf.read(IDS) + 'unknown: {gk.height: [{since: "fistf 5.0", why: "not in the copy"}]}\n')
    assert errors(shelf) == []


def test_an_id_is_not_unknown_where_the_source_is_whole(shelf: Shelf) -> None:
    drop_height(shelf)
    shelf.write(IDS, shelf.read(IDS) + 'unknown: {gk.height: [{since: "fistf 5.0", why: "not in the copy"}]}\n')
    (found,) = [complaint for complaint in shelf.lint() if complaint.code == "id_dropped"]
    assert "not said to be incomplete" in found.what


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ('tombstones: {gk.height: [{dropped: "fistf 5.0", why: "gone"}]}', "edition fistf 5.0 still has the id"),
        ('tombstones: {gk.height: [{dropped: "fistf 6.0", why: "gone"}]}', "there is no edition 'fistf 6.0'"),
        ('unknown: {gk.hat: [{since: "fistf 5.0", why: "gone"}]}', "the id was never registered"),
    ],
)
def test_an_entry_about_what_is_not_there_is_refused(shelf: Shelf, entry: str, what: str) -> None:
    shelf.write(IDS, f"{shelf.read(IDS)}{entry}\n")
    complaint = shelf.only()
    assert (complaint.code, complaint.what) == ("id_entry", what)
    assert shelf.at(complaint).startswith("ids.yaml: {")


def test_an_edition_may_name_the_file_of_another(shelf: Shelf) -> None:
    text = shelf.read("fistf/4.0/edition.yaml").replace("file: goalkeeper.yaml", "file: ../../fistf/4.0/goalkeeper.yaml")
    shelf.write(
        "fistf-indoor/1/edition.yaml", text.replace("body: fistf", "body: fistf-indoor").replace('label: "4.0"', 'label: "1"')
    )
    shelf.write("fistf-indoor/1/clauses.csv", shelf.read(TABLE))
    assert shelf.lint() == ()


def catalogue(shelf: Shelf, **changes: str) -> list[str]:
    """Write an Italian catalogue of all texts, with some sources changed, and return its lines."""
    english = texts_of(load().spec)
    lines = [f'  {key}: {{source: {source_hash(text)}, text: "it {number}"}}' for number, (key, text) in enumerate(english.items())]
    head = {"language": "it", "spec": "fistf.goalkeeper"} | changes
    lines = ["format: homolog-i18n/1", *(f"{key}: {value}" for key, value in head.items()), "texts:", *lines]
    shelf.write("fistf/4.0/i18n/it/goalkeeper.yaml", "\n".join(lines) + "\n")
    return lines


I18N = "fistf/4.0/i18n/it/goalkeeper.yaml"


def test_a_whole_catalogue_has_no_fault(shelf: Shelf) -> None:
    catalogue(shelf)
    assert shelf.lint() == ()


def test_a_text_without_a_translation_is_doubted(shelf: Shelf) -> None:
    lines = catalogue(shelf)
    lost = next(line for line in lines if "gk.height.says" in line)
    shelf.edit(I18N, (f"{lost}\n", ""))
    complaint = shelf.only()
    assert (complaint.severity, complaint.code, complaint.id) == ("warning", "translation_missing", "requirement.gk.height.says")


def test_a_translation_of_an_older_text_is_stale(shelf: Shelf) -> None:
    catalogue(shelf)
    shelf.edit(KEEPER, ("At most 39 mm high.", "Not more than 39 mm high."))
    complaint = shelf.only()
    assert (complaint.severity, complaint.code) == ("warning", "translation_stale")
    assert source_hash("Not more than 39 mm high.") in complaint.todo
    assert shelf.at(complaint).startswith(f"{I18N}: requirement.gk.height.says")


def test_a_translation_of_a_text_that_is_gone_is_stale(shelf: Shelf) -> None:
    catalogue(shelf)
    shelf.edit(KEEPER, (', note: "By hand."', ""))
    complaint = shelf.only()
    assert (complaint.code, complaint.what) == ("translation_stale", "there is no such text any more")


def test_a_catalogue_says_its_own_language_and_spec(shelf: Shelf) -> None:
    catalogue(shelf, language="uk", spec="fistf.ball")
    assert [complaint.code for complaint in shelf.lint()] == ["catalogue_foreign", "catalogue_foreign"]


def test_a_catalogue_that_cannot_be_read_is_named(shelf: Shelf) -> None:
    shelf.write(I18N, "")
    complaint = shelf.only(I18N)
    assert (complaint.severity, complaint.code, complaint.place[1:]) == ("error", "file_empty", (1, 1))
    shelf.write(I18N, "format: homolog-i18n/1\nlanguage: it\ntext: {}\n")
    assert {complaint.code for complaint in shelf.lint(I18N)} == {"spec_invalid"}
