"""How an answer is written: its sentences with their citations, its numbers, its numbered evidence."""

import re
from collections.abc import Sequence

from core.domain import Evidence, Passage, Sentence
from core.text.tokens import sentences, words

_CITED = re.compile(r"\s*\[(\d+(?:\s*[,，、]\s*\d+)*)\]")
_AFTER_STOP = re.compile(r"([.!?。！？]+)((?:\s*\[\d+(?:\s*[,，、]\s*\d+)*\])+)")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.#])(?<![A-Za-z]-)[-+−]?\d+(?:[,.]\d+)*(?![A-Za-z_\d])")


def overlap(a: str, b: str) -> float:
    """Return the Jaccard overlap (0 to 1) of the words of two texts."""
    left, right = set(words(a)), set(words(b))
    return len(left & right) / len(left | right) if left | right else 0.0


def cited(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of an answer with the numbers they cite; a citation after the stop counts too."""
    found: list[Sentence] = []
    for piece in sentences(_AFTER_STOP.sub(r"\2\1", text)):
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


def as_evidence(passages: Sequence[Passage], first: int = 1) -> tuple[Evidence, ...]:
    """Number passages for a task, from `first`. What a query computed is of the kind "result"."""
    return tuple(
        Evidence(
            n=n,
            text=passage.chunk.text,
            source=passage.document_title,
            place=passage.chunk.location.label(),
            date=passage.date,
            name=passage.file,
            document=passage.chunk.document_id,
            heading=passage.chunk.heading_path,
            kind="result" if "table" in passage.scores else passage.chunk.kind,
            columns=passage.columns,
            rows=passage.rows,
            table=passage.table,
            scores=passage.scores,
        )
        for n, passage in enumerate(passages, first)
    )
