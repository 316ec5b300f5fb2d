"""A server for all tests, and stand-ins for what servers and networks do wrong.

ASSAY_TEST_COMMAND: how Assay is started, as a JSON list of words.
"""
from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

from assay_eval import Client

API = "/api/v1"


class Server:
    """Assay in a process of its own; it can be killed and started again."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = json.loads(os.environ["ASSAY_TEST_COMMAND"])
        environment = {**os.environ, "HOME": str(self._directory)}
        with (self._directory / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "up", "--port", str(self.port), "--data", str(self._directory / "data")],
                stdout=log,
                stderr=log,
                env=environment,
            )
        until = time.monotonic() + 90
        while not self._is_ready():
            assert self._process.poll() is None and time.monotonic() < until, (self._directory / "server.log").read_text()
            time.sleep(0.1)

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def end(self, how: int = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(self.url + "/health/readiness", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("assay"))
    one.start()
    yield one
    one.end()


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASSAY_SERVER", "ASSAY_API_TOKEN", "ASSAY_API_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def client(server: Server) -> Client:
    return Client(server.url, retry_seconds=20)


def campaign(name: str = "capitals", cases: int = 2, trials: int = 1, **fields: Any) -> dict[str, Any]:
    """A campaign without models; half of its answers pass."""
    return {
        "name": name,
        "cases": [
            {
                "id": f"case-{i}",
                "prompt": "Capital of France?",
                "tags": ["geo"] if i % 2 else [],
                "checks": [{"type": "icontains", "value": "Paris"}],
            }
            for i in range(cases)
        ],
        "trials": trials,
        "branches": [
            {"id": "right", "kind": "scripted", "script": {"answers": ["Paris."]}},
            {"id": "wrong", "kind": "scripted", "script": {"answers": ["Lyon."]}},
        ],
        **fields,
    }


class StandIn:
    """An HTTP server that answers by a function. ``seen`` are the requests: method, path, headers, body."""

    def __init__(self, answer: Callable[[BaseHTTPRequestHandler, bytes], None]) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                stand_in.seen.append((self.command, self.path, dict(self.headers), body))
                answer(self, body)

            do_GET = do_POST = handle_any

            def log_message(self, *_: Any) -> None:
                pass

            def finish(self) -> None:
                try:
                    super().finish()
                except OSError:
                    pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # a client that went away

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def stand_in() -> Iterator[Callable[[Callable[[BaseHTTPRequestHandler, bytes], None]], StandIn]]:
    made: list[StandIn] = []

    def make(answer: Callable[[BaseHTTPRequestHandler, bytes], None]) -> StandIn:
        made.append(StandIn(answer))
        return made[-1]

    yield make
    for one in made:
        one.close()


def reply(handler: BaseHTTPRequestHandler, status: int, body: Any, **headers: str) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(content)))
    for name, value in {"Assay-Version": "1.0.0-rc.1", **{name.replace("_", "-"): value for name, value in headers.items()}}.items():
        if value:
            handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)


def drop(handler: BaseHTTPRequestHandler) -> None:
    """Ends the connection without an answer."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def forward(handler: BaseHTTPRequestHandler, body: bytes, port: int) -> tuple[int, bytes, dict[str, str]]:
    """What the server at ``port`` answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(handler.command, handler.path, body or None, {k: v for k, v in handler.headers.items() if k != "Host"})
        answer = connection.getresponse()
        return answer.status, answer.read(), dict(answer.getheaders())
    finally:
        connection.close()
