"""`homolog spec`: the rules themselves: list, show, lint, diff, schema, coverage."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homolog.cli import options, talk
from homolog.cli.spec_names import Unregulated, loaded_specs, spec_of_id
from homolog.errors import UsageError

if TYPE_CHECKING:
    from homolog.spec.coverage import Coverage, RowCoverage

app = typer.Typer(help="Look at the rules: list, show, lint, diff, schema, coverage.", no_args_is_help=True, rich_markup_mode=None)

Id = Annotated[str, typer.Argument(metavar="ID", help="A requirement (gk.volume), an interpretation (INT-...) or an item (ball).")]
Paths = Annotated[list[Path] | None, typer.Argument(metavar="PATH...", help="Spec files or folders; the shipped ones if left out.")]
Old = Annotated[str, typer.Argument(metavar="OLD", help="A file, BODY/EDITION, BODY/EDITION/ITEM, or an edition of --body.")]
New = Annotated[str, typer.Argument(metavar="NEW", help="The same for the newer rules.")]
SchemaName = Annotated[str, typer.Argument(metavar="NAME", help="spec, edition, ids or i18n.")]
BodyName = Annotated[str, typer.Argument(metavar="BODY", help="Whose rules.")]
EditionLabel = Annotated[str, typer.Argument(metavar="EDITION", help="Which edition.")]

FOUND_ERRORS = 1


@app.command("list")
def list_specs(json: options.Json = False) -> int:
    """List bodies, editions and items, with the days in force and the digest of each file."""
    rows = list(_listed())
    if json:
        talk.line(_json(rows))
        return 0
    for row in rows:
        since, until = row["effective"]["from"], row["effective"]["to"] or "open"
        typer.echo(
            f"{row['body']:13} {row['edition']:9} {row['item']:11} {since} to {until}  {row['status']:9} {row['sha256'][:12]}"
        )
    talk.note("published: the file does not change any more. The files are proposals; no federation has adopted them.")
    return 0


def _listed() -> Iterable[dict[str, Any]]:
    from homolog.spec.library import Library

    for (body, label), edition in Library().editions.items():
        for item in edition.file.files:
            loaded = edition.spec(item)
            if loaded is None:
                continue
            told = loaded.spec.edition
            yield {
                "body": body,
                "edition": label,
                "item": item,
                "id": loaded.spec.id,
                "status": told.status,
                "effective": {
                    "from": str(told.effective.since),
                    "to": None if told.effective.to is None else str(told.effective.to),
                },
                "owned": edition.owns(item),
                "sha256": loaded.sha256,
            }


@app.command("show")
def show(
    name: Id,
    body: options.Body = "fistf",
    edition: options.Edition = None,
    lang: options.Lang = "en",
    json: options.Json = False,
) -> int:
    """Say a requirement, an interpretation with its readings, or all rules for an item, in words."""
    from homolog.spec.i18n import load_texts
    from homolog.spec.render import render_interpretation, render_requirement, render_spec

    found = spec_of_id(name, body, edition)
    if isinstance(found, Unregulated):
        silent = {"item": name, "body": body, "edition": found.edition, "unregulated": found.reason}
        talk.line(_json(silent) if json else str(found).encode())
        return 0
    loaded, path = found
    if json:
        interpretations = {entry.id: entry for entry in loaded.spec.interpretations}
        part = loaded.requirements.get(name) or interpretations.get(name)
        talk.line(_json(loaded.document.value if part is None else _as_json(part)))
        return 0
    say = load_texts(path, lang).text
    if name.startswith("INT-"):
        typer.echo(render_interpretation(loaded, name, say), nl=False)
    else:
        typer.echo(render_requirement(loaded, name, say) if name in loaded.requirements else render_spec(loaded, say), nl=False)
    return 0


def _as_json(part: Any) -> Any:
    return json_text.loads(part.model_dump_json(by_alias=True, exclude_defaults=True))


@app.command("lint")
def lint(paths: Paths = None, json: options.Json = False) -> int:
    """Check spec files for everything that would make them say the wrong thing; exit code 1 if there is an error."""
    from homolog.data import specs_dir
    from homolog.evaluate.examples import run_examples
    from homolog.spec.lint import lint as look

    complaints = look(paths or [specs_dir()], run_examples=run_examples)
    errors = [complaint for complaint in complaints if complaint.severity == "error"]
    if json:
        talk.line(_json([_fields(complaint) for complaint in complaints]))
    else:
        for complaint in complaints:
            typer.echo(str(complaint))
        talk.note(f"{len(errors)} errors, {len(complaints) - len(errors)} warnings")
    return FOUND_ERRORS if errors else 0


@app.command("diff")
def diff(old: Old, new: New, body: options.Body = "fistf", json: options.Json = False) -> int:
    """Say what changed between two editions, requirement by requirement, and in which direction."""
    from homolog.data import specs_dir
    from homolog.spec.diff import diff as compare
    from homolog.spec.ids import load_ids

    before, after = loaded_specs(old, body), loaded_specs(new, body)
    common = [item for item in before if item in after]
    if not common:
        raise UsageError.because(f"{old} and {new} have no item in common", todo="name two specs of one item")
    ids = load_ids(specs_dir() / "ids.yaml")
    changes = [change for item in common for change in compare(before[item], after[item], ids)]
    if json:
        talk.line(_json([_fields(change) for change in changes]))
        return 0
    width = max((len(change.id) for change in changes), default=0)
    for change in changes:
        # An added or removed rule names itself only; what it asks stands beside.
        asks = (change.new or change.old) if change.direction in ("added", "removed") else ""
        typer.echo(f"{change.direction:14} {change.id:{width}} {change.what}{f' ({asks})' if asks else ''}")
    talk.note(f"{len(changes)} changes in {', '.join(common)}")
    return 0


@app.command("schema")
def schema(name: SchemaName = "spec") -> int:
    """Print the JSON Schema of the spec files, for editors and other programs."""
    from homolog.spec.schema import SCHEMAS, schema_text

    file = f"homolog-{name}-1.json"
    if file not in SCHEMAS:
        known = ", ".join(key.removeprefix("homolog-").removesuffix("-1.json") for key in SCHEMAS)
        raise UsageError.because(f"there is no schema {name!r}", todo=f"use one of {known}")
    typer.echo(schema_text(file), nl=False)
    return 0


@app.command("coverage")
def coverage(body: BodyName, edition: EditionLabel, json: options.Json = False) -> int:
    """Say for every clause of an edition's sources which requirement checks it, or why none does."""
    from homolog.spec.coverage import coverage as cover
    from homolog.spec.library import Library

    found = cover(Library().edition(body, edition))
    if json:
        talk.line(_json(_covered(found)))
    else:
        for covered in found.rows:
            typer.echo(f"{covered.row.clause:14} {covered.row.row:50} {_how(covered)}")
        for clause in found.unknown_clauses:
            typer.echo(f"{clause}: named by a spec, but not in the clause table")
        typer.echo(f"{body} {edition}: {found.percent} % of {len(found.rows)} rows accounted for")
    return FOUND_ERRORS if found.unaccounted or found.unknown_clauses else 0


def _how(covered: RowCoverage) -> str:
    if not covered.is_accounted_for:
        return "NOT ACCOUNTED FOR"
    return ", ".join(covered.requirements) or f"{covered.status}: {covered.reason}"


def _covered(found: Coverage) -> dict[str, Any]:
    return {
        "body": found.body,
        "edition": found.label,
        "percent": str(found.percent),
        "unknown_clauses": list(found.unknown_clauses),
        "rows": [
            {
                "clause": covered.row.clause,
                "row": covered.row.row,
                "requirements": list(covered.requirements),
                "status": covered.status,
                "reason": covered.reason,
            }
            for covered in found.rows
        ],
    }


def _fields(value: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(value)


def _json(value: Any) -> bytes:
    return json_text.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
