"""Makes small passages and answers, so that a test shows only what it is about."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from core.domain import Chunk, Document, Entry, PartAnswer, Passage, Section, identify
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.knowledge.stores.records import Removal


def passage(text: str, *, title: str = "Manual", score: float = 1.0, **scores: float) -> Passage:
    """Return a passage whose chunk is identified by its text."""
    chunk = Chunk(
        id=identify(title, text),
        document_id=identify(title),
        section_id=identify(title, "section"),
        text=text,
        heading_path=(),
        order=0,
        tokens=len(text.split()),
    )
    return Passage(chunk=chunk, document_title=title, query="q", score=score, scores=scores)


def part(
    number: int, question: str, answer: str = "", *passages: Passage, failure: str = "", sql: str = ""
) -> PartAnswer:
    """Return the answer of a part, found if there is one."""
    return PartAnswer(
        id=number,
        question=question,
        answer=answer,
        found=bool(answer),
        passages=passages,
        failure=failure,
        sql=sql,
    )


@contextmanager
def library(folder: Path, *texts: str, title: str = "Manual", date: str = "") -> Iterator[KnowledgeBase]:
    """Open a library with one document, a chunk a text, as `passage` makes them."""
    chunks = tuple(
        passage(text, title=title).chunk.model_copy(update={"order": n}) for n, text in enumerate(texts)
    )
    document_id, section_id = chunks[0].document_id, chunks[0].section_id
    document = Document(id=document_id, title=title, media_type="text/plain", name="m.txt", date=date)
    section = Section(id=section_id, document_id=document_id, parent_id=None, path=(), level=0, order=0)
    vectors = np.eye(len(chunks), 384, dtype=np.float32)
    prepared = IndexableDocument(document, (section,), chunks, (), (), vectors, None)
    with KnowledgeBase(folder, "none") as base:
        base.add(prepared, Entry(path="/m.txt", document_id=document_id))
        yield base


def nothing_left(removal: Removal) -> bool:
    """Say whether a removal was done and left nothing in any store."""
    return bool(removal.left) and not any(removal.left.values())
