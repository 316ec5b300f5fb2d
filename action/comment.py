#!/usr/bin/env python3
"""Reads a campaign's result, and writes what people see of it: GitHub's outputs, the step's summary, the comment on a pull request.

    comment.py arguments FILE                writes further arguments of `assay run`, each ended by U+0000
    comment.py baseline FILE                 writes the id of the baseline; nothing where there is none
    comment.py result CAMPAIGN BASELINE      waits for the campaign; the exit code is the step's

What models and users wrote is text: it stands in code spans, in which GitHub finds no markup, link, mention or reference.
Only Python's library is needed.
"""
from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import sys
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, NoReturn, TypeVar

MOST = 60_000
LONGEST = 300
FLIPS = 20
ENDED = ("COMPLETED", "FAILED", "CANCELLED")
EXIT_CODES = {"PASS": 0, "FAIL": 100, "INCONCLUSIVE": 101}
AGAIN = (429, 500, 502, 503, 504)
T = TypeVar("T")
CUT = "\n_The rest is cut: a comment is at most 60,000 characters long._\n"


class Answer(Exception):
    """An answer that is an error; status 0: there was none."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Here(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: a token goes nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


OPENER = urllib.request.build_opener(Here)


# --- requests


def ask(url: str, token: str | None, method: str = "GET", body: Any = None, kind: str = "application/json") -> Any:
    """The answer as JSON; raises Answer."""
    headers = {"Accept": kind, "User-Agent": "assay-action"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    try:
        with OPENER.open(urllib.request.Request(url, data, headers, method=method), timeout=60) as answer:
            return json.loads(answer.read(64 * 1024 * 1024))
    except urllib.error.HTTPError as wrong:
        text = wrong.read(64 * 1024).decode("utf-8", "replace")
        status = wrong.code
        # GitHub says by 403 that there are too many requests, too.
        if status == 403 and (wrong.headers.get("Retry-After") or wrong.headers.get("X-RateLimit-Remaining") == "0"):
            status = 429
        raise Answer(status, said(text) or f"the answer was {status}") from None
    except (OSError, ValueError) as lost:
        raise Answer(0, str(lost)) from None


def said(text: str) -> str:
    """What a problem document, or GitHub's answer, says."""
    try:
        document = json.loads(text)
    except ValueError:
        return ""
    return str(document.get("detail") or document.get("message") or "") if isinstance(document, dict) else ""


def patiently(seconds: float, once: Callable[[], T]) -> T:
    """What is asked for; asked again for some seconds while the other side cannot answer."""
    until = time.monotonic() + seconds
    wait = 0.5
    while True:
        try:
            return once()
        except Answer as wrong:
            if (wrong.status and wrong.status not in AGAIN) or time.monotonic() + wait > until:
                raise
        time.sleep(wait)
        wait = min(wait * 2, 10)


def assay(path: str, query: Iterable[tuple[str, str]] = ()) -> Any:
    url = os.environ["ASSAY_URL"] + "/api/v1" + path + "?" + urllib.parse.urlencode(list(query))
    return patiently(120, lambda: ask(url, os.environ.get("ASSAY_API_TOKEN")))


# --- GitHub's commands


def command(kind: str, text: str, **properties: str) -> None:
    """A line that GitHub reads. Nothing in it ends the line, or begins another command."""

    def escaped(value: str, more: str = "") -> str:
        for one in "%\r\n" + more:
            value = value.replace(one, f"%{ord(one):02X}")
        return value.encode("utf-8", "replace").decode("utf-8")

    named = ",".join(f"{name}={escaped(value, ':,')}" for name, value in properties.items())
    print(f"::{kind}{' ' + named if named else ''}::{escaped(text)}", flush=True)


def fail(text: str) -> NoReturn:
    command("error", text, title="Assay")
    raise SystemExit(1)


def output(values: Mapping[str, str]) -> None:
    file = os.environ.get("GITHUB_OUTPUT")
    if file:
        with open(file, "a", encoding="utf-8") as out:
            for name, value in values.items():
                end = secrets.token_hex(16)
                out.write(f"{name}<<{end}\n{value}\n{end}\n")


def event() -> dict[str, Any]:
    file = os.environ.get("GITHUB_EVENT_PATH")
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8")) if file else {}
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def pull_request() -> dict[str, Any]:
    found = event().get("pull_request")
    return found if isinstance(found, dict) else {}


# --- before the campaign


def arguments() -> list[str]:
    """What the user wrote, and what is noted of the campaign."""
    try:
        words = shlex.split(os.environ.get("INPUT_ARGUMENTS", ""))
    except ValueError as wrong:
        fail(f"Input arguments: {wrong}")
    request = pull_request()
    noted = {
        "commit": (request.get("head") or {}).get("sha") or os.environ.get("GITHUB_SHA"),
        "branch": os.environ.get("GITHUB_HEAD_REF") or os.environ.get("GITHUB_REF_NAME"),
        "pr": str(request.get("number") or ""),
        "actor": os.environ.get("GITHUB_ACTOR"),
        "run": os.environ.get("GITHUB_RUN_ID"),
    }
    return [f"--metadata={name}={value[:255]}" for name, value in noted.items() if value] + words


def baseline() -> str:
    wanted = os.environ.get("INPUT_BASELINE", "")
    if not wanted:
        return ""
    try:
        if not wanted.startswith("latest:"):
            return str(assay("/campaigns/" + urllib.parse.quote(wanted, safe=""))["id"])
        name = wanted[len("latest:") :]
        branch = os.environ.get("GITHUB_BASE_REF") or os.environ.get("GITHUB_REF_NAME") or ""
        query = [("state", "COMPLETED"), ("scoring", "false"), ("name", name), ("metadata", f"branch={branch}"), ("pageSize", "1")]
        found = assay("/campaigns", query)["items"]
    except Answer as wrong:
        fail(f"Input baseline: {wanted} cannot be read from the server: {wrong}")
    if not found:
        command("warning", f"Input baseline: no campaign {name} of the branch {branch} is completed yet, so nothing is compared", title="Assay")
        return ""
    return str(found[0]["id"])


# --- the result


def waited(campaign: str) -> dict[str, Any]:
    """The campaign when it has ended, or when Assay itself has paused it."""
    shown = None
    while True:
        found = assay("/campaigns/" + campaign)
        progress = found.get("progress") or {}
        line = f"{found.get('state')}: {progress.get('cellsDone')} of {progress.get('cellsTotal')} cells"
        if line != shown:
            print(line, flush=True)
            shown = line
        if found.get("state") in ENDED or paused(found):
            return dict(found)
        time.sleep(1)


def paused(campaign: Mapping[str, Any]) -> str | None:
    """Why Assay itself paused it; None: it did not."""
    why = ((campaign.get("account") or {}).get("paused")) or {}
    return str(why.get("reason") or "it does not say why") if campaign.get("state") == "PAUSED" and why.get("who") == "assay" else None


def compared(base: str, campaign: str, branches: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The comparison of each branch that both campaigns have, by its id."""
    found = {}
    there = {one["branchId"] for one in assay(f"/campaigns/{base}/report", [("cases", "false")])["branches"]}
    for branch in branches:
        if branch in there:
            query = [("a", f"{base}:{branch}"), ("b", f"{campaign}:{branch}"), ("maxDrop", os.environ.get("INPUT_MAX_DROP") or "0.02")]
            found[branch] = assay("/compare", query)
    return found


def together(comparisons: Mapping[str, Mapping[str, Any]]) -> str:
    verdicts = [str(one.get("verdict")) for one in comparisons.values()]
    return next((word for word in ("FAIL", "INCONCLUSIVE", "PASS") if word in verdicts), "none")


def result(campaign: str, base: str) -> int:
    try:
        found = waited(campaign)
        report = assay(f"/campaigns/{campaign}/report", [("cases", "false")])
        comparisons = {}
        if base and found.get("state") == "COMPLETED":
            comparisons = compared(base, campaign, [one["branchId"] for one in report["branches"]])
    except Answer as wrong:
        output({"campaign": campaign, "verdict": "", "comparison": "none", "exit-code": "1"})
        fail(f"The result of {campaign} cannot be read: {wrong}")
    text = markdown(found, report, base, comparisons)
    file = Path(os.environ.get("ASSAY_WORK") or ".", "comment.md")
    file.write_text(text, encoding="utf-8")
    comparison, verdict = together(comparisons), str(found.get("verdict") or "")
    code = EXIT_CODES.get(verdict, 1) if found.get("state") == "COMPLETED" else 1
    output(
        {
            "campaign": campaign,
            "verdict": verdict,
            "comparison": comparison,
            "exit-code": str(code),
            "report": str(file),
            "url": page(campaign),
        }
    )
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a", encoding="utf-8") as out:
            out.write(text)
    if os.environ.get("INPUT_COMMENT", "true") == "true":
        comment(text)
    return concluded(found, comparison, code)


def concluded(found: Mapping[str, Any], comparison: str, code: int) -> int:
    """Says what decided, and gives the exit code of the step."""
    file = {"file": os.environ.get("INPUT_CAMPAIGN", ""), "title": "Assay"}
    rule = str((found.get("account") or {}).get("rule") or "")
    if found.get("state") != "COMPLETED":
        why = paused(found) or found.get("failureReason") or "a person ended it"
        command("error", f"The campaign {found.get('id')} could not run: it is {found.get('state')}, since {why}", **file)
        return 1
    words = {EXIT_CODES["FAIL"]: "FAIL", EXIT_CODES["INCONCLUSIVE"]: "INCONCLUSIVE"}
    verdicts = {words.get(code, "PASS"): rule}
    if comparison in words.values():
        verdicts.setdefault(comparison, "The comparison with the baseline says so.")
    for word, level in (("FAIL", "error"), ("INCONCLUSIVE", "warning")):
        if word in verdicts:
            command(level, f"{word}: {verdicts[word]}", **file)
    fails = {"fail": ("FAIL",), "inconclusive": ("FAIL", "INCONCLUSIVE"), "never": ()}[os.environ.get("INPUT_FAIL_ON") or "fail"]
    if not any(word in verdicts for word in fails):
        return 0
    return code if code in words and words[code] in fails else EXIT_CODES[comparison]


# --- the text


def plain(value: Any) -> str:
    """One line of characters that can be seen."""
    shown = "".join(
        f"\\u{ord(one):04x}" if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp") else one for one in str(value)[: 2 * LONGEST]
    )
    return shown if len(shown) <= LONGEST else shown[:LONGEST] + "…"


def cell(value: Any) -> str:
    """The text in a code span of a table, of which it ends no cell: a bar has one backslash before it, and no other."""
    return code(re.sub(r"\\(?=\|)", r"\\ ", plain(value)).replace("|", "\\|"))


def code(value: Any) -> str:
    """The text in a code span, which it cannot end."""
    text = plain(value) or "(empty)"
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{fence} {text} {fence}" if "`" in text or text != text.strip() else f"{fence}{text}{fence}"


def percent(value: float | None) -> str:
    return "?" if value is None else f"{100 * value:.1f} %"


def rate(found: Mapping[str, Any] | None) -> str:
    found = found or {}
    if found.get("value") is None:
        return "?"
    interval = "" if found.get("low") is None else f" [{percent(found['low'])}, {percent(found.get('high'))}]"
    return percent(found["value"]) + interval


def points(difference: Mapping[str, Any] | None) -> str:
    difference = difference or {}
    if difference.get("value") is None:
        return "?"
    shown = f"{100 * difference['value']:+.1f}"
    if difference.get("low") is not None and difference.get("high") is not None:
        shown += f" [{100 * difference['low']:+.1f}, {100 * difference['high']:+.1f}]"
    return shown + " points"


def dollars(value: float | None) -> str:
    return "?" if value is None else f"${value:.4f}"


def page(campaign: str) -> str:
    """The page of a campaign on a server that stays; else empty."""
    return f"{os.environ['ASSAY_URL']}/ui/campaigns/{campaign}" if os.environ.get("INPUT_SERVER") else ""


def marker(name: str) -> str:
    """The first line, by which a later push finds the comment. It cannot end the comment that it is."""
    return f"<!-- assay:{urllib.parse.quote(name[:200], safe=' ', errors='replace').replace('-', '%2D')} -->"


def markdown(
    found: Mapping[str, Any], report: Mapping[str, Any], base: str, comparisons: Mapping[str, Mapping[str, Any]]
) -> str:
    account = found.get("account") or {}
    name, identity = str(found.get("name", "")), str(found.get("id", ""))
    standing = str(found.get("verdict") or found.get("state"))
    lines = [marker(name), f"### Assay: {standing}: {code(name)}", ""]
    why = paused(found) or found.get("failureReason") or account.get("rule")
    if why:
        lines += [code(why), ""]
    lines += branch_table(report, comparisons)
    if base:
        lines += baseline_lines(base, comparisons)
    errors = account.get("errors") or []
    if errors:
        lines += ["", "| error | cells | attempts | newest words |", "|---|---|---|---|"]
        lines += [f"| {cell(one.get('code'))} | {one.get('final')} | {one.get('attempts')} | {cell(one.get('newest') or '')} |" for one in errors]
    lines += ["", f"Cost: {dollars(found.get('costUsd'))}. Campaign {code(identity)}."]
    if page(identity):
        lines.append(f"[Its page]({urllib.parse.quote(page(identity), safe=':/[]')})")
    return fitted(lines)


def branch_table(report: Mapping[str, Any], comparisons: Mapping[str, Mapping[str, Any]]) -> list[str]:
    more = " against the baseline |" if comparisons else ""
    lines = [f"| branch | verdict | cases passed | trials passed | cost |{more}", "|---|---|---|---|---|" + ("---|" if more else "")]
    for branch in report.get("branches") or []:
        cases, trials = branch.get("suitePassRate") or {}, branch.get("trialPassRate") or {}
        row = [
            cell(branch.get("branchId")),
            str(branch.get("verdict")) if branch.get("gated") else "not gated",
            f"{cases.get('successes')} of {cases.get('denominator')}",
            rate(trials),
            dollars((branch.get("spend") or {}).get("costUsd")),
        ]
        if more:
            row.append(difference(comparisons.get(str(branch.get("branchId")))))
        lines.append("| " + " | ".join(row) + " |")
    return lines


def difference(comparison: Mapping[str, Any] | None) -> str:
    if comparison is None:
        return "not in the baseline"
    metric = next((one for one in comparison.get("metrics") or [] if one.get("name") == "trial-rate"), {})
    return f"{comparison.get('verdict')}: {points(metric.get('difference'))}"


def baseline_lines(base: str, comparisons: Mapping[str, Mapping[str, Any]]) -> list[str]:
    lines = ["", f"Baseline: {code(base)}. The rate of trials may drop by {percent(float(os.environ.get('INPUT_MAX_DROP') or 0.02))}."]
    flips = [(branch, flip) for branch, one in comparisons.items() for flip in one.get("flips") or []]
    if flips:
        lines += ["", f"{len(flips)} cases differ; the first {min(FLIPS, len(flips))}:", "", "| case | branch | before | now |", "|---|---|---|---|"]
        lines += [
            f"| {cell(flip.get('caseId'))} | {cell(branch)} | {percent(flip.get('a'))} | {percent(flip.get('b'))} |"
            for branch, flip in sorted(flips, key=lambda one: one[1].get("difference") or 0)[:FLIPS]
        ]
    return lines


def fitted(lines: Iterable[str]) -> str:
    """As many whole lines as a comment takes."""
    kept, size = [], 0
    for line in lines:
        size += len(line) + 1
        if size > MOST - len(CUT):
            return "\n".join(kept) + "\n" + CUT
        kept.append(line)
    return "\n".join(kept) + "\n"


# --- the comment


def comment(text: str) -> None:
    """Writes or updates the comment. Where that is not possible, a warning says so, and nothing fails."""
    number, token = pull_request().get("number"), os.environ.get("GITHUB_TOKEN")
    if not number:
        return
    if not token:
        command("warning", "There is no token to comment with; the summary of the step has the result", title="Assay")
        return
    repository = f"{os.environ.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{os.environ.get('GITHUB_REPOSITORY', '')}"
    try:
        # The list is read anew each time: a comment may be there although the answer was lost.
        patiently(float(os.environ.get("ASSAY_PATIENCE", "60")), lambda: write(repository, int(number), token, text))
    except Answer as wrong:
        why = "may not comment here, as in a pull request of a fork" if wrong.status in (401, 403, 404) else "could not comment"
        command("warning", f"The workflow {why} ({wrong}); the summary of the step has the result", title="Assay")


def write(repository: str, number: int, token: str, text: str) -> None:
    kind = "application/vnd.github+json"
    first = text.split("\n", 1)[0]
    for there in own(repository, number, token, first):
        try:
            ask(f"{repository}/issues/comments/{there}", token, "PATCH", {"body": text}, kind)
            return
        except Answer as wrong:
            # Somebody else's comment with the same first line, or one that was deleted meanwhile.
            if wrong.status not in (403, 404):
                raise
    ask(f"{repository}/issues/{number}/comments", token, "POST", {"body": text}, kind)


def own(repository: str, number: int, token: str, first: str) -> list[int]:
    """Comments with this first line, the oldest first."""
    found: list[int] = []
    for sheet in range(1, 31):
        url = f"{repository}/issues/{number}/comments?per_page=100&page={sheet}"
        comments = ask(url, token, kind="application/vnd.github+json")
        found += [int(one["id"]) for one in comments if str(one.get("body") or "").replace("\r", "").split("\n", 1)[0] == first]
        if len(comments) < 100:
            break
    return found


def main() -> int:
    match sys.argv[1:]:
        case ["arguments", file]:
            Path(file).write_text("".join(word + "\0" for word in arguments()), encoding="utf-8")
        case ["baseline", file]:
            Path(file).write_text(baseline(), encoding="utf-8")
        case ["result", campaign, base]:
            return result(campaign, base)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
