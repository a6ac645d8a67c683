"""`homolog edition`: the board's work on the rules of a register: enter, adopt, list, show, impact, decide."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from homolog.cli import options, talk
from homolog.errors import UsageError

if TYPE_CHECKING:
    from homolog.service.actor import Actor
    from homolog.service.editions import View
    from homolog.service.rules import Rules

app = typer.Typer(
    help="Change a register's rules: enter, adopt, list, show, impact, decide.", no_args_is_help=True, rich_markup_mode=None
)

FOUND_ERRORS = 1

By = Annotated[str, typer.Option("--by", metavar="EMAIL", help="The member of the board who does this.")]
Source = Annotated[Path, typer.Argument(metavar="PATH", help="A spec file, or a folder with edition.yaml.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A file of adoptions.")]
DraftId = Annotated[str, typer.Argument(metavar="DRAFT", help="A draft, as homolog edition list shows it.")]
Outcome = Annotated[str, typer.Option("--outcome", help="published or dropped.")]
Text = Annotated[str, typer.Option("--text", help="The decision in words, or where it is written down.")]
Again = Annotated[bool, typer.Option("--measure-again", help="Measure every scan anew, instead of taking kept readings.")]
Wait = Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for the workers, and say what they found.")]


@app.command("enter")
def enter(source: Source, by: By, body: options.Body = "fistf", json: options.Json = False) -> int:
    """Enter the draft of an edition, and say what is wrong with it and what it changes.

    Exit code: 0 entered, 1 entered with errors, so that it cannot be published; 4 it is no edition.
    """
    from homolog.service import editions

    with _register(by) as (rules, actor):
        return _tell(editions.enter_edition(actor, rules, _files(source), body=body, now=_now()), json=json)


@app.command("adopt")
def adopt(file: File, by: By, json: options.Json = False) -> int:
    """Enter the draft of decisions on interpretations; another member of the board decides on it."""
    from homolog.cli.inputs import read_bytes
    from homolog.service import editions

    with _register(by) as (rules, actor):
        return _tell(editions.enter_adoptions(actor, rules, read_bytes(file), file.name, now=_now()), json=json)


@app.command("list")
def list_drafts(by: By, json: options.Json = False) -> int:
    """List drafts and what was decided on them, the newest first."""
    from homolog.service import editions

    with _register(by) as (rules, actor):
        for draft in editions.listed(actor, rules, limit=200):
            decided = "open" if draft.decision is None else f"{draft.decision.outcome} on {draft.decision.on}"
            if json:
                talk.line(_json({"id": draft.id, "kind": draft.kind, "body": draft.body, "label": draft.label, "decided": decided}))
            else:
                typer.echo(f"{draft.id}  {draft.kind:8} {draft.body} {draft.label or '':10} {decided}")
    return 0


@app.command("show")
def show(draft: DraftId, by: By, json: options.Json = False) -> int:
    """Say what is wrong with a draft and what it changes; exit code 1 if there is an error in it."""
    from homolog.service import editions

    with _register(by) as (rules, actor):
        return _tell(editions.look(actor, rules, draft), json=json)


@app.command("decide")
def decide(draft: DraftId, by: By, outcome: Outcome, text: Text, json: options.Json = False) -> int:
    """Publish a draft, or drop it; whoever has entered it cannot."""
    from homolog.service import editions

    if outcome not in ("published", "dropped"):
        raise UsageError.because(f"{outcome!r} is no outcome", todo="write published or dropped")
    chosen = cast("Literal['published', 'dropped']", outcome)
    with _register(by) as (rules, actor):
        return _tell(editions.decide(actor, rules, draft, chosen, text, now=_now(), today=_today()), json=json)


@app.command("impact")
def impact(draft: DraftId, by: By, measure_again: Again = False, wait: Wait = True, json: options.Json = False) -> int:
    """Find out whom a draft would hit: every stored submission, before and under it. Workers do it (`homolog work`)."""
    from homolog.service import impact as runs

    with _register(by) as (rules, actor):
        measuring: Literal["stored", "again"] = "again" if measure_again else "stored"
        job = runs.ask_impact(actor, rules, draft, measuring=measuring, now=_now(), today=_today())
        talk.note(f"asked for the impact run {job.id}")
        return _followed(rules, actor, job.id, json=json) if wait else 0


def _followed(rules: Rules, actor: Actor, job_id: str, *, json: bool) -> int:
    from homolog.register import editions
    from homolog.service import impact as runs
    from homolog.service.jobs.asked import watch

    for state in watch(actor, rules.database, job_id):
        talk.note(f"{state.word} {state.done} of {state.total}" if state.total else state.word)
    found = runs.look(actor, rules, job_id)
    if json:
        talk.line(_json({"job": job_id, "outcome": found.job.outcome, "result": found.job.result, "rows": dict(found.rows)}))
    else:
        for name, row in found.hit.items():
            typer.echo(f"{row['number'] or name}  {row['name']}: {row['before']['verdict']} becomes {row['after']['verdict']}")
            for change in row["changes"]:
                typer.echo(f"    {change['requirement']}: {_why(change['before'])} -> {_why(change['after'])}")
        typer.echo(json_text.dumps(found.job.result, ensure_ascii=False))
        with rules.database.read() as session:
            draft = editions.find(session, str(found.job.record.params["draft"]))
        for item, grace in ({} if draft is None else runs.grace_of(rules, draft)).items():
            typer.echo(f"{item or 'all items'}: {grace['says']}")
    return 0 if found.job.outcome == "done" else FOUND_ERRORS


def _why(found: dict[str, Any] | None) -> str:
    return "no such rule" if found is None else f"{found['verdict']} ({found['why']})"


def _tell(view: View, *, json: bool) -> int:
    if json:
        talk.line(_json(shown(view)))
        return 0 if view.is_sound else FOUND_ERRORS
    draft = view.draft
    decided = "nobody has decided on it" if draft.decision is None else f"{draft.decision.outcome} on {draft.decision.on}"
    typer.echo(f"{draft.id}  {draft.kind} {draft.body} {draft.label or ''}: {decided}")
    for what, since in view.since.items():
        typer.echo(f"{what}: counts from {since}")
    for complaint in view.complaints:
        typer.echo(str(complaint))
    for item, changes in view.changes.items():
        for change in changes:
            typer.echo(f"{item}: {change.direction} {change.id}: {change.what}")
    for one in view.adoptions:
        typer.echo(f"{one['interpretation']} is read as {one['reading']}: {one['decision']}")
    return 0 if view.is_sound else FOUND_ERRORS


def shown(view: View) -> dict[str, Any]:
    """Return a draft as plain values."""
    draft = view.draft
    return {
        "id": draft.id,
        "kind": draft.kind,
        "body": draft.body,
        "edition": draft.label,
        "decision": None if draft.decision is None else {"outcome": draft.decision.outcome, "on": str(draft.decision.on)},
        "since": {name: str(since) for name, since in view.since.items()},
        "transitions": {item: dict(found) for item, found in view.transitions.items()},
        "complaints": [asdict(complaint) for complaint in view.complaints],
        "changes": {item: [asdict(change) for change in changes] for item, changes in view.changes.items()},
        "adoptions": [dict(one) for one in view.adoptions],
    }


def _files(source: Path) -> dict[str, bytes]:
    if not source.exists():
        raise UsageError.because(f"there is no {source}", todo="name a spec file or a folder", code="path_missing")
    if source.is_file():
        return {source.name: source.read_bytes()}
    return {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in sorted(source.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


@contextmanager
def _register(by: str) -> Iterator[tuple[Rules, Actor]]:
    from homolog.register import accounts
    from homolog.service.desk import open_desk
    from homolog.service.identity.sessions import known
    from homolog.service.rules import Rules
    from homolog.service.settings import Settings

    with open_desk(Settings.from_environment()) as desk:
        with desk.database.read() as session:
            person = accounts.find_by_email(session, by)
            actor = None if person is None else known(session, person.id, _now())
        if actor is None:
            raise UsageError.because(f"nobody has an account of the address {by}", todo="name a member of the board")
        yield Rules(desk), actor


def _now() -> datetime:
    return datetime.now(UTC)


def _today() -> date:
    return _now().date()


def _json(value: Any) -> bytes:
    return json_text.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode()
