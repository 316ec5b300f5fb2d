#!/usr/bin/env python3
"""Checks that every place that says the version of Assay says the one of the root pom.xml.

Prints a line for each finding, and exits with 1 when there is one. With --print, prints the version; with --print python, the same
as Python packages write it.

    versions.py [ROOT]
    versions.py --print [python]
"""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator

VERSION = re.compile(r"(?P<base>\d+\.\d+\.\d+)(?:-(?P<kind>alpha|beta|rc)\.(?P<number>\d+))?(?P<snapshot>-SNAPSHOT)?")
OWN = re.compile(r"<artifactId>assay</artifactId>\s*<version>([^<]*)</version>")
PYTHON_KINDS = {"alpha": "a", "beta": "b", "rc": "rc"}

# Where a version stands, and in which form. A file that does not exist says none.
IMAGE = re.compile(r"(?:(?<=:-)|(?<![\w/.-]))assay:(\d[\w.+-]*)")
ARCHIVE = re.compile(r"\bassay-(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)(?=[./-](?:tar|sbom|bin|lib)|/)")
PRINTED = re.compile(r"\bassay (\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)(?=[,\s]|$)", re.MULTILINE)
PACKAGE = re.compile(r"^version\s*=\s*\"([^\"]*)\"", re.MULTILINE)
ACTION = re.compile(r"^  version:\n(?:    .*\n)*?    default: (\S+)$", re.MULTILINE)
PYTHON_PLACES = {"client/pyproject.toml": PACKAGE}
TEXTS = ("*.md", "*.yml", "*.yaml", "Dockerfile", "Makefile")


def version(root: Path) -> str:
    found = OWN.search((root / "pom.xml").read_text(encoding="utf-8"))
    if not found:
        raise SystemExit("pom.xml: no version stands behind <artifactId>assay</artifactId>")
    return found[1]


def python_version(text: str) -> str:
    """The version as PEP 440 writes it."""
    parts = VERSION.fullmatch(text)
    if not parts:
        raise SystemExit(f"pom.xml: {text} is no version such as 1.0.0 or 1.0.0-rc.1")
    kind = PYTHON_KINDS[parts["kind"]] + parts["number"] if parts["kind"] else ""
    return parts["base"] + kind + (".dev0" if parts["snapshot"] else "")


def texts(root: Path) -> list[Path]:
    """Files for people and for engines; the change log and decisions speak of other versions, too."""
    if (root / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z", *TEXTS], cwd=root, capture_output=True, check=True)
        names = listed.stdout.decode().split("\0")
    else:
        names = [str(file.relative_to(root)) for pattern in TEXTS for file in root.rglob(pattern)]
    left_out = ("CHANGELOG.md", "docs/decisions/")
    return [root / name for name in sorted(names) if name and not name.startswith(left_out) and (root / name).is_file()]


def findings(root: Path) -> Iterator[str]:
    own = version(root)
    python = python_version(own)
    for pom in sorted(root.glob("*/pom.xml")):
        said = OWN.search(pom.read_text(encoding="utf-8"))
        if not said or said[1] != own:
            yield f"{pom.relative_to(root)}: the parent has the version {said[1] if said else 'of none'}, pom.xml has {own}"
    for text in texts(root):
        content = text.read_text(encoding="utf-8")
        for pattern in (IMAGE, ARCHIVE, PRINTED):
            for said in pattern.finditer(content):
                if said[1] != own:
                    line = content.count("\n", 0, said.start()) + 1
                    yield f"{text.relative_to(root)}:{line}: {said[0]} is not the version {own} of pom.xml"
    action = root / "action/action.yml"
    if action.is_file():
        said = ACTION.search(action.read_text(encoding="utf-8"))
        if not said or said[1] != own:
            yield f"action/action.yml: the default of version is {said[1] if said else 'missing'}, and pom.xml has {own}"
    for name, pattern in PYTHON_PLACES.items():
        if (root / name).is_file():
            said = pattern.search((root / name).read_text(encoding="utf-8"))
            if not said or said[1] != python:
                yield f"{name}: the version is {said[1] if said else 'missing'}, and {python} where pom.xml has {own}"


def main() -> int:
    if sys.argv[1:2] == ["--print"]:
        own = version(Path(__file__).resolve().parents[2])
        print(python_version(own) if sys.argv[2:] == ["python"] else own)
        return 0
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(findings(root))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
