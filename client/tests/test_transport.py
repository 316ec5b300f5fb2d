"""What networks and servers do wrong, by stand-ins."""
from __future__ import annotations

import json
import logging
import time
import traceback
import warnings

import pytest
from conftest import drop, reply

from assay_eval import AssayError, AssayWarning, Client, Conflict, Forbidden, NotFound, Paused, Unauthenticated, Unavailable

TOKEN = "secret-0123456789"
ONE = {"id": "one", "name": "one", "state": "RUNNING", "verdict": None}


def problem(status, code, **fields):
    return {"status": status, "code": code, "detail": "It says why.", "errors": [], **fields}


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, Unauthenticated), (403, Forbidden), (404, NotFound), (409, Conflict), (500, AssayError), (418, AssayError)],
)
def test_problems_are_exceptions(stand_in, status, kind):
    there = stand_in(lambda handler, _: reply(handler, status, problem(status, "CODE")))
    with pytest.raises(kind, match="It says why") as caught:
        Client(there.url, token=TOKEN).campaign("one")
    assert (caught.value.code, caught.value.status) == ("CODE", status) and len(there.seen) == 1


@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"[]", b"null", b"", b'{"errors": [1], "code": 5}', b"[" * 100_000])
def test_problems_of_others_are_exceptions_too(stand_in, body):
    there = stand_in(lambda handler, _: reply(handler, 500, body))
    with pytest.raises(AssayError, match="answered 500 without saying why"):
        Client(there.url).campaign("one")


@pytest.mark.parametrize("body", [b"<html>", b"", b"[]", b'{"id": 5}', b"[" * 100_000, b"\xff\x00"])
def test_an_answer_that_is_no_campaign_is_an_error(stand_in, body):
    there = stand_in(lambda handler, _: reply(handler, 200, body))
    with pytest.raises(AssayError, match="is it Assay's API"):
        Client(there.url).campaign("one")


def test_the_token_is_sent_and_never_shown(stand_in, caplog):
    caplog.set_level(logging.DEBUG)
    there = stand_in(lambda handler, _: reply(handler, 401, problem(401, "UNAUTHENTICATED")))
    client = Client(there.url, token=f" {TOKEN}\n")
    with pytest.raises(Unauthenticated) as caught:
        client.campaign("one")
    assert there.seen[0][2]["Authorization"] == f"Bearer {TOKEN}"
    shown = "".join(traceback.format_exception(caught.value)) + repr(client) + repr(client._transport) + repr(caught.value) + caplog.text
    assert TOKEN not in shown
    for wrong in ("", "a b" + TOKEN, TOKEN + "\r\nX: y", TOKEN + "é"):
        with pytest.raises(ValueError) as refused:
            Client(there.url, token=wrong)
        assert TOKEN not in str(refused.value)


def test_the_token_of_the_environment(stand_in, monkeypatch, tmp_path):
    there = stand_in(lambda handler, _: reply(handler, 200, ONE))
    monkeypatch.setenv("ASSAY_SERVER", there.url + "/api/v1/")
    (tmp_path / "token").write_text("of-the-file\n")
    monkeypatch.setenv("ASSAY_API_TOKEN_FILE", str(tmp_path / "token"))
    Client().campaign("one")
    monkeypatch.setenv("ASSAY_API_TOKEN", "of-the-variable")
    Client().campaign("one")
    Client(token="given").campaign("one")
    assert [seen[2]["Authorization"] for seen in there.seen] == ["Bearer of-the-file", "Bearer of-the-variable", "Bearer given"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(stand_in, status):
    other = stand_in(lambda handler, _: reply(handler, 200, ONE))
    there = stand_in(lambda handler, _: reply(handler, status, b"", Location=other.url + "/api/v1/campaigns/one"))
    with pytest.raises(AssayError, match="redirects to") as caught:
        Client(there.url, token=TOKEN).campaign("one")
    assert caught.value.code == "REDIRECTED" and other.seen == []


@pytest.mark.parametrize("server", ["ftp://a", "localhost:8080", "http://", "http://u:p@h", "http://h/?q=1", "http://h:x", "http://a b"])
def test_an_address_that_is_none(server):
    with pytest.raises(ValueError):
        Client(server)


def test_a_token_without_tls_is_warned_of():
    with pytest.warns(AssayWarning, match="without TLS"):
        Client("http://assay.example", token=TOKEN)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Client("http://assay.example")
        Client("https://assay.example", token=TOKEN)
        Client("http://[::1]:8080", token=TOKEN)


@pytest.mark.parametrize(
    ("version", "said"),
    [("", "does not say its version"), ("0.9.0", "The server has version 0.9.0"), ("1.0.0-beta.2", "some calls"), ("2.0.0", "--upgrade")],
)
def test_another_version_is_warned_of_once(stand_in, version, said):
    there = stand_in(lambda handler, _: reply(handler, 200, ONE, Assay_Version=version))
    client = Client(there.url)
    with pytest.warns(AssayWarning, match=said):
        client.campaign("one")
    client.campaign("one")


@pytest.mark.parametrize("version", ["1.0.0-rc.1", "1.0.0-rc.1-dirty", "1.0.0", "1.4.2-SNAPSHOT", "development"])
def test_a_version_that_serves(stand_in, version):
    there = stand_in(lambda handler, _: reply(handler, 200, ONE, Assay_Version=version))
    assert Client(there.url).campaign("one").state == "RUNNING"


def test_fields_and_words_of_a_newer_server_are_no_errors(stand_in):
    there = stand_in(lambda handler, _: reply(handler, 200, {**ONE, "state": "DREAMING", "new": {"a": 1}}, Assay_Version="1.9.0"))
    run = Client(there.url).campaign("one")
    assert (run.state, run.data["new"]) == ("DREAMING", {"a": 1})


@pytest.mark.parametrize("failure", ["drop", 429, 502, 503, 504])
def test_a_get_is_tried_again(stand_in, failure):
    times = []

    def answer(handler, _):
        times.append(time.monotonic())
        if len(times) > 2:
            return reply(handler, 200, ONE)
        return drop(handler) if failure == "drop" else reply(handler, failure, problem(failure, "BUSY"), Retry_After="1" if failure == 503 else "")

    there = stand_in(answer)
    assert Client(there.url).campaign("one").id == "one"
    assert len(times) == 3 and (failure != 503 or times[1] - times[0] >= 1)


def test_it_is_not_tried_for_ever(stand_in):
    there = stand_in(lambda handler, _: reply(handler, 503, problem(503, "NO_WORKER"), Retry_After="3600"))
    started = time.monotonic()
    with pytest.raises(Unavailable) as caught:
        Client(there.url, retry_seconds=5).campaign("one")
    assert caught.value.code == "NO_WORKER" and time.monotonic() - started < 3
    nobody = there.url
    there.close()
    with pytest.raises(Unavailable, match="does not answer") as caught:
        Client(nobody, token=TOKEN, retry_seconds=0.5).campaign("one")
    assert (caught.value.code, caught.value.status) == ("UNREACHABLE", 0)


def test_what_is_no_tls_is_an_error_at_once(stand_in):
    there = stand_in(lambda handler, _: reply(handler, 200, ONE))
    with pytest.raises(Unavailable):
        Client(there.url.replace("http:", "https:"), retry_seconds=0.5).campaign("one")


def test_an_answer_without_end_is_not_taken(stand_in):
    piece = b" " * (1024 * 1024)
    sent = []

    def answer(handler, _):
        handler.send_response(200)
        handler.send_header("Content-Length", str(1024 * len(piece)))
        handler.send_header("Assay-Version", "1.0.0-rc.1")
        handler.end_headers()
        for _ in range(1024):
            handler.wfile.write(piece)
            sent.append(1)

    there = stand_in(answer)
    with pytest.raises(AssayError) as caught:
        Client(there.url).campaign("one")
    assert caught.value.code == "TOO_LARGE" and len(sent) < 400


def test_an_answer_that_breaks_off_is_asked_again(stand_in):
    tries = []

    def answer(handler, _):
        tries.append(1)
        if len(tries) > 1:
            return reply(handler, 200, ONE)
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.send_header("Assay-Version", "1.0.0-rc.1")
        handler.end_headers()
        handler.wfile.write(b'{"id": "one"')
        return drop(handler)

    assert Client(stand_in(answer).url).campaign("one").id == "one" and len(tries) == 2


def progress(state="RUNNING", paused=None, done=1):
    return {"state": state, "progress": {"cellsDone": done, "cellsTotal": 2, "cellsPassed": 0}, "account": {"paused": paused}}


def events(handler, *all_data):
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Assay-Version", "1.0.0-rc.1")
    handler.send_header("Connection", "close")
    handler.end_headers()
    for data in all_data:
        handler.wfile.write(b"event: progress\nid: 1\ndata: " + data + b"\n\n")
    handler.close_connection = True


def watched(stand_in, answer):
    def route(handler, _):
        if handler.path.endswith("/events"):
            return answer(handler)
        if handler.path.endswith("/progress"):
            return reply(handler, 200, progress("COMPLETED", done=2))
        return reply(handler, 200, {**ONE, "state": "COMPLETED", "verdict": "PASS", "account": {"rule": "Passed."}})

    there = stand_in(route)
    return Client(there.url, retry_seconds=5).campaign("one"), there


@pytest.mark.parametrize(
    "answer",
    [
        lambda handler: events(handler, json.dumps(progress()).encode(), json.dumps(progress("COMPLETED")).encode()),
        lambda handler: events(handler, b"no json", b"[]", b"\xff"),
        lambda handler: drop(handler),
        lambda handler: reply(handler, 429, problem(429, "TOO_MANY_STREAMS")),
        lambda handler: reply(handler, 503, problem(503, "STORE_UNAVAILABLE")),
    ],
)
def test_wait_asks_where_events_do_not_come(stand_in, answer):
    run, _ = watched(stand_in, answer)
    result = run.wait(20)
    assert (result.verdict, result.exit_code, result.reason) == ("PASS", 0, "Passed.")


def test_wait_says_why_assay_paused_a_campaign(stand_in):
    reason = {"who": "assay", "reason": "The provider \x1b[31mopenai is down", "at": "2026-11-27T12:00:00Z"}
    run, _ = watched(stand_in, lambda handler: events(handler, json.dumps(progress("PAUSED", reason)).encode()))
    with pytest.raises(Paused, match="openai is down") as caught:
        run.wait(20)
    assert "\x1b" not in str(caught.value)


def test_wait_goes_on_where_a_person_paused_a_campaign(stand_in):
    person = progress("PAUSED", {"who": "ann", "reason": None, "at": "2026-11-27T12:00:00Z"})
    run, _ = watched(stand_in, lambda handler: events(handler, json.dumps(person).encode(), json.dumps(progress("COMPLETED")).encode()))
    seen = []
    assert run.wait(20, on_progress=lambda one: seen.append(one.state)).exit_code == 0
    assert seen == ["PAUSED", "COMPLETED"]


def test_wait_ends_in_time_where_nothing_comes(stand_in):
    def silent(handler):
        events(handler, json.dumps(progress()).encode())
        handler.wfile.flush()
        time.sleep(3)

    run, _ = watched(stand_in, silent)
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        run.wait(0.7)
    assert time.monotonic() - started < 2.5


def test_wait_ends_with_what_is_no_fault_of_the_network(stand_in):
    run, there = watched(stand_in, lambda handler: reply(handler, 404, problem(404, "NOT_FOUND")))
    with pytest.raises(NotFound):
        run.wait(20)
    assert len(there.seen) == 2


def test_wait_passes_on_what_the_caller_raises(stand_in):
    run, _ = watched(stand_in, lambda handler: events(handler, json.dumps(progress()).encode()))
    with pytest.raises(ZeroDivisionError):
        run.wait(20, on_progress=lambda _: 1 // 0)


def test_names_are_quoted_in_addresses(stand_in):
    there = stand_in(lambda handler, _: reply(handler, 200, ONE))
    client = Client(there.url)
    for name in ("..", "a/b", "a?b#c", "é%2F"):
        client.campaign(name)
    assert [seen[1] for seen in there.seen] == [
        "/api/v1/campaigns/%2E%2E", "/api/v1/campaigns/a%2Fb", "/api/v1/campaigns/a%3Fb%23c", "/api/v1/campaigns/%C3%A9%252F"
    ]


def test_errors_are_values():
    error = Conflict("CONFLICT", 409, "Why")
    assert (str(error), error.errors) == ("Why", ())
    assert "CONFLICT" in repr(error)


def test_wait_ends_in_time_where_events_never_end(stand_in):
    def chatty(handler):
        events(handler, json.dumps(progress()).encode())
        for _ in range(60):
            handler.wfile.write(b": still here\n\n")
            handler.wfile.flush()
            time.sleep(0.05)

    run, _ = watched(stand_in, chatty)
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        run.wait(0.7)
    assert time.monotonic() - started < 2.5
