"""Each chunk summed up knowing what came before it, kept with the chunk, gone with what it came from."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain import Chunk, Document, Section
from core.ingest.chunk_enrichment import chunk_runs_of
from core.ingest.ingestion import Ingestion
from core.knowledge.stores.value_cache import CacheStore
from core.llm.cache import CachedLLM
from core.tasks import Enrich
from tests.ingest.ingestion_parts import AskedLLM, ingestion
from tests.ingest.test_ingestion import file, ingest
from tests.making import nothing_left

PUMP = (
    "The dry pump XDS-35 of tool ETCH-03 is serviced every 2,000 hours. Jonas Weber replaces the tip seals. "
    "The base pressure is then checked to be below one pascal. The old seals go back to the store in a "
    "sealed bag, and their hours are entered in the log of the tool."
)
CHUCK = (
    "The electrostatic chuck of the tool is held by eight screws. Each is tightened to 12 newton metres in a "
    "cross pattern. Helium is then let in at the back of the wafer and the leak rate is read. A leak rate of "
    "more than 2.5 sccm raises the alarm E-217, and the chuck must be taken out again."
)
RING = (
    "The focus ring wears while the plasma burns. It is replaced after 400 hours of radio frequency power. "
    "Silmatec supplies it within six weeks of the order. Whoever replaces it wears gloves, measures the gap "
    "to the chuck at four points, and runs ten dummy wafers before the tool is released."
)
MANUAL = f"# Etch manual\n## Pump\n{PUMP}\n## Chuck\n{CHUCK}\n## Ring\n{RING}\n"


class Library:
    """A library whose model is the built-in rules behind a cache; it notes what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.llm = folder, AskedLLM()
        cached = CachedLLM(self.llm, CacheStore(folder / "replies.sqlite", 1 << 20), lambda task: "1")
        self.into: Ingestion = ingestion(folder / "library", llm=cached)

    def ingest(self, name: str, text: str) -> tuple[str, list[Chunk]]:
        self.llm.asked.clear()
        _, outcome = ingest(self.into, file(self.folder, name, text))
        return outcome.document_id, self.into.knowledge.chunks(outcome.document_id)

    def calls(self) -> list[Enrich]:
        """Return what was asked, in order."""
        return [task for task in self.llm.asked if isinstance(task, Enrich)]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path)
    yield made
    made.into.knowledge.close()


def test_each_chunk_is_summed_up_knowing_the_summary_of_the_one_before(library: Library) -> None:
    _, chunks = library.ingest("manual.md", MANUAL)
    asked = library.calls()
    assert [chunk.heading_path[-1] for chunk in chunks] == ["Pump", "Chuck", "Ring"]
    assert [task.pieces[0].heading for task in asked] == ["Pump", "Chuck", "Ring"]
    assert all(0 < len(chunk.summary) < len(chunk.text) for chunk in chunks)
    assert [task.before for task in asked] == ["", chunks[0].summary, chunks[1].summary]


def test_a_summary_is_neither_embedded_nor_part_of_what_is_searched(library: Library) -> None:
    _, chunks = library.ingest("manual.md", MANUAL)
    for chunk in chunks:
        assert chunk.summary
        assert chunk.passage_text() == chunk.model_copy(update={"summary": ""}).passage_text()
        assert chunk.summary not in library.into._embedder.seen  # type: ignore[attr-defined]


def test_short_chunks_and_tables_get_none_and_pass_on_what_came_before(library: Library) -> None:
    table = "| Part | Weeks |\n|---|---|\n" + "".join(f"| Part number {n} | {n} |\n" for n in range(20))
    text = f"# Etch manual\n## Pump\n{PUMP}\n## Parts\n{table}\n## Note\nSee below.\n## Ring\n{RING}\n"
    _, chunks = library.ingest("manual.md", text)
    with_one = [chunk for chunk in chunks if chunk.summary]
    assert [chunk.heading_path[-1] for chunk in with_one] == ["Pump", "Ring"]
    assert {chunk.kind for chunk in chunks} == {"text", "table"}
    assert library.calls()[-1].before == with_one[0].summary


def test_a_document_of_one_chunk_has_its_own_summary_only(library: Library) -> None:
    document_id, (chunk,) = library.ingest("ring.md", f"# Ring\n{RING}\n")
    assert chunk.summary == ""
    assert library.into.knowledge.document(document_id).summary


def test_passages_of_a_collection_cost_nothing_more_and_know_nothing_of_each_other(library: Library) -> None:
    long = "\n\n".join((RING, PUMP, CHUCK, RING, PUMP, CHUCK))
    texts = [PUMP, CHUCK, long, long.replace("eight", "nine")]
    lines = (json.dumps({"title": f"Passage {n}", "text": text}) for n, text in enumerate(texts))
    _, chunks = library.ingest("passages.jsonl", "\n".join(lines))
    of = [[c for c in chunks if c.heading_path[-1] == f"Passage {n}"] for n in range(4)]
    assert [[chunk.summary for chunk in part] for part in of[:2]] == [[""], [""]]
    expected = [before for part in of[2:] for before in ["", *(chunk.summary for chunk in part[:-1])]]
    assert [task.before for task in library.calls()] == ["", "", *expected]
    assert len(expected) > 2


def test_a_file_of_very_many_top_sections_is_such_a_collection_too() -> None:
    document = Document(id="d", title="Notes", media_type="text/markdown", name="notes.md")

    def going_on(count: int) -> int:
        sections = [
            Section(id=f"s{n}", document_id="d", parent_id=None, path=(f"H{n}",), level=1, order=n)
            for n in range(count)
        ]
        chunks = [
            Chunk(
                id=f"c{n}",
                document_id="d",
                section_id=f"s{n}",
                text=PUMP,
                heading_path=(f"H{n}",),
                order=n,
                tokens=60,
            )
            for n in range(count)
        ]
        (stretch,) = chunk_runs_of(document, sections, chunks)
        return sum(stretch.continues)

    assert (going_on(60), going_on(61)) == (59, 0)


def test_summaries_go_with_what_was_distilled_and_come_back_from_the_cache(library: Library) -> None:
    document_id, before = library.ingest("manual.md", MANUAL)
    knowledge = library.into.knowledge
    knowledge.remove_enrichment(document_id)
    assert [chunk.summary for chunk in knowledge.chunks(document_id)] == ["", "", ""]
    library.llm.asked.clear()
    for _ in library.into.enrich(document_id):
        pass
    assert knowledge.chunks(document_id) == before
    assert library.llm.asked == []
    assert nothing_left(knowledge.remove(document_id))
    assert knowledge.chunks(ids=[chunk.id for chunk in before]) == []
    assert knowledge.check() == []


def test_in_a_changed_file_the_model_is_asked_from_the_change_on_only(library: Library) -> None:
    _, before = library.ingest("manual.md", MANUAL)
    changed = RING.replace("four points", "five points")
    _, after = library.ingest("manual.md", MANUAL.replace(RING, changed))
    assert [task.pieces[0].heading for task in library.calls()] == ["Ring"]
    assert [chunk.summary for chunk in after[:2]] == [chunk.summary for chunk in before[:2]]
    assert "five points" in after[2].summary
