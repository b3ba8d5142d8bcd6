"""Ingestion for tests: real parsers, a real library, the built-in engine, and a small real embedder."""

import re
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from core.domain import Parsed
from core.ingest.chunk_enrichment import ChunkEnricher
from core.ingest.chunker import Chunker
from core.ingest.ingestion import Ingestion
from core.ingest.parsers import read
from core.knowledge.base import KnowledgeBase
from core.llm.builtin import BuiltinLLM
from core.ports import LLM, Embedder, Encoded, Listener, Vectors
from core.tasks import Call, Reply, Task
from tests.empty_library import laid_out

R = TypeVar("R", bound=Reply)
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_]+|[^\w\s]|_")


class WordEmbedder:
    """Hashes words into 32 dimensions: deterministic, and alike texts get alike vectors."""

    name = "words"
    english_only = False
    digest = "words-32"
    dimension = 32
    window = 256

    def __init__(self, pause: float = 0.0) -> None:
        self.pause = pause  # seconds a call takes at least
        self.sizes: list[int] = []  # texts of each call
        self.seen: list[str] = []  # every text

    def count(self, text: str) -> int:
        return len(_TOKEN.findall(text)) + 2

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self.encode(texts).vectors

    def encode(self, texts: Sequence[str]) -> Encoded:
        time.sleep(self.pause)
        self.sizes.append(len(texts))
        self.seen.extend(texts)
        tokens = tuple(self._tokens(text) for text in texts)
        if not tokens:
            return Encoded(np.zeros((0, self.dimension), np.float32), ())
        return Encoded(np.stack([_unit(each.mean(0)) for each in tokens]), tokens)

    def _tokens(self, text: str) -> Vectors:
        found = _TOKEN.findall(text.lower())
        if len(found) + 2 > self.window:
            raise ValueError(f"{len(found) + 2} tokens are more than the window")
        seeds = [zlib.crc32(word.encode()) for word in found or [""]]
        return np.stack([_unit(np.random.default_rng(seed).normal(size=32)) for seed in seeds])


class AskedLLM:
    """The built-in rules as if a model had followed them, so that replies are cached; notes the tasks."""

    def __init__(self) -> None:
        self.asked: list[Task] = []
        self._rules = BuiltinLLM()

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        self.asked.append(task)
        reply = self._rules.run(task, into, listener)
        call = (reply.call or Call(task=type(task).__name__, engine="")).model_copy(
            update={"engine": "asked"}
        )
        return reply.model_copy(update={"call": call})


def _unit(vector: Vectors) -> Vectors:
    unit: Vectors = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit


def ingestion(
    folder: Path,
    embedder: Embedder | None = None,
    llm: LLM | None = None,
    parse: Callable[[Path, str], Parsed] = read,
    slice_tokens: int = 16_384,
    kind: type[Ingestion] = Ingestion,
    repairing: bool = False,
    chroma_url: str | None = None,
    first_start: bool = False,
) -> Ingestion:
    """Open a library in the folder, with a way in. The caller closes `.knowledge`."""
    embedder = embedder or WordEmbedder()
    if chroma_url is None and not repairing and not first_start:
        laid_out(folder, embedder.digest)
    return kind(
        KnowledgeBase(folder, embedder.digest, chroma_url, repairing=repairing),
        embedder,
        Chunker(embedder.count, embedder.window, count_many=getattr(embedder, "count_many", None)),
        ChunkEnricher(llm or BuiltinLLM(), BuiltinLLM()),
        parse,
        scratch=folder / "scratch",
        slice_tokens=slice_tokens,
    )


def inventory(knowledge: KnowledgeBase) -> dict[str, object]:
    """Return all a library holds that must not depend on how often its making was interrupted."""
    documents = sorted(document.id for document in knowledge.documents())
    chunks = sorted(chunk.id for document in documents for chunk in knowledge.chunks(document))
    return {
        "documents": documents,
        "summaries": {document.id: document.summary for document in knowledge.documents()},
        "entries": sorted((e.path, e.document_id) for e in knowledge.entries()),
        "sections": sorted(s.id for d in documents for s in knowledge.sections(d)),
        "chunks": chunks,
        "atoms": sorted(atom.id for atom in knowledge.atoms(chunks)),
        "entities": sorted(e.id for e in knowledge.entities(limit=1_000_000)),
        "relations": sorted(r.id for r in knowledge.relations()),
        "tags": sorted((t.chunk_id, t.name, t.tag_class) for t in knowledge.tags()),
        "tables": sorted(t.sql_name for t in knowledge.tables()),
        "references": sorted(
            (r.chunk_id, r.kind, r.text, r.target_id or "")
            for d in documents
            for r in knowledge.references(d)
        ),
        "vectors": {layer: index.count() for layer, index in knowledge.external.indexes.items()},
        "problems": knowledge.check(),
    }
