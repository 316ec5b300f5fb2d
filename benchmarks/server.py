"""A server of its own for a benchmark, on an empty data directory."""
import json
import signal
import subprocess
import time
import urllib.request
from datetime import datetime
from pathlib import Path


class Server:
    def __init__(self, command, engine, data):
        self.data = Path(data)
        self.log = open(f"{data}.log", "wb")
        self.process = subprocess.Popen(
            [command, "up", "--port", "0", "--data", data, "--engine", engine], stdout=self.log, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 300
        while True:
            try:
                self.url = json.loads((self.data / "endpoints.json").read_text())["api"] + "/api/v1"
                self.call("/campaigns")
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"assay up did not start; see {self.log.name}")
                time.sleep(0.2)

    def call(self, path, body=None):
        request = urllib.request.Request(
            self.url + path, None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def ended(self, campaign):
        """The campaign when it has ended."""
        while True:
            found = self.call(f"/campaigns/{campaign}")
            if found["state"] not in ("PENDING", "RUNNING"):
                return found
            time.sleep(0.05)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(120)
        self.log.close()


def seconds(campaign):
    """The time of a campaign from its start to its end."""
    begin, end = (datetime.fromisoformat(campaign[at]) for at in ("startedAt", "finishedAt"))
    return (end - begin).total_seconds()
