"""Requests to a server: which of them are sent again, what of an answer is taken, and where a token goes."""
from __future__ import annotations

import json
import os
import random
import re
import time
import warnings
from pathlib import Path
from typing import Any, Callable, Generator, Mapping, Sequence, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import urllib3

from ._errors import AssayError, AssayWarning, Unavailable, problem
from ._version import __version__, warning

API = "/api/v1"
DEFAULT_SERVER = "http://127.0.0.1:8080"

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 120.0
_MOST_BYTES = 256 * 1024 * 1024
_MOST_PROBLEM_BYTES = 1024 * 1024
_PIECE = 256 * 1024
_LOCAL = ("localhost", "127.0.0.1", "::1")

Query = Sequence[tuple[str, str]]
T = TypeVar("T")


class Lost(Exception):
    """An answer that did not come, or broke off: whether the server acted is not known."""


class Refused(Exception):
    """The server cannot answer for now, and says so."""

    def __init__(self, error: AssayError, retry_after: float | None) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after = retry_after


class _NotSent(Lost):
    """There was no connection, so that the server has seen nothing."""


def base_url(server: str | None) -> str:
    """The address of a server, as users write it: also that of its API."""
    written = (server or os.environ.get("ASSAY_SERVER") or DEFAULT_SERVER).strip()
    address = written.rstrip("/")
    if address.endswith(API):
        address = address[: -len(API)]
    try:
        parts = urlsplit(address)
        is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        is_usable = False
    if is_usable and "@" in parts.netloc:
        raise ValueError("The address of the server must not hold a user or a password; give a token.")
    if not is_usable or re.search(r"[\s\x00-\x1f]", address):
        raise ValueError(f"The server must be an address like {DEFAULT_SERVER}, but is {written!r}")
    return address


def find_token(token: str | None) -> str | None:
    """The token that is given, or of the environment; None: there is none."""
    if token is None:
        token = os.environ.get("ASSAY_API_TOKEN") or None
        file = os.environ.get("ASSAY_API_TOKEN_FILE")
        if token is None and file:
            token = Path(file).read_text(encoding="utf-8")
    if token is None:
        return None
    token = token.strip()
    # What the HTTP library says of a wrong header has the header in it.
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise ValueError("The token is empty, or has characters that a token does not have (it is not shown here).")
    return token


def path(*parts: str) -> str:
    """The address below the API, each part quoted."""
    return "".join("/" + ("%2E" * len(part) if part in (".", "..") else quote(part, safe="")) for part in parts)


class Transport:
    """Sends requests to one server. Redirects are never followed, so that a token goes nowhere else."""

    def __init__(self, server: str | None, token: str | None, retry_seconds: float) -> None:
        self.server = base_url(server)
        self.retry_seconds = retry_seconds
        self.server_version: str | None = None
        self._token = find_token(token)
        self._pool = urllib3.PoolManager(retries=False, num_pools=2, maxsize=4)
        self._warned = False
        parts = urlsplit(self.server)
        if self._token and parts.scheme == "http" and parts.hostname not in _LOCAL:
            warnings.warn("The token goes to the server without TLS; use https.", AssayWarning, stacklevel=3)

    def __repr__(self) -> str:
        return f"Transport({self.server!r})"

    def headers(self) -> dict[str, str]:
        """What every request has; the token among it."""
        headers = {"User-Agent": f"assay-eval/{__version__}"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        return headers

    def get(self, address: str, query: Query = (), *, until: float | None = None) -> Any:
        """The answer to a GET; ``until``: no longer than to this time of ``time.monotonic``."""
        return self.json("GET", address, query, until=until)

    def post(
        self,
        address: str,
        body: bytes | None = None,
        media_type: str = "application/json",
        *,
        headers: Mapping[str, str] | None = None,
        idempotent: bool = True,
    ) -> Any:
        return self.json("POST", address, body=body, media_type=media_type, headers=headers, idempotent=idempotent)

    def json(
        self,
        method: str,
        address: str,
        query: Query = (),
        *,
        body: bytes | None = None,
        media_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
        idempotent: bool = True,
        until: float | None = None,
    ) -> Any:
        """The answer as JSON. Where that is safe, the request is sent again until there is one."""

        def once() -> Any:
            more = dict(headers or {})
            if body is not None:
                more["Content-Type"] = media_type
            left = _READ_SECONDS if until is None else min(_READ_SECONDS, until - time.monotonic())
            response = self._send(method, address, query, body, more, max(0.05, left))
            try:
                content = _whole(response, _MOST_BYTES)
            finally:
                _close(response)
            try:
                return json.loads(content)
            except (ValueError, RecursionError):
                raise AssayError("UNREADABLE", response.status, "The server's answer is no JSON; is it Assay's API?") from None

        return self.again(once, idempotent, until)

    def again(self, once: Callable[[], T], idempotent: bool = True, until: float | None = None) -> T:
        """The result of ``once``, which is called again for ``retry_seconds``, or until a time, while no answer comes."""
        last = time.monotonic() + self.retry_seconds
        until = last if until is None else min(last, until)
        tries = 0
        while True:
            wait = min(5.0, 0.2 * 2**tries) * random.uniform(0.75, 1.0)
            try:
                return once()
            except Refused as refused:
                failure = refused.error
                if refused.retry_after is not None:
                    wait = max(wait, refused.retry_after)
                is_safe = idempotent or failure.status == 429
            except Lost as lost:
                failure = Unavailable("UNREACHABLE", 0, f"The server at {self.server} does not answer ({lost})")
                is_safe = idempotent or isinstance(lost, _NotSent)
            if not is_safe or time.monotonic() + wait > until:
                raise failure
            time.sleep(wait)
            tries += 1

    def lines(
        self, address: str, query: Query = (), accept: str = "application/x-ndjson", seconds: float = _READ_SECONDS
    ) -> Generator[bytes, None, None]:
        """The lines of an answer, as they come. Raises ``Lost`` where it breaks off: call it within ``again``.

        ``seconds``: how long one piece may take to come.
        """
        response = self._send("GET", address, query, None, {"Accept": accept}, seconds)
        rest: list[bytes] = []
        size = 0
        try:
            while True:
                piece = _piece(response)
                if not piece:
                    break
                first, *more = piece.split(b"\n")
                rest.append(first)
                size += len(first)
                if size > _MOST_BYTES:
                    raise AssayError("TOO_LARGE", response.status, f"A line of the answer has more than {_MOST_BYTES} bytes")
                if more:
                    yield b"".join(rest)
                    yield from more[:-1]
                    rest, size = [more[-1]], len(more[-1])
            if size:
                yield b"".join(rest)
        finally:
            _close(response)

    def _send(
        self, method: str, address: str, query: Query, body: bytes | None, headers: Mapping[str, str], seconds: float
    ) -> urllib3.BaseHTTPResponse:
        url = self.server + API + address + ("?" + urlencode(list(query)) if query else "")
        try:
            response = self._pool.request(
                method,
                url,
                body=body,
                headers={"Accept": "application/json", **self.headers(), **headers},
                timeout=urllib3.Timeout(connect=_CONNECT_SECONDS, read=seconds),
                redirect=False,
                preload_content=False,
                decode_content=False,
            )
        except (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError) as lost:
            raise _NotSent("no connection: " + _reason(lost)) from None
        except urllib3.exceptions.SSLError as wrong:
            raise Unavailable("UNREACHABLE", 0, f"The TLS of {self.server} is not as it should be: {wrong}") from None
        except (urllib3.exceptions.HTTPError, OSError) as lost:
            raise Lost(_reason(lost)) from None
        if 200 <= response.status < 300:
            self._look_at_version(response.headers.get("Assay-Version"))
            return response
        try:
            raise self._failure(response)
        finally:
            _close(response)

    def _failure(self, response: urllib3.BaseHTTPResponse) -> Exception:
        if 300 <= response.status < 400:
            there = response.headers.get("Location") or "nowhere"
            return AssayError(
                "REDIRECTED", response.status, f"{self.server} redirects to {there[:300]}, which is not followed; name the server itself"
            )
        try:
            document = json.loads(_whole(response, _MOST_PROBLEM_BYTES))
        except (ValueError, RecursionError, AssayError):
            document = None
        error = problem(response.status, document)
        if response.status in (429, 502, 503, 504):
            return Refused(error, _seconds(response.headers.get("Retry-After")))
        return error

    def _look_at_version(self, version: str | None) -> None:
        self.server_version = version
        if self._warned:
            return
        self._warned = True
        text = warning(version)
        if text:
            warnings.warn(text, AssayWarning, stacklevel=2)


def _seconds(retry_after: str | None) -> float | None:
    """The header, where it is a number of seconds; else None."""
    return float(retry_after) if retry_after and re.fullmatch(r"\d{1,6}", retry_after.strip()) else None


def _reason(failure: Exception) -> str:
    text = str(failure)
    return text.split(": ", 1)[1] if text.startswith("<") and ": " in text else text or type(failure).__name__


def _piece(response: urllib3.BaseHTTPResponse) -> bytes:
    try:
        return response.read1(_PIECE)
    except (urllib3.exceptions.HTTPError, OSError) as lost:
        raise Lost(_reason(lost)) from None


def _whole(response: urllib3.BaseHTTPResponse, most: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := _piece(response):
        size += len(piece)
        if size > most:
            raise AssayError("TOO_LARGE", response.status, f"The answer has more than {most} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def _close(response: urllib3.BaseHTTPResponse) -> None:
    """A connection whose answer was read goes back; another one is closed."""
    if response.closed or getattr(response, "length_remaining", None) == 0:
        response.release_conn()
    else:
        response.close()
