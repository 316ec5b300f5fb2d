"""Packs the Python package in the current directory, and gives archives the same bytes whenever and wherever that is done.

    pack.py OUTPUT TIME        TIME: seconds since 1970, of every file
"""
from __future__ import annotations

import contextlib
import gzip
import io
import os
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

from setuptools import build_meta


def same_wheel(made: Path, there: Path, seconds: int) -> None:
    """The wheel with sorted entries of one time. Its list of files stays the last one."""
    date = time.gmtime(max(seconds, 315532800))[:6]
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(there, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as target:
        for name in sorted(source.namelist(), key=lambda name: (name.endswith("/RECORD"), name)):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            content = source.read(name)
            if name.endswith("/RECORD"):
                content = b"".join(sorted(content.splitlines(keepends=True)))
            target.writestr(entry, content)


def same_sdist(made: Path, there: Path, seconds: int) -> None:
    """The sdist with sorted entries of one time, owned by root."""
    with tarfile.open(made) as source, there.open("wb") as raw, gzip.GzipFile(
        filename="", fileobj=raw, mode="wb", mtime=seconds, compresslevel=6
    ) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as target:
        for entry in sorted(source.getmembers(), key=lambda entry: entry.name):
            same = tarfile.TarInfo(entry.name)
            same.mtime, same.uname, same.gname = seconds, "root", "root"
            same.mode, same.type, same.size = (0o755 if entry.isdir() else 0o644), entry.type, entry.size
            content = source.extractfile(entry) if entry.isfile() else None
            target.addfile(same, io.BytesIO(content.read()) if content else None)


def main() -> None:
    output, seconds = Path(sys.argv[1]), int(sys.argv[2])
    os.umask(0o022)
    with tempfile.TemporaryDirectory() as directory, contextlib.redirect_stdout(io.StringIO()):
        sdist = build_meta.build_sdist(directory)
        wheel = build_meta.build_wheel(directory)
        same_sdist(Path(directory, sdist), output / sdist, seconds)
        same_wheel(Path(directory, wheel), output / wheel, seconds)
    print(output / wheel)
    print(output / sdist)


if __name__ == "__main__":
    main()
