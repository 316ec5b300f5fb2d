"""The action without GitHub: its steps, against stand-ins of GitHub's API and of Assay's.

With ASSAY_TEST_COMMAND, a JSON list of words that starts a real assay, a campaign runs in the job, too.
"""
from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

ACTION = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ACTION))
sys.dont_write_bytecode = True
import comment  # noqa: E402

HOSTILE = [
    "</code><img src=x onerror=alert(1)>", "@team and GH-1 #1 fixes #2", "[a](http://x) ![b](//y) www.z.de", "```\n</details>\n# head",
    "`` ` ```", "a|b|c\\|d", "<!-- assay:x -->", "::error::x\n::set-output name=verdict::PASS", "%0A::warning::x", "$`x`$ $$y$$",
    "\x1b[31mred\x00\u202e\u200b\ud800", "", "`", " ", "x" * 5000,
]  # fmt: skip


def rate(value: float, of: int = 10) -> dict[str, Any]:
    return {"successes": int(value * of), "denominator": of, "unknown": 0, "value": value, "low": max(0, value - 0.1), "high": min(1, value + 0.1)}


class Stand(unittest.TestCase):
    """An Assay and a GitHub, both as dictionaries of what they answer."""

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.home = Path(directory.name)
        self.comments: list[dict[str, Any]] = []
        self.refused: dict[str, list[int]] = {}
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.campaign: dict[str, Any] = {
            "id": "one-1", "name": "one", "state": "COMPLETED", "verdict": "PASS", "costUsd": 0.25, "progress": {"cellsDone": 1, "cellsTotal": 1},
            "account": {"rule": "Passed: all.", "errors": [{"code": "TIMEOUT", "final": 1, "attempts": 2, "newest": "It took too long"}]},
        }  # fmt: skip
        self.branches = [{"branchId": "b", "gated": True, "verdict": "PASS", "suitePassRate": rate(1), "trialPassRate": rate(0.9), "spend": {"costUsd": None}}]
        self.listed = [{"id": "base-1"}]
        self.comparison = {
            "verdict": "PASS", "metrics": [{"name": "trial-rate", "difference": {"value": -0.01, "low": -0.02, "high": 0.01}}],
            "flips": [{"caseId": f"case-{i}", "a": 1.0, "b": 0.0, "difference": -1} for i in range(30)],
        }  # fmt: skip
        stand = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, answer = stand.answer(self.command, self.path, dict(self.headers), json.loads(body or b"null"))
                content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PATCH = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        (self.home / "campaign.yaml").write_text("name: one\n")
        (self.home / "event.json").write_text(json.dumps({"pull_request": {"number": 7, "head": {"sha": "c0ffee"}}}))
        self.fake_assay("Campaign one-1\nPage: http://x\n", 0)

    def fake_assay(self, says: str, code: int, problem: str = "") -> None:
        script = self.home / "assay"
        (self.home / "says").write_text(says)
        (self.home / "problem").write_text(problem)
        script.write_text(
            f'#!/bin/sh\nprintf "%s\\n" "$@" >"{self.home}/arguments"\nenv >"{self.home}/environment"\ncat "{self.home}/says"\ncat "{self.home}/problem" >&2\nexit {code}\n'
        )
        script.chmod(0o755)

    def answer(self, method: str, path: str, headers: dict[str, str], body: Any) -> tuple[int, Any]:
        self.asked.append((method, path, headers))
        for there, statuses in self.refused.items():
            if re.search(there, f"{method} {path}") and statuses:
                return statuses.pop(0), {"message": "Resource not accessible by integration", "detail": "It is refused"}
        parts = urlsplit(path)
        if parts.path.startswith("/repos/o/r/issues"):
            return self.github(method, parts.path, parse_qs(parts.query), body)
        answers = {
            "/api/v1/campaigns/one-1": self.campaign,
            "/api/v1/campaigns/base-1": {"id": "base-1"},
            "/api/v1/campaigns/one-1/report": {"branches": self.branches},
            "/api/v1/campaigns/base-1/report": {"branches": [{"branchId": "b"}]},
            "/api/v1/campaigns": {"items": self.listed},
            "/api/v1/compare": self.comparison,
        }
        if parts.path in answers:
            return 200, answers[parts.path]
        return 404, {"detail": "There is no campaign " + parts.path}

    def github(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        if method == "GET":
            first = (int(query["page"][0]) - 1) * 100
            return 200, self.comments[first : first + 100]
        if method == "POST":
            self.comments.append({"id": len(self.comments) + 1, **body})
            return 201, self.comments[-1]
        number = int(path.rsplit("/", 1)[1])
        if self.comments[number - 1].get("other"):
            return 403, {"message": "Not yours"}
        self.comments[number - 1].update(body)
        return 200, self.comments[number - 1]

    def run_action(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        for name in ("output", "summary"):
            (self.home / name).write_text("")
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "RUNNER_TEMP": str(self.home), "ASSAY_COMMAND": str(self.home / "assay"),
            "GITHUB_OUTPUT": str(self.home / "output"), "GITHUB_STEP_SUMMARY": str(self.home / "summary"), "GITHUB_API_URL": self.url,
            "GITHUB_REPOSITORY": "o/r", "GITHUB_EVENT_PATH": str(self.home / "event.json"), "GITHUB_TOKEN": "gh-secret", "GITHUB_ACTOR": "ann",
            "GITHUB_HEAD_REF": "topic", "GITHUB_BASE_REF": "main", "GITHUB_RUN_ID": "99", "INPUT_CAMPAIGN": "campaign.yaml",
            "INPUT_SERVER": self.url, "ASSAY_API_TOKEN": "assay-secret", "PYTHONDONTWRITEBYTECODE": "1", "ASSAY_PATIENCE": "3", **inputs,
        }  # fmt: skip
        done = subprocess.run([str(ACTION / "run")], cwd=self.home, env=environment, capture_output=True, text=True, timeout=120, check=False)
        for secret in ("gh-secret", "assay-secret"):
            self.assertNotIn(secret, done.stdout + done.stderr + self.text())
        return done

    def outputs(self) -> dict[str, str]:
        text = (self.home / "output").read_text()
        found = {name: value for name, _, value in re.findall(r"^([a-z-]+)<<(\w+)\n(.*?)\n\2$", text, re.M | re.S)}
        return found | dict(re.findall(r"^([a-z-]+)=(.*)$", text, re.M))

    def text(self) -> str:
        return (self.home / "summary").read_text()


class RunTest(Stand):
    def test_the_first_push_makes_a_comment_and_the_second_updates_it(self) -> None:
        self.comments += [{"id": i + 1, "body": "Something else"} for i in range(150)]
        self.comments.append({"id": 151, "body": "<!-- assay:one -->\r\nFake", "other": True})
        first = self.run_action()
        self.assertEqual(0, first.returncode, first.stdout + first.stderr)
        self.campaign["verdict"] = "FAIL"
        self.assertEqual(100, self.run_action().returncode)
        self.assertEqual(152, len(self.comments))
        self.assertTrue(self.comments[-1]["body"].startswith("<!-- assay:one -->\n### Assay: FAIL: `one`\n"), self.comments[-1]["body"])
        self.assertEqual("<!-- assay:one -->\r\nFake", self.comments[150]["body"])
        self.assertEqual(self.comments[-1]["body"], self.text())

    def test_what_is_handed_to_assay(self) -> None:
        self.run_action(INPUT_ARGUMENTS="--trials 5 --case 'a b' --tag=\"$(touch x)\"")
        said = (self.home / "arguments").read_text().split("\n")
        self.assertEqual(["run", "campaign.yaml", "--server", self.url, "--ci", "--yes", "--detach"], said[:7])
        noted = [f"--metadata={one}" for one in ("commit=c0ffee", "branch=topic", "pr=7", "actor=ann", "run=99")]
        self.assertEqual([*noted, "--trials", "5", "--case", "a b", "--tag=$(touch x)", ""], said[7:])
        self.assertIn("ASSAY_API_TOKEN=assay-secret", (self.home / "environment").read_text())
        self.assertNotIn("gh-secret", (self.home / "environment").read_text())
        tokens = {headers.get("Authorization") for _, path, headers in self.asked if path.startswith("/repos")}
        self.assertEqual({"Bearer gh-secret"}, tokens)
        self.assertEqual({"Bearer assay-secret"}, {headers.get("Authorization") for _, path, headers in self.asked if path.startswith("/api")})

    def test_verdicts_and_what_fails(self) -> None:
        expected = {
            ("PASS", "fail"): 0, ("PASS", "inconclusive"): 0, ("PASS", "never"): 0,
            ("FAIL", "fail"): 100, ("FAIL", "inconclusive"): 100, ("FAIL", "never"): 0,
            ("INCONCLUSIVE", "fail"): 0, ("INCONCLUSIVE", "inconclusive"): 101, ("INCONCLUSIVE", "never"): 0,
        }  # fmt: skip
        codes = {"PASS": "0", "FAIL": "100", "INCONCLUSIVE": "101"}
        for (verdict, fail_on), code in expected.items():
            with self.subTest(verdict=verdict, fail_on=fail_on):
                self.campaign["verdict"] = verdict
                done = self.run_action(INPUT_FAIL_ON=fail_on, INPUT_COMMENT="false")
                self.assertEqual(code, done.returncode, done.stdout + done.stderr)
                self.assertEqual((verdict, codes[verdict], "none"), tuple(self.outputs()[one] for one in ("verdict", "exit-code", "comparison")))
                self.assertEqual(verdict == "FAIL", "::error file=campaign.yaml,title=Assay::FAIL: Passed: all." in done.stdout)
                self.assertEqual(verdict == "INCONCLUSIVE", "::warning file=campaign.yaml" in done.stdout)
        self.assertFalse(self.comments)

    def test_a_campaign_that_could_not_run_always_fails(self) -> None:
        for state in ("FAILED", "CANCELLED"):
            self.campaign |= {"state": state, "verdict": None, "failureReason": "It\nbroke"}
            done = self.run_action(INPUT_FAIL_ON="never")
            self.assertEqual((1, "1", ""), (done.returncode, self.outputs()["exit-code"], self.outputs()["verdict"]))
            self.assertIn(f"it is {state}, since It%0Abroke", done.stdout)
        self.campaign |= {"state": "PAUSED", "account": {"paused": {"who": "assay", "reason": "The provider is down"}}}
        done = self.run_action(INPUT_FAIL_ON="never")
        self.assertEqual(1, done.returncode)
        self.assertIn("since The provider is down", done.stdout)
        self.fake_assay("", 2, "The campaign file has 2 errors\n::set-output name=a::b\n")
        done = self.run_action(INPUT_FAIL_ON="never")
        self.assertEqual((1, "1"), (done.returncode, self.outputs()["exit-code"]))
        self.assertIn("::error title=Assay::Input campaign: campaign.yaml could not be started: The campaign file has 2 errors%0A::set-output", done.stdout)

    def test_bad_input_is_one_error_that_names_the_input(self) -> None:
        wrong = {
            "INPUT_CAMPAIGN": "gone.yaml", "INPUT_FAIL_ON": "sometimes", "INPUT_COMMENT": "yes", "INPUT_MAX_DROP": "2",
            "INPUT_SERVER": "ftp://x", "INPUT_BASELINE": "gone-1", "INPUT_ARGUMENTS": "'open",
        }  # fmt: skip
        for name, value in wrong.items():
            with self.subTest(name):
                (self.home / "arguments").unlink(missing_ok=True)
                done = self.run_action(**{name: value})
                self.assertEqual(1, done.returncode)
                errors = [line for line in done.stdout.split("\n") if line.startswith("::error")]
                self.assertEqual(1, len(errors), done.stdout + done.stderr)
                self.assertIn("Input " + name.removeprefix("INPUT_").lower().replace("_", "-"), errors[0])
                self.assertFalse((self.home / "arguments").exists())
        done = self.run_action(INPUT_BASELINE="a", INPUT_SERVER="")
        self.assertIn("Input baseline: it needs a server", done.stdout)

    def test_a_baseline_is_compared(self) -> None:
        for verdict, code in (("PASS", 0), ("FAIL", 100), ("INCONCLUSIVE", 0)):
            self.comparison["verdict"] = verdict
            done = self.run_action(INPUT_BASELINE="latest:one", INPUT_MAX_DROP="0.05")
            self.assertEqual((code, verdict), (done.returncode, self.outputs()["comparison"]), done.stdout + done.stderr)
        query = next(parse_qs(urlsplit(path).query) for _, path, _ in self.asked if path.startswith("/api/v1/campaigns?"))
        self.assertEqual({"state": ["COMPLETED"], "scoring": ["false"], "name": ["one"], "metadata": ["branch=main"], "pageSize": ["1"]}, query)
        query = next(parse_qs(urlsplit(path).query) for _, path, _ in self.asked if path.startswith("/api/v1/compare"))
        self.assertEqual({"a": ["base-1:b"], "b": ["one-1:b"], "maxDrop": ["0.05"]}, query)
        self.assertIn("INCONCLUSIVE: -1.0 [-2.0, +1.0] points", self.text())
        self.assertEqual(20, len(re.findall(r"\| `case-\d+` \|", self.text())))
        self.assertIn("30 cases differ", self.text())
        self.listed.clear()
        done = self.run_action(INPUT_BASELINE="latest:one")
        self.assertEqual((0, "none"), (done.returncode, self.outputs()["comparison"]))
        self.assertIn("::warning title=Assay::Input baseline: no campaign one of the branch main", done.stdout)

    def test_a_fork_may_not_comment(self) -> None:
        self.refused["POST /repos"] = [403] * 100
        done = self.run_action()
        self.assertEqual(0, done.returncode)
        self.assertIn("::warning title=Assay::The workflow may not comment here", done.stdout)
        self.assertIn("### Assay: PASS: `one`", self.text())
        self.assertEqual(1, sum(method == "POST" for method, path, _ in self.asked if path.startswith("/repos")))

    def test_errors_of_github_are_waited_for(self) -> None:
        self.refused["/repos"] = [500, 429, 503]
        self.assertEqual(0, self.run_action(ASSAY_PATIENCE="30").returncode)
        self.assertEqual(1, len(self.comments))
        self.refused["/repos"] = [502] * 100
        done = self.run_action()
        self.assertEqual(0, done.returncode)
        self.assertIn("::warning title=Assay::The workflow could not comment", done.stdout)

    def test_without_a_pull_request_there_is_only_the_summary(self) -> None:
        (self.home / "event.json").write_text("{}")
        self.assertEqual(0, self.run_action().returncode)
        self.assertFalse([path for _, path, _ in self.asked if path.startswith("/repos")])
        self.assertIn("### Assay: PASS", self.text())

    def test_a_release_is_what_its_sum_says(self) -> None:
        releases = self.home / "releases" / "v1.2.3"
        releases.mkdir(parents=True)
        script = (self.home / "assay").read_bytes()
        with tarfile.open(releases / "assay-1.2.3.tar.gz", "w:gz") as tar:
            info = tarfile.TarInfo("assay-1.2.3/bin/assay")
            info.size, info.mode = len(script), 0o755
            tar.addfile(info, io.BytesIO(script))
        digest = hashlib.sha256((releases / "assay-1.2.3.tar.gz").read_bytes()).hexdigest()
        inputs = {"ASSAY_COMMAND": "", "ASSAY_RELEASES": f"file://{self.home}/releases", "INPUT_VERSION": "1.2.3"}
        (releases / "SHA256SUMS").write_text(f"{digest}  assay-1.2.3.tar.gz\n")
        self.assertEqual(0, self.run_action(**inputs).returncode)
        for sums in (f"{'0' * 64}  assay-1.2.3.tar.gz\n", f"{digest}  another.tar.gz\n", ""):
            (releases / "SHA256SUMS").write_text(sums)
            done = self.run_action(**inputs)
            self.assertEqual(1, done.returncode)
            self.assertIn("::error title=Assay::Input version: assay-1.2.3.tar.gz is not what", done.stdout)
        for version in ("9.9.9", "../x", ""):
            done = self.run_action(**{**inputs, "INPUT_VERSION": version})
            self.assertIn("::error title=Assay::Input version", done.stdout)

    @unittest.skipUnless(os.environ.get("ASSAY_TEST_COMMAND"), "no assay to run")
    def test_a_campaign_runs_in_the_job(self) -> None:
        words = json.loads(os.environ["ASSAY_TEST_COMMAND"])
        script = self.home / "real"
        script.write_text("#!/usr/bin/env python3\nimport os, sys\nwords = " + repr(words) + " + sys.argv[1:]\nos.execvp(words[0], words)\n")
        script.chmod(0o755)
        (self.home / "campaign.yaml").write_text(
            "name: a <b> | `c`\ncases: [{id: '@x', prompt: q, checks: [{type: icontains, value: Paris}]}]\n"
            "branches: [{id: right, kind: scripted, script: {answers: [Paris.]}}, {id: wrong, kind: scripted, script: {answers: [Lyon.]}}]\n"
            "gate: {branches: [wrong]}\n"
        )
        done = self.run_action(ASSAY_COMMAND=str(script), INPUT_SERVER="")
        self.assertEqual((100, "FAIL", ""), (done.returncode, self.outputs().get("verdict"), self.outputs().get("url")), done.stdout + done.stderr)
        self.assertIn("### Assay: FAIL: `` a <b> | `c` ``", self.text())
        self.assertIn("| `wrong` | FAIL | 0 of 1 | 0.0 %", self.text())
        self.assertTrue(self.comments)


class TextTest(unittest.TestCase):
    """What models and users wrote is text."""

    def spans_of(self, text: str) -> str:
        """The text without its code spans, as CommonMark finds them."""
        out, place = [], 0
        while found := re.compile("`+").search(text, place):
            end = re.compile(f"(?<!`){found[0]}(?!`)").search(text, found.end())
            out.append(text[place : found.start()])
            place = end.end() if end else len(text)
            self.assertIsNotNone(end, text)
        return "".join(out) + text[place:]

    def setUp(self) -> None:
        for name in ("INPUT_SERVER", "INPUT_MAX_DROP"):
            os.environ.pop(name, None)
        os.environ["ASSAY_URL"] = "http://x"

    def comment_of(self, word: str, several: int = 1) -> str:
        found = {
            "id": "one-1", "name": word, "state": "COMPLETED", "verdict": "FAIL", "costUsd": None,
            "account": {"rule": word, "errors": [{"code": word, "final": 1, "attempts": 1, "newest": word}] * several},
        }  # fmt: skip
        branches = [{"branchId": word, "gated": True, "verdict": "FAIL", "suitePassRate": rate(0), "trialPassRate": rate(0)}] * several
        flips = [{"caseId": word, "a": 1, "b": 0, "difference": -1}]
        return comment.markdown(found, {"branches": branches}, word, {word: {"verdict": "FAIL", "metrics": [], "flips": flips}})

    def test_no_markup_comes_from_what_was_written(self) -> None:
        for word in HOSTILE:
            with self.subTest(word):
                text = self.comment_of(word)
                first, rest = text.split("\n", 1)
                self.assertRegex(first, r"^<!-- assay:[^-<>\n]* -->$")
                # A table is cut at its bars before code spans are found.
                for line in rest.split("\n"):
                    if line.startswith("|"):
                        self.assertNotIn("\\\\|", line)
                        self.assertIn(len(re.findall(r"(?<!\\)\|", line)), (5, 7), line)
                outside = "\n".join(self.spans_of(line) for line in rest.split("\n"))
                self.assertRegex(outside, r"^[\w\s|:.,;?%$+\[\]/()#-]*$")
                self.assertEqual(["### Assay: FAIL: "], [line for line in outside.split("\n") if "#" in line])
                self.assertFalse(re.search(r"[\x00-\x09\x0b-\x1f\u200b\u202e\ud800]", text))

    def test_it_is_cut_at_60_000_characters(self) -> None:
        text = self.comment_of("x" * 300, several=1000)
        self.assertLessEqual(len(text), 60_000)
        self.assertTrue(text.endswith(comment.CUT))
        self.assertGreater(len(text), 59_000)

    def test_commands_are_one_line(self) -> None:
        for word in HOSTILE:
            shown = io.StringIO()
            was, sys.stdout = sys.stdout, shown
            try:
                comment.command("error", word, file=word)
            finally:
                sys.stdout = was
            self.assertEqual(1, shown.getvalue().count("\n"))
            self.assertRegex(shown.getvalue(), r"^::error file=[^:,\n]*::")


if __name__ == "__main__":
    unittest.main()
