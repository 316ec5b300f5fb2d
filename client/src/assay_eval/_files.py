"""Campaign files: the suite that they name is put into them, and what only the command line reads is refused."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Iterator, Mapping, NamedTuple

from . import _yaml
from ._errors import FieldError, InvalidInput, UnsupportedFile

Campaign = str | os.PathLike[str] | Mapping[str, Any]

_MOST_BYTES = 64 * 1024 * 1024
_NAMES = ("campaign.yaml", "campaign.yml", "campaign.json")
_OWN = (".yaml", ".yml", ".json")
_STORED = "sha256:"


class Body(NamedTuple):
    """What is sent to the server."""

    content: bytes
    media_type: str


def body(campaign: Campaign, metadata: Mapping[str, str] | None, server: str) -> Body:
    """The campaign as the API takes it.

    Raises ``UnsupportedFile`` for what only the command line reads, ``InvalidInput`` for what cannot be read, and ``OSError`` where
    the file itself is missing.
    """
    if isinstance(campaign, Mapping):
        return _Document(dict(campaign), Path(), None, server).body(metadata)
    if isinstance(campaign, str) and "\n" in campaign:
        return _of_text(campaign, Path(), None, metadata, server)
    file = Path(campaign)
    if file.is_dir():
        found = [file / name for name in _NAMES if (file / name).is_file()]
        if not found:
            raise _unsupported([("", f"The directory {file} holds no campaign.yaml")], file, server)
        file = found[0]
    if file.suffix not in _OWN:
        raise _unsupported([("", f"{file.name} is no campaign file, but may be one of another tool")], file, server)
    return _of_text(_text(file), file.parent, file, metadata, server)


def _of_text(text: str, directory: Path, file: Path | None, metadata: Mapping[str, str] | None, server: str) -> Body:
    as_written = Body(text.encode("utf-8", "surrogatepass"), "application/yaml")
    if len(as_written.content) > _MOST_BYTES:
        raise InvalidInput("BODY_TOO_LARGE", 0, f"The campaign file has more than {_MOST_BYTES} bytes")
    try:
        tree = _yaml.parse(text)
    except _yaml.Unreadable as wrong:
        if metadata:
            raise InvalidInput("MALFORMED_INPUT", 0, f"The campaign file cannot be read: {wrong}") from None
        return as_written  # the server says best what is wrong with it
    if not isinstance(tree, dict):
        return as_written
    document = _Document(tree, directory, file, server)
    changed = document.body(metadata)
    return changed if document.is_changed else as_written


class _Document:
    def __init__(self, tree: dict[str, Any], directory: Path, file: Path | None, server: str) -> None:
        self._tree = tree
        self._directory = directory
        self._file = file
        self._server = server
        self.is_changed = False

    def body(self, metadata: Mapping[str, str] | None) -> Body:
        unsupported = list(_only_of_the_command_line(self._tree))
        if unsupported:
            raise _unsupported(unsupported, self._file, self._server)
        if isinstance(self._tree.get("suite"), str):
            self._tree["suite"] = self._suite(self._tree["suite"])
            self.is_changed = True
        if metadata:
            own = self._tree.get("metadata", {})
            # Another type than an object stays, and the server says so.
            if isinstance(own, dict):
                self._tree["metadata"] = {**own, **metadata}
            self.is_changed = True
        try:
            content = json.dumps(self._tree, ensure_ascii=True, allow_nan=False).encode("ascii")
        except (TypeError, ValueError, RecursionError) as wrong:
            raise InvalidInput("MALFORMED_INPUT", 0, f"The campaign is no JSON: {wrong}") from None
        return Body(content, "application/json")

    def _suite(self, name: str) -> Any:
        file = self._directory / name
        try:
            if file.suffix == ".jsonl":
                return {"name": file.stem, "cases": list(_json_lines(_text(file)))}
            tree = _yaml.parse(_text(file))
        except (OSError, ValueError) as wrong:
            raise _invalid("suite", f"{file} cannot be read: {wrong}") from None
        except _yaml.Unreadable as wrong:
            raise _invalid("suite", f"{file} is neither YAML nor JSON: {wrong}") from None
        if isinstance(tree, list):
            return {"name": file.stem, "cases": tree}
        if not isinstance(tree, dict):
            raise _invalid("suite", f"{file} must hold a list of cases, or an object with `cases`.")
        return tree


def _only_of_the_command_line(tree: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Paths of fields that name what only the command line reads, and what that is."""
    suite = tree.get("suite")
    if isinstance(suite, str) and Path(suite).suffix not in (*_OWN, ".jsonl"):
        yield "suite", "is a file of another form than YAML, JSON or JSON Lines"
    if isinstance(tree.get("checks"), str):
        yield "checks", "is a file of checks"
    if _is_local(tree.get("code")):
        yield "code", "is a directory of own code"
    branches = tree.get("branches")
    for index, branch in enumerate(branches if isinstance(branches, list) else []):
        if isinstance(branch, dict):
            yield from _of_agent(branch, f"branches[{index}]")
            if _is_local(branch.get("workspace")):
                yield f"branches[{index}].workspace", "is a directory"
    strategy = tree.get("strategy")
    if isinstance(strategy, dict):
        yield from _of_agent(strategy.get("judge"), "strategy.judge")
        panel = strategy.get("panel")
        for index, judge in enumerate(panel if isinstance(panel, list) else []):
            yield from _of_agent(judge, f"strategy.panel[{index}]")
    yield from _of_agent(tree.get("grader"), "grader")
    if "branches" not in tree and ("providers" in tree or "tests" in tree or "prompts" in tree):
        yield "", "The file is one of promptfoo"


def _of_agent(agent: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(agent, dict) and isinstance(agent.get("cassette"), str):
        yield f"{where}.cassette", "is a file of recorded answers"


def _is_local(name: Any) -> bool:
    return isinstance(name, str) and not name.startswith(_STORED)


def _unsupported(found: list[tuple[str, str]], file: Path | None, server: str) -> UnsupportedFile:
    command = f"assay run {file or 'FILE'} --server {server}"
    errors = [FieldError(where, what[:1].upper() + what[1:] + ".") for where, what in found]
    return UnsupportedFile("UNSUPPORTED_FILE", 0, f"Only the command line reads all that this file names: {command}", errors)


def _invalid(where: str, message: str) -> InvalidInput:
    return InvalidInput("INVALID_INPUT", 0, "The campaign file names a file that cannot be used", [FieldError(where, message)])


def _text(file: Path) -> str:
    with file.open("rb") as source:
        content = source.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise InvalidInput("BODY_TOO_LARGE", 0, f"{file} has more than {_MOST_BYTES} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("MALFORMED_INPUT", 0, f"{file} is not UTF-8") from None


def _json_lines(text: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield _yaml.parse_json(line)
            except _yaml.Unreadable as wrong:
                raise ValueError(f"line {number} is not JSON: {wrong}") from None
