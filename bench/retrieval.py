"""Retrieval on public pools of passages, without a model: recall, nDCG and latency per leg and ablation.

    python -m bench.retrieval                       every pool found under STRATA_BENCH_DATA
    python -m bench.retrieval --pool 2wiki --ablate each part switched off in turn
    python -m bench.retrieval --questions 100       the first hundred questions of each
    python -m bench.retrieval --learnt              reranked by the learnt order (bench.fit_path_reranker)

Pools are added to libraries under --folder through the ordinary ingestion, once, and found there again.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.data import data_folder
from core.evaluation.retrieval_scores import RetrievalEvaluator
from core.ingest.chunk_enrichment import ChunkEnricher
from core.ingest.chunker import Chunker
from core.ingest.ingestion import Ingestion
from core.ingest.sandbox import parse_in_worker
from core.knowledge.base import KnowledgeBase
from core.llm.builtin import BuiltinLLM
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.path_reranker import MAX_LEARNT, PathReranker
from core.llm.encoders.rerankers import Hops, LateInteractionReranker, NoReranker
from core.retrieval.hybrid_retriever import HybridRetriever
from core.settings import Settings

POOLS = {
    "2wiki": ("2wiki/corpus.jsonl", "2wiki/questions.jsonl", "recall@5", 0.97),
    "hotpotqa": ("hotpotqa/corpus.jsonl", "hotpotqa/questions.jsonl", "recall@5", 0.95),
    "musique": ("musique/corpus.jsonl", "musique/questions.jsonl", "recall@5", 0.64),
    "scifact": ("scifact/corpus.jsonl", "scifact/questions.jsonl", "ndcg@10", 0.73),
    "xquad-zh": ("zh/xquad_zh_corpus.jsonl", "zh/xquad_zh_questions.jsonl", "recall@5", 0.98),
}
# What is switched off for a row of the ablation table.
Change = Callable[[RetrievalEvaluator], RetrievalEvaluator]


def without(*parts: str) -> Change:
    return lambda whole: replace(whole, retriever=whole.retriever.without(*parts))


def without_edges(*kinds: str) -> Change:
    """Leave kinds of edges out of the PageRank, and out of the second hop."""

    def change(whole: RetrievalEvaluator) -> RetrievalEvaluator:
        retriever = hybrid(whole)
        edges = {**retriever.edges, **dict.fromkeys(kinds, 0.0)}
        return replace(
            whole,
            retriever=replace(retriever, edges=edges),
            reranker=late_interaction(whole, lambda ids: whole.knowledge.hops(ids, edges)),
        )

    return change


def hybrid(whole: RetrievalEvaluator) -> HybridRetriever:
    """Return the search itself, whose edges are weighed."""
    assert isinstance(whole.retriever, HybridRetriever)
    return whole.retriever


def late_interaction(whole: RetrievalEvaluator, hops: Hops | None) -> LateInteractionReranker:
    return LateInteractionReranker(whole.retriever.embedder, whole.knowledge.tokens, hops=hops)


def learnt(whole: RetrievalEvaluator) -> RetrievalEvaluator:
    """Rerank by the learnt order, as many as it is learnt for."""
    late = late_interaction(whole, lambda ids: whole.knowledge.hops(ids, hybrid(whole).edges))
    return replace(whole, reranker=PathReranker(late, whole.knowledge), reranked=MAX_LEARNT)


ABLATIONS: dict[str, Change] = {
    "keyword": without("keyword"),
    "semantic chunks": without("chunk"),
    "atoms": without("atom"),
    "sections and documents": without("section", "document"),
    "late interaction in the search": without("late"),
    "entity linking": without("names"),
    "second search": without("second_search"),
    "graph": without("graph"),
    "names that passages share": without_edges("mentions", "relates", "about"),
    "references between documents": without_edges("refers", "leads"),
    "tags in the graph": without_edges("tagged"),
    "second hop": lambda whole: replace(whole, reranker=late_interaction(whole, None)),
    "reranker": lambda whole: replace(whole, reranker=NoReranker()),
}


@contextmanager
def library(folder: Path, corpus: Path) -> Iterator[RetrievalEvaluator]:
    """Open the library of a pool; the first time, read the pool into it."""
    settings = Settings()
    embedder = PackagedEmbedder()
    with KnowledgeBase(folder, embedder.digest) as knowledge:
        if not knowledge.documents():
            began = time.perf_counter()
            numbers = settings.ingest
            chunker = Chunker(
                embedder.count,
                embedder.window,
                numbers.target_tokens,
                numbers.max_tokens,
                embedder.count_many,
            )
            ingestion = Ingestion(
                knowledge,
                embedder,
                chunker,
                ChunkEnricher(BuiltinLLM(), BuiltinLLM()),
                lambda path, name: parse_in_worker(path, name),
                scratch=folder / "scratch",
            )
            for stage in ingestion.ingest(corpus):
                print(f"\r{stage.name} {stage.done}/{stage.total}    ", end="", flush=True)
            print(f"\nread {corpus.name} in {time.perf_counter() - began:.0f} s: {knowledge.counts()}")
        retriever = HybridRetriever(
            knowledge,
            embedder,
            damping=settings.retrieval.damping,
            cosine_threshold=settings.retrieval.min_cosine,
        )
        reranker = LateInteractionReranker(
            embedder, knowledge.tokens, hops=lambda ids: knowledge.hops(ids, retriever.edges)
        )
        yield RetrievalEvaluator(knowledge, retriever, reranker)


def measure(
    evaluator: RetrievalEvaluator, corpus: Path, questions: Path, most: int | None, every: int, ablate: bool
) -> Any:
    """Return the measures of every leg, and of the whole without each part."""
    evaluator.retriever.search("The indexes are read before anything is timed.", 1)
    result = evaluator.evaluate(corpus, questions, most, every=every).model_dump()
    for part, change in ABLATIONS.items() if ablate else ():
        legs = change(evaluator).evaluate(corpus, questions, most, only=("all",), every=every).legs
        result["legs"][f"without {part}"] = legs["all"]
    return result


def main() -> None:
    """Measure the pools that are there and print a table, or JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pool", choices=POOLS, action="append", help="one of the pools; may be repeated")
    parser.add_argument("--questions", type=int, help="only the first so many questions")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth question")
    parser.add_argument("--ablate", action="store_true", help="measure each part switched off")
    parser.add_argument("--learnt", action="store_true", help="rerank by the learnt order")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(tempfile.gettempdir()) / "strata-bench",
        help="where the libraries are kept",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    asked = parser.parse_args()
    data = data_folder()
    results = {}
    for pool in asked.pool or POOLS:
        corpus, questions = (data / name for name in POOLS[pool][:2])
        if not corpus.is_file():
            print(f"{pool}: no {corpus}; name the data's folder in STRATA_BENCH_DATA")
            continue
        with library(asked.folder / pool, corpus) as evaluator:
            if asked.learnt:
                evaluator = learnt(evaluator)
            results[pool] = measure(evaluator, corpus, questions, asked.questions, asked.every, asked.ablate)
        if not asked.json:
            show(pool, results[pool])
    if asked.json:
        print(json.dumps(results))
    elif results:
        print(table(results))


def table(results: Any) -> str:
    """Return the legs of all pools as a Markdown table of each pool's own measure, in percent."""
    legs = list(dict.fromkeys(leg for result in results.values() for leg in result["legs"]))
    lines = [
        "| | " + " | ".join(f"{pool} {POOLS[pool][2]}" for pool in results) + " |",
        "|---|" + "---|" * len(results),
    ]
    for leg in legs:
        values = (result["legs"].get(leg, {}).get(POOLS[pool][2]) for pool, result in results.items())
        lines.append(f"| {leg} | " + " | ".join("" if v is None else f"{100 * v:.1f}" for v in values) + " |")
    goals = " | ".join(f"{100 * POOLS[pool][3]:.0f}" for pool in results)
    return "\n".join([*lines, f"| goal | {goals} |"])


def show(pool: str, result: Any) -> None:
    """Print the legs of one pool, and the goal."""
    name, goal = POOLS[pool][2:]
    reached = result["legs"]["all"][name]
    print(f"\n{pool}: {result['questions']} questions, {result['chunks']} chunks")
    print(f"{name} {reached:.3f}, goal {goal}")
    columns = list(result["legs"]["all"])
    print(f"{'':24}" + "".join(f"{column:>10}" for column in columns))
    for leg, values in result["legs"].items():
        print(f"{leg:24}" + "".join(f"{values[column]:10.3f}" for column in columns))


if __name__ == "__main__":
    main()
