"""YAML as the server reads it, and files that are too much."""
from __future__ import annotations

import pytest

from assay_eval import InvalidInput, _files, _yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[off, no, yes, On, null, ~, true, FALSE]", ["off", "no", "yes", "On", None, None, True, False]),
        ("[1, -2, 0x1f, 0o17, 017, 1.5, 1e3, .5, 1_000, '1', 2026-11-27, 12:30]", [1, -2, 31, 15, 17, 1.5, 1000.0, 0.5, "1_000", "1", "2026-11-27", "12:30"]),
        ("a: &x {b: 1}\nc: *x\n<<: no merge", {"a": {"b": 1}, "c": {"b": 1}, "<<": "no merge"}),
        ("a: |\n  text\n  off\n", {"a": "text\noff\n"}),
        ('{"a": [1, 2.5, "\\u00e9"]}', {"a": [1, 2.5, "é"]}),
        ("a:\n", {"a": None}),
        ("\ufeffa: 1", {"a": 1}),
    ],
)
def test_yaml_is_yaml_1_2(text, value):
    assert _yaml.parse(text) == value


@pytest.mark.parametrize(
    "text",
    ["a: 1\na: 2", "a: .inf", "a: 1e999", "a: !!python/object:os.system x", "a: !t 1", "a: [", "--- 1\n--- 2", "? [1]\n: 2", "[" * 5000, "a: !!int 5", "a: \x00"],
)
def test_what_is_no_campaign_file_is_not_read(text):
    with pytest.raises(_yaml.Unreadable):
        _yaml.parse(text)


def test_aliases_of_aliases_are_counted(monkeypatch):
    monkeypatch.setattr(_yaml, "_MOST_VALUES", 100_000)
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 6)]
    with pytest.raises(_yaml.Unreadable, match="more than"):
        _yaml.parse("\n".join(levels))


def test_a_file_that_changes_nothing_is_sent_as_it_is(tmp_path):
    text = "name: no  # a comment\ncases: []\n"
    (tmp_path / "campaign.yaml").write_text(text)
    assert _files.body(tmp_path, None, "") == (text.encode(), "application/yaml")
    content, media_type = _files.body(tmp_path, {"commit": "1"}, "")
    assert media_type == "application/json" and b'"name": "no"' in content


def test_a_file_that_is_too_large_or_no_text(tmp_path, monkeypatch):
    monkeypatch.setattr(_files, "_MOST_BYTES", 100)
    file = tmp_path / "campaign.yaml"
    file.write_bytes(b"a" * 101)
    with pytest.raises(InvalidInput, match="more than 100 bytes"):
        _files.body(file, None, "")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="not UTF-8"):
        _files.body(file, None, "")


def test_what_cannot_be_read_is_not_sent_without_its_metadata():
    with pytest.raises(InvalidInput, match="cannot be read"):
        _files.body("a: [\n", {"commit": "1"}, "")
    assert _files.body("a: [\n", None, "") == (b"a: [\n", "application/yaml")


def test_a_dictionary_is_not_changed():
    campaign = {"name": "a", "metadata": {"a": "1"}}
    _files.body(campaign, {"a": "2", "b": "3"}, "")
    assert campaign == {"name": "a", "metadata": {"a": "1"}}
