"""Passages as the numbered pieces of evidence that a task reads."""

from collections.abc import Sequence

from core.domain import Evidence, Passage


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
            document_words=passage.document_words,
            scores=passage.scores,
        )
        for n, passage in enumerate(passages, first)
    )
