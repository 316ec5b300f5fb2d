"""Tables of notebooks. All that is shown is text: no markup comes from what models or users wrote."""
from __future__ import annotations

import html
from typing import Any, Iterable, Sequence

from ._errors import plain

_LONGEST = 500


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; None is shown as an empty cell. Notebooks leave formulas between dollar signs in it alone."""
    lines = ['<div class="mathjax_ignore tex2jax_ignore">', f"<p>{text(title)}</p>", "<table>"]
    lines.append("<thead><tr>" + "".join(f"<th>{text(one)}</th>" for one in head) + "</tr></thead>")
    lines.append("<tbody>")
    lines += ["<tr>" + "".join(f"<td>{text(one)}</td>" for one in row) + "</tr>" for row in rows]
    return "\n".join([*lines, "</tbody>", "</table>", "</div>"])


def text(value: Any) -> str:
    if value is None:
        return ""
    shown = f"{value:.4g}" if isinstance(value, float) else plain(str(value))
    return html.escape(shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "…", quote=True)
