"""What can go wrong, as exceptions. No message holds a token."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """The text without characters that would steer a terminal."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field: its path, such as ``branches[0].model``, and a sentence."""

    path: str
    message: str


class AssayError(Exception):
    """A server's problem, or one on the way to it.

    ``code`` is stable; ``status`` is that of HTTP, and 0 where no server answered. ``errors`` names the fields at fault, and
    ``more_errors`` says how many there are beside these.
    """

    def __init__(
        self, code: str, status: int, detail: str, errors: Sequence[FieldError] = (), *, more_errors: int = 0
    ) -> None:
        super().__init__(code, status, detail, tuple(errors))
        self.code = code
        self.status = status
        self.detail = detail
        self.errors = tuple(errors)
        self.more_errors = more_errors

    def __str__(self) -> str:
        lines = [self.detail]
        lines += [f"  {error.path}: {error.message}" if error.path else f"  {error.message}" for error in self.errors]
        if self.more_errors:
            lines.append(f"  and {self.more_errors} more")
        return plain("\n".join(lines))


class NotFound(AssayError):
    """There is no such campaign."""


class InvalidInput(AssayError):
    """A campaign file or a parameter is not valid; ``errors`` says where."""


class UnsupportedFile(InvalidInput):
    """The campaign file names files that only the command line reads."""


class Conflict(AssayError):
    """The state of the campaign does not allow it, or an idempotency key came with another campaign."""


class Unauthenticated(AssayError):
    """The server asks for a token, and has got none that is valid."""


class Forbidden(AssayError):
    """The scope of the token does not allow it."""


class Unavailable(AssayError):
    """The server did not answer in time, or cannot work for now."""


class Paused(AssayError):
    """Assay itself paused the campaign, which goes on after ``resume``. ``detail`` says why."""


class AssayWarning(UserWarning):
    """What a user of the client should know, such as an old server."""


_BY_STATUS: Mapping[int, type[AssayError]] = {
    400: InvalidInput,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: InvalidInput,
    415: InvalidInput,
    422: InvalidInput,
    429: Unavailable,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def problem(status: int, document: Any) -> AssayError:
    """The exception of a problem document; of any other answer too."""
    fields = document if isinstance(document, dict) else {}
    code = fields.get("code")
    detail = fields.get("detail") or fields.get("title")
    errors = fields.get("errors")
    more = fields.get("moreErrors")
    kind = _BY_STATUS.get(status, AssayError)
    return kind(
        code if isinstance(code, str) else "UNKNOWN",
        status,
        detail if isinstance(detail, str) else f"The server answered {status} without saying why; is it Assay's API?",
        [FieldError(str(one.get("path", "")), str(one.get("message", ""))) for one in errors if isinstance(one, dict)]
        if isinstance(errors, list)
        else [],
        more_errors=more if isinstance(more, int) else 0,
    )
