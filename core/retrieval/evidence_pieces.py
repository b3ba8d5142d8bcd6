"""Passages as the numbered pieces of evidence that a task reads."""

from collections.abc import Sequence
from itertools import pairwise

from core.domain import Evidence, Passage
from core.text.list_items import ends_in_list, leading_items


def _place(passage: Passage) -> str:
    """Return where a passage stands, with how many others it stands for: "row 7 (+12)"."""
    place = passage.chunk.location.label()
    return f"{place} (+{passage.alike})".strip() if passage.alike else place


def as_evidence(passages: Sequence[Passage], first: int = 1) -> tuple[Evidence, ...]:
    """Number passages for a task, from `first`. What a query computed is of the kind "result"."""
    return tuple(
        Evidence(
            n=n,
            text=passage.evidence_text,
            source=passage.document_title,
            place=_place(passage),
            date=passage.date,
            name=passage.file,
            document=passage.chunk.document_id,
            heading=passage.chunk.heading_path,
            kind="result" if "table" in passage.scores else passage.chunk.kind,
            columns=passage.columns,
            rows=passage.rows,
            table=passage.table,
            row_count=passage.row_count,
            document_words=passage.document_words,
            scores=passage.scores,
            rest=_rest(n, passages[n - first :]),
        )
        for n, passage in enumerate(passages, first)
    )


def _rest(n: int, passages: Sequence[Passage]) -> tuple[tuple[int, str], ...]:
    """Return the items by which the passages behind the first continue its list, each with its piece."""
    found: list[tuple[int, str]] = []
    for at, (last, one) in enumerate(pairwise(passages), start=n + 1):
        adjoins = last.chunk.section_id == one.chunk.section_id and last.chunk.order + 1 == one.chunk.order
        items = leading_items(one.evidence_text) if adjoins and ends_in_list(last.evidence_text) else []
        found += [(at, item) for item in items]
        if not items or len(items) < sum(bool(line.strip()) for line in one.evidence_text.split("\n")):
            break
    return tuple(found)
