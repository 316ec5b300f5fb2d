"""Columns and their types, with pandas only where a frame is asked for."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping

if TYPE_CHECKING:
    import pandas

Columns = Mapping[str, str]


def frame(columns: Columns, rows: Iterable[tuple[Any, ...]]) -> pandas.DataFrame:
    """A frame with these columns and types, also without a row. None becomes the type's missing value."""
    try:
        import pandas
    except ImportError:
        raise ImportError('to_df needs pandas: pip install "assay-eval[pandas]"; to_dicts() does not') from None
    values: list[list[Any]] = [[] for _ in columns]
    appends = [column.append for column in values]
    for row in rows:
        for append, value in zip(appends, row):
            append(value)
    return pandas.DataFrame({name: _series(pandas, kind, column) for (name, kind), column in zip(columns.items(), values)})


def _series(pandas: Any, kind: str, values: list[Any]) -> Any:
    if kind == "time":
        return pandas.Series(pandas.to_datetime(values, utc=True, format="ISO8601"))
    if kind == "object":
        return pandas.Series(values, dtype="object")
    return pandas.Series(pandas.array(values, dtype=kind))
