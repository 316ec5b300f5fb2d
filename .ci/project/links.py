#!/usr/bin/env python3
"""Checks that each relative link and anchor in the pages resolves, and that the index names every page of docs/.

Prints a line for each finding, and exits with 1 when there is one.

    links.py [ROOT]
"""
from __future__ import annotations

import re
import sys
import urllib.parse
from pathlib import Path
from typing import Iterator, NamedTuple

FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^\s)>]*)>?[^)]*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)")
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
TARGET = re.compile(r"\b(?:id|name)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


class Link(NamedTuple):
    line: int
    target: str


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The numbered lines outside of fenced code."""
    fence = None
    for number, line in enumerate(text.split("\n"), 1):
        match = FENCE.match(line)
        if match and fence is None:
            fence = match[1]
        elif fence is not None:
            if match and match[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = None
        else:
            yield number, line


def links(text: str) -> Iterator[Link]:
    for number, line in prose(text):
        # A link may have code as its text: only what is inside the marks is taken out.
        bare = CODE.sub("", line)
        for match in LINK.finditer(bare):
            yield Link(number, match[1])
        reference = REFERENCE.match(bare)
        if reference:
            yield Link(number, reference[1])


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[`*]", "", text)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def anchors(text: str) -> set[str]:
    found: set[str] = set()
    numbers: dict[str, int] = {}
    for _, line in prose(text):
        heading = HEADING.match(line)
        if heading:
            name = slug(heading[2])
            number = numbers.get(name, 0)
            numbers[name] = number + 1
            found.add(f"{name}-{number}" if number else name)
        found.update(TARGET.findall(line))
    return found


def pages(root: Path) -> list[Path]:
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/*.md"), *root.glob(".github/*.md")])


def problem(root: Path, page: Path, target: str) -> str | None:
    """What is wrong with a link; None: nothing, or it leads elsewhere."""
    if not target or ELSEWHERE.match(target):
        return None
    path, _, anchor = urllib.parse.unquote(target).partition("#")
    if path.startswith("/"):
        return "leads to the root of a machine"
    there = (page.parent / path).resolve() if path else page
    if not there.is_relative_to(root):
        return "leaves the repository"
    if not there.exists():
        return "leads nowhere"
    if anchor and (there.suffix != ".md" or anchor not in anchors(there.read_text(encoding="utf-8"))):
        return "has an anchor that is not there"
    return None


def findings(root: Path) -> Iterator[str]:
    for page in pages(root):
        for link in links(page.read_text(encoding="utf-8")):
            found = problem(root, page, link.target)
            if found:
                yield f"{page.relative_to(root)}:{link.line}: the link {link.target} {found}"
    index = root / "docs" / "README.md"
    named = {
        (index.parent / link.target.partition("#")[0]).resolve()
        for link in links(index.read_text(encoding="utf-8"))
        if not ELSEWHERE.match(link.target)
    }
    for page in sorted(root.glob("docs/*.md")):
        if page != index and page not in named:
            yield f"{page.relative_to(root)}: the index docs/README.md does not name it"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(findings(root))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
