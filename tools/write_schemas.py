"""Write the JSON Schemas of the spec language, and the reference in its document, from the models."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from homolog.spec.reference import with_reference  # noqa: E402 -- this checkout's models, not those of an installed wheel
from homolog.spec.schema import write_schemas  # noqa: E402

DOCUMENT = ROOT / "docs" / "spec-language.md"

DOCUMENT.write_text(with_reference(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
for path in (*write_schemas(ROOT / "specs" / "schema"), DOCUMENT):
    print(path.relative_to(ROOT))
