"""The folder of keys: `keys.json` for everybody, and a private key a file that only its owner may read."""

from __future__ import annotations

import os
import stat
import tempfile
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from homolog.errors import InputRefused, UsageError
from homolog.seal.forms import instant_text
from homolog.seal.key import SigningKey, key_from_pem, new_key, pem_of
from homolog.seal.key_set import KeySet, PublicKey, Purpose, Standing, read_key_set, standing

SET_NAME = "keys.json"
_MOST_PEM = 10_000


@dataclass(frozen=True, slots=True)
class KeyFolder:
    """A folder with its public key set; private keys are read when something is signed, and not before."""

    path: Path
    public: KeySet

    def signing_key(self, purpose: Purpose, at: datetime) -> SigningKey:
        """Return the newest key that may sign at a time.

        Raises:
            UsageError: There is none.
            InputRefused: Its file is missing, others may read it, or it is another key.
        """
        usable = [
            key
            for key in self.public.keys
            if key.purpose == purpose and key.status == "active" and standing(key, at) is Standing.GOOD
        ]
        if not usable:
            what = f"no {purpose} key in {self.path} may sign at {instant_text(at)}"
            raise UsageError.because(what, todo=f"run: homolog keys make {self.path}", code="key_none")
        newest = max(usable, key=lambda key: (key.valid_from, key.kid))
        path = self.path / f"{newest.kid}.pem"
        return key_from_pem(_read_private(path), newest, path.name)


def open_folder(path: Path) -> KeyFolder:
    """Open a folder of keys.

    Raises:
        UsageError: There is no such folder, or nothing was made in it.
        InputRefused: Its key set is damaged, or others may change what is in the folder.
    """
    _refuse_shared(path)
    try:
        data = (path / SET_NAME).read_bytes()
    except OSError as error:
        todo = f"run: homolog keys make {path}"
        raise UsageError.because(f"{path} is no folder of keys: {error.strerror}", todo=todo, code="key_none") from None
    return KeyFolder(path, read_key_set(data, SET_NAME))


def make_keys(path: Path, *, issuer: str | None, at: datetime, until: datetime | None) -> KeyFolder:
    """Make a record key and a PDF key in a folder; the keys that signed before are retired, and stay in the set.

    Raises:
        UsageError: The folder cannot be written, a first key has no issuer, or a later one another.
        InputRefused: As for `open_folder`.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritten(path, error) from None
    if (path / SET_NAME).exists():
        known = open_folder(path).public
        if issuer is not None and issuer != known.issuer:
            what = f"the keys in {path} are those of {known.issuer!r}, not of {issuer!r}"
            raise UsageError.because(what, todo="choose another folder", code="key_issuer")
    elif issuer is None:
        raise UsageError.because("the first key needs the name of who signs", todo="add --issuer NAME", code="key_issuer")
    else:
        _refuse_shared(path)
        known = KeySet(issuer=issuer, keys=())
    made = [new_key(purpose, issuer=known.issuer, at=at, until=until) for purpose in ("record", "pdf")]
    for key in made:
        _write_private(path / f"{key.public.kid}.pem", pem_of(key))
    older = tuple(_ended(key, "retired", at, None) if key.status == "active" else key for key in known.keys)
    folder = KeyFolder(path, KeySet(issuer=known.issuer, keys=(*older, *(key.public for key in made))))
    _write_set(folder)
    return folder


def end_key(folder: KeyFolder, kid: str, *, at: datetime, is_revoked: bool, reason: str | None) -> KeyFolder:
    """Retire or revoke a key; nothing is signed with it afterwards. A revoked key stays revoked.

    Raises:
        UsageError: There is no such key, it is as ended as it can be, or the folder cannot be written.
    """
    found = [key for key in folder.public.keys if key.kid.startswith(kid)]
    if len(found) != 1 or not kid:
        what = f"{len(found)} keys begin with {kid[:50]!r}"
        raise UsageError.because(what, todo="write the whole id; homolog keys list shows them", code="key_none")
    (key,) = found
    if key.status == "revoked" or (key.status == "retired" and not is_revoked):
        raise UsageError.because(f"the key {key.kid} is {key.status} already", todo="nothing is left to do", code="key_ended")
    ended = _ended(key, "revoked" if is_revoked else "retired", at, reason)
    keys = tuple(ended if one.kid == key.kid else one for one in folder.public.keys)
    changed = replace(folder, public=KeySet(issuer=folder.public.issuer, keys=keys))
    _write_set(changed)
    return changed


def _ended(key: PublicKey, status: str, at: datetime, reason: str | None) -> PublicKey:
    return PublicKey.model_validate(key.model_dump() | {"status": status, "since": at, "reason": reason})


def _read_private(path: Path) -> bytes:
    try:
        # Looked at after it is open, so that what is judged is what is read.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError as error:
        what, todo = f"the private key cannot be read: {error.strerror}", "restore it from a backup, or make a new key"
        raise InputRefused.because(what, where=str(path), todo=todo, code="key_invalid") from None
    with os.fdopen(handle, "rb") as stream:
        mode = os.fstat(stream.fileno()).st_mode
        if os.name == "posix" and (not stat.S_ISREG(mode) or stat.S_IMODE(mode) & 0o177):
            what = f"others may read or change the private key (mode {stat.S_IMODE(mode):04o})"
            todo = f"run: chmod 600 {path}; if somebody may have read it, revoke it"
            raise InputRefused.because(what, where=str(path), todo=todo, code="key_open")
        return stream.read(_MOST_PEM)


def _refuse_shared(path: Path) -> None:
    """Refuse a folder in which others could put keys of theirs."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return
    if os.name == "posix" and mode & 0o022:
        what, todo = f"others may change what is in the folder (mode {mode:04o})", f"run: chmod 700 {path}"
        raise InputRefused.because(what, where=str(path), todo=todo, code="key_open")


def _write_private(path: Path, data: bytes) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise _unwritten(path, error) from None


def _write_set(folder: KeyFolder) -> None:
    """Write the key set whole or not at all."""
    try:
        handle, name = tempfile.mkstemp(dir=folder.path, prefix=".keys-")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(folder.public.canonical() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
            temporary.chmod(0o644)
            temporary.replace(folder.path / SET_NAME)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritten(folder.path / SET_NAME, error) from None


def _unwritten(path: Path, error: OSError) -> UsageError:
    return UsageError.because(f"{path} cannot be written: {error.strerror}", todo="choose another place")
