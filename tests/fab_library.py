"""A small library of a fab, made by hand and embedded for real, for tests of searching and gathering."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.domain import (
    Atom,
    Chunk,
    Column,
    Distilled,
    Document,
    Entity,
    Entry,
    Location,
    Mention,
    Section,
    Table,
    TableData,
    Tag,
    identify,
)
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.llm.encoders.embedders import PackagedEmbedder

DOCUMENTS: dict[str, tuple[str, ...]] = {
    "SOP-ETCH-012 Chamber wet clean": (
        "The wet clean of the PE-300 etch chamber takes four hours. It is due every 300 RF hours.",
        "After the wet clean, run 25 conditioning wafers before production is released.",
    ),
    "DR-2025-041 Edge particles": (
        "Lot LOT-2231 showed particles at the wafer edge. The root cause was a worn part of the Helix chuck.",
    ),
    "Helix chuck": ("Its seal kit has the order number 99-1042 and comes from Marwick Seals.",),
    "Marwick Seals": ("The company has its works in Dresden and delivers within ten days.",),
    "静电吸盘更换": ("静电吸盘的密封圈每三个月更换一次，更换后必须做漏率测试。",),
    "Canteen": ("The canteen opens at eleven. On Fridays there is fish with potatoes.",),
    "Parking": ("Visitors park on level two of the garage and register at the gate.",),
    "Lithography": ("The scanner aligns each wafer with four marks before exposure.",),
    "Holidays": ("The plant closes between Christmas and New Year.",),
}
NAMES = ("PE-300", "LOT-2231", "Helix chuck", "Marwick Seals", "wet clean")
TAGS = {
    "wet clean": ("SOP-ETCH-012 Chamber wet clean",),
    "food": ("Canteen",),
    "particles": ("DR-2025-041 Edge particles",),
}
YIELD = TableData(
    name="Monthly yield",
    caption="FAB-2",
    columns=(Column(name="Month"), Column(name="Tool"), Column(name="Yield", type="real", unit="%")),
    rows=(
        ("2025-01", "ETCH-01", 91.5),
        ("2025-01", "ETCH-02", 88.0),
        ("2025-02", "ETCH-01", 92.5),
        ("2025-02", "ETCH-02", 90.0),
    ),
)


def _document(title: str, texts: Sequence[str]) -> tuple[Document, Section, tuple[Chunk, ...]]:
    document_id = identify(title)
    section = Section(
        id=identify(title, "s"), document_id=document_id, parent_id=None, path=(title,), level=1, order=0
    )
    chunks = tuple(
        Chunk(
            id=identify(title, text),
            document_id=document_id,
            section_id=section.id,
            text=text,
            heading_path=(title,),
            order=place,
            tokens=40,
            location=Location(page=place),
            language="zh" if "吸" in text else "en",
        )
        for place, text in enumerate(texts)
    )
    return (
        Document(id=document_id, title=title, media_type="text/plain", name=f"{title}.txt"),
        section,
        chunks,
    )


def _distilled(chunks: Sequence[Chunk], names: Sequence[str]) -> Distilled:
    named = [(chunk, name) for chunk in chunks for name in names if name in chunk.passage_text()]
    return Distilled(
        atoms=tuple(
            Atom(id=identify(chunk.id, text), chunk_id=chunk.id, kind="statement", text=text)
            for chunk in chunks
            for text in chunk.text.split(". ")
        ),
        entities=tuple(Entity(id=identify("entity", name), name=name) for name in {n for _, n in named}),
        mentions=tuple(Mention(chunk_id=c.id, entity_id=identify("entity", n)) for c, n in named),
        tags=tuple(
            Tag(chunk_id=chunk.id, name=tag)
            for chunk in chunks
            for tag, titles in TAGS.items()
            if chunk.heading_path[0] in titles
        ),
    )


def make_library(
    folder: Path,
    embedder: PackagedEmbedder,
    data: TableData = YIELD,
    documents: Mapping[str, Sequence[str]] = DOCUMENTS,
    names: Sequence[str] = NAMES,
) -> KnowledgeBase:
    """Return a library that holds the documents and, beside one of them, a table; close it after use."""
    library = KnowledgeBase(folder, embedder.digest)
    for title, texts in documents.items():
        document, section, chunks = _document(title, texts)
        encoded = embedder.encode([chunk.passage_text() for chunk in chunks])
        tables = ((_table(document, data), data),) if title == "Lithography" else ()
        library.add(
            IndexableDocument(document, (section,), chunks, tables, (), encoded.vectors, encoded.tokens),
            Entry(
                path=document.name,
                document_id=document.id,
                collection="food" if title == "Canteen" else "fab",
            ),
        )
        distilled = _distilled(chunks, names)
        library.enrich(document.id, distilled, {"atoms": embedder.embed([a.text for a in distilled.atoms])})
    return library


def _table(document: Document, data: TableData) -> Table:
    sheet = Location(sheet="Yield", rows=(0, len(data.rows) - 1))
    return Table(
        id=identify(document.id, "table"),
        document_id=document.id,
        name=data.name,
        sql_name=data.name.lower().replace(" ", "_"),
        columns=data.columns,
        row_count=len(data.rows),
        caption=data.caption,
        location=data.location if data.location.parts else sheet,
    )
