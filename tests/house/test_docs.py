"""The documents keep up with the code: error codes, rooms, links."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = re.compile(r"[a-z][a-z0-9_]*")


def text_of(node: ast.expr | None) -> list[str]:
    """Return the code that an expression spells out; `given or "usual"` spells out one, a plain variable none."""
    if isinstance(node, ast.BoolOp | ast.IfExp):
        parts = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
        return [text for part in parts for text in text_of(part)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
        return [node.value]
    return []


def code_parameters(trees: list[ast.Module]) -> dict[str, set[int]]:
    """Return where the functions that take a `code` take it, so that it is seen in calls by position too."""
    found: dict[str, set[int]] = {"Problem": {3}}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.FunctionDef):
            names = [name.arg for name in (*node.args.posonlyargs, *node.args.args) if name.arg not in ("self", "cls")]
            if "code" in names:
                found.setdefault(node.name, set()).add(names.index("code"))
    return found


def code_values(node: ast.AST, parameters: dict[str, set[int]]) -> list[ast.expr | None]:
    """Return the expressions that give a code: in a class body, as a parameter's default, in a call."""
    match node:
        case ast.ClassDef(body=body):
            named = [(target, part.value) for part in body if isinstance(part, ast.Assign) for target in part.targets]
            named += [(part.target, part.value) for part in body if isinstance(part, ast.AnnAssign) and part.value]
            return [value for target, value in named if isinstance(target, ast.Name) and target.id == "code"]
        case ast.arguments(kwonlyargs=names, kw_defaults=defaults):
            return [default for name, default in zip(names, defaults, strict=True) if name.arg == "code"]
        case ast.Call(func=ast.Name(id="Statement")):
            return []
        case ast.Call(func=func, args=args, keywords=keywords):
            places = parameters.get(getattr(func, "id", getattr(func, "attr", "")), set())
            return [*(word.value for word in keywords if word.arg == "code"), *(args[at] for at in places if at < len(args))]
    return []


def codes_in(sources: dict[str, str]) -> dict[str, str]:
    """Return each stable code of the named sources with one place where it is used."""
    trees = {name: ast.parse(source) for name, source in sources.items()}
    parameters = code_parameters(list(trees.values()))
    found: dict[str, str] = {}
    for name, tree in trees.items():
        for node in ast.walk(tree):
            for value in code_values(node, parameters):
                for text in text_of(value):
                    found.setdefault(text, f"{name}:{getattr(value, 'lineno', 0)}")
    return found


# Reasons and next steps of findings are no errors: their words stand in the message catalogues and in docs/report.md,
# and tests/report holds every code of the assessment to both.
STATEMENTS = ("homolog/evaluate/",)


def sources() -> dict[str, str]:
    found = sorted(path for folder in ("homolog", "api") for path in (ROOT / folder).rglob("*.py"))
    paths = [path for path in found if not str(path.relative_to(ROOT)).startswith(STATEMENTS)]
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


def headed_codes(*pages: Path) -> set[str]:
    """Return the codes that stand in backticks as a heading."""
    return {code for page in pages for code in re.findall(r"^#{2,4} `([a-z0-9_]+)`\s*$", page.read_text(), re.MULTILINE)}


def test_every_code_has_its_heading() -> None:
    codes = codes_in(sources())
    assert {"homolog", "input_refused", "number_invalid"} <= codes.keys()
    headed = headed_codes(*(ROOT / "docs").rglob("*.md"))
    missing = [f"## `{code}`   (used at {place})" for code, place in sorted(codes.items()) if code not in headed]
    assert not missing, "write in docs/errors.md:\n" + "\n".join(missing)


def test_every_heading_has_its_code() -> None:
    source = "\n".join(sources().values())
    stale = [code for code in headed_codes(ROOT / "docs" / "errors.md") if f'"{code}"' not in source]
    assert not stale, f"docs/errors.md explains codes that nothing uses: {stale}"


@pytest.mark.parametrize(
    "source",
    [
        'class A(E):\n    code: ClassVar[str] = "found"',
        'class A(E):\n    code = "found"',
        'Problem("", "what", "todo", "found")',
        'errors.Problem(where="", what="", todo="", code="found")',
        'UsageError.because("what", code="found")',
        'def refuse(what: str, *, code: str = "found") -> None: ...',
        'Problem("", "what", "todo", given or "found")',
        'def refuse(self, what: str, code: str) -> None: ...\nbuilder.refuse("what", "found")',
    ],
)
def test_a_code_is_found_in_each_form(source: str) -> None:
    assert list(codes_in({"x.py": source})) == ["found"]


def test_every_room_stands_in_the_architecture() -> None:
    rooms = {path.stem for path in (ROOT / "homolog").iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    table = (ROOT / "ARCHITECTURE.md").read_text()
    assert not [room for room in sorted(rooms - {"__init__"}) if f"`homolog.{room}`" not in table]


def test_links_lead_somewhere() -> None:
    pages = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    broken = []
    for name in filter(None, pages.split("\0")):
        text = re.sub(r"```.*?```", "", (ROOT / name).read_text(), flags=re.DOTALL)
        targets = [target for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text) if not re.match(r"[a-z]+:", target)]
        broken += [f"{name}: {target}" for target in targets if not ((ROOT / name).parent / target).exists()]
    assert not broken
