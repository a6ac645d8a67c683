"""Write the JSON Schemas of the spec language into specs/schema, from the models."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from homolog.spec.schema import write_schemas  # noqa: E402 -- this checkout's models, not those of an installed wheel

for path in write_schemas(ROOT / "specs" / "schema"):
    print(path.relative_to(ROOT))
