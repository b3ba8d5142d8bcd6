"""Small libraries made by hand: a document is a few sentences, a vector is a hash of its words."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.domain import (
    Chunk,
    Column,
    Distilled,
    Document,
    Entity,
    Entry,
    Mention,
    Reference,
    Section,
    Table,
    TableData,
    identify,
)
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.ports import Vectors
from core.text.tokens import index_words
from tests.empty_library import laid_out

WIDTH = 32


def vector(text: str) -> Vectors:
    """Return a vector of norm 1: texts that share words are near."""
    summed = np.zeros(WIDTH, np.float32)
    for word in index_words(text):
        seed = int(identify(word)[:8], 16)
        summed += np.random.default_rng(seed).normal(size=WIDTH).astype(np.float32)
    return summed / max(float(np.linalg.norm(summed)), 1e-6)


def token_vectors(text: str) -> Vectors:
    return np.stack([vector(word) for word in text.split()])


def make_document(
    title: str,
    texts: Sequence[str],
    references: Sequence[tuple[str, str]] = (),
    tables: Sequence[TableData] = (),
    tokens: bool = True,
    **about: object,
) -> IndexableDocument:
    """Return a document with one section, a chunk a text, references (kind, text) from its first chunk."""
    document_id = identify(title, *texts)
    section = Section(
        id=identify(document_id, "section"),
        document_id=document_id,
        parent_id=None,
        path=(title,),
        level=1,
        order=0,
    )
    chunks = tuple(
        Chunk(
            id=identify(document_id, text),
            document_id=document_id,
            section_id=section.id,
            text=text,
            heading_path=(title,),
            order=place,
            tokens=len(text.split()),
        )
        for place, text in enumerate(texts)
    )
    cards = tuple(
        (
            Table(
                id=identify(document_id, data.name),
                document_id=document_id,
                name=data.name,
                sql_name=data.name,
                columns=data.columns,
                row_count=len(data.rows),
            ),
            data,
        )
        for data in tables
    )
    return IndexableDocument(
        document=Document(id=document_id, title=title, media_type="text/plain", name=f"{title}.txt", **about),
        sections=(section,),
        chunks=chunks,
        tables=cards,
        references=tuple(
            Reference(document_id=document_id, chunk_id=chunks[0].id, kind=kind, text=text)
            for kind, text in references
        ),
        vectors=np.stack([vector(c.passage_text()) for c in chunks]),
        tokens=tuple(token_vectors(c.text) for c in chunks) if tokens else None,
    )


def entry_of(prepared: IndexableDocument, collection: str = "default") -> Entry:
    name = prepared.document.name
    return Entry(path=f"/files/{name}", document_id=prepared.document.id, collection=collection)


def entity(name: str, *aliases: str) -> Entity:
    return Entity(id=identify(name), name=name, aliases=aliases)


def distil(library: KnowledgeBase, prepared: IndexableDocument, *names: str, place: int = 0) -> None:
    chunk = prepared.chunks[place].id
    entities = tuple(entity(name) for name in names)
    mentions = tuple(Mention(chunk_id=chunk, entity_id=e.id) for e in entities)
    library.enrich(prepared.document.id, Distilled(entities=entities, mentions=mentions), {})


YIELD = TableData(
    name="yield_by_month",
    columns=(
        Column(name="month", type="date"),
        Column(name="line"),
        Column(name="yield", type="real", unit="%"),
    ),
    rows=(
        ("2025-01-01", "A", 91.5),
        ("2025-02-01", "A", 92.25),
        ("2025-01-01", "B", 88.0),
        ("2025-02-01", "B", None),
    ),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def library(folder: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase(laid_out(folder, "test"), "test") as opened:
        yield opened


@pytest.fixture
def add(library: KnowledgeBase) -> Callable[..., IndexableDocument]:
    """Return a function that makes a document and adds it."""

    def added(title: str, *texts: str, collection: str = "default", **more: object) -> IndexableDocument:
        prepared = make_document(title, texts, **more)
        library.add(prepared, entry_of(prepared, collection))
        return prepared

    return added
