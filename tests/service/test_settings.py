"""Settings come from the environment and from nowhere else, and no secret is shown."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from api.settings import Settings as ServiceLimits
from homolog.errors import UsageError
from homolog.service.settings import ELSEWHERE, PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]


def shown(environment: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {one.variable: (one.value, one.source) for one in Settings.from_environment(environment).shown()}


def test_without_any_setting_all_lies_in_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings.from_environment({})
    folder = tmp_path / "homolog-data"
    assert settings.database == f"sqlite:///{folder}/homolog.db"
    assert settings.files == f"{folder}/files"
    assert settings.keys == f"{folder}/keys"
    assert settings.is_default_database
    assert not settings.is_https
    assert not folder.exists()


def test_a_setting_is_taken_from_its_variable() -> None:
    settings = Settings.from_environment(
        {"HOMOLOG_BASE_URL": "https://register.example.org/", "HOMOLOG_DATABASE": "sqlite:////x/y.db"}
    )
    assert settings.base_url == "https://register.example.org"
    assert settings.is_https
    assert settings.database == "sqlite:////x/y.db"
    assert not settings.is_default_database


def test_a_setting_is_taken_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("postgresql+psycopg://ann:secret@db/homolog\n")
    environment = {"HOMOLOG_DATABASE_FILE": str(tmp_path / "url")}
    assert Settings.from_environment(environment).database == "postgresql+psycopg://ann:secret@db/homolog"
    value, source = shown(environment)["HOMOLOG_DATABASE"]
    assert value == "postgresql+psycopg://ann:***@db/homolog"
    assert source == f"HOMOLOG_DATABASE_FILE ({tmp_path / 'url'})"


def test_secrets_are_shown_nowhere() -> None:
    environment = {
        "HOMOLOG_DATABASE": "postgresql://ann:secret@db/homolog",
        "HOMOLOG_S3_SECRET": "secret",
        "HOMOLOG_OIDC_CLIENT_SECRET": "secret",
    }
    assert "secret" not in repr(shown(environment)).replace("_secret", "").replace("SECRET", "")
    assert "secret" not in re.sub(r"\w+_secret", "", repr(Settings.from_environment(environment)))


@pytest.mark.parametrize(
    ("environment", "match"),
    [
        ({"HOMOLOG_DATABSE": "sqlite:///x"}, "HOMOLOG_DATABSE is no setting"),
        ({"HOMOLOG_BASE_URL": "register.example.org"}, "HOMOLOG_BASE_URL is no address"),
        ({"HOMOLOG_BASE_URL": "ftp://example.org"}, "is no address"),
        ({"HOMOLOG_BODY": "../x"}, "is no federation"),
        ({"HOMOLOG_OIDC_ISSUER": "https://x.example.org"}, "HOMOLOG_OIDC_CLIENT_ID"),
        ({"HOMOLOG_KEYS": "a", "HOMOLOG_KEYS_FILE": "b"}, "both set"),
        ({"HOMOLOG_KEYS_FILE": "there/is/none"}, "cannot be read: No such file"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(environment: dict[str, str], match: str) -> None:
    with pytest.raises(UsageError, match=match):
        Settings.from_environment(environment)


def test_all_problems_are_said_at_once() -> None:
    with pytest.raises(UsageError) as error:
        Settings.from_environment({"HOMOLOG_NO": "1", "HOMOLOG_BODY": "!", "HOMOLOG_BASE_URL": "?"})
    assert len(error.value.problems) == 3


def test_variables_of_others_do_not_matter() -> None:
    assert Settings.from_environment({"PATH": "x", "HOMOLOG_BODY_LIMIT": "1000", "HOMOLOG_DEBUG": "1"}).body == "fistf"


def test_the_limits_of_the_service_are_known_here_too() -> None:
    assert {PREFIX + one.name.upper() for one in fields(ServiceLimits)} <= ELSEWHERE


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings.from_environment({}).body = "other"  # type: ignore[misc]


def test_a_bucket_is_told_what_it_needs() -> None:
    environment = {"HOMOLOG_S3_ENDPOINT": "http://s3:7070", "HOMOLOG_S3_KEY_ID": "id", "HOMOLOG_S3_SECRET": "secret"}
    assert Settings.from_environment(environment).bucket_options == {
        "endpoint": "http://s3:7070",
        "region": "us-east-1",
        "access_key_id": "id",
        "secret_access_key": "secret",
    }


def test_every_setting_stands_in_the_documents() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    names = {PREFIX + one.name.upper() for one in fields(Settings) if one.metadata} | ELSEWHERE
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []
    assert set(re.findall(r"`(HOMOLOG_[A-Z0-9_]+)`", page)) <= names | {f"{name}_FILE" for name in names}
