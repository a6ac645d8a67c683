"""The Dockerfile keeps its promises as far as its text can show; the image itself is built elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
import typer.main
from click import Context

from homolog.cli.main import app
from homolog.service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


class Step(NamedTuple):
    """One instruction with its arguments on one line."""

    word: str
    rest: str


def stages() -> list[list[Step]]:
    """Return the instructions of the Dockerfile, a list for each stage."""
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\s*\n\s*", " ", "\n".join(lines))
    found: list[list[Step]] = []
    for line in filter(str.strip, joined.splitlines()):
        word, _, rest = line.strip().partition(" ")
        if word.upper() == "FROM":
            found.append([])
        found[-1].append(Step(word.upper(), rest.strip()))
    return found


STAGES = stages()
FINAL = STAGES[-1]


def rests(steps: list[Step], word: str) -> list[str]:
    return [step.rest for step in steps if step.word == word]


def test_the_final_stage_receives_the_environment_alone() -> None:
    copies = rests(FINAL, "COPY")
    assert len(STAGES) == 3
    assert copies == ["--from=environment /opt/homolog /opt/homolog", "--from=environment --chown=10001:10001 /data /data"]
    assert not rests(FINAL, "ADD")
    assert not rests(FINAL, "RUN")


def test_the_environment_takes_only_the_lock_and_the_wheel() -> None:
    environment = STAGES[1]
    assert rests(environment, "FROM") == ["python:3.11-slim AS environment"]
    assert rests(environment, "COPY") == ["requirements.lock /tmp/requirements.lock", "--from=wheel /wheel /wheel"]


def test_everything_installed_is_pinned_by_hash_or_is_the_wheel() -> None:
    installs = [
        command
        for stage in STAGES
        for line in rests(stage, "RUN")
        for command in line.split("&&")
        if re.search(r"\bpip\b.*\binstall\b", command)
    ]
    assert len(installs) == 3
    for command in installs:
        hashed = re.search(r"--require-hashes -r \S+\.lock\s*$", command)
        wheel = re.search(r"--no-index --no-deps /wheel/\*\.whl\s*$", command)
        assert hashed or wheel, command


def test_the_service_does_not_run_as_root() -> None:
    user = rests(FINAL, "USER")[-1]
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user)
    assert [step.word for step in FINAL].index("USER") < [step.word for step in FINAL].index("CMD")


def test_the_service_answers_on_its_port_and_is_asked_for_its_health() -> None:
    program, word, *options = json.loads(rests(FINAL, "CMD")[0])
    assert (program, word) == ("homolog", "serve")
    group = typer.main.get_command(app)
    command = group.get_command(Context(group), word)  # type: ignore[attr-defined]
    assert command is not None
    given = command.make_context(word, options).params
    assert (given["host"], given["port"]) == ("0.0.0.0", 8000)  # noqa: S104
    assert rests(FINAL, "EXPOSE") == ["8000"]
    probe = json.loads(rests(FINAL, "HEALTHCHECK")[0].split("CMD", 1)[1])
    assert probe[:2] == ["python", "-c"]
    assert "http://127.0.0.1:8000/healthz" in probe[2]
    compile(probe[2], "healthcheck", "exec")


def test_all_that_is_kept_lies_in_a_volume_of_the_one_who_runs() -> None:
    variables = dict(word.split("=", 1) for rest in rests(FINAL, "ENV") for word in rest.split())
    settings = Settings.from_environment({name: value for name, value in variables.items() if name.startswith("HOMOLOG_")})
    assert rests(FINAL, "VOLUME") == ["/data"]
    assert {settings.data, str(Path(settings.files).parent), str(Path(settings.keys).parent)} == {"/data"}
    assert settings.database == "sqlite:////data/homolog.db"
    user = rests(FINAL, "USER")[-1]
    assert any(f"--chown={user} /data /data" in rest for rest in rests(FINAL, "COPY"))
    assert "mkdir /data" in rests(STAGES[1], "RUN")


def test_the_build_finds_all_that_it_copies() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    asked = {
        source for stage in STAGES for rest in rests(stage, "COPY") if not rest.startswith("--from") for source in rest.split()[:-1]
    }
    assert asked == allowed
    for source in asked:
        assert (ROOT / source).exists(), source


@pytest.mark.parametrize("secret", [".git", ".env", "reports", ".venv"])
def test_nothing_else_of_the_checkout_reaches_the_build(secret: str) -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    assert f"!{secret}" not in lines
