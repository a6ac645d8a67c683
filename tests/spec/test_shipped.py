"""The shipped specs: the linter has nothing to say, and their editions compare."""

from homolog.data import specs_dir
from homolog.evaluate.examples import run_examples
from homolog.spec.diff import diff
from homolog.spec.ids import load_ids
from homolog.spec.library import Library
from homolog.spec.lint import lint


def test_the_linter_has_nothing_to_say_of_the_shipped_specs() -> None:
    assert [str(complaint) for complaint in lint(specs_dir(), run_examples=run_examples)] == []


def test_the_circular_compares_with_the_rules_before_it() -> None:
    library = Library()
    old, new = (library.edition("fistf", label).spec("goalkeeper") for label in ("4.0", "14-2014"))
    assert old is not None
    assert new is not None
    changes = diff(old, new, load_ids(specs_dir() / "ids.yaml"))
    found = {(change.id, change.direction): change.what for change in changes}
    assert found["gk.rod_length", "loosened"] == "rod length: at most 150 mm -> at most 200 mm (loosened)"
    assert found["gk.rod_width", "loosened"] == "rod width: at most 4 mm -> at most 4.5 mm (loosened)"
    assert found["gk.width", "removed"] == "width: removed"
    assert found["gk.small_end_width", "added"] == "small end width: added"
    # The known copy breaks off before the handle: its limit is not lifted.
    assert found["gk.handle_length", "unknown"] == "handle length: not in the known part of 14-2014 (unknown)"
