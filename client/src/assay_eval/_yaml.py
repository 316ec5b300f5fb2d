"""Campaign files as Assay reads them: YAML 1.2, in which ``off`` and ``no`` are texts, and JSON."""
from __future__ import annotations

import json
import math
import re
from typing import Any

import yaml

_MOST_VALUES = 8_000_000
_DEEPEST = 100
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_WORDS_BOOLEAN = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}

_STRING = "tag:yaml.org,2002:str"
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """Leaves the types of scalars to ``_scalar``: those of PyYAML are YAML 1.1's."""

    yaml_implicit_resolvers: dict[str, Any] = {}



class Unreadable(Exception):
    """The text is no YAML or JSON that a campaign file may be."""


def parse(text: str) -> Any:
    """The tree of a text, of JSON's types only.

    Raises ``Unreadable`` for anything else, such as tags, a field that is given twice, or infinity.
    """
    stripped = text.lstrip("\ufeff \t\r\n")
    if stripped[:1] in ("{", "["):
        try:
            return parse_json(stripped)
        except Unreadable:
            pass  # YAML may begin so, too
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
        return _Tree().value(node, 0)
    except (yaml.YAMLError, ValueError, RecursionError) as wrong:
        raise Unreadable(str(wrong)) from None


def parse_json(text: str) -> Any:
    """The tree of JSON; raises ``Unreadable``."""
    try:
        tree = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError) as wrong:
        raise Unreadable(str(wrong)) from None
    return tree


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field is given twice")
    return fields


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number")


class _Tree:
    """Values of nodes. They are counted: aliases of aliases would be more values than there is memory."""

    def __init__(self) -> None:
        self._values = 0

    def value(self, node: Any, depth: int) -> Any:
        self._values += 1
        if self._values > _MOST_VALUES or depth > _DEEPEST:
            raise ValueError(f"there are more than {_MOST_VALUES} values, or more than {_DEEPEST} levels")
        if node is None:
            return None
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node)
        tag = node.tag
        if isinstance(node, yaml.SequenceNode) and tag == "tag:yaml.org,2002:seq":
            return [self.value(item, depth + 1) for item in node.value]
        if isinstance(node, yaml.MappingNode) and tag == "tag:yaml.org,2002:map":
            fields: dict[str, Any] = {}
            for key, item in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise ValueError(f"line {key.start_mark.line + 1}: a name must be a text")
                if key.value in fields:
                    raise ValueError(f"line {key.start_mark.line + 1}: {key.value!r} is given twice")
                fields[key.value] = self.value(item, depth + 1)
            return fields
        raise ValueError(f"line {node.start_mark.line + 1}: tags such as {tag} are not read")


def _scalar(node: Any) -> Any:
    text: str = node.value
    if node.tag != _STRING:
        raise ValueError(f"line {node.start_mark.line + 1}: tags such as {node.tag} are not read")
    if node.style in ("'", '"', "|", ">"):
        return text
    if text in _WORDS:
        return None
    if text in _WORDS_BOOLEAN:
        return _WORDS_BOOLEAN[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OTHER_BASE.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number):
            raise ValueError(f"line {node.start_mark.line + 1}: {text} is no number that can be kept")
        return number
    if re.fullmatch(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", text):
        raise ValueError(f"line {node.start_mark.line + 1}: {text} is no number that can be kept")
    return text
