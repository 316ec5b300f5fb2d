"""The licences of the libraries that ship, by their bill of materials."""
from __future__ import annotations

import re
from pathlib import Path

OWN = "dev.assay"


def allowed(file: Path) -> dict[str, str]:
    """Names as libraries write them, to the SPDX word of each. A line is the word, or NAME = WORD."""
    known: dict[str, str] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        line = line.partition("#")[0].strip()
        if line:
            name, _, word = (part.strip() for part in line.partition(" = "))
            known[name] = word or name
    return known


def libraries(sbom: dict) -> list[dict]:
    return sorted(
        (part for part in sbom.get("components", []) if part.get("group") != OWN),
        key=lambda part: (part.get("group", ""), part["name"], part.get("version", "")),
    )


def names(part: dict, known: dict[str, str]) -> list[str]:
    """The licences of a library, of which a user may choose one, as SPDX words where these are known."""
    stated = known.get(f"{part.get('group', '')}:{part['name']}")
    if stated:
        return [stated]
    found = []
    for entry in part.get("licenses", []):
        licence = entry.get("license", {})
        text = entry.get("expression") or licence.get("id") or licence.get("name") or ""
        found += [word.strip() for word in re.split(r"\s+OR\s+", text.strip("() ")) if word.strip()]
    return [known.get(name, name) for name in found]


def title(part: dict) -> str:
    return f"{part.get('group', '')}:{part['name']}:{part.get('version', '')}"


def refused(sbom: dict, known: dict[str, str]) -> list[str]:
    """A sentence for each library of which no licence is on the list."""
    words = set(known.values())
    return [
        f"{title(part)} has the licence {', '.join(names(part, known)) or 'of none'}, which is not in .ci/licences.txt"
        for part in libraries(sbom)
        if words.isdisjoint(names(part, known))
    ]


def third_party(sbom: dict, known: dict[str, str], version: str) -> str:
    lines = [
        "# Libraries of others",
        "",
        f"Assay {version} ships these libraries, each under its own licence. Where several are named, you may choose.",
        "",
        "| library | version | licence |",
        "|---|---|---|",
    ]
    for part in libraries(sbom):
        name = f"{part.get('group', '')}:{part['name']}".replace("|", "\\|")
        lines.append(f"| {name} | {part.get('version', '')} | {', '.join(names(part, known))} |")
    return "\n".join(lines) + "\n"
