"""Write the sha256 of every named spec file into the edition files that name it.

python tools/freeze_specs.py            # write, and say what changed
python tools/freeze_specs.py --check    # write nothing; exit 1 if anything would change
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from pathlib import Path

SPECS = Path(__file__).resolve().parent.parent / "specs"

# Only the digest is replaced, so that the file's layout and its comments stay as they were written.
_ENTRY = re.compile(r"(?P<head>\{file: (?P<file>[^,\s]+), sha256: )(?P<digest>[0-9a-f]{64})(?P<tail>\})")


def frozen(text: str, folder: Path) -> tuple[str, list[str]]:
    """Return an edition file's text with the digests of today, and a line for each that changed."""
    changes: list[str] = []

    def renew(entry: re.Match[str]) -> str:
        digest = hashlib.sha256((folder / entry["file"]).read_bytes()).hexdigest()
        if digest != entry["digest"]:
            changes.append(f"{entry['file']}: {entry['digest'][:12]} -> {digest[:12]}")
        return f"{entry['head']}{digest}{entry['tail']}"

    return _ENTRY.sub(renew, text), changes


def main(arguments: list[str] | None = None, *, root: Path = SPECS) -> int:
    """Freeze every edition under `root`; return 1 if `--check` found a digest out of date."""
    parser = argparse.ArgumentParser(description="Write the sha256 of every named spec file into the edition files.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a digest is out of date")
    check = parser.parse_args(arguments).check
    changed = False
    for path in sorted(root.glob("*/*/edition.yaml")):
        text, changes = frozen(path.read_text("utf-8"), path.parent)
        for change in changes:
            changed = True
            sys.stdout.write(f"{path.relative_to(root)}: {change}\n")
        if changes and not check:
            path.write_text(text, "utf-8")
    return 1 if changed and check else 0


if __name__ == "__main__":
    sys.exit(main())
