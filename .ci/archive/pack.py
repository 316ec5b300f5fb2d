#!/usr/bin/env python3
"""Packs a build into the files of a release. The same input gives the same bytes, whenever, where and by whom it is packed.

    pack.py SOURCE LIB SBOM VERSION TIME OUTPUT

SOURCE: the files of the commit. LIB: its jars. SBOM: as CycloneDX wrote it. TIME: seconds since 1970, of every file.
"""
from __future__ import annotations

import gzip
import hashlib
import io
import json
import sys
import tarfile
from pathlib import Path

import licences

GUARD = "# The benchmarks look for a JDK here"
SOURCED = '. "$(dirname "${BASH_SOURCE[0]}")/assay"\n'


def launcher(source: Path) -> str:
    """The launcher of the archive, with the functions of the checkout's in place of the line that reads these."""
    functions, guard, _ = (source / "assay").read_text(encoding="utf-8").partition(GUARD)
    before, line, after = (source / "assay-archive").read_text(encoding="utf-8").partition(SOURCED)
    if not guard or not line:
        raise SystemExit("assay or assay-archive has lost the line by which pack.py finds the functions")
    head, _, comment = before.rstrip("\n").rpartition("\n")
    body = functions.partition("set -u\n")[2].strip("\n")
    if not comment.startswith("#") or not body:
        raise SystemExit("assay-archive has no comment above the line that reads assay, or assay no functions")
    return head + "\n\n" + body + "\n" + after


def build_name(version: str, jars: list[Path]) -> str:
    """The version and 12 digits of all jars: what one build prepared, no other one uses."""
    digest = hashlib.sha256()
    for jar in jars:
        digest.update(f"{jar.name} {hashlib.sha256(jar.read_bytes()).hexdigest()}\n".encode())
    return f"{version}-{digest.hexdigest()[:12]}"


def plain_sbom(sbom: dict) -> dict:
    """The same without what differs from build to build: a serial number and times."""
    sbom = {key: value for key, value in sbom.items() if key != "serialNumber"}
    sbom["metadata"] = {key: value for key, value in sbom.get("metadata", {}).items() if key != "timestamp"}
    return sbom


def write_json(file: Path, content: dict) -> None:
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


def archive(file: Path, root: str, members: dict[str, tuple[int, bytes]], time: int) -> None:
    """A tar of `members` (name: mode and content) below `root`, sorted, of one time, owned by root."""
    with file.open("wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=time, compresslevel=6) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        directories = {str(parent) for name in members for parent in Path(root, name).parents if str(parent) != "."}
        entries = [(name, 0o755, None) for name in directories]
        entries += [(f"{root}/{name}", mode, content) for name, (mode, content) in members.items()]
        for name, mode, content in sorted(entries, key=lambda entry: entry[0]):
            info = tarfile.TarInfo(name)
            info.mtime, info.mode, info.uname, info.gname = time, mode, "root", "root"
            if content is None:
                info.type = tarfile.DIRTYPE
                tar.addfile(info)
            else:
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))


def members(source: Path, jars: list[Path], version: str, third_party: str) -> dict[str, tuple[int, bytes]]:
    found = {
        "bin/assay": (0o755, launcher(source).encode()),
        "lib/build": (0o644, (build_name(version, jars) + "\n").encode()),
        "LICENSE": (0o644, (source / "LICENSE").read_bytes()),
        "NOTICE": (0o644, (source / "NOTICE").read_bytes()),
        "THIRD-PARTY.md": (0o644, third_party.encode()),
    }
    found.update({f"lib/{jar.name}": (0o644, jar.read_bytes()) for jar in jars})
    for file in (source / "examples").rglob("*"):
        if file.is_file():
            name = file.relative_to(source).as_posix()
            found[name] = (0o755 if file.stat().st_mode & 0o100 else 0o644, file.read_bytes())
    return found


def main() -> int:
    source, lib, sbom_file, version, time, output = sys.argv[1:]
    out = Path(output)
    sbom = plain_sbom(json.loads(Path(sbom_file).read_text(encoding="utf-8")))
    known = licences.allowed(Path(source, ".ci/licences.txt"))
    refused = licences.refused(sbom, known)
    if refused:
        print("\n".join(refused), file=sys.stderr)
        return 1
    jars = sorted(Path(lib).glob("*.jar"), key=lambda jar: jar.name)
    if not jars:
        raise SystemExit(f"{lib} holds no jar")
    write_json(out / f"assay-{version}-sbom.json", sbom)
    content = members(Path(source), jars, version, licences.third_party(sbom, known, version))
    archive(out / f"assay-{version}.tar.gz", f"assay-{version}", content, int(time))
    return 0


if __name__ == "__main__":
    sys.exit(main())
