"""compose.yaml keeps its promises as far as its text can show; it is run elsewhere."""

from __future__ import annotations

import re
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml
from click import Context

from homolog.cli.main import app
from homolog.register.database import Database
from homolog.service.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service.get("image") == "homolog"}


def filled(text: str) -> str:
    """Put values in as Compose does with its .env."""
    return re.sub(r"\$\{[A-Z0-9_]+(?::-([^}]*)|:\?[^}]*)?\}", lambda match: match[1] or "secret", text)


def test_every_part_is_there() -> None:
    assert SERVICES.keys() >= {"database", "s3", "migrate", "register"}
    assert OURS.keys() >= {"migrate", "register"}


@pytest.mark.parametrize("name", OURS)
def test_a_command_is_one_of_ours_with_its_own_options(name: str) -> None:
    program, word, *options = OURS[name]["command"]
    assert program == "homolog"
    group = typer.main.get_command(app)
    command = group.get_command(Context(group), word)  # type: ignore[attr-defined]
    assert command is not None
    command.make_context(word, options)


@pytest.mark.parametrize("name", OURS)
def test_the_settings_are_ones_that_the_program_takes(name: str) -> None:
    environment = {variable: filled(value) for variable, value in OURS[name]["environment"].items()}
    environment.pop("FORWARDED_ALLOW_IPS")  # the server's own; looked at below
    assert all(variable.startswith(PREFIX) for variable in environment)
    settings = Settings.from_environment(environment)
    assert Database.open(settings.database).shown == "postgresql+psycopg://homolog:***@database/homolog"
    assert settings.bucket_options["endpoint"] == "http://s3:8333"


@pytest.mark.parametrize("name", OURS)
def test_ours_run_read_only_and_without_privileges(name: str) -> None:
    assert OURS[name]["read_only"] is True
    assert OURS[name]["cap_drop"] == ["ALL"]


def test_no_secret_stands_in_the_file_and_none_has_a_default() -> None:
    text = (ROOT / "compose.yaml").read_text()
    for secret in ("DATABASE_PASSWORD", "S3_SECRET"):
        assert f"${{{secret}:?" in text
        assert f"${{{secret}:-" not in text


def test_only_the_loopback_is_opened() -> None:
    opened = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert opened == ["127.0.0.1:8000:8000"]


def test_what_is_kept_has_a_volume_that_is_declared() -> None:
    used = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert used - {"./keys"} == COMPOSE["volumes"].keys()


def test_the_proxy_in_front_is_believed_who_comes_and_nobody_else_is() -> None:
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    assert OURS["register"]["environment"]["FORWARDED_ALLOW_IPS"] == network["gateway"]
    assert ip_address(network["gateway"]) in ip_network(network["subnet"])
