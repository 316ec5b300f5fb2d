"""The client of Assay: submits evaluation campaigns, waits for them, and reads their results."""
from ._client import Client
from ._comparison import Comparison
from ._errors import (
    AssayError,
    AssayWarning,
    Conflict,
    FieldError,
    Forbidden,
    InvalidInput,
    NotFound,
    Paused,
    Unauthenticated,
    Unavailable,
    UnsupportedFile,
)
from ._outcomes import Outcomes
from ._report import Report
from ._run import Progress, Result, Run
from ._version import __version__

__all__ = [
    "AssayError",
    "AssayWarning",
    "Client",
    "Comparison",
    "Conflict",
    "FieldError",
    "Forbidden",
    "InvalidInput",
    "NotFound",
    "Outcomes",
    "Paused",
    "Progress",
    "Report",
    "Result",
    "Run",
    "Unauthenticated",
    "Unavailable",
    "UnsupportedFile",
    "__version__",
]
