"""The JSON Schemas of the seal's documents, as they are published."""

from __future__ import annotations

import json
import sys
from typing import Any

from homolog.errors import UsageError
from homolog.seal.certificate import Certificate
from homolog.seal.forms import Form
from homolog.seal.key_set import KeySet
from homolog.seal.log import Entry, Head, Receipt
from homolog.seal.signed_file import SignedFile
from homolog.seal.status import TypeStatus

DOCUMENTS: dict[str, tuple[type[Form], str]] = {
    "homolog-certificate/1": (Certificate, "Homolog certificate of a type"),
    "homolog-entry/1": (Entry, "Homolog log entry"),
    "homolog-keys/1": (KeySet, "Homolog public key set"),
    "homolog-log-head/1": (Head, "Homolog log head"),
    "homolog-receipt/1": (Receipt, "Homolog log receipt"),
    "homolog-signed/1": (SignedFile, "Homolog signed record"),
    "homolog-status/1": (TypeStatus, "Homolog status of a type"),
}


def json_schema(document: str) -> dict[str, Any]:
    """Return the published schema of a document.

    Raises:
        UsageError: There is no such document.
    """
    if document not in DOCUMENTS:
        raise UsageError.because(f"there is no document {document[:40]!r}", todo=f"one of {', '.join(DOCUMENTS)}")
    form, title = DOCUMENTS[document]
    schema = form.model_json_schema(mode="validation")
    schema["required"] = ["format", *schema.get("required", [])]  # a file must say what it is
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": document, **schema, "title": title}


def file_name(document: str) -> str:
    """Return the file in docs/schema that holds a document's schema."""
    return document.replace("/", "-") + ".json"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(json_schema(sys.argv[1]), indent=1, ensure_ascii=False) + "\n")
