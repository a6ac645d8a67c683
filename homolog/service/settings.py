"""What a host chooses for its register: read once from the environment, never changed afterwards."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit, urlunsplit

from homolog.errors import Problem, UsageError

PREFIX: Final = "HOMOLOG_"
MASK: Final = "***"

ELSEWHERE: Final = frozenset(
    PREFIX + name
    for name in (
        *("BODY_LIMIT", "SHEET_LIMIT", "LOT_LIMIT", "SCAN_LIMIT", "BODY_SECONDS", "UPLOADS", "SCAN_SECONDS"),
        *("CHECKS_PER_MINUTE", "REQUESTS_PER_MINUTE", "SIGN_IN_TRIES", "SIGN_IN_TRIES_ADDRESS"),
        *("MEASUREMENTS", "SHEETS", "QUEUE", "QUEUE_SECONDS", "DEBUG", "REQUIRE_CHROMIUM", "REQUIRE_POSTGRESQL"),
    )
)
"""Variables of ours that other parts read: the service's limits, and what only the workshop uses."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One setting for a person: its variable, its value with secrets masked, where it came from."""

    variable: str
    value: str
    source: str
    about: str


def _setting(default: str, about: str, *, is_secret: bool = False) -> Any:
    return field(default=default, repr=not is_secret, metadata={"about": about, "is_secret": is_secret})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A host's choices; `database` is read from HOMOLOG_DATABASE, or from the file that HOMOLOG_DATABASE_FILE names."""

    data: str = _setting("homolog-data", "folder of all that is not placed elsewhere")
    database: str = _setting("", "sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME; homolog.db in the folder", is_secret=True)
    files: str = _setting("", "folder, or s3://BUCKET/PREFIX; files/ in the folder")
    keys: str = _setting("", "folder of the signing keys; keys/ in the folder")
    base_url: str = _setting("http://127.0.0.1:8000", "where people reach the service; links and QR codes begin with it")
    body: str = _setting("fistf", "whose rules the register follows")
    steps: str = _setting("", "the board's own table of steps, a file; the shipped one if left out")
    memorandum: str = _setting("", "the board's own memorandum of understanding, a file; the shipped draft if left out")
    s3_endpoint: str = _setting("", "URL of the S3 store; Amazon's if left out")
    s3_region: str = _setting("us-east-1", "its region")
    s3_key_id: str = _setting("", "name of its access key")
    s3_secret: str = _setting("", "its access key", is_secret=True)
    oidc_issuer: str = _setting("", "URL of an OpenID provider whose people may sign in")
    oidc_client_id: str = _setting("", "our name there")
    oidc_client_secret: str = _setting("", "our secret there", is_secret=True)
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the settings; what is not set keeps its default, and nothing is created.

        Raises:
            UsageError: A variable of ours is not known, is there twice, or holds what it cannot; all problems at once.
        """
        given = os.environ if environment is None else environment
        problems = [_unknown(name) for name in sorted(given) if name.startswith(PREFIX) and not _is_known(name)]
        chosen: dict[str, str] = {}
        sources: dict[str, str] = {}
        for known in _known():
            variable = PREFIX + known.upper()
            try:
                found = _one(given, variable)
            except UsageError as error:
                problems.extend(error.problems)
                continue
            if found is not None:
                chosen[known], sources[known] = found
        settings = cls(**chosen, sources=sources)._complete()
        problems.extend(settings._problems())
        if problems:
            raise UsageError(*problems)
        return settings

    @property
    def is_default_database(self) -> bool:
        """Whether nobody chose a database: ours may then be made without asking."""
        return "database" not in self.sources

    @property
    def is_https(self) -> bool:
        """Whether people reach the service by https, so that cookies may insist on it."""
        return self.base_url.startswith("https://")

    @property
    def bucket_options(self) -> dict[str, str]:
        """What the store of files needs to know of a bucket."""
        options = {
            "endpoint": self.s3_endpoint,
            "region": self.s3_region,
            "access_key_id": self.s3_key_id,
            "secret_access_key": self.s3_secret,
        }
        return {name: value for name, value in options.items() if value}

    def shown(self) -> Iterator[Shown]:
        """Yield all settings for a person to look at."""
        for known in fields(self):
            if not known.metadata:
                continue
            value = str(getattr(self, known.name))
            if known.name == "database":
                value = _without_password(value)
            elif known.metadata["is_secret"] and value:
                value = MASK
            yield Shown(PREFIX + known.name.upper(), value, self.sources.get(known.name, "default"), known.metadata["about"])

    def _complete(self) -> Self:
        """Place in the folder of data what is not placed elsewhere."""
        folder = Path(self.data).absolute()
        values = {known: getattr(self, known) for known in _known()}
        values["data"] = str(folder)
        values["database"] = values["database"] or f"sqlite:///{folder / 'homolog.db'}"
        values["files"] = values["files"] or str(folder / "files")
        values["keys"] = values["keys"] or str(folder / "keys")
        values["base_url"] = values["base_url"].rstrip("/")
        return type(self)(**values, sources=self.sources)

    def _problems(self) -> Iterator[Problem]:
        for known in ("base_url", "s3_endpoint", "oidc_issuer"):
            value = getattr(self, known)
            parts = urlsplit(value)
            if value and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username):
                yield _wrong(known, "is no address", "write it as https://example.org")
        if not re.fullmatch(r"[a-z][a-z0-9-]*", self.body):
            yield _wrong("body", "is no federation", "write its name as homolog spec list shows it")
        if bool(self.oidc_issuer) != bool(self.oidc_client_id):
            yield _wrong("oidc_issuer", "needs HOMOLOG_OIDC_CLIENT_ID, and the other way round", "set both or none")


def _known() -> Iterator[str]:
    return (known.name for known in fields(Settings) if known.metadata)


def _is_known(variable: str) -> bool:
    names = {PREFIX + known.upper() for known in _known()}
    return variable in names | ELSEWHERE or variable.removesuffix("_FILE") in names


def _one(given: Mapping[str, str], variable: str) -> tuple[str, str] | None:
    """Return a variable's value with where it came from; None where it is not set."""
    value, named = given.get(variable, "").strip(), given.get(f"{variable}_FILE", "").strip()
    if value and named:
        raise UsageError.because(f"{variable} and {variable}_FILE are both set", todo="set one of them")
    if not named:
        return (value, variable) if value else None
    try:
        text = Path(named).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise UsageError.because(
            f"{variable}_FILE names {named}, which cannot be read: {why}", todo="name a file of text"
        ) from None
    if not text:
        raise UsageError.because(f"{variable}_FILE names {named}, which is empty", todo="write the value into it")
    return text, f"{variable}_FILE ({named})"


def _unknown(name: str) -> Problem:
    # A misspelt HOMOLOG_DATABASE would quietly start an empty register beside the right one.
    return Problem("", f"{name} is no setting", "homolog config show lists them", UsageError.code)


def _wrong(known: str, what: str, todo: str) -> Problem:
    return Problem("", f"{PREFIX}{known.upper()} {what}", todo, UsageError.code)


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    if not parts.password:
        return url
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{parts.username}:{MASK}@{place}"))
