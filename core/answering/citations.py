"""The citations of an answer: read from its sentences, renumbered in order; the numbers it states."""

import re
from collections.abc import Sequence

from core.answering.same_rows import as_one
from core.domain import Passage, Sentence
from core.text.sentences import sentences

_CITED = re.compile(r"\s*\[(\d+(?:\s*[,，、;]\s*\d+)*)\]")
_MARKS = re.compile(r"\[\d+(?:\s*[,，、;]\s*\d+)*\]")
_TWICE = re.compile(r"(\[\d+\])(?:\s*\1)+")
_DIGITS = re.compile(r"\d+")
_AFTER_STOP = re.compile(r"([.!?。！？]+)((?:\s*\[\d+(?:\s*[,，、;]\s*\d+)*\])+)")
_COLUMNS = re.compile(r"^[ \t]*\|[^\n]*\n(?=[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$)", re.MULTILINE)
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.#])(?<![A-Za-z]-)[-+−]?\d+(?:[,.]\d+)*(?![A-Za-z_\d])")


def cited(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of an answer with the numbers they cite; a citation after the stop counts too.

    A row of a table is one; what its columns are called states nothing.
    """
    found: list[Sentence] = []
    for piece in sentences(_AFTER_STOP.sub(r"\2\1", _COLUMNS.sub("", text))):
        numbered = [int(n) for group in _CITED.findall(piece) for n in re.findall(r"\d+", group)]
        bare = _CITED.sub("", piece).strip()
        if any(c.isalnum() for c in bare):
            found.append(Sentence(text=bare, citations=tuple(dict.fromkeys(numbered))))
        elif numbered and found:
            last = found[-1]
            joined = tuple(dict.fromkeys((*last.citations, *numbered)))
            found[-1] = last.model_copy(update={"citations": joined})
    return tuple(found)


def numbers(text: str) -> set[str]:
    """Return the numbers of a text in one spelling: no thousands separators, no trailing zeros, no plus."""
    return {_plain(n) for n in _NUMBER.findall(_CITED.sub("", text))}


def _plain(number: str) -> str:
    value = number.replace("−", "-").lstrip("+")
    if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", value):
        value = value.replace(",", "")
    if "." in value:
        value = value.rstrip("0").rstrip(".")
    return value


def in_order(
    text: str, sentences: Sequence[Sentence], evidence: Sequence[Passage], above: Sequence[int] = ()
) -> tuple[str, tuple[Sentence, ...], tuple[Passage, ...]]:
    """Return text, sentences and passages with the citations numbered in the order they appear, those that
    stand `above` the text first; the same rows of a table are one passage with one number."""
    passages, first = as_one(evidence)
    written = [int(n) for marks in _MARKS.findall(text) for n in _DIGITS.findall(marks)]
    cited = [n for sentence in sentences for n in sentence.citations]
    named = (first.get(n, 0) for n in (*above, *written, *cited, *first))
    order = [n for n in dict.fromkeys(named) if n]
    new = {old: at for at, old in enumerate(order, start=1)}
    place = {old: new[first[old]] for old in first}

    def renumbered(text: str) -> str:
        text = _MARKS.sub(lambda m: _DIGITS.sub(lambda n: str(place.get(int(n[0]), int(n[0]))), m[0]), text)
        return _TWICE.sub(r"\1", text)

    numbered = tuple(
        sentence.model_copy(
            update={
                "text": renumbered(sentence.text),
                "citations": tuple(dict.fromkeys(place.get(n, n) for n in sentence.citations)),
            }
        )
        for sentence in sentences
    )
    return renumbered(text), numbered, tuple(passages[n - 1] for n in order)
