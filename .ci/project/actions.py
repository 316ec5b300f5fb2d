#!/usr/bin/env python3
"""Checks that workflows and actions name each action by its full commit, with its version behind it. Only ./… may stand alone.

Prints a line for each finding, and exits with 1 when there is one.

    actions.py [ROOT]
"""
from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Iterator

USES = re.compile(r"^\s*(?:-\s+)?[\"']?uses[\"']?\s*:\s*(?P<named>.*?)\s*$")
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}\s+# v\d+(?:\.\d+)*")
ANY_USES = re.compile(r"\buses[\"']?\s*:")
PLACES = (".github/workflows/*.y*ml", "action/action.y*ml", "examples/**/*.y*ml")


def findings(root: Path) -> Iterator[str]:
    for file in sorted({file for place in PLACES for file in root.glob(place)}):
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
            if line.lstrip().startswith("#"):
                continue
            match = USES.match(line)
            if match and not match["named"].startswith("./") and not PINNED.fullmatch(match["named"]):
                yield f"{file.relative_to(root)}:{number}: not named by a full commit with its version behind #: {match['named']}"
            elif not match and ANY_USES.search(line):
                yield f"{file.relative_to(root)}:{number}: `uses` stands on a line of its own, so that it can be read: {line.strip()}"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(findings(root))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
