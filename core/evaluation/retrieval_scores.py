"""Measures retrieval against questions whose passages are known: recall, nDCG, MRR and latency per leg."""

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.domain import Passage, Value
from core.errors import EmptyFile, ParseError
from core.knowledge.base import KnowledgeBase
from core.ports import Reranker
from core.retrieval.gatherer import Gatherer
from core.retrieval.search_port import Kind, LibrarySearch

DEPTHS = (1, 2, 5, 10)
Leg = Callable[[str], Sequence[Passage]]


class GoldQuestion(NamedTuple):
    """A question and the ids of the records that answer it."""

    id: str
    text: str
    gold: frozenset[str]


class RetrievalScores(Value):
    """What an evaluation measured: `legs` is leg -> measure -> share, with p50_ms and p95_ms a search."""

    questions: int
    chunks: int
    legs: dict[str, dict[str, float]]


def recall(ranked: Sequence[str], gold: frozenset[str], depth: int) -> float:
    """Return the share of the gold ids among the first `depth`."""
    return len(gold & set(ranked[:depth])) / len(gold)


def ndcg(ranked: Sequence[str], gold: frozenset[str], depth: int = 10) -> float:
    """Return the normalised discounted cumulative gain with binary relevance (0 to 1)."""
    gain = sum(1 / math.log2(place + 2) for place, key in enumerate(ranked[:depth]) if key in gold)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(depth, len(gold))))
    return gain / ideal


def reciprocal_rank(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """Return one over the place of the first gold id, 0 where none is there."""
    return next((1 / place for place, key in enumerate(ranked, start=1) if key in gold), 0.0)


def measures(rankings: Sequence[Sequence[str]], gold: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the means over the questions, as shares rounded to 4 digits."""
    pairs = list(zip(rankings, gold, strict=True))
    means = {f"recall@{depth}": [recall(r, g, depth) for r, g in pairs] for depth in DEPTHS}
    means["ndcg@10"] = [ndcg(r, g) for r, g in pairs]
    means["mrr"] = [reciprocal_rank(r, g) for r, g in pairs]
    return {name: round(sum(values) / len(values), 4) for name, values in means.items()}


def read_records(path: Path) -> list[dict[str, object]]:
    """Return the objects of a JSONL file, one a line, in their order. Raises ParseError, EmptyFile."""
    records = []
    for number, line in enumerate(path.read_text("utf-8").split("\n"), start=1):
        if line.strip():
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise ParseError(f"{path.name}, line {number} is not JSON: {error.msg}") from error
            if not isinstance(record, dict):
                raise ParseError(f"{path.name}, line {number} is not an object")
            records.append(record)
    if not records:
        raise EmptyFile(f"{path.name} holds no records")
    return records


def read_questions(path: Path) -> list[GoldQuestion]:
    """Return the questions of a JSONL file {id, question, gold_ids}. Raises ParseError."""
    questions = []
    for number, record in enumerate(read_records(path), start=1):
        text, gold = record.get("question"), record.get("gold_ids")
        if not isinstance(text, str) or not isinstance(gold, list) or not gold:
            raise ParseError(
                f"{path.name}, question {number} lacks question or gold_ids",
                hint="Each line is an object with id, question and gold_ids (ids of the corpus file).",
            )
        questions.append(GoldQuestion(str(record.get("id", number)), text, frozenset(map(str, gold))))
    return questions


@dataclass(frozen=True)
class RetrievalEvaluator:
    """Asks every question of every leg of a library that holds the corpus, added the ordinary way."""

    knowledge: KnowledgeBase
    retriever: LibrarySearch
    reranker: Reranker
    depth: int = 10  # records looked at
    spare: int = 4  # chunks fetched per record, since a record may have several
    reranked: int = 20  # candidates the reranker orders
    kind: Kind = "reasoning"  # questions come whole: an answer may have to be linked

    def evaluate(
        self,
        corpus: Path,
        questions: Path,
        most: int | None = None,
        only: Sequence[str] = (),
        every: int = 1,
    ) -> RetrievalScores:
        """Score `every` so manieth question, at `most` so many, and `only` these legs, if given.

        A passage belongs to the record of the line it stands on. Raises ParseError.
        """
        return self.score(read_questions(questions)[::every][:most], self.records(corpus), only)

    def score(
        self,
        asked: Sequence[GoldQuestion],
        known: Mapping[str, str],
        only: Sequence[str] = (),
        on_progress: Callable[[str, int, int], None] = lambda leg, done, total: None,
    ) -> RetrievalScores:
        """Score these questions; `known` is chunk id -> id of the record the chunk belongs to.

        `on_progress` is given the leg and how many of all searches are done; what it raises ends the run.
        """
        gold = [question.gold for question in asked]
        searches = {name: search for name, search in self.legs().items() if not only or name in only}
        legs: dict[str, dict[str, float]] = {}
        for place, (name, search) in enumerate(searches.items()):
            rankings, milliseconds = [], []
            for number, question in enumerate(asked):
                on_progress(name, place * len(asked) + number, len(searches) * len(asked))
                began = time.perf_counter()
                passages = search(question.text)
                milliseconds.append(1000 * (time.perf_counter() - began))
                rankings.append(self._ranked(passages, known))
            legs[name] = {
                **measures(rankings, gold),
                "p50_ms": round(float(np.percentile(milliseconds, 50)), 2),
                "p95_ms": round(float(np.percentile(milliseconds, 95)), 2),
            }
        return RetrievalScores(questions=len(asked), chunks=len(known), legs=legs)

    def legs(self) -> dict[str, Leg]:
        """Return the searches that are compared: by words, by meaning, both, with the graph, and reranked."""
        many = self.depth * self.spare
        found = self.retriever

        def both(question: str) -> Sequence[Passage]:
            return found.without("graph").search(question, many, kind=self.kind)

        def everything(question: str) -> Sequence[Passage]:
            passages = found.search(question, many, kind=self.kind)
            return [
                *self.reranker.rerank(question, passages[: self.reranked]),
                *passages[self.reranked :],
            ]

        return {
            "keyword": lambda question: found.by_keyword(question, many),
            "semantic": lambda question: found.by_meaning(question, many),
            "hybrid": both,
            "graph": lambda question: found.search(question, many, kind=self.kind),
            "all": everything,
        }

    def records(self, corpus: Path) -> dict[str, str]:
        """Return chunk id -> id of the record it comes from."""
        lines = corpus.read_text("utf-8").split("\n")
        ids = [
            str(json.loads(line).get("id", number)) if line.strip() else ""
            for number, line in enumerate(lines)
        ]
        documents = [d.id for d in self.knowledge.documents() if d.name == corpus.name]
        found: dict[str, str] = {}
        for document in documents:
            for chunk in self.knowledge.chunks(document_id=document):
                if chunk.location.lines is not None:
                    found[chunk.id] = ids[chunk.location.lines[0]]
        if not found:
            raise ParseError(
                f"the library holds no passages of {corpus.name}",
                hint="The corpus is a JSONL file with one object {id, title, text} a line.",
            )
        return found

    def _ranked(self, passages: Sequence[Passage], known: Mapping[str, str]) -> list[str]:
        keys = (known.get(passage.chunk.id, "") for passage in passages)
        return [key for key in dict.fromkeys(keys) if key][: self.depth]


def evaluator_of(gatherer: Gatherer) -> RetrievalEvaluator:
    """Return an evaluator of a gatherer's searches, without caches, so that each leg's time is its own."""
    return RetrievalEvaluator(gatherer.knowledge, gatherer.uncached().retriever, gatherer.reranker)


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, dict[str, float]]:
    """Return per leg how much each measure grew from one record to another."""
    old, new = before["legs"], after["legs"]
    if not isinstance(old, dict) or not isinstance(new, dict):
        raise ValueError("a record holds its legs as an object")
    return {
        leg: {name: round(value - old[leg][name], 4) for name, value in new[leg].items() if name in old[leg]}
        for leg in new
        if leg in old
    }
