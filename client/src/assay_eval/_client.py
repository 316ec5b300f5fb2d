"""The client of one server."""
from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Iterator, Mapping, Sequence

from . import _files
from ._comparison import Comparison
from ._run import Run, campaigns
from ._transport import Transport, path

if TYPE_CHECKING:
    from ._api import ApiClient

_PAGE = "100"


class Client:
    """Asks one server of Assay.

    ``server``: its address; else ``ASSAY_SERVER``, else http://127.0.0.1:8080. ``token``: else ``ASSAY_API_TOKEN``, or the content
    of the file ``ASSAY_API_TOKEN_FILE``. A request to which no answer comes is sent again for ``retry_seconds``, where that is safe.
    """

    def __init__(self, server: str | None = None, *, token: str | None = None, retry_seconds: float = 60) -> None:
        self._transport = Transport(server, token, retry_seconds)

    def __repr__(self) -> str:
        return f"Client({self._transport.server!r})"

    @property
    def server(self) -> str:
        """The address of the server."""
        return self._transport.server

    @property
    def server_version(self) -> str | None:
        """The version that the server said last; None: it has said none."""
        return self._transport.server_version

    @property
    def api(self) -> ApiClient:
        """The client that openapi-generator made, for all that this one has no method for."""
        from ._api import ApiClient, Configuration

        client = ApiClient(Configuration(host=self.server))
        client.default_headers.update(self._transport.headers())
        return client

    def submit(
        self,
        campaign: _files.Campaign,
        *,
        metadata: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> Run:
        """Submits a campaign: a file, a directory with ``campaign.yaml``, a text with a line break, or a dictionary.

        The suite that the file names is put into it. ``metadata`` wins over the file's. A lost answer is asked for again, and makes
        no second campaign: the submission has an idempotency key, a random one unless one is given.
        """
        content, media_type = _files.body(campaign, metadata, self.server)
        headers = {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}
        return Run(self._transport, self._transport.post(path("campaigns"), content, media_type, headers=headers))

    def campaign(self, campaign_id: str) -> Run:
        """A campaign by its id."""
        return Run(self._transport, self._transport.get(path("campaigns", campaign_id)))

    def campaigns(
        self,
        *,
        state: str | Sequence[str] = (),
        verdict: str | Sequence[str] = (),
        text: str | None = None,
        suite: str | None = None,
        name: str | None = None,
        metadata: Mapping[str, str] | None = None,
        scoring: bool | None = None,
    ) -> Iterator[Run]:
        """The campaigns that these filters keep, newest first. ``text``: a part of the name or the id."""
        query = [("pageSize", _PAGE)]
        query += [("state", one) for one in _several(state)]
        query += [("verdict", one) for one in _several(verdict)]
        for parameter, value in (("q", text), ("suite", suite), ("name", name)):
            if value is not None:
                query.append((parameter, value))
        query += [("metadata", f"{one}={value}") for one, value in (metadata or {}).items()]
        if scoring is not None:
            query.append(("scoring", str(bool(scoring)).lower()))
        return campaigns(self._transport, query)

    def compare(
        self, a: str | Run, b: str | Run, *, max_drop: float = 0.02, pair: str | None = None, reducers: Sequence[str] = ()
    ) -> Comparison:
        """Compares ``b`` with the baseline ``a``: campaigns, ``ID:BRANCH``, or a ``Run``. The trial rate may drop by ``max_drop``."""
        query = [("a", _name(a)), ("b", _name(b)), ("maxDrop", repr(float(max_drop)))]
        if pair is not None:
            query.append(("pair", pair))
        query += [("reducer", one) for one in reducers]
        return Comparison(self._transport.get(path("compare"), query))


def _several(words: str | Sequence[str]) -> Sequence[str]:
    return (words,) if isinstance(words, str) else words


def _name(one: str | Run) -> str:
    return one.id if isinstance(one, Run) else one
