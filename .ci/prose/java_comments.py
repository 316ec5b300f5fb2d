#!/usr/bin/env python3
"""Checks the comments of the Java main sources by the rules of AGENTS.md, "Words".

No sentence has more than 25 words, and no @param only repeats a name.
Prints a line for each finding, and exits with 1 when there is one.

    java_comments.py [ROOT]
"""
import bisect
import re
import sys
from pathlib import Path
from typing import Iterator, NamedTuple

MAX_WORDS = 25

# Texts stand first, so that what looks like a comment inside of one is none.
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])+'"
    r"|(?P<block>/\*.*?\*/)"
    r"|(?P<line>//[^\n]*(?:\n[ \t]*//[^\n]*)*)",
    re.DOTALL,
)
REPEATED = re.compile(r"@param (?P<name>\w+) the (?P<noun>\w+)\.?$")

MARGIN = re.compile(r"^\s*(?:/\*+|\*(?!/)|//+)\s?|\s*\*+/\s*$")
PARAGRAPH = re.compile(r"@\w|</?(?:p|ul|ol|li)\b")
BLOCK_TAG = re.compile(r"^@(?:(?:param|throws)\s+\S+|\w+)\s*")
INLINE_TAG = re.compile(r"\{@\w+(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}")
HTML_TAG = re.compile(r"</?\w[^<>]*>")
SENTENCE_END = re.compile(r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<=[.!?])[\")\]]*\s+(?=[^a-z])")
WORD = re.compile(r"\S*\w\S*")


class Comment(NamedTuple):
    """A comment as it stands in the source, with the line on which it begins."""

    line: int
    text: str


class Passage(NamedTuple):
    """A paragraph or sentence of a comment, with the line on which its paragraph begins."""

    line: int
    text: str


def comments(source: str) -> Iterator[Comment]:
    """Splits a source into its comments; lines of `//` that follow one another are one comment."""
    starts = [match.start() for match in re.finditer(r"^", source, re.MULTILINE)]
    for match in TOKEN.finditer(source):
        if match["block"] or match["line"]:
            line, text = bisect.bisect(starts, match.start()), match.group()
            if match["line"] and source[starts[line - 1] : match.start()].strip():
                # A comment behind code ends with its line: the lines below are another one.
                behind, _, below = text.partition("\n")
                yield Comment(line, behind)
                line, text = line + 1, below
            if text:
                yield Comment(line, text)


def paragraphs(comment: Comment) -> Iterator[Passage]:
    """Splits a comment at empty lines, block tags and items of lists."""
    line, parts = comment.line, []
    text = re.sub(r"<pre>.*?</pre>", lambda pre: "\n" * pre.group().count("\n"), comment.text, flags=re.DOTALL)
    for number, raw in enumerate(text.split("\n"), comment.line):
        bare = MARGIN.sub("", raw).strip()
        if not bare or PARAGRAPH.match(bare):
            yield Passage(line, " ".join(parts))
            line, parts = number, []
        if bare:
            line = line if parts else number
            parts.append(BLOCK_TAG.sub("", bare))
    yield Passage(line, " ".join(parts))


def sentences(comment: Comment) -> Iterator[Passage]:
    """Splits a comment into sentences. An inline tag such as {@code a b} is one word; tags of HTML are none."""
    for paragraph in paragraphs(comment):
        for sentence in SENTENCE_END.split(HTML_TAG.sub(" ", INLINE_TAG.sub("CODE", paragraph.text))):
            if sentence.strip():
                yield Passage(paragraph.line, sentence.strip())


def repeated(comment: Comment) -> Iterator[Passage]:
    """Finds each `@param caseId the case`."""
    for number, raw in enumerate(comment.text.split("\n"), comment.line):
        match = REPEATED.match(MARGIN.sub("", raw).strip())
        if match and match["name"].lower().startswith(match["noun"].lower()):
            yield Passage(number, match.group())


def findings(file: Path) -> Iterator[str]:
    for comment in comments(file.read_text(encoding="utf-8")):
        for sentence in sentences(comment):
            words = len(WORD.findall(sentence.text))
            if words > MAX_WORDS:
                yield f"{file}:{sentence.line}: a sentence of {words} words, of at most {MAX_WORDS}: {sentence.text}"
        for parameter in repeated(comment):
            yield f"{file}:{parameter.line}: this only repeats the name: {parameter.text}"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = [finding for file in sorted(root.glob("*/src/main/java/**/*.java")) for finding in findings(file)]
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
