"""The outcomes of a campaign: one by one, as dictionaries, or as a frame."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Callable, Iterator, TypeVar

from ._errors import AssayError
from ._frames import Columns, frame
from ._transport import Query, Transport, path

if TYPE_CHECKING:
    import pandas

COLUMNS: Columns = {
    "campaign": "string",
    "case_id": "string",
    "branch_id": "string",
    "status": "string",
    "response": "string",
    "error_code": "string",
    "error_message": "string",
    "finish_reason": "string",
    "trial": "Int64",
    "input_tokens": "Int64",
    "output_tokens": "Int64",
    "total_tokens": "Int64",
    "latency_ms": "Int64",
    "attempts": "Int64",
    "passed": "boolean",
    "selected": "boolean",
    "score": "Float64",
    "cost_usd": "Float64",
    "finished_at": "time",
    "tags": "object",
    "metrics": "object",
    "checks": "object",
    "warnings": "object",
}

_PAGE = "500"
_MOST_CASES = "1000"

T = TypeVar("T")


class Outcomes:
    """The outcomes of a campaign that some filters keep, by trial, then case, then branch.

    Nothing is asked before it is needed. It can be iterated more than once: each time asks again, and holds one page. Items are
    dictionaries with the fields of the API.
    """

    def __init__(self, transport: Transport, campaign: str, filters: Query) -> None:
        self._transport = transport
        self._campaign = campaign
        self._filters = filters

    def __repr__(self) -> str:
        return f"Outcomes({self._campaign!r}{''.join(f', {name}={value!r}' for name, value in self._filters)})"

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return items(self._transport, path("campaigns", self._campaign, "outcomes"), [("pageSize", _PAGE), *self._filters])

    def to_dicts(self) -> list[dict[str, Any]]:
        """Dictionaries with the columns of ``to_df``; None is what is not known."""
        return self._read(lambda rows: [dict(zip(COLUMNS, row)) for row in rows])

    def to_df(self) -> pandas.DataFrame:
        """A pandas frame, read from the export as it comes. What is not known is ``<NA>``."""
        frame(COLUMNS, ())  # without pandas nothing is asked
        return self._read(lambda rows: frame(COLUMNS, rows))

    def _read(self, use: Callable[[Iterator[tuple[Any, ...]]], T]) -> T:
        def once() -> T:
            tags = self._tags()
            query = [("format", "jsonl"), *self._filters]
            lines = self._transport.lines(path("campaigns", self._campaign, "export"), query)
            try:
                return use(_row(self._campaign, tags, _outcome(line)) for line in lines if line)
            finally:
                lines.close()

        return self._transport.again(once)

    def _tags(self) -> dict[str, list[str]]:
        """The tags of cases that have some."""
        found: dict[str, list[str]] = {}
        place: int | None = 0
        while place is not None:
            page = self._transport.get(path("campaigns", self._campaign, "cases"), [("from", str(place)), ("limit", _MOST_CASES)])
            found.update((one["id"], one["tags"]) for one in page["items"] if one.get("tags"))
            place = page.get("nextFrom")
        return found


def items(transport: Transport, address: str, query: Query) -> Iterator[dict[str, Any]]:
    """The items of a list, page by page."""
    token: str | None = None
    while True:
        page = transport.get(address, [*query, ("pageToken", token)] if token else query)
        if not isinstance(page, dict) or not isinstance(page.get("items"), list):
            raise AssayError("UNREADABLE", 200, "The server's answer is no list; is it Assay's API?")
        yield from page["items"]
        following = page.get("nextPageToken")
        if not following or following == token:
            return
        token = following


def _outcome(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise AssayError("UNREADABLE", 200, "A line of the export is no outcome; is it Assay's API?")
    return found


def _row(campaign: str, tags: dict[str, list[str]], one: dict[str, Any]) -> tuple[Any, ...]:
    error = one.get("error") or {}
    usage = one.get("usage") or {}
    case = one.get("caseId")
    return (
        campaign,
        case,
        one.get("branchId"),
        one.get("status"),
        one.get("response"),
        error.get("code"),
        error.get("message"),
        one.get("finishReason"),
        one.get("trial"),
        usage.get("input"),
        usage.get("output"),
        usage.get("total"),
        one.get("latencyMs"),
        one.get("attempts"),
        one.get("passed"),
        one.get("selected"),
        one.get("score"),
        one.get("costUsd"),
        one.get("finishedAt"),
        list(tags.get(str(case), ())),
        one.get("metrics") or {},
        one.get("checks") or [],
        one.get("warnings") or [],
    )
