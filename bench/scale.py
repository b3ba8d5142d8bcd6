"""Speed and memory of the search over a large made-up library: `python -m bench.scale --chunks 100000`.

The library is written through the knowledge base's own doors, but nothing is parsed, embedded or distilled:
words, names, tags and vectors are drawn from long-tailed distributions with a fixed seed, 10 chunks to a
document, 8 names, 4 tags, an atom and 16 token vectors to a chunk. So the figures tell how the indexes
behave at that size, not how good the answers are. The question itself is embedded by the packaged model.
"""

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from core.domain import (
    Atom,
    Chunk,
    Distilled,
    Document,
    Entity,
    Entry,
    Location,
    Mention,
    Section,
    Tag,
    identify,
)
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.rerankers import LateInteractionReranker
from core.retrieval.hybrid_retriever import HybridRetriever

TO_A_DOCUMENT = 10
AT_ONCE = 100  # documents in a transaction
WIDTH = 384
SYLLABLES = [a + b for a in "bcdfghjklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "or")]


class Maker:
    """Draws documents; the same number gives the same document."""

    def __init__(self, chunks: int) -> None:
        self._words = [self._name(n) for n in range(40_000)]
        self._names = max(1000, 2 * chunks)

    def _name(self, number: int) -> str:
        found = ""
        while number or not found:
            number, rest = divmod(number, len(SYLLABLES))
            found += SYLLABLES[rest]
        return found

    def _long_tail(self, random: np.random.Generator, many: int, most: int) -> list[int]:
        """Return numbers below `most`, n as likely as 1 / (n + 10)."""
        return [int(10 * ((most / 10 + 1) ** share - 1)) for share in random.random(many)]

    def entity(self, number: int) -> Entity:
        name = f"{self._name(number).title()} {self._name(number * 7919 % 100_003).title()}"
        return Entity(id=identify("entity", name), name=name)

    def document(self, number: int) -> tuple[IndexableDocument, Distilled, dict[str, Any]]:
        random = np.random.default_rng(number)
        document_id = identify("made", str(number))
        title = self.entity(number).name
        sections, chunks, atoms, tags, mentions = [], [], [], [], []
        entities: dict[str, Entity] = {}
        for place in range(TO_A_DOCUMENT):
            own = self.entity(number * TO_A_DOCUMENT + place)
            section = Section(
                id=identify(document_id, str(place)),
                document_id=document_id,
                parent_id=None,
                path=(own.name,),
                level=1,
                order=place,
            )
            named = [own, *(self.entity(n) for n in self._long_tail(random, 8, self._names))]
            words = [self._words[n] for n in self._long_tail(random, 70, len(self._words))]
            text = f"{' '.join(words)} {', '.join(each.name for each in named)}."
            chunk = Chunk(
                id=identify(section.id, text),
                document_id=document_id,
                section_id=section.id,
                text=text,
                heading_path=(own.name,),
                order=place,
                tokens=120,
                location=Location(lines=(place, place)),
            )
            about = own.model_copy(update={"about": (section.id,)})
            entities |= {each.id: each for each in named if each.id not in entities} | {own.id: about}
            mentions += [
                Mention(chunk_id=chunk.id, entity_id=each.id) for each in {e.id: e for e in named}.values()
            ]
            tags += [
                Tag(chunk_id=chunk.id, name=f"tag {n}", tag_class="topic")
                for n in set(self._long_tail(random, 4, 20_000))
            ]
            atoms.append(
                Atom(id=identify(chunk.id, "atom"), chunk_id=chunk.id, kind="statement", text=text[:80])
            )
            sections.append(section)
            chunks.append(chunk)
        vectors = random.standard_normal((2 * TO_A_DOCUMENT, WIDTH)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        tokens = random.standard_normal((TO_A_DOCUMENT, 16, WIDTH)).astype(np.float32)
        tokens /= np.linalg.norm(tokens, axis=2, keepdims=True)
        prepared = IndexableDocument(
            document=Document(id=document_id, title=title, media_type="text/plain", name=f"{number}.txt"),
            sections=tuple(sections),
            chunks=tuple(chunks),
            tables=(),
            references=(),
            vectors=vectors[:TO_A_DOCUMENT],
            tokens=tuple(tokens),
        )
        distilled = Distilled(
            atoms=tuple(atoms), entities=tuple(entities.values()), mentions=tuple(mentions), tags=tuple(tags)
        )
        return prepared, distilled, {"atoms": vectors[TO_A_DOCUMENT:]}

    def question(self, number: int) -> str:
        random = np.random.default_rng(10**9 + number)
        first, second = (self.entity(int(n)).name for n in random.integers(0, self._names, 2))
        words = " ".join(self._words[n] for n in self._long_tail(random, 5, len(self._words)))
        return f"Which {words} of {first} did {second} see?"


def grow(folder: Path, chunks: int, seconds: float) -> int:
    """Write documents until there are `chunks`, or the time is over; return how many chunks there are."""
    maker = Maker(chunks)
    until = time.monotonic() + seconds
    with KnowledgeBase(folder, PackagedEmbedder().digest) as knowledge:
        there = len(knowledge.titles())
        while there * TO_A_DOCUMENT < chunks and time.monotonic() < until:
            made = [maker.document(n) for n in range(there, there + AT_ONCE)]
            knowledge.add_many(
                [(p, Entry(path=p.document.name, document_id=p.document.id)) for p, _, _ in made]
            )
            knowledge.enrich_many([(p.document.id, d, v) for p, d, v in made])
            there += len(made)
            print(f"\r{there * TO_A_DOCUMENT} chunks", end="", flush=True)
        print()
        return there * TO_A_DOCUMENT


def measure(folder: Path, chunks: int, questions: int) -> dict[str, float]:
    """Open the library and search it; times in milliseconds unless named otherwise."""
    maker, embedder = Maker(chunks), PackagedEmbedder()
    embedder.embed(["The model is loaded before anything is timed."])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    with KnowledgeBase(folder, embedder.digest) as knowledge:
        retriever = HybridRetriever(knowledge, embedder)
        retriever.search(maker.question(-1), 10)
        result = {"open_s": time.perf_counter() - began}
        reranker = LateInteractionReranker(embedder, knowledge.tokens, hops=lambda ids: knowledge.hops(ids))
        searched, reranked = [], []
        for n in range(questions):
            began = time.perf_counter()
            passages = retriever.search(maker.question(n), 20)
            searched.append(time.perf_counter() - began)
            began = time.perf_counter()
            reranker.rerank(maker.question(n), passages)
            reranked.append(time.perf_counter() - began)
        parts = dict(timed(retriever, [maker.question(n) for n in range(questions, 2 * questions)]))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "chunks": chunks,
        **result,
        "search_p50": 1000 * float(np.percentile(searched, 50)),
        "search_p95": 1000 * float(np.percentile(searched, 95)),
        "rerank_p50": 1000 * float(np.percentile(reranked, 50)),
        "rerank_p95": 1000 * float(np.percentile(reranked, 95)),
        "memory_mb": (after - before) / 1024,
        **parts,
    }


def timed(retriever: HybridRetriever, questions: list[str]) -> Iterator[tuple[str, float]]:
    """Yield the median of each step of a search."""
    knowledge = retriever.knowledge
    vectors = [retriever.vector(question) for question in questions]
    found = [knowledge.keyword(question, 30) for question in questions]
    steps: dict[str, Any] = {
        "keyword": lambda n: knowledge.keyword(questions[n], 100),
        "chunks": lambda n: knowledge.nearest(vectors[n], "chunks", 100),
        "atoms": lambda n: knowledge.nearest(vectors[n], "atoms", 100),
        "entities": lambda n: knowledge.link_entities(questions[n]),
        "PageRank": lambda n: knowledge.propagate({hit.id: hit.score for hit in found[n]}, 0.8),
    }
    for name, step in steps.items():
        times = []
        for n in range(len(questions)):
            began = time.perf_counter()
            step(n)
            times.append(time.perf_counter() - began)
        yield f"{name}_p50", 1000 * float(np.percentile(times, 50))


def main() -> None:
    """Grow the library to the size asked for, measure it, print JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument(
        "--seconds", type=float, default=1e9, help="write at most so long; run again to go on"
    )
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "strata-scale")
    asked = parser.parse_args()
    if grow(asked.folder, asked.chunks, asked.seconds) < asked.chunks:
        return
    figures = measure(asked.folder, asked.chunks, asked.questions)
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}, indent=2))


if __name__ == "__main__":
    main()
