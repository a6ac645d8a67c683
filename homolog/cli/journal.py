"""A journal of finished cases: a run that was cut off goes on where it was."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from homolog.cli.results import Result, as_line
from homolog.errors import InputRefused, Problem, UsageError

FORMAT = "homolog-journal/1"


class Journal:
    """Finished cases by digest, each on disk before it is shown; without a path it keeps nothing."""

    def __init__(self, path: Path | None) -> None:
        """Read what is there.

        Raises:
            InputRefused: The file is no journal, or is damaged before its last line.
            UsageError: It cannot be written, or another run is writing it.
        """
        self._writing = threading.Lock()
        self._finished: dict[str, dict[str, Any]] = {}
        self._stream: IO[bytes] | None = None
        if path is not None:
            stream = _open(path)
            try:
                self._read(stream, path)
            except BaseException:
                stream.close()
                raise
            self._stream = stream

    def __enter__(self) -> Self:
        """Return the journal, which is closed at the end."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the file."""
        with self._writing:
            if self._stream is not None:
                self._stream.close()
                self._stream = None

    def find(self, digest: str, name: str, number: int) -> Result | None:
        """Return a finished case under its name of today; its report is read as strictly as one from outside.

        Raises:
            InputRefused: The report in the journal is damaged.
        """
        line = self._finished.get(digest)
        if line is None:
            return None
        from homolog.report import read_report

        report = None if line["report"] is None else read_report(line["report"].encode(), f"the journal's report of {name}")
        problems = tuple(Problem(**problem) for problem in line["problems"])
        return Result(name=name, number=number, code=line["code"], report=report, problems=problems)

    def keep(self, digest: str, result: Result) -> None:
        """Write down a finished case, whole and on disk, from whichever thread.

        Raises:
            UsageError: The disk takes no more.
        """
        with self._writing:
            if self._stream is None:
                return
            try:
                self._stream.write(_packed({"key": digest} | as_line(result)))
                self._stream.flush()
                os.fsync(self._stream.fileno())
            except OSError as error:
                raise UsageError.because(f"the journal cannot be written: {error.strerror}", todo="choose another place") from None

    def _read(self, stream: IO[bytes], path: Path) -> None:
        """Take in all whole lines; a last line that was cut off is cut away, for its case was not finished."""
        data = stream.read()
        whole = data[: data.rfind(b"\n") + 1]
        lines = whole.splitlines()
        if lines and lines[0] != _packed({"format": FORMAT}).strip():
            raise _damaged(path, 1, "the file is no journal of a check")
        if data and not lines and not _packed({"format": FORMAT}).startswith(data):
            raise _damaged(path, 1, "the file is no journal of a check")
        for number, text in enumerate(lines[1:], 2):
            try:
                line = json.loads(text)
                self._finished[line.pop("key")] = {name: line[name] for name in ("code", "report", "problems")}
            except (ValueError, KeyError, AttributeError, TypeError):
                raise _damaged(path, number, "the line is damaged") from None
        stream.truncate(len(whole))
        stream.seek(len(whole))
        if not lines:
            stream.write(_packed({"format": FORMAT}))
            stream.flush()


def _open(path: Path) -> IO[bytes]:
    import fcntl

    try:
        stream = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "r+b")
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise UsageError.because(f"another run is writing {path}", todo="wait for it, or name another journal") from None
    except OSError as error:
        raise UsageError.because(f"{path} cannot be written: {error.strerror}", todo="choose another place") from None
    return stream


def _packed(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _damaged(path: Path, line: int, what: str) -> InputRefused:
    return InputRefused.because(what, where=f"{path}:{line}", todo="name a new file, and begin anew", code="journal_damaged")
