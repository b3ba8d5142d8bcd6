"""Lays out an answer: blocks of sentences, each sentence a row of text runs and citations.

A block is {"kind": "paragraph" | "item" | "heading", "sentences": [...], "number"?}; a sentence is
{"support", "note", "runs": [{"text", "strong"?} | {"cite": n}]}. The figures draw exactly this.
"""

import re
from collections.abc import Sequence
from typing import cast

from core.domain import Passage, Report, Sentence, Support
from core.i18n.messages import say_plain
from core.ui.shared import trust_level

_CITATION = re.compile(r"\s*\[(\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*)\]")
_STOP = re.compile(r"[.!?。！？…]*$")
_STRONG = re.compile(r"\*\*(.+?)\*\*")
_ITEM = re.compile(r"^\s*(?:[-*•]\s+(?:(\d{1,2}[.)])\s+)?|(\d{1,2}[.)])\s+)")
_HEADING = re.compile(r"^\s*#{1,6}\s+")

Item = dict[str, object]
PARAGRAPH: Item = {"kind": "paragraph"}


def plain(text: str) -> str:
    """Return the text without citation marks and emphasis."""
    return _STRONG.sub(r"\1", uncited(text))


def uncited(text: str) -> str:
    """Return the text without citation marks."""
    return _CITATION.sub("", text).strip()


def claim(report: Report, sentence: str, passage: Passage) -> str:
    """Return what of the passage is to say the sentence, "" where no row does: a forecast comes of all."""
    return "" if report.forecast is not None and passage.chunk.table_id is not None else uncited(sentence)


def rows(report: Report, sentence: Sentence, passage: Passage) -> tuple[int, ...]:
    """Return the rows of the passage's table that the points of a forecast were read from which it states."""
    if report.forecast is None or passage.chunk.table_id is None:
        return ()
    stated = [p for p in report.forecast.series.points if p.period in sentence.points]
    read = {row.row for point in stated for row in point.rows if row.table_id == passage.chunk.table_id}
    return tuple(sorted(row for row in read if row is not None))


def numbers(text: str) -> tuple[int, ...]:
    """Return the citations that are in the text, in order."""
    return tuple(int(n) for found in _CITATION.findall(text) for n in re.split(r"\s*[,，、;]\s*", found))


def runs(text: str, citations: Sequence[int] = ()) -> list[Item]:
    """Cut a sentence into text and citations; those not written in it come before its full stop."""
    written = set(numbers(text))
    missing = [n for n in citations if n not in written]
    if missing:
        end = len(text) - len(_STOP.search(text).group())  # type: ignore[union-attr]
        text = f"{text[:end]} [{', '.join(map(str, missing))}]{text[end:]}"
    found: list[Item] = []
    at = 0
    for match in _CITATION.finditer(text):
        found += _emphasis(text[at : match.start()])
        found += [{"cite": n} for n in numbers(match.group())]
        at = match.end()
    return found + _emphasis(text[at:])


def _emphasis(text: str) -> list[Item]:
    found: list[Item] = []
    at = 0
    for match in _STRONG.finditer(text):
        if match.start() > at:
            found.append({"text": text[at : match.start()]})
        found.append({"text": match.group(1), "strong": True})
        at = match.end()
    return [*found, {"text": text[at:]}] if at < len(text) else found


def listed(sentences: Sequence[tuple[str, Sequence[int]]]) -> list[Item]:
    """Lay out sentences with their citations: one as a paragraph, several as a list."""
    kind = "item" if len(sentences) > 1 else "paragraph"
    return [
        {"kind": kind, "sentences": [_sentence(plain(text), citations, "open", "")]}
        for text, citations in sentences
    ]


def written(blocks: Sequence[Item]) -> str:
    """Write a layout as plain text, a citation apart from the word it follows."""
    lines = []
    for block in blocks:
        sentences = cast(Sequence[Item], block["sentences"])
        text = " ".join(
            "".join(f" [{run['cite']}]" if "cite" in run else str(run["text"]) for run in runs_of(sentence))
            for sentence in sentences
        )
        lines.append(f"{block.get('number', '-')} {text}" if block["kind"] == "item" else text)
    return "\n".join(lines)


def runs_of(sentence: Item) -> Sequence[Item]:
    """Return the runs of a sentence as it was laid out."""
    return cast(Sequence[Item], sentence["runs"])


def draft(text: str) -> list[Item]:
    """Lay out text that is still being written: a block a line, support not yet known."""
    blocks: list[Item] = []
    for line in text.splitlines():
        if line.strip():
            head, rest = _head(line)
            blocks.append({**head, "sentences": [_sentence(rest, (), "open", "")]})
    return blocks


def finished(answer: str, sentences: Sequence[Sentence]) -> list[Item]:
    """Lay out a checked answer, keeping the lines of `answer` that its sentences stand on; without those that
    say what the table of a comparison shows."""
    blocks: list[Item] = []
    rest, opened = _CITATION.sub("", answer), True
    for sentence in sentences:
        plain_text = _CITATION.sub("", sentence.text)
        at = rest.find(plain_text)
        before = rest[:at] if at >= 0 else ""
        if at >= 0:
            rest = rest[at + len(plain_text) :]
        opened = opened or "\n" in before
        if sentence.made == "quoted":
            opened = True
            continue
        last = before.rsplit("\n", 1)[-1] if "\n" in before else (before if opened else "")
        head, text = _head(last + sentence.text) if opened else (PARAGRAPH, sentence.text)
        word = say_plain(trust_level.of_sentence(sentence)[0])
        made = _sentence(
            text,
            sentence.citations,
            str(sentence.support),
            "" if sentence.support is Support.SUPPORTED and sentence.made != "computed" else word,
        )
        if opened or not blocks:
            blocks.append({**head, "sentences": [made]})
        else:
            items = blocks[-1]["sentences"]
            assert isinstance(items, list)
            items.append(made)
        opened = False
    return blocks if blocks or sentences else draft(answer)


def _head(line: str) -> tuple[Item, str]:
    """Return what kind of block a line opens, with the number of its item, and its text."""
    if item := _ITEM.match(line):
        number = item[1] or item[2]
        return {"kind": "item", **({"number": number} if number else {})}, line[item.end() :]
    if _HEADING.match(line):
        return {"kind": "heading"}, _HEADING.sub("", line)
    return PARAGRAPH, line


def _sentence(text: str, citations: Sequence[int], support: str, note: str) -> Item:
    return {"support": support, "note": note, "runs": runs(text.strip(), citations)}
