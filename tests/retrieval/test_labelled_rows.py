"""A row is found by its label: a question that names it and what its table is about gets that table."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.domain import Chunk, Document, Entry, Location, Scope, Section, identify
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.llm.encoders.rerankers import NoReranker
from core.retrieval.gatherer import Gatherer
from core.retrieval.hybrid_retriever import HybridRetriever
from core.retrieval.labelled_rows import NamedRows
from core.tasks import Query, WriteQuery
from core.trace import Searched
from tests.doubles import ScriptedLLM

DATA = "Data of the PX-9. 3 rows.\nProperty | Value\nChambers | 2 (A and B)\nFloor space | 7 m2\nMass | 4"
PARTS = "Parts of the PX-9\nNumber | Part | Price\nPN-1 | Focus ring, silicon | 21\nPN-2 | Chamber lid | 90"
ALARMS = (
    "alarm-log\nTime | Tool | Alarm\n08:00 | ETCH-03 | leak\n09:00 | ETCH-03 | drift\n10:00 | ETCH-04 | leak"
)
HALL = "In the hall\nThing | Place\nCable tray | north wall\nCrane | roof"
NOTES = tuple(
    f"The PX-9 was cleaned; its chambers were wiped in week {week} of the year." for week in range(30)
)


def _held(title: str, texts: tuple[str, ...], kind: str) -> IndexableDocument:
    document = Document(id=identify(title), title=title, media_type="text/plain", name=f"{title}.txt")
    section = Section(
        id=identify(title, "s"), document_id=document.id, parent_id=None, path=(title,), level=1, order=0
    )
    chunks = tuple(
        Chunk.model_validate(
            {
                "id": identify(title, text),
                "document_id": document.id,
                "section_id": section.id,
                "text": text,
                "heading_path": (title,),
                "order": place,
                "tokens": 40,
                "kind": kind,
                "location": Location(page=place),
                "table_id": identify(title, "table") if kind == "table" else None,
            }
        )
        for place, text in enumerate(texts)
    )
    return IndexableDocument(document, (section,), chunks, (), (), np.zeros((0, 0), np.float32))


@pytest.fixture(scope="module")
def shelves(tmp_path_factory, embedder) -> Iterator[KnowledgeBase]:
    with KnowledgeBase(tmp_path_factory.mktemp("rows") / "library", embedder.digest) as made:
        for title, texts, kind in (
            ("PX-9 manual", (DATA,), "table"),
            ("Catalogue", (PARTS,), "table"),
            ("Alarms of June", (ALARMS,), "table"),
            ("Hall", (HALL,), "table"),
            ("PX-9 cleaning in its chambers", NOTES, "text"),
        ):
            held = _held(title, texts, kind)
            encoded = embedder.encode([chunk.passage_text() for chunk in held.chunks])
            held = replace(held, vectors=encoded.vectors, tokens=encoded.tokens)
            made.add(held, Entry(path=f"{title}.txt", document_id=held.document.id, collection="fab"))
        yield made


def named(shelves, question, terms="", scope=None):
    return NamedRows(shelves).find(question, terms or question, scope or Scope())


@pytest.mark.parametrize(
    ("question", "title", "label"),
    [
        ("How many chambers does the PX-9 have?", "PX-9 manual", "Chambers"),
        ("How much floor space is needed?", "PX-9 manual", "Floor space"),  # two words say enough
        ("What does a focus ring cost?", "Catalogue", "Focus ring, silicon"),
    ],
)
def test_a_row_is_named_by_its_label(shelves, question, title, label):
    found = named(shelves, question)
    assert [p.document_title for p in found] == [title]
    assert found[0].why == (f"names its row {label}",)


@pytest.mark.parametrize(
    "question",
    [
        "How many chambers are there?",  # of what?
        "What is the mass of a proton?",
        "Which alarms did ETCH-03 raise?",  # a tool is no label of a log
        "How is the PX-9 cleaned?",
        "什么时候开会？",
        "",
    ],
)
def test_a_question_that_names_no_row_gets_none(shelves, question):
    assert named(shelves, question) == []


def test_a_label_may_be_said_in_the_librarys_words(shelves):
    assert named(shelves, "PX-9 有几个腔体？") == []
    assert [p.document_title for p in named(shelves, "PX-9 有几个腔体？", "PX-9 有几个腔体？ chamber")] == [
        "PX-9 manual"
    ]


def test_rows_out_of_scope_are_not_named(shelves):
    question = "How many chambers does the PX-9 have?"
    assert named(shelves, question, scope=Scope(collections=("food",))) == []
    (found,) = named(shelves, question)
    assert named(shelves, question, scope=Scope(without=(found.chunk.id,))) == []


def test_the_tables_with_the_rows_are_gathered_where_no_search_brings_them(shelves, embedder):
    silent = {WriteQuery: Query()}
    events: list[object] = []
    llm = ScriptedLLM(lambda task: silent[type(task)])
    few = {"keyword": 1, "semantic": 1, "reranked": 1, "candidates": 1}
    gatherer = Gatherer(HybridRetriever(shelves, embedder), shelves, NoReranker(), llm, **few)
    question = "Do a focus ring and a cable tray stand in the chambers of the PX-9?"
    found = gatherer.gather(question, Scope(), events.append, sub_question=7)
    plain, rows = (event for event in events if isinstance(event, Searched))
    assert (plain.kind, rows.kind) == ("plain", "table")
    assert {passage.sub_question for passage in rows.passages} == {7}
    assert {p.chunk.id for p in rows.passages}.isdisjoint(p.chunk.id for p in plain.passages)
    assert {"PX-9 manual", "Catalogue", "Hall"} <= {p.document_title for p in found.passages}
