"""One campaign: its state, steering, waiting for its end, results."""
from __future__ import annotations

import json
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Callable, Generator, Iterator, Literal, Sequence

from ._errors import AssayError, Paused, Unavailable
from ._html import table
from ._outcomes import Outcomes, items
from ._report import Report
from ._transport import Lost, Query, Refused, Transport, path

ENDED = ("COMPLETED", "FAILED", "CANCELLED")
_EXIT_CODES = {"PASS": 0, "FAIL": 100, "INCONCLUSIVE": 101}
_COULD_NOT_RUN = 1

# The server sends an event every 15 s at least.
_SILENCE_SECONDS = 45.0
_LOOK_SECONDS = 1.0


@dataclass(frozen=True)
class Progress:
    """How far a campaign is. ``data`` is the API's answer."""

    state: str
    cells_done: int
    cells_total: int
    cells_passed: int
    cost_usd: float | None
    eta: str | None
    data: dict[str, Any]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Progress:
        counts = data.get("progress") or {}
        return cls(
            state=str(data.get("state")),
            cells_done=counts.get("cellsDone", 0),
            cells_total=counts.get("cellsTotal", 0),
            cells_passed=counts.get("cellsPassed", 0),
            cost_usd=data.get("costUsd"),
            eta=counts.get("eta"),
            data=data,
        )


@dataclass(frozen=True)
class Result:
    """How a campaign ended."""

    campaign: str
    state: str
    verdict: str | None
    reason: str | None
    """The sentence that names the rule that decided, or why it FAILED; None where nothing is said."""

    @property
    def exit_code(self) -> int:
        """As ``assay run --ci`` ends: PASS 0, FAIL 100, INCONCLUSIVE 101; 1 where the campaign FAILED or was CANCELLED."""
        if self.state != "COMPLETED":
            return _COULD_NOT_RUN
        return _EXIT_CODES.get(self.verdict or "", _COULD_NOT_RUN)


class Run:
    """A campaign on a server, as it was when it was last asked: ``refresh`` asks again."""

    def __init__(self, transport: Transport, data: dict[str, Any]) -> None:
        if not isinstance(data, dict) or not isinstance(data.get("id"), str):
            raise AssayError("UNREADABLE", 200, "The server's answer is no campaign; is it Assay's API?")
        self._transport = transport
        self.data: dict[str, Any] = data

    def __repr__(self) -> str:
        return f"Run({self.id!r}, state={self.state!r}, verdict={self.verdict!r})"

    @property
    def id(self) -> str:
        return str(self.data["id"])

    @property
    def name(self) -> str:
        return str(self.data.get("name", ""))

    @property
    def state(self) -> str:
        """PENDING, RUNNING, PAUSED, COMPLETED, FAILED or CANCELLED."""
        return str(self.data.get("state"))

    @property
    def verdict(self) -> str | None:
        """PASS, FAIL or INCONCLUSIVE; None until it is COMPLETED."""
        return self.data.get("verdict")

    @property
    def metadata(self) -> dict[str, str]:
        """What its author noted."""
        return dict(self.data.get("metadata") or {})

    @property
    def url(self) -> str:
        """The address of its page."""
        return f"{self._transport.server}/ui/campaigns/{self.id}"

    def refresh(self) -> Run:
        """Asks for the campaign as it is now."""
        self.data = self._transport.get(self._path())
        return self

    def pause(self) -> Run:
        """Starts nothing new; calls under way are finished."""
        return self._do("pause")

    def resume(self) -> Run:
        """Goes on with the cells that are open, also after an end."""
        return self._do("resume")

    def cancel(self) -> Run:
        """Aborts calls under way, and ends the campaign."""
        return self._do("cancel")

    def rerun(
        self,
        only: Literal["failed", "errored", "all", "grades"] | None = None,
        *,
        cases: Sequence[str] = (),
        branches: Sequence[str] = (),
        whole: bool = False,
    ) -> Run:
        """Asks cells again: those that failed or errored, or with ``whole`` all of them, in place of earlier draws.

        It is not sent again when its answer is lost, since it would ask, and pay, twice.
        """
        wanted: dict[str, Any] = {"only": only, "cases": list(cases), "branches": list(branches), "whole": whole}
        body = json.dumps({name: value for name, value in wanted.items() if value}).encode()
        self.data = self._transport.post(self._path("rerun"), body, idempotent=False)
        return self

    def wait(self, timeout: float | None = None, *, on_progress: Callable[[Progress], object] | None = None) -> Result:
        """Waits until the campaign has ended. A server that is restarted meanwhile is waited for.

        ``timeout``: seconds; None: without a bound. ``on_progress`` is called about once a second while something happens.
        Raises ``TimeoutError``, and ``Paused`` where Assay itself paused the campaign. Whatever is raised, the campaign goes on.
        """
        until = None if timeout is None else time.monotonic() + timeout
        with closing(self._watch(until)) as answers:
            for data in answers:
                if on_progress is not None:
                    on_progress(Progress.of(data))
                self._raise_if_paused(data)
                # A campaign that has ended may be resumed at once.
                if data.get("state") in ENDED and self.refresh().state in ENDED:
                    break
        account = self.data.get("account") or {}
        return Result(self.id, self.state, self.verdict, self.data.get("failureReason") or account.get("rule"))

    def outcomes(
        self,
        *,
        case_id: str | None = None,
        branch_id: str | None = None,
        trial: int | None = None,
        status: str | None = None,
        passed: bool | None = None,
    ) -> Outcomes:
        """The outcomes that these filters keep. Outcomes without evidence are neither passed nor not."""
        filters = {
            "caseId": case_id,
            "branchId": branch_id,
            "trial": trial,
            "status": status,
            "passed": None if passed is None else str(bool(passed)).lower(),
        }
        return Outcomes(self._transport, self.id, [(name, str(value)) for name, value in filters.items() if value is not None])

    def report(self, *, cases: bool = False) -> Report:
        """The report: as recorded when the campaign completed, else as its results stand. ``cases``: with each case."""
        return Report(self.id, self._transport.get(self._path("report"), [("cases", str(bool(cases)).lower())]))

    def _repr_html_(self) -> str:
        counts = self.data.get("progress") or {}
        rows = [
            ("id", self.id),
            ("state", self.state),
            ("verdict", self.verdict),
            ("cells", f"{counts.get('cellsDone', '?')} of {counts.get('cellsTotal', '?')}"),
            ("passed", counts.get("cellsPassed")),
            ("cost (USD)", self.data.get("costUsd")),
            *((f"metadata {name}", value) for name, value in self.metadata.items()),
        ]
        return table(self.name, ("", ""), rows)

    def _path(self, *more: str) -> str:
        return path("campaigns", self.id, *more)

    def _do(self, verb: str) -> Run:
        self.data = self._transport.post(self._path(verb))
        return self

    def _raise_if_paused(self, data: dict[str, Any]) -> None:
        paused = (data.get("account") or {}).get("paused") or {}
        if data.get("state") == "PAUSED" and paused.get("who") == "assay":
            reason = paused.get("reason") or "it does not say why"
            raise Paused("PAUSED", 0, f"Assay paused {self.id}: {reason}. It goes on after run.resume().")

    def _watch(self, until: float | None) -> Generator[dict[str, Any], None, None]:
        """Answers of /progress: events as they come, and where the stream of events breaks off, those that are asked for."""
        while True:
            try:
                yield from self._events(until)
            except (Lost, Refused):
                pass  # what holds the server up is seen, and waited for, below
            self._check(until)
            yield self._ask(until)
            self._check(until)
            time.sleep(_LOOK_SECONDS if until is None else max(0.0, min(_LOOK_SECONDS, until - time.monotonic())))

    def _events(self, until: float | None) -> Generator[dict[str, Any], None, None]:
        """The data of events. Ends with the stream, and at the end of the time."""
        left = _SILENCE_SECONDS if until is None else max(0.05, min(_SILENCE_SECONDS, until - time.monotonic()))
        with closing(self._transport.lines(self._path("events"), accept="text/event-stream", seconds=left)) as lines:
            for line in lines:
                data = _object(line[len(b"data:") :]) if line.startswith(b"data:") else None
                if data is not None:
                    yield data
                self._check(until)

    def _ask(self, until: float | None) -> dict[str, Any]:
        try:
            answer = self._transport.get(self._path("progress"), until=until)
        except Unavailable:
            self._check(until, at_least=0.5)
            raise
        if not isinstance(answer, dict):
            raise AssayError("UNREADABLE", 200, "The server's answer is no progress; is it Assay's API?")
        return answer

    def _check(self, until: float | None, at_least: float = 0.0) -> None:
        """Raises where no more than ``at_least`` seconds are left."""
        if until is not None and time.monotonic() >= until - at_least:
            raise TimeoutError(f"The campaign {self.id} has not ended in time; it goes on.")


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def campaigns(transport: Transport, query: Query) -> Iterator[Run]:
    for one in items(transport, path("campaigns"), query):
        yield Run(transport, one)
