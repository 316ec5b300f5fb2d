"""Frames: their columns and types, and what is not known."""
from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest
from conftest import campaign, drop, reply

from assay_eval import AssayError, Client, InvalidInput

TYPES = {
    "campaign": "string", "case_id": "string", "branch_id": "string", "status": "string", "response": "string",
    "error_code": "string", "error_message": "string", "finish_reason": "string", "trial": "Int64", "input_tokens": "Int64",
    "output_tokens": "Int64", "total_tokens": "Int64", "latency_ms": "Int64", "attempts": "Int64", "passed": "boolean",
    "selected": "boolean", "score": "Float64", "cost_usd": "Float64", "tags": "object", "metrics": "object", "checks": "object",
    "warnings": "object",
}
FULL = {
    "caseId": "a", "branchId": "b", "trial": 1, "status": "MODEL_ERROR", "passed": None, "selected": False, "response": "nan \x00",
    "usage": {"input": None, "output": 3, "total": None}, "costUsd": 0.1, "latencyMs": 12, "attempts": 2,
    "error": {"code": "TIMEOUT", "message": "NaN"}, "score": None, "metrics": {}, "checks": [], "warnings": ["w"], "finishReason": None,
    "finishedAt": "2026-11-27T12:00:00Z", "new": 1,
}  # fmt: skip


def check_types(frame):
    assert {name: str(kind) for name, kind in frame.dtypes.items() if name != "finished_at"} == TYPES
    assert list(frame.columns).index("finished_at") == 18
    assert str(frame["finished_at"].dtype).startswith("datetime64[") and str(frame["finished_at"].dtype).endswith(", UTC]")


def exported(stand_in, lines, cases=()):
    def answer(handler, _):
        if "/cases" in handler.path:
            return reply(handler, 200, {"items": list(cases), "nextFrom": None})
        if "/export" in handler.path:
            return reply(handler, 200, b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        return reply(handler, 200, {"id": "one", "state": "COMPLETED"})

    return Client(stand_in(answer).url, retry_seconds=5).campaign("one")


def test_what_is_not_known_is_missing(stand_in):
    import pandas

    exact = {**FULL, "finishedAt": "2026-11-27T12:00:00.123456Z", "usage": {"input": 2**60, "output": 0, "total": 0}, "passed": True, "score": 1}
    frame = exported(stand_in, [FULL, exact], [{"id": "a", "tags": ["geo"]}]).outcomes().to_df()
    check_types(frame)
    one = frame.iloc[0]
    for name in ("finish_reason", "input_tokens", "total_tokens", "passed", "score"):
        assert one[name] is pandas.NA, name
    assert (one["response"], one["error_message"], one["output_tokens"], one["cost_usd"]) == ("nan \x00", "NaN", 3, 0.1)
    assert one["tags"] == ["geo"] and one["warnings"] == ["w"]
    assert frame.iloc[1]["input_tokens"] == 2**60 and bool(frame.iloc[1]["passed"])
    assert frame["finished_at"].iloc[1] == pandas.Timestamp("2026-11-27T12:00:00.123456Z")
    assert frame["tags"].iloc[0] is not frame["tags"].iloc[1]


def test_an_empty_frame_has_the_same_types(stand_in):
    frame = exported(stand_in, []).outcomes().to_df()
    assert len(frame) == 0
    check_types(frame)


def test_filters_are_those_of_the_api(client):
    run = client.submit(campaign("frames", cases=3, trials=2))
    run.wait(60)
    check_types(run.outcomes().to_df())
    frame = run.outcomes(passed=False, trial=2).to_df()
    assert len(frame) == 3 and set(frame["branch_id"]) == {"wrong"} and not frame["passed"].any()
    assert frame["tags"].tolist() == [[], ["geo"], []]
    with pytest.raises(InvalidInput, match="no case nobody"):
        run.outcomes(case_id="nobody").to_df()
    check_types(run.outcomes(status="TIMED_OUT").to_df())
    assert run.outcomes(passed=True).to_dicts()[0]["branch_id"] == "right"
    assert run.outcomes(passed=True).to_dicts()[0]["cost_usd"] is None


def test_reports_are_frames_too(client):
    run = client.submit(campaign("report"))
    run.wait(60)
    frame = run.report().to_df()
    assert frame["branch_id"].tolist() == ["right", "wrong"] and frame["trial_pass_rate"].tolist() == [1.0, 0.0]
    assert str(frame["trials"].dtype) == "Int64" and str(frame["cost_usd"].dtype) == "Float64" and frame["cost_usd"].isna().all()


@pytest.mark.parametrize("content", [b"no json\n", b"[]\n", b'{"caseId": "a"'])
def test_a_line_that_is_no_outcome_is_an_error(stand_in, content):
    there = stand_in(lambda handler, _: reply(handler, 200, content if "export" in handler.path else {"id": "one", "items": []}))
    with pytest.raises(AssayError, match="no outcome"):
        Client(there.url).campaign("one").outcomes().to_df()


def test_an_export_that_breaks_off_is_asked_again(stand_in):
    tries = []

    def answer(handler, _):
        if "export" not in handler.path:
            return reply(handler, 200, {"id": "one", "items": []})
        tries.append(1)
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.send_header("Assay-Version", "1.0.0-rc.1")
        handler.end_headers()
        line = json.dumps(FULL).encode() + b"\n"
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        if len(tries) == 1:
            return drop(handler)
        handler.wfile.write(b"0\r\n\r\n")

    there = stand_in(answer)
    assert len(Client(there.url).campaign("one").outcomes().to_df()) == 1 and len(tries) == 2
    tries.clear()


def test_without_pandas_it_says_what_to_install(stand_in, monkeypatch):
    run = exported(stand_in, [FULL])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r'pip install "assay-eval\[pandas\]"'):
        run.outcomes().to_df()
    assert run.outcomes().to_dicts()[0]["response"] == "nan \x00"


def test_a_hundred_thousand_rows_fit_in_a_gigabyte(stand_in):
    line = json.dumps({**FULL, "response": "x" * 500, "checks": [{"type": "icontains", "status": "FAILED", "score": 0, "reason": "It is not there"}]})
    content = (line.encode() + b"\n") * 100_000

    def answer(handler, _):
        if "export" in handler.path:
            return reply(handler, 200, content)
        return reply(handler, 200, {"id": "one", "items": [], "nextFrom": None})

    program = textwrap.dedent(
        """
        import resource, sys
        from assay_eval import Client
        frame = Client(sys.argv[1]).campaign("one").outcomes().to_df()
        print(len(frame), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        """
    )
    said = subprocess.run([sys.executable, "-c", program, stand_in(answer).url], check=True, capture_output=True, text=True).stdout
    rows, mebibytes = map(int, said.split())
    assert rows == 100_000 and mebibytes < 1024
