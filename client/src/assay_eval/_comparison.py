"""Two campaigns, or two branches, side by side."""
from __future__ import annotations

from typing import Any


class Comparison:
    """What differs between a baseline and what is compared with it. ``data`` is the API's answer."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def __repr__(self) -> str:
        return f"Comparison(verdict={self.verdict!r})"

    @property
    def verdict(self) -> str | None:
        """PASS: the trial rate drops by no more than is accepted; FAIL: it does; else INCONCLUSIVE."""
        return self.data.get("verdict")

    @property
    def flips(self) -> list[dict[str, Any]]:
        """The cases of which one side passed more trials."""
        return list(self.data.get("flips") or [])

    @property
    def metrics(self) -> dict[str, dict[str, Any]]:
        """What is compared, by name: the values of both sides, and the difference with its interval."""
        return {str(one.get("name")): one for one in self.data.get("metrics") or []}
