"""docs/spec-language.md: its example runs, and its reference is the models'."""

import re
from pathlib import Path

from homolog.evaluate.examples import run_examples
from homolog.spec.lint import lint
from homolog.spec.load import load_spec
from homolog.spec.reference import reference, with_reference
from homolog.spec.schema import SCHEMAS, json_schema

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "spec-language.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
EXAMPLE = re.search(r"```yaml\n(.*?)```", TEXT, re.DOTALL)


def test_the_worked_example_runs(tmp_path: Path) -> None:
    assert EXAMPLE is not None
    (tmp_path / "goalkeeper.yaml").write_text(EXAMPLE[1], encoding="utf-8")
    assert [str(complaint) for complaint in lint(tmp_path / "goalkeeper.yaml", run_examples=run_examples)] == []
    assert len(load_spec(EXAMPLE[1].encode(), "example").spec.requirements) == 3


def test_the_reference_is_made_from_the_models() -> None:
    assert with_reference(TEXT) == TEXT, "run python tools/write_schemas.py"


def test_the_reference_explains_every_key_of_every_part() -> None:
    sections = dict(re.findall(r"^### ([^\n]*)\n(.*?)(?=^### |\Z)", reference(), re.DOTALL | re.MULTILINE))
    by_name = {heading.partition(":")[0]: body for heading, body in sections.items()}
    for name in SCHEMAS:
        schema = json_schema(name)
        for part in (schema, *schema.get("$defs", {}).values()):
            if "properties" in part:
                shown = by_name[part["title"]] + by_name["Every requirement"]
                assert not [key for key in part["properties"] if f"| `{key}` |" not in shown], part["title"]


def test_links_in_the_reference_lead_to_its_parts() -> None:
    targets = {heading.lower() for heading in re.findall(r"^### (\w+)$", TEXT, re.MULTILINE)}
    assert set(re.findall(r"\]\(#(\w+)\)", TEXT)) <= targets


def test_every_code_of_the_linter_has_its_heading() -> None:
    sources = (ROOT / "homolog" / "spec" / "lint").glob("*.py")
    used = {code for source in sources for code in re.findall(r'code="([a-z_]+)"', source.read_text(encoding="utf-8"))}
    used |= {f"{kind}_unused" for kind in ("quantity", "attribute", "method")} | {"never_fails", "never_holds"}
    pages = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("linter.md", "errors.md"))
    assert sorted(used - set(re.findall(r"^### `([a-z_]+)`$", pages, re.MULTILINE))) == []
