#!/usr/bin/env python3
"""Checks the form of CHANGELOG.md, and that its newest release is the version of pom.xml, or comes before it for a snapshot.

Prints a line for each finding, and exits with 1 when there is one. With --notes VERSION, prints what the release says.

    changelog.py [ROOT]
    changelog.py --notes VERSION
"""
from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path
from typing import Iterator

import versions

KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
UNRELEASED = "## [Unreleased]"
RELEASE = re.compile(r"## \[(?P<version>[^\]]+)\] - (?P<date>\S+)")


def order(version: str) -> tuple:
    """Sorts versions: a pre-release comes before its release, alpha before beta before rc."""
    parts = versions.VERSION.fullmatch(version)
    if not parts:
        return ()
    kind = parts["kind"]
    return tuple(map(int, parts["base"].split("."))), (kind or "~"), int(parts["number"] or 0)


def date_problem(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() != text
    except ValueError:
        return True


def section_findings(name: str, lines: list[tuple[int, str]]) -> Iterator[str]:
    """The headings of one release: known, in order, each once and with entries."""
    last, entries, heading_line = -1, 1, 0
    for number, line in lines:
        if line.startswith("### "):
            kind = line[4:]
            if not entries:
                yield f"CHANGELOG.md:{heading_line}: this heading of {name} has no entry"
            if kind not in KINDS:
                yield f"CHANGELOG.md:{number}: {kind!r} is none of {', '.join(KINDS)}"
            elif KINDS.index(kind) <= last:
                yield f"CHANGELOG.md:{number}: {kind} of {name} stands twice or too late; the order is {', '.join(KINDS)}"
            else:
                last = KINDS.index(kind)
            entries, heading_line = 0, number
        elif line.startswith("#"):
            yield f"CHANGELOG.md:{number}: a heading that a change log does not have: {line}"
        elif line.startswith("- "):
            if not heading_line:
                yield f"CHANGELOG.md:{number}: this entry of {name} stands under none of {', '.join(KINDS)}"
            entries += 1
        elif line.strip() and not line.startswith("  ") and heading_line:
            yield f"CHANGELOG.md:{number}: neither a heading nor an entry: {line[:60]}"
    if not entries:
        yield f"CHANGELOG.md:{heading_line}: this heading of {name} has no entry"


def sections(text: str) -> list[tuple[int, str, list[tuple[int, str]]]]:
    """The parts behind each heading of the second level, with the line of that heading."""
    found: list[tuple[int, str, list[tuple[int, str]]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("## "):
            found.append((number, line, []))
        elif found:
            found[-1][2].append((number, line))
    return found


def findings(root: Path) -> Iterator[str]:
    parts = sections((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if not parts or parts[0][1] != UNRELEASED:
        yield f"CHANGELOG.md: the first section is not {UNRELEASED}"
    released: list[str] = []
    for number, heading, lines in parts:
        match = RELEASE.fullmatch(heading)
        if heading == UNRELEASED:
            name = "Unreleased"
            if number != parts[0][0]:
                yield f"CHANGELOG.md:{number}: {UNRELEASED} stands above all releases, once"
        elif not match or not order(match["version"]) or match["version"].endswith("-SNAPSHOT"):
            yield f"CHANGELOG.md:{number}: a release is written as ## [1.0.0] - 2026-11-27, not as {heading}"
            name = heading
        else:
            name = match["version"]
            released.append(name)
            if date_problem(match["date"]):
                yield f"CHANGELOG.md:{number}: {match['date']} is no date such as 2026-11-27"
            if not any(line.startswith("- ") for _, line in lines):
                yield f"CHANGELOG.md:{number}: the release {name} says nothing"
        yield from section_findings(name, lines)
    for newer, older in zip(released, released[1:]):
        if order(newer) <= order(older):
            yield f"CHANGELOG.md: {newer} stands above {older}; the newest release is the first"
    own = versions.version(root)
    if not released:
        yield "CHANGELOG.md: there is no release"
    elif own.endswith("-SNAPSHOT") and order(released[0]) >= order(own):
        yield f"CHANGELOG.md: {released[0]} is released, so that pom.xml cannot be on the way to {own}"
    elif not own.endswith("-SNAPSHOT") and released[0] != own:
        yield f"CHANGELOG.md: the newest release is {released[0]}, and pom.xml has {own}"


def notes(root: Path, version: str) -> str:
    for _, heading, lines in sections((root / "CHANGELOG.md").read_text(encoding="utf-8")):
        match = RELEASE.fullmatch(heading)
        if match and match["version"] == version:
            return "\n".join(line for _, line in lines).strip()
    raise SystemExit(f"CHANGELOG.md has no release {version}")


def main() -> int:
    if sys.argv[1:2] == ["--notes"]:
        print(notes(Path(__file__).resolve().parents[2], sys.argv[2]))
        return 0
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(findings(root))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
