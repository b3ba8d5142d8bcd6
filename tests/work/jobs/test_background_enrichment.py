"""What a model adds to documents in the background: where switched on, while nobody asks, never twice."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from core.domain import Atom, Distilled
from core.errors import LLMUnavailable, MalformedReply
from core.ingest.chunk_enrichment import ChunkEnricher
from core.ingest.ingestion import Ingestion
from core.knowledge.stores.value_cache import CacheStore
from core.llm.builtin import BuiltinLLM
from core.llm.cache import CachedLLM
from core.llm.fallback import FallbackLLM
from core.llm.ollama.client import OllamaLLM
from core.work.jobs.background_enrichment import BackgroundEnrichment
from tests.ingest.ingestion_parts import ingestion
from tests.ingest.test_ingestion import file
from tests.ollama_double import OllamaDouble

PART = "## Part {n}\nThe pump number {n} of tool ETCH-0{n} was replaced by Jonas Weber after {n} hours. " + (
    "It hums and is heard in the hall. " * 8
)


class EnrichingLibrary:
    """A library with documents in collections, a double of the server, and the background work."""

    def __init__(self, folder: Path, double: OllamaDouble) -> None:
        self.double, self.folder = double, folder
        self.into: Ingestion = ingestion(folder / "library")
        self.busy = False
        served = CachedLLM(
            OllamaLLM(double.host), CacheStore(folder / "cache.sqlite", 1 << 20), lambda task: "1"
        )
        rules = BuiltinLLM()
        self.background_enrichment = BackgroundEnrichment(
            self.into.knowledge,
            self.into,
            ChunkEnricher(FallbackLLM(served, rules, cooldown=0.0, only=MalformedReply), rules, together=3),
            busy=lambda: self.busy,
        )

    def ingest(self, name: str, collection: str, parts: int = 4) -> str:
        path = file(self.folder, name, "# Log\n" + "\n".join(PART.format(n=n) for n in range(parts)))
        work = self.into.ingest(path, collection=collection)
        while True:
            try:
                next(work)
            except StopIteration as stop:
                return str(stop.value.document_id)

    def chats(self) -> int:
        return sum(path == "/api/chat" for path, _ in self.double.requests)

    def makers(self, document_id: str) -> set[str]:
        chunks = [chunk.id for chunk in self.into.knowledge.chunks(document_id)]
        return {atom.by for atom in self.into.knowledge.atoms(chunks)}

    def until(self, told: Callable[[], bool], seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while not told():
            assert time.monotonic() < end, self.background_enrichment.progress()
            time.sleep(0.02)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[EnrichingLibrary]:
    with OllamaDouble() as double:
        made = EnrichingLibrary(tmp_path, double)
        yield made
        made.background_enrichment.close()
        made.into.knowledge.close()


def test_only_collections_that_are_switched_on_cost_calls(place: EnrichingLibrary) -> None:
    mine, other = place.ingest("mine.md", "mine"), place.ingest("other.md", "other", parts=3)
    place.background_enrichment.start()
    place.until(lambda: place.background_enrichment.progress().state == "off")
    assert place.chats() == 0
    place.background_enrichment.switch("mine", True)
    place.until(lambda: place.background_enrichment.progress().state == "done")
    model = place.makers(mine)
    assert model and not any(maker.startswith("built-in") for maker in model)
    assert all(maker.startswith("built-in") for maker in place.makers(other))
    assert 0 < place.chats() <= len(place.into.knowledge.chunks(mine))
    assert place.into.knowledge.check() == []
    place.background_enrichment.switch("mine", False)
    assert place.background_enrichment.switched_on() == ()


def test_a_question_breaks_it_off_and_it_goes_on_without_asking_twice(place: EnrichingLibrary) -> None:
    document = place.ingest("long.md", "mine", parts=9)
    place.double.latency = 0.3
    place.background_enrichment.switch("mine", True)
    place.background_enrichment.start()
    place.until(lambda: place.chats() >= 2)
    place.busy = True
    place.until(lambda: place.background_enrichment.progress().state == "waiting")
    asked = place.chats()
    time.sleep(0.5)
    assert place.chats() == asked
    assert all(maker.startswith("built-in") for maker in place.makers(document))  # searchable meanwhile
    place.busy = False
    place.until(lambda: place.background_enrichment.progress().state == "done")
    assert place.chats() <= len(place.into.knowledge.chunks(document)) + 1  # the one that was broken off
    assert place.background_enrichment.waiting(["mine"]) == ()


def test_an_estimate_counts_the_calls_and_measures_the_model(place: EnrichingLibrary) -> None:
    document = place.ingest("long.md", "mine", parts=9)
    place.double.latency = 0.2
    estimate = place.background_enrichment.estimate("mine")
    assert (estimate.documents, estimate.measured) == (1, 2)
    assert estimate.chunks == len(place.into.knowledge.chunks(document))
    assert place.chats() == 2 < estimate.calls < estimate.chunks
    assert estimate.seconds > 0.2 * estimate.calls
    before = place.chats()
    place.background_enrichment.enrich(document)
    assert place.chats() - before <= estimate.calls
    assert place.background_enrichment.estimate("mine").calls == 0
    place.into.knowledge.enrichment.forget("mine")
    assert place.background_enrichment.waiting(["mine"]) == (document,)


def test_a_server_that_is_away_costs_nothing_that_is_there(place: EnrichingLibrary) -> None:
    document = place.ingest("mine.md", "mine")
    before = place.into.knowledge.tags()
    place.double.__exit__(None, None, None)
    with pytest.raises(LLMUnavailable):
        place.background_enrichment.estimate("mine")
    place.background_enrichment.switch("mine", True)
    place.background_enrichment.start()
    place.until(lambda: place.background_enrichment.progress().state == "away")
    assert place.background_enrichment.progress().reason
    assert place.into.knowledge.tags() == before
    assert place.background_enrichment.waiting(["mine"]) == (document,)
    place.double.__enter__()


def test_what_the_model_writes_takes_the_place_of_the_rules_and_verified_answers_stay(
    place: EnrichingLibrary,
) -> None:
    document = place.ingest("mine.md", "mine")
    knowledge = place.into.knowledge
    chunk = knowledge.chunks(document)[0]
    verified = Atom(id="v", chunk_id=chunk.id, kind="question", text="Who did?", by="m", verified_by="reader")
    stale = Atom(id="s", chunk_id=chunk.id, kind="statement", text="It said this once.")
    knowledge.enrich(document, Distilled(atoms=(verified, stale)), {"atoms": np.ones((2, 32), np.float32)})
    place.background_enrichment.enrich(document)
    chunks = [each.id for each in knowledge.chunks(document)]
    atoms = knowledge.atoms(chunks)
    assert [atom for atom in atoms if atom.verified_by] == [verified]
    assert not [atom for atom in atoms if atom.by.startswith("built-in")]
    assert "s" not in {atom.id for atom in atoms}
    assert knowledge.external.indexes["atoms"].count() == sum(atom.searched for atom in atoms)
    assert knowledge.check() == []


def test_what_goes_takes_its_mark_with_it(place: EnrichingLibrary) -> None:
    document = place.ingest("mine.md", "mine")
    place.background_enrichment.enrich(document)
    assert place.background_enrichment.waiting(None) == ()
    place.into.knowledge.remove(document)
    assert place.into.knowledge.enrichment.engines() == {}
    assert place.ingest("mine.md", "mine") == document
    assert place.background_enrichment.waiting(None) == (document,)
