"""A device that holds passkeys, in software: it makes keys and signs as WebAuthn says."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from datetime import datetime
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from homolog.register.database import Database
from homolog.service.actor import Actor
from homolog.service.identity import passkeys
from homolog.service.identity.passkeys import Key, Party

PARTY = Party.of("http://127.0.0.1:8000")
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Authenticator:
    """One device with one key."""

    def __init__(self, *, origin: str = PARTY.origin, host: str = PARTY.host, flags: int = PRESENT | VERIFIED) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = os.urandom(32)
        self.origin, self.host, self.flags, self.count = origin, host, flags, 0
        self.user = b""

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """Make the key, as navigator.credentials.create does."""
        self.user = base64.urlsafe_b64decode(options["user"]["id"] + "==")
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(cose)
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": self._data(ATTESTED) + attested})
        said = self._said("webauthn.create", options)
        return self._answer({"clientDataJSON": b64(said), "attestationObject": b64(attestation)})

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """Sign, as navigator.credentials.get does."""
        self.count += 1
        said, data = self._said("webauthn.get", options), self._data(0)
        signature = self.key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        response = {"clientDataJSON": said, "authenticatorData": data, "signature": signature, "userHandle": self.user}
        return self._answer({name: b64(value) for name, value in response.items()})

    def _data(self, more: int) -> bytes:
        return hashlib.sha256(self.host.encode()).digest() + bytes([self.flags | more]) + self.count.to_bytes(4, "big")

    def _said(self, kind: str, options: dict[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        named = {"id": b64(self.id), "rawId": b64(self.id), "type": "public-key"}
        return {**named, "response": response, "clientExtensionResults": {}}


def make_passkey(actor: Actor, database: Database, now: datetime) -> tuple[Key, Authenticator]:
    """Have a new device make a key for an actor."""
    device = Authenticator()
    answer = device.create(passkeys.making(actor, database, PARTY, now=now))
    return passkeys.make(actor, database, PARTY, answer, name="A device", now=now), device
