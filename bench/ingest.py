"""How fast files come in, and where the time goes: `python -m bench.ingest [--passages N] [--sizes N,N]`.

Prints, in one run and on the same texts: seconds of each stage, the share spent inside the embedding model,
chunks a second against the bare embedding of the same texts, growth over sizes, and, where they are
installed, the same corpus through LlamaIndex + Chroma and through txtai with the same embedding model.
Corpus: 2WikiMultiHopQA's passages under STRATA_BENCH_DATA, one JSON line a passage.
"""

import argparse
import importlib.util
import json
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.ingest.chunker import Chunker
from core.ingest.distiller import Distiller
from core.ingest.ingestion import Ingestion
from core.ingest.outcome import Outcome
from core.ingest.sandbox import parse_in_worker
from core.knowledge.base import KnowledgeBase
from core.llm.embedders import PackagedEmbedder, packaged_folder
from core.llm.extractive import ExtractiveLLM
from core.ports import Encoded, Vectors

DATA = Path(os.environ.get("STRATA_BENCH_DATA", Path(__file__).parents[2] / "shared" / "data"))


class TimedEmbedder(PackagedEmbedder):
    """The packaged embedder, with the seconds spent in it."""

    seconds = 0.0

    def embed(self, texts: Sequence[str]) -> Vectors:
        start = time.perf_counter()
        vectors = super().embed(texts)
        self.seconds += time.perf_counter() - start
        return vectors

    def encode(self, texts: Sequence[str]) -> Encoded:
        start = time.perf_counter()
        encoded = super().encode(texts)
        self.seconds += time.perf_counter() - start
        return encoded


def corpus(folder: Path, passages: int) -> Path:
    """Write the first passages as a JSON-lines file."""
    path = folder / f"corpus-{passages}.jsonl"
    with (
        (DATA / "2wiki" / "corpus.jsonl").open(encoding="utf-8") as lines,
        path.open("w", encoding="utf-8") as out,
    ):
        for line, _ in zip(lines, range(passages), strict=False):
            out.write(line)
    return path


def ours(path: Path, embedder: TimedEmbedder) -> dict[str, float]:
    """Bring the file in, stage by stage; return seconds, shares and rates."""
    library = Path(tempfile.mkdtemp(prefix="strata-bench-"))
    knowledge = KnowledgeBase(library, embedder.digest)
    into = Ingestion(
        knowledge,
        embedder,
        Chunker(embedder.count, embedder.window, count_many=embedder.count_many),
        Distiller(ExtractiveLLM()),
        parse_in_worker,
        scratch=library / "scratch",
    )
    clock = Clock()
    embedder.seconds = 0.0
    ready = into.prepare(path, path.name, "bench", lambda stage: None)
    clock.lap("read and cut")
    if isinstance(ready, Outcome):
        raise SystemExit(ready.reason)
    into.embed([ready], lambda *_: None)
    clock.lap("embed")
    into.store([ready])
    clock.lap("store")
    searchable, inside = clock.total, embedder.seconds
    for _ in into.distil(ready.document.id):
        pass
    clock.lap("distil")
    figures = {
        **clock.laps,
        "chunks": float(len(ready.cut.chunks)),
        "searchable after": searchable,
        "share in the model until searchable": inside / searchable,
        "share in the model of all": embedder.seconds / clock.total,
        "distilling outside the model, per second of embedding": (
            (clock.laps["distil"] - (embedder.seconds - inside)) / inside
        ),
    }
    start = time.perf_counter()
    PackagedEmbedder.encode(embedder, ready.batch.texts)
    bare = time.perf_counter() - start
    figures["bare embedding of the same texts"] = bare
    figures["our speed as a share of bare embedding"] = bare / searchable
    figures["chunks a second"] = len(ready.cut.chunks) / searchable
    knowledge.close()
    shutil.rmtree(library)
    return figures


class Clock:
    """Seconds between laps."""

    def __init__(self) -> None:
        self.start = self.last = time.perf_counter()
        self.laps: dict[str, float] = {}

    @property
    def total(self) -> float:
        return self.last - self.start

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name], self.last = now - self.last, now


def llama_index(path: Path) -> float:
    """Bring the same passages into LlamaIndex + Chroma; return seconds."""
    import chromadb
    from llama_index.core import Document, Settings, StorageContext, VectorStoreIndex
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding
    from llama_index.vector_stores.chroma import ChromaVectorStore

    folder = tempfile.mkdtemp(prefix="llama-")
    Settings.embed_model = HuggingFaceEmbedding(str(packaged_folder()), device="cpu")
    Settings.embed_model.get_text_embedding("warm")
    start = time.perf_counter()
    client = chromadb.PersistentClient(folder, settings=chromadb.Settings(anonymized_telemetry=False))
    store = ChromaVectorStore(chroma_collection=client.create_collection("c", embedding_function=None))
    documents = [Document(text=f"{row['title']}\n{row['text']}") for row in rows(path)]
    VectorStoreIndex.from_documents(
        documents, storage_context=StorageContext.from_defaults(vector_store=store)
    )
    seconds = time.perf_counter() - start
    shutil.rmtree(folder)
    return seconds


def txtai(path: Path) -> float:
    """Bring the same passages into txtai; return seconds."""
    from txtai import Embeddings

    embeddings = Embeddings(path=str(packaged_folder()), content=True, gpu=False)
    embeddings.index(["warm"])
    start = time.perf_counter()
    embeddings.index([f"{row['title']}\n{row['text']}" for row in rows(path)])
    return time.perf_counter() - start


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


OTHERS: tuple[tuple[str, str, Callable[[Path], float]], ...] = (
    ("LlamaIndex + Chroma", "llama_index", llama_index),
    ("txtai", "txtai", txtai),
)


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--passages", type=int, default=1000, help="size of the main measurement")
    arguments.add_argument("--sizes", default="250,500,1000", help="passages of the growth table")
    chosen = arguments.parse_args()
    if not (DATA / "2wiki" / "corpus.jsonl").is_file():
        raise SystemExit(f"no corpus under {DATA}; name the folder of the data in STRATA_BENCH_DATA")
    scratch = Path(tempfile.mkdtemp(prefix="strata-corpus-"))
    embedder = TimedEmbedder()
    embedder.embed(["warm"])
    corpus(scratch, 1)
    parse_in_worker(corpus(scratch, 1), "warm.jsonl")

    path = corpus(scratch, chosen.passages)
    figures = ours(path, embedder)
    print(f"Strata, {chosen.passages} passages in one file")
    for name, value in figures.items():
        print(f"  {name:<55}{value:>10.3f}")
    print(f"  {'peak memory, MB':<55}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:>10.0f}")

    for name, module, measure in OTHERS:
        if importlib.util.find_spec(module) is None:
            print(f"{name}: not installed (extra `bench`), not compared")
            continue
        seconds = measure(path)
        ratio = seconds / figures["searchable after"]
        print(f"{name}: {seconds:.1f} s until searchable, Strata is {ratio:.2f} times as fast")

    print("Growth: passages, seconds until searchable, chunks a second, seconds to distil, peak MB")
    for size in (int(each) for each in chosen.sizes.split(",") if each):
        grown = ours(corpus(scratch, size), embedder)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"  {size:>7}{grown['searchable after']:>10.1f}{grown['chunks a second']:>10.1f}"
            f"{grown['distil']:>10.1f}{peak:>8.0f}"
        )
    shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
