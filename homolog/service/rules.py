"""Owns the rules as they stand: the shipped editions, and those that the board has published in the register.

An edition from the register is written into a folder of its own, with all others around it, whose name is the digest of what lies
in it. What was read from such a folder stays true as long as the process lives; another edition makes another folder.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

from homolog.data import specs_dir
from homolog.quantity import Adoption
from homolog.register import editions
from homolog.register.columns import json_text
from homolog.register.database import Database
from homolog.register.editions import Draft
from homolog.register.files import Files
from homolog.register.session import Session
from homolog.service.desk import Desk
from homolog.spec.library import Library
from homolog.submission.adoptions import Adoptions

IDS = "ids.yaml"
"""An edition with new requirements brings the register of ids with it; it takes the place of the one for all editions."""


class Rules:
    """The rules of one register, for one process."""

    def __init__(self, database: Database, files: Files, *, body: str = "fistf", desk: Desk | None = None) -> None:
        """Keep where they are; nothing is read before it is asked for.

        Args:
            database: The register's.
            files: The register's.
            body: Whose rules the register follows.
            desk: What has all of these and the board's own steps, where it is there already.
        """
        self._desk = Desk(database=database, files=files, body=body) if desk is None else desk
        self._libraries: dict[str, Library] = {}
        self._turn = threading.Lock()
        self._folder: Path | None = None
        self._sweep: Callable[[], object] = lambda: None

    @property
    def database(self) -> Database:
        """The register's database."""
        return self._desk.database

    def close(self) -> None:
        """Remove the folders that were written; a process that ends in good order does so by itself."""
        self._sweep()

    def desk(self, *, known_at: datetime | None = None) -> Desk:
        """Return the stores with the rules as they stand, or stood at a moment."""
        return replace(self._desk, library=self.library(known_at=known_at))

    def library(self, *, known_at: datetime | None = None, draft: Draft | None = None) -> Library:
        """Return the editions: those that are shipped, those that were published, and one that is not yet.

        Args:
            known_at: Leaves out what was published later.
            draft: An edition to be tried.

        Raises:
            FilesUnavailable: The store does not give a file.
            FileDamaged: A file is not what it was.
        """
        with self._desk.database.read() as session:
            found = [one for one in editions.published(session, known_at=known_at) if one.kind == "edition"]
        if draft is not None and draft.kind == "edition":
            found = [*(one for one in found if one.id != draft.id), draft]
        if not found:
            return self._desk.library
        wanted = json_text([[one.body, one.label, dict(one.content["files"])] for one in found])
        key = hashlib.sha256(wanted.encode()).hexdigest()
        with self._turn:
            if key not in self._libraries:
                self._libraries[key] = Library(self._written(key, found))
            return self._libraries[key]

    def _written(self, key: str, drafts: Sequence[Draft]) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="homolog-rules-"))
            self._sweep = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        root = self._folder / key
        shutil.copytree(specs_dir(), root)
        for draft in drafts:
            folder = root / draft.body / str(draft.label)
            for name, digest in draft.content["files"].items():
                path = root / IDS if name == IDS else folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self._desk.files.read(digest))
        return root


def adoptions_of(session: Session, *, known_at: datetime | None = None, draft: Draft | None = None) -> Adoptions | None:
    """Return the board's decisions on interpretations, from the register; None where there are none.

    All of them are returned; which of them make the rule on a day, and for what, the assessment looks at itself.

    Args:
        session: One that reads.
        known_at: Leaves out what was decided later.
        draft: Adoptions to be tried.
    """
    found = [one for one in editions.published(session, known_at=known_at) if one.kind == "adoption"]
    if draft is not None and draft.kind == "adoption":
        found = [*(one for one in found if one.id != draft.id), draft]
    listed = [entry for one in found for entry in one.content["adoptions"]]
    if not listed:
        return None
    digest = hashlib.sha256(json_text(listed).encode()).hexdigest()
    return Adoptions(adoptions=tuple(adoption_of(entry) for entry in listed), sha256=digest, name="register")


def adoption_of(entry: Mapping[str, object]) -> Adoption:
    """Return an adoption as the assessment takes it."""
    requirements = entry.get("requirements", ())
    return Adoption(
        interpretation=str(entry["interpretation"]),
        reading=str(entry["reading"]),
        by=str(entry["by"]),
        on=date.fromisoformat(str(entry["on"])),
        decision=str(entry["decision"]),
        requirements=tuple(str(one) for one in requirements) if isinstance(requirements, list) else (),
        body=None if entry.get("body") is None else str(entry["body"]),
        edition=None if entry.get("edition") is None else str(entry["edition"]),
    )


def entry_of(adoption: Adoption) -> dict[str, object]:
    """Return an adoption as it is stored."""
    entry: dict[str, object] = {
        "interpretation": adoption.interpretation,
        "reading": adoption.reading,
        "by": adoption.by,
        "on": adoption.on.isoformat(),
        "decision": adoption.decision,
    }
    entry |= {"requirements": list(adoption.requirements)} if adoption.requirements else {}
    scope = (("body", adoption.body), ("edition", adoption.edition))
    return entry | {name: value for name, value in scope if value is not None}
