"""Campaigns on a running server."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from conftest import campaign, drop, forward, reply

import assay_eval
from assay_eval import AssayError, Client, Conflict, InvalidInput, NotFound, UnsupportedFile

SLOW = {"kind": "scripted", "script": {"answers": ["Paris."], "delayMs": 300}}


def slow(name, cases=40):
    return campaign(
        name, cases=cases, branches=[{"id": "slow", **SLOW}], limits={"maxConcurrent": 2}, gate={"passThreshold": 1.0}
    )


def test_submits_waits_and_reads(client):
    seen = []
    run = client.submit(campaign(cases=3, trials=2, gate={"branches": ["wrong"]}), metadata={"commit": "3f2a91c"})
    result = run.wait(timeout=60, on_progress=seen.append)

    assert (result.state, result.verdict, result.exit_code) == ("COMPLETED", "FAIL", 100)
    assert "wrong" in result.reason
    assert (run.state, run.verdict, run.metadata) == ("COMPLETED", "FAIL", {"commit": "3f2a91c"})
    assert (seen[-1].state, seen[-1].cells_done, seen[-1].cells_total) == ("COMPLETED", 12, 12)
    # A build that is no release calls itself so.
    assert client.server_version in ("1.0.0-rc.1", "development")
    outcomes = run.outcomes(passed=False)
    assert [one["response"] for one in outcomes] == ["Lyon."] * 6
    assert len(list(outcomes)) == 6
    assert len(list(run.outcomes(case_id="case-1", branch_id="right", trial=2, status="COMPLETED"))) == 1
    assert [one["branch_id"] for one in run.report().to_dicts()] == ["right", "wrong"]
    assert run.report(cases=True).branches[0]["cases"]
    comparison = client.compare(f"{run.id}:right", f"{run.id}:wrong", max_drop=0.5)
    assert [flip["difference"] for flip in comparison.flips] == [-1] * 3
    assert comparison.metrics["trial-rate"]["difference"]["value"] == -1


@pytest.mark.parametrize(
    ("answer", "gate", "verdict", "code"),
    [("Paris.", {}, "PASS", 0), ("Lyon.", {}, "FAIL", 100)],
)
def test_exit_codes_are_those_of_the_command_line(client, answer, gate, verdict, code):
    branches = [{"id": "only", "kind": "scripted", "script": {"answers": [answer]}}]
    result = client.submit(campaign(branches=branches, gate=gate)).wait(60)
    assert (result.verdict, result.exit_code) == (verdict, code)


def test_a_campaign_that_was_cancelled_has_the_exit_code_1(client):
    run = client.submit(slow("cancelled"))
    assert run.pause().state == "PAUSED"
    assert run.cancel().wait(60).exit_code == 1
    assert run.state == "CANCELLED"


def test_reruns_and_finds_campaigns(client):
    run = client.submit(campaign("found", gate={"branches": ["right"]}), metadata={"branch": "a,b=c", "pr": "7"})
    assert run.wait(60).exit_code == 0
    assert run.rerun("failed", branches=["wrong"]).wait(60).state == "COMPLETED"
    assert [one.id for one in client.campaigns(name="found", metadata={"branch": "a,b=c"}, state="COMPLETED")] == [run.id]
    assert not list(client.campaigns(name="found", metadata={"branch": "a"}))
    assert client.campaign(run.id).name == "found"
    single = [{"id": "b", "kind": "scripted", "script": {"answers": ["Paris."]}}]
    before, after = (client.submit(campaign(name, branches=single)) for name in ("before", "after"))
    before.wait(60)
    after.wait(60)
    assert client.compare(before, after.id).metrics["trial-rate"]["difference"]["value"] == 0


def test_pages_are_asked_as_they_are_needed(client):
    run = client.submit(campaign("pages", cases=600, branches=[{"id": "b", "kind": "scripted", "script": {"answers": ["Paris."]}}]))
    run.wait(120)
    assert len({one["caseId"] for one in run.outcomes()}) == 600
    first = next(iter(run.outcomes()))
    assert first["caseId"] == "case-0"


def test_a_lost_answer_makes_one_campaign(server, stand_in):
    lost = []

    def answer(handler, body):
        status, content, headers = forward(handler, body, server.port)
        if handler.command == "POST" and len(lost) < 2:
            lost.append(content)
            return drop(handler)
        return reply(handler, status, content, Assay_Version=headers["Assay-Version"])

    proxy = stand_in(answer)
    run = Client(proxy.url, retry_seconds=20).submit(campaign("lost"))
    assert [json.loads(one)["id"] for one in lost] == [run.id] * 2
    assert len({request[2]["Idempotency-Key"] for request in proxy.seen}) == 1
    assert len(list(Client(server.url).campaigns(name="lost"))) == 1


def test_a_rerun_whose_answer_is_lost_is_not_sent_again(server, stand_in):
    run = Client(server.url).submit(campaign("once"))
    run.wait(60)
    proxy = stand_in(lambda handler, body: drop(handler) if "rerun" in handler.path else reply(handler, 200, {"id": run.id}))
    with pytest.raises(assay_eval.Unavailable):
        Client(proxy.url).campaign(run.id).rerun(whole=True)
    assert sum("rerun" in request[1] for request in proxy.seen) == 1


def test_the_same_key_with_another_campaign_is_a_conflict(client):
    run = client.submit(campaign("key"), idempotency_key="mine")
    assert client.submit(campaign("key"), idempotency_key="mine").id == run.id
    with pytest.raises(Conflict):
        client.submit(campaign("other"), idempotency_key="mine")


def test_wait_outlives_a_server_that_is_killed(server, client):
    run = client.submit(slow("restarted"))
    begun = threading.Event()
    ended = []

    def follow():
        ended.append(Client(server.url, retry_seconds=90).campaign(run.id).wait(120, on_progress=lambda _: begun.set()))

    thread = threading.Thread(target=follow)
    thread.start()
    assert begun.wait(30)
    server.kill()
    server.start()
    thread.join(120)
    assert ended and ended[0].verdict == "PASS"


def test_ctrl_c_and_a_timeout_leave_the_campaign_running(server, client):
    run = client.submit(slow("interrupted"))
    with pytest.raises(TimeoutError, match="goes on"):
        run.wait(0.5)
    program = textwrap.dedent(
        """
        import signal
        import sys
        from assay_eval import Client
        # Whoever starts the tests in the background may have it ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        run = Client(sys.argv[1]).campaign(sys.argv[2])
        try:
            run.wait(on_progress=lambda _: print("waits", flush=True))
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program, server.url, run.id], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "waits\n"
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert said.endswith("interrupted\n") and process.returncode == 0
    assert run.refresh().state == "RUNNING"
    run.cancel()


def test_a_file_with_its_suite(client, tmp_path: Path):
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites" / "two.jsonl").write_text('{"id": "a", "prompt": "no"}\n\n{"id": "b", "prompt": "off"}\n')
    (tmp_path / "list.yaml").write_text("- {id: a, prompt: off}\n")
    for suite, name, cases in (("suites/two.jsonl", "two", 2), ("list.yaml", "list", 1)):
        (tmp_path / "campaign.yaml").write_text(
            f"name: no\nsuite: {suite}\nbranches:\n  - {{id: b, kind: scripted, script: {{answers: [off]}}}}\nmetadata: {{commit: old, pr: '1'}}\n"
        )
        run = client.submit(tmp_path, metadata={"commit": "new"})
        assert (run.name, run.data["suite"], run.data["cases"]) == ("no", name, cases)
        assert run.metadata == {"commit": "new", "pr": "1"}


def test_a_text_is_read_by_the_server(client):
    run = client.submit("name: text\ncases: [{id: a, prompt: b}]\nbranches: [{id: b, kind: scripted, script: {answers: [x]}}]\n")
    assert run.name == "text"
    with pytest.raises(InvalidInput, match="^Line [23], column"):
        client.submit("name: text\ncases: [\n")


def test_errors_have_their_paths(client):
    with pytest.raises(InvalidInput) as caught:
        client.submit(campaign(trials=0, branch=[]))
    assert {"trials", "branch"} <= {error.path for error in caught.value.errors}
    assert "  trials: " in str(caught.value) and caught.value.code == "INVALID_INPUT" and caught.value.status == 422
    with pytest.raises(NotFound) as missing:
        client.campaign("no/../body")
    assert missing.value.code == "NOT_FOUND"
    with pytest.raises(InvalidInput):
        client.submit(campaign(), metadata={"Commit": "1"})


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"suite": "prompts.csv"}, "suite"),
        ({"checks": "checks.toml"}, "checks"),
        ({"code": "code"}, "code"),
        ({"branches": [{"id": "a", "kind": "replay", "cassette": "a.jsonl"}]}, "branches[0].cassette"),
        ({"branches": [{"id": "a", "kind": "command", "workspace": "dir"}]}, "branches[0].workspace"),
        ({"strategy": {"judge": {"cassette": "a"}, "panel": [{"cassette": "b"}]}}, "strategy.judge.cassette"),
        ({"grader": {"cassette": "a"}}, "grader.cassette"),
    ],
)
def test_what_only_the_command_line_reads_is_named(client, tmp_path, change, where):
    file = tmp_path / "campaign.json"
    file.write_text(json.dumps({**campaign(), **change}))
    with pytest.raises(UnsupportedFile) as caught:
        client.submit(file)
    assert where in [error.path for error in caught.value.errors]
    assert f"assay run {file} --server {client.server}" in str(caught.value)


def test_files_of_other_tools_and_missing_files(client, tmp_path):
    (tmp_path / "promptfooconfig.yaml").write_text("prompts: [a]\nproviders: [b]\n")
    for name in (tmp_path / "promptfooconfig.yaml", tmp_path / "task.py", tmp_path):
        with pytest.raises(UnsupportedFile, match="assay run"):
            client.submit(name)
    with pytest.raises(FileNotFoundError):
        client.submit(tmp_path / "campaign.yaml")
    with pytest.raises(InvalidInput, match="suite: .*gone.yaml"):
        client.submit({**campaign(), "suite": str(tmp_path / "gone.yaml")})


def test_texts_that_a_terminal_or_a_database_would_not_take(client):
    with pytest.raises(AssayError) as caught:
        client.submit(campaign(name="a\x00b"))
    assert "\x00" not in str(caught.value)
    with pytest.raises(AssayError) as caught:
        client.submit({**campaign(), "\x1b[31mred": 1})
    assert "\x1b" not in str(caught.value)
    with pytest.raises(InvalidInput, match="no JSON"):
        client.submit(campaign(trials=float("nan")))


def test_notebooks_show_text(client):
    run = client.submit(campaign("<script>alert(1)</script> $x$"), metadata={"note": '"><img src=x>'})
    run.wait(60)
    shown = run._repr_html_() + run.report()._repr_html_()
    assert "<script" not in shown and "<img" not in shown and "&lt;script&gt;" in shown and "mathjax_ignore" in shown


def test_the_generated_client_comes_along(client):
    from assay_eval._api import CampaignsApi

    run = client.submit(campaign("generated"))
    run.wait(60)
    assert CampaignsApi(client.api).get_campaign(run.id).state == "COMPLETED"


def test_it_is_the_wheel_that_is_tested():
    assert "site-packages" in assay_eval.__file__
    assert Path(assay_eval.__file__).with_name("py.typed").is_file()
    assert assay_eval.__version__ == "1.0.0rc1"


def test_import_is_fast():
    times = []
    for _ in range(3):
        started = time.monotonic()
        subprocess.run([sys.executable, "-c", "import assay_eval"], check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
        times.append(time.monotonic() - started)
    # On a busy machine, with the start of Python: 0.5 s are to reach on an idle one.
    assert min(times) < 2
    said = subprocess.run(
        [sys.executable, "-c", "import assay_eval, sys; print([m for m in ('pandas', 'pydantic', 'assay_eval._api') if m in sys.modules])"],
        check=True, capture_output=True, text=True,
    )
    assert said.stdout == "[]\n"
