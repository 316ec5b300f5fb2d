"""Versions of the client and of servers."""
from __future__ import annotations

import re
from importlib import metadata

try:
    __version__ = metadata.version("assay-eval")
except metadata.PackageNotFoundError:  # a checkout that is not installed
    __version__ = "0+unknown"

_FORM = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:[-.]?(alpha|beta|rc|a|b)\.?(\d+))?([-+.].*)?")


def order(version: str) -> tuple[int, int, int, str, int] | None:
    """Sorts versions of the server and of Python packages; None: this is neither."""
    parts = _FORM.fullmatch(version)
    if not parts:
        return None
    kind = (parts[4] or "~")[0]
    return int(parts[1]), int(parts[2]), int(parts[3]), kind, int(parts[5] or 0)


def warning(server: str | None, client: str = __version__) -> str | None:
    """What a user should know of a server's version; None: nothing. ``server``: None where it does not say one."""
    if server is None:
        return f"The server does not say its version: it is older than this client ({client}), and some calls may fail."
    theirs, ours = order(server), order(client)
    if theirs is None or ours is None:
        return None
    if theirs < ours:
        return f"The server has version {server}, this client {client}: some calls may fail. Use the client of that version."
    if theirs[0] > ours[0]:
        return f"The server has version {server}, this client {client}: pip install --upgrade assay-eval."
    return None
