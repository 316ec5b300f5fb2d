"""The report of a campaign."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from ._frames import Columns, frame
from ._html import table

if TYPE_CHECKING:
    import pandas

COLUMNS: Columns = {
    "campaign": "string",
    "branch_id": "string",
    "gated": "boolean",
    "verdict": "string",
    "cases_passed": "Int64",
    "cases": "Int64",
    "cases_unknown": "Int64",
    "suite_pass_rate": "Float64",
    "suite_low": "Float64",
    "suite_high": "Float64",
    "trials_passed": "Int64",
    "trials": "Int64",
    "trials_unknown": "Int64",
    "trial_pass_rate": "Float64",
    "trial_low": "Float64",
    "trial_high": "Float64",
    "wins": "Int64",
    "total_tokens": "Int64",
    "cost_usd": "Float64",
}


class Report:
    """Pass rates with their intervals, wins, usage and cost. ``data`` is the API's answer."""

    def __init__(self, campaign: str, data: dict[str, Any]) -> None:
        self.campaign = campaign
        self.data = data

    def __repr__(self) -> str:
        return f"Report({self.campaign!r}, verdict={self.verdict!r})"

    @property
    def verdict(self) -> str | None:
        """PASS, FAIL or INCONCLUSIVE, as the results stand."""
        return self.data.get("verdict")

    @property
    def sentence(self) -> str | None:
        """The sentence that names the rule that decides; None where an earlier build recorded the report."""
        return self.data.get("sentence")

    @property
    def branches(self) -> list[dict[str, Any]]:
        """The API's answer for each branch."""
        return list(self.data.get("branches") or [])

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary for each branch, with the columns of ``to_df``."""
        return [dict(zip(COLUMNS, row)) for row in self._rows()]

    def to_df(self) -> pandas.DataFrame:
        """A pandas frame with a row for each branch."""
        return frame(COLUMNS, self._rows())

    def _repr_html_(self) -> str:
        head = ("branch", "verdict", "cases passed", "pass rate of trials", "low", "high", "cost (USD)")
        rows = (
            (
                one["branch_id"],
                one["verdict"],
                f"{_number(one['cases_passed'])} of {_number(one['cases'])}",
                one["trial_pass_rate"],
                one["trial_low"],
                one["trial_high"],
                one["cost_usd"],
            )
            for one in self.to_dicts()
        )
        title = f"{self.campaign}: {self.verdict or 'no verdict'}. {self.sentence or ''}"
        return table(title, head, rows)

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for branch in self.branches:
            spend = branch.get("spend") or {}
            yield (
                self.campaign,
                branch.get("branchId"),
                branch.get("gated"),
                branch.get("verdict"),
                *_proportion(branch.get("suitePassRate")),
                *_proportion(branch.get("trialPassRate")),
                (branch.get("wins") or {}).get("successes"),
                (spend.get("usage") or {}).get("total"),
                spend.get("costUsd"),
            )


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _proportion(rate: dict[str, Any] | None) -> tuple[Any, ...]:
    rate = rate or {}
    return tuple(rate.get(name) for name in ("successes", "denominator", "unknown", "value", "low", "high"))
