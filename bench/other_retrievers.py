"""The same passages and the same model searched by others: `python -m bench.other_retrievers --pool musique`.

Reads a pool's library as `bench.retrieval` left it (run that first) and gives its chunks, with the vectors it
holds, to rank-bm25, to Chroma's plain query, and, where they are installed, to LlamaIndex's hybrid retriever
(BM25 and vectors joined by reciprocal rank) and txtai's hybrid index. The packaged model embeds the question
for all of them; a time is that of a whole question. With `--keywords` the keyword index alone is timed
against rank-bm25 at 50,000 made-up passages, the scores of both compared.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.data import bench_data
from bench.retrieval import POOLS, library
from core.domain import Chunk
from core.evaluation.retrieval_scores import measures, read_questions
from core.knowledge.search.keywords import KeywordIndex
from core.knowledge.stores.vector_index.embeddings import collection
from core.llm.encoders.embedders import PackagedEmbedder
from core.text.tokens import index_words, query_words

MAX_CHUNKS = 40  # chunks a search returns
Search = Callable[[str], Sequence[str]]  # question -> chunk ids, best first
Vectors = NDArray[np.float32]


class Corpus(NamedTuple):
    """The chunks of a library with their vectors (n, d), and how a question is embedded."""

    chunks: Sequence[Chunk]
    vectors: Vectors
    embed: Callable[[str], Vectors]


def rank_bm25(corpus: Corpus) -> Search:
    from rank_bm25 import BM25Okapi

    index = BM25Okapi([index_words(chunk.passage_text()) for chunk in corpus.chunks])

    def search(question: str) -> Sequence[str]:
        scores = index.get_scores(query_words(question))
        return [corpus.chunks[n].id for n in np.argsort(-scores)[:MAX_CHUNKS]]

    return search


def chroma(corpus: Corpus) -> Search:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
    collection = client.get_or_create_collection(
        "other_retrievers", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    for start in range(0, len(corpus.chunks), 2000):
        part = slice(start, start + 2000)
        collection.upsert([chunk.id for chunk in corpus.chunks[part]], embeddings=corpus.vectors[part])

    def search(question: str) -> Sequence[str]:
        found = collection.query(query_embeddings=corpus.embed(question).reshape(1, -1), n_results=MAX_CHUNKS)
        return found["ids"][0]

    return search


def llama_index(corpus: Corpus) -> Search:
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.core.schema import TextNode
    from llama_index.retrievers.bm25 import BM25Retriever

    class Packaged(BaseEmbedding):
        """The vectors of the packaged model, made by Strata."""

        def _get_text_embedding(self, text: str) -> list[float]:
            vector: list[float] = corpus.embed(text).tolist()
            return vector

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    nodes = [
        TextNode(id_=chunk.id, text=chunk.passage_text(), embedding=vector.tolist())
        for chunk, vector in zip(corpus.chunks, corpus.vectors, strict=True)
    ]
    index = VectorStoreIndex(nodes, embed_model=Packaged(model_name="packaged"))
    both = QueryFusionRetriever(
        [
            index.as_retriever(similarity_top_k=MAX_CHUNKS),
            BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=MAX_CHUNKS),
        ],
        llm=MockLLM(),
        similarity_top_k=MAX_CHUNKS,
        num_queries=1,
        mode="reciprocal_rerank",
        use_async=False,
    )
    return lambda question: [found.node.node_id for found in both.retrieve(question)]


def txtai(corpus: Corpus) -> Search:
    from txtai import Embeddings

    held = {chunk.passage_text(): vector for chunk, vector in zip(corpus.chunks, corpus.vectors, strict=True)}

    def transform(texts: Sequence[str]) -> Vectors:
        return np.stack([held[text] if text in held else corpus.embed(text) for text in texts])

    index = Embeddings({"method": "external", "transform": transform, "hybrid": True})
    index.index([(chunk.id, chunk.passage_text(), None) for chunk in corpus.chunks])
    return lambda question: [found[0] for found in index.search(question, MAX_CHUNKS)]


RIVALS: dict[str, tuple[str, Callable[[Corpus], Search]]] = {
    "rank-bm25": ("rank_bm25", rank_bm25),
    "Chroma, plain query": ("chromadb", chroma),
    "LlamaIndex, hybrid": ("llama_index", llama_index),
    "txtai, hybrid": ("txtai", txtai),
}


def timed(search: Search, questions: Sequence[str]) -> tuple[list[Sequence[str]], float, float]:
    """Return what was found per question, and the median and the 95th percentile in milliseconds."""
    search("the first question is not timed")
    found, times = [], []
    for question in questions:
        began = time.perf_counter()
        found.append(search(question))
        times.append(1000 * (time.perf_counter() - began))
    return found, float(np.percentile(times, 50)), float(np.percentile(times, 95))


def compare(pool: str, folder: Path, every: int) -> Iterator[dict[str, Any]]:
    """Yield for Strata and each rival its measures over the same questions."""
    import chromadb
    from chromadb.config import Settings

    path = bench_data(POOLS[pool][0])
    asked = read_questions(bench_data(POOLS[pool][1]))[::every]
    texts, gold = [question.text for question in asked], [question.gold for question in asked]
    with library(folder / pool, path) as whole:
        known, chunks = whole.records(path), whole.knowledge.chunks()
        for name, leg in (("Strata, search", "graph"), ("Strata, reranked", "all")):
            search = whole.legs()[leg]
            found, p50, p95 = timed(lambda q, s=search: [p.chunk.id for p in s(q)], texts)  # type: ignore[misc]
            yield _row(name, found, known, gold, p50, p95)
    client = chromadb.PersistentClient(
        str(folder / pool / "chroma"), settings=Settings(anonymized_telemetry=False)
    )
    embedder = PackagedEmbedder()
    stored = client.get_collection(collection("chunks", embedder.digest)).get(include=["embeddings"])
    by_id = dict(zip(stored["ids"], np.asarray(stored["embeddings"], np.float32), strict=True))
    corpus = Corpus(
        chunks, np.stack([by_id[chunk.id] for chunk in chunks]), lambda text: embedder.embed([text])[0]
    )
    for name, (module, make) in RIVALS.items():
        if find_spec(module) is None:
            yield {"search": name, "absent": module}
            continue
        found, p50, p95 = timed(make(corpus), texts)
        yield _row(name, found, known, gold, p50, p95)


def _row(
    name: str,
    found: Sequence[Sequence[str]],
    known: dict[str, str],
    gold: Sequence[frozenset[str]],
    p50: float,
    p95: float,
) -> dict[str, Any]:
    ranked = [list(dict.fromkeys(known[chunk] for chunk in each if chunk in known))[:10] for each in found]
    return {"search": name, **measures(ranked, gold), "p50_ms": round(p50, 2), "p95_ms": round(p95, 2)}


def keywords(passages: int = 50_000) -> dict[str, float]:
    """Time the keyword index against rank-bm25; raise ValueError where their scores differ."""
    from rank_bm25 import BM25Okapi

    random = np.random.default_rng(7)
    vocabulary = np.array([f"w{n}" for n in range(20_000)])
    chance = 1 / np.arange(10, 20_010)
    drawn = random.choice(vocabulary, size=(passages, 60), p=chance / chance.sum())
    texts = [" ".join(words) for words in drawn]
    index = KeywordIndex(str.split)
    index.add((f"c{n}", f"d{n}", text) for n, text in enumerate(texts))
    theirs = BM25Okapi([text.split() for text in texts])
    index.search("w1", 10)
    took: dict[str, list[float]] = {"ours": [], "rank_bm25": []}
    for _ in range(10):
        query = " ".join(random.choice(vocabulary[:2000], size=8))
        began = time.perf_counter()
        found = index.search(query, 10)
        took["ours"].append(time.perf_counter() - began)
        began = time.perf_counter()
        expected = theirs.get_scores(query.split())
        took["rank_bm25"].append(time.perf_counter() - began)
        if not np.allclose([score for _, score in found], np.sort(expected)[::-1][:10], atol=1e-4):
            raise ValueError(f"the scores of {query!r} differ from rank-bm25's")
    ours, others = (1000 * float(np.median(times)) for times in took.values())
    return {"passages": passages, "ours_ms": ours, "rank_bm25_ms": others, "times_faster": others / ours}


def main() -> None:
    """Compare, print a Markdown table or JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pool", choices=POOLS, default="musique")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth question")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "strata-bench")
    parser.add_argument("--keywords", action="store_true", help="time the keyword index alone")
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    asked = parser.parse_args()
    if asked.keywords:
        print(json.dumps({name: round(value, 3) for name, value in keywords().items()}))
        return
    rows = list(compare(asked.pool, asked.folder, asked.every))
    if asked.json:
        print(json.dumps(rows))
        return
    print("| | R@5 | nDCG@10 | p50 ms | p95 ms |\n|---|---|---|---|---|")
    for row in rows:
        figures = (
            [f"no module {row['absent']}", "", "", ""]
            if "absent" in row
            else [
                f"{100 * row['recall@5']:.1f}",
                f"{100 * row['ndcg@10']:.1f}",
                f"{row['p50_ms']}",
                f"{row['p95_ms']}",
            ]
        )
        print(f"| {row['search']} | " + " | ".join(figures) + " |")


if __name__ == "__main__":
    main()
