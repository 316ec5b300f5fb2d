"""A server of Assay for the measurements here."""
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request


class Server:
    """`assay up` on a data directory, in a process of its own."""

    def __init__(self, launcher, data, options=""):
        self.launcher, self.data, self.options = launcher, data, options
        self.start()

    def start(self):
        endpoints = self.data / "endpoints.json"
        before = endpoints.stat().st_mtime_ns if endpoints.exists() else 0
        self.log = open(self.data.with_suffix(".log"), "a")
        self.process = subprocess.Popen(
            [self.launcher, "up", "--data", self.data, "--engine", "in-process", "--port", "0"], stdout=self.log, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, env=os.environ | ({"JDK_JAVA_OPTIONS": self.options} if self.options else {}))
        for _ in range(1200):
            if endpoints.exists() and endpoints.stat().st_mtime_ns != before:
                break
            if self.process.poll() is not None:
                sys.exit(f"The server ended with {self.process.returncode}; its log is {self.log.name}")
            time.sleep(0.1)
        self.endpoints = json.loads(endpoints.read_text())
        self.url = self.endpoints["api"].rstrip("/")
        for _ in range(600):
            try:
                self.json("/campaigns")
                return
            except OSError:
                time.sleep(0.2)
        sys.exit(f"The server does not answer; its log is {self.log.name}")

    def request(self, path, body=None, kind="application/json", method=None):
        request = urllib.request.Request(self.url + "/api/v1" + path, body, {"Content-Type": kind} if body is not None else {}, method=method)
        return urllib.request.urlopen(request, timeout=1200)

    def json(self, path, body=None, kind="application/json", method=None):
        with self.request(path, body, kind, method) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def text(self, path):
        with self.request(path) as answer:
            return answer.read().decode()

    def run(self, *arguments, codes=(0,)):
        done = subprocess.run([self.launcher, *arguments, "--server", self.url], capture_output=True, text=True)
        if done.returncode not in codes:
            sys.exit(f"assay {' '.join(map(str, arguments))} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def imported(self, *files):
        return json.loads(self.run("import-results", "--json", *files, codes=(0, 101)))["id"]

    def kill(self):
        """kill -9 of the server and of its PostgreSQL."""
        self.process.kill()
        self.process.wait()
        try:
            os.kill(self.endpoints["pids"]["postgres"], signal.SIGKILL)
        except ProcessLookupError:
            pass

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()
