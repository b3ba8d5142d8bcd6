"""What a model adds to documents at leisure: where it is switched on, while nobody asks, never twice."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from core.domain import Atom, Distilled
from core.errors import LLMUnavailable, MalformedReply
from core.ingest.enricher import Enricher
from core.ingest.ingestion import Ingestion
from core.knowledge.stores.value_cache import CacheStore
from core.llm.builtin import BuiltinLLM
from core.llm.cache import CachedLLM
from core.llm.fallback import FallbackLLM
from core.llm.ollama.client import OllamaLLM
from core.work.background_enrichment import BackgroundEnrichment
from tests.ingest.ingestion_parts import ingestion
from tests.ingest.test_ingestion import file
from tests.ollama_double import OllamaDouble

PART = "## Part {n}\nThe pump number {n} of tool ETCH-0{n} was replaced by Jonas Weber after {n} hours. " + (
    "It hums and is heard in the hall. " * 8
)


class House:
    """A library with documents in collections, a double of the server, and the work at leisure."""

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
            Enricher(FallbackLLM(served, rules, rest=0.0, only=MalformedReply), rules, together=3),
            busy=lambda: self.busy,
        )

    def bring(self, name: str, collection: str, parts: int = 4) -> str:
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
def house(tmp_path: Path) -> Iterator[House]:
    with OllamaDouble() as double:
        made = House(tmp_path, double)
        yield made
        made.background_enrichment.close()
        made.into.knowledge.close()


def test_only_collections_that_are_switched_on_cost_calls(house: House) -> None:
    mine, other = house.bring("mine.md", "mine"), house.bring("other.md", "other", parts=3)
    house.background_enrichment.start()
    house.until(lambda: house.background_enrichment.progress().state == "off")
    assert house.chats() == 0
    house.background_enrichment.switch("mine", True)
    house.until(lambda: house.background_enrichment.progress().state == "done")
    model = house.makers(mine)
    assert model and not any(maker.startswith("built-in") for maker in model)
    assert all(maker.startswith("built-in") for maker in house.makers(other))
    assert 0 < house.chats() <= len(house.into.knowledge.chunks(mine))
    assert house.into.knowledge.check() == []
    house.background_enrichment.switch("mine", False)
    assert house.background_enrichment.switched_on() == ()


def test_a_question_breaks_it_off_and_it_goes_on_without_asking_twice(house: House) -> None:
    document = house.bring("long.md", "mine", parts=9)
    house.double.latency = 0.3
    house.background_enrichment.switch("mine", True)
    house.background_enrichment.start()
    house.until(lambda: house.chats() >= 2)
    house.busy = True
    house.until(lambda: house.background_enrichment.progress().state == "waiting")
    asked = house.chats()
    time.sleep(0.5)
    assert house.chats() == asked
    assert all(maker.startswith("built-in") for maker in house.makers(document))  # searchable meanwhile
    house.busy = False
    house.until(lambda: house.background_enrichment.progress().state == "done")
    assert house.chats() <= len(house.into.knowledge.chunks(document)) + 1  # the one that was broken off
    assert house.background_enrichment.waiting(["mine"]) == ()


def test_an_estimate_counts_the_calls_and_measures_the_model(house: House) -> None:
    document = house.bring("long.md", "mine", parts=9)
    house.double.latency = 0.2
    estimate = house.background_enrichment.estimate("mine")
    assert (estimate.documents, estimate.measured) == (1, 2)
    assert estimate.chunks == len(house.into.knowledge.chunks(document))
    assert house.chats() == 2 < estimate.calls < estimate.chunks
    assert estimate.seconds > 0.2 * estimate.calls
    before = house.chats()
    house.background_enrichment.enrich(document)
    assert house.chats() - before <= estimate.calls
    assert house.background_enrichment.estimate("mine").calls == 0
    house.into.knowledge.enrichment.forget("mine")
    assert house.background_enrichment.waiting(["mine"]) == (document,)


def test_a_server_that_is_away_costs_nothing_that_is_there(house: House) -> None:
    document = house.bring("mine.md", "mine")
    before = house.into.knowledge.tags()
    house.double.__exit__(None, None, None)
    with pytest.raises(LLMUnavailable):
        house.background_enrichment.estimate("mine")
    house.background_enrichment.switch("mine", True)
    house.background_enrichment.start()
    house.until(lambda: house.background_enrichment.progress().state == "away")
    assert house.background_enrichment.progress().reason
    assert house.into.knowledge.tags() == before
    assert house.background_enrichment.waiting(["mine"]) == (document,)
    house.double.__enter__()


def test_what_the_model_writes_takes_the_place_of_the_rules_and_verified_answers_stay(house: House) -> None:
    document = house.bring("mine.md", "mine")
    knowledge = house.into.knowledge
    chunk = knowledge.chunks(document)[0]
    verified = Atom(id="v", chunk_id=chunk.id, kind="question", text="Who did?", by="m", verified_by="reader")
    stale = Atom(id="s", chunk_id=chunk.id, kind="statement", text="It said this once.")
    knowledge.distil(document, Distilled(atoms=(verified, stale)), {"atoms": np.ones((2, 32), np.float32)})
    house.background_enrichment.enrich(document)
    chunks = [each.id for each in knowledge.chunks(document)]
    atoms = knowledge.atoms(chunks)
    assert [atom for atom in atoms if atom.verified_by] == [verified]
    assert not [atom for atom in atoms if atom.by.startswith("built-in")]
    assert "s" not in {atom.id for atom in atoms}
    assert knowledge.external.indexes["atoms"].count() == sum(atom.searched for atom in atoms)
    assert knowledge.check() == []


def test_what_goes_takes_its_mark_with_it(house: House) -> None:
    document = house.bring("mine.md", "mine")
    house.background_enrichment.enrich(document)
    assert house.background_enrichment.waiting(None) == ()
    house.into.knowledge.remove(document)
    assert house.into.knowledge.enrichment.engines() == {}
    assert house.bring("mine.md", "mine") == document
    assert house.background_enrichment.waiting(None) == (document,)
