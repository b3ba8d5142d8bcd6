"""The same texts through LlamaIndex + Chroma and through txtai, with the weights Strata embeds with.

Both run the model as they come, in float32 through sentence-transformers; Strata runs it in bfloat16 where
the processor computes in that, and keeps a vector for every token besides.
"""

import importlib.util
import logging
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.llm.encoders.embedders import packaged_folder

Texts = Sequence[tuple[str, str]]  # (title, text)
CHUNK = 256  # tokens: what the model reads; the peers' default of 1,024 would leave most of a text unread
BATCH = 32


def llama_index(texts: Texts) -> float:
    """Bring the texts into LlamaIndex + Chroma; return seconds."""
    import chromadb
    from chromadb.config import Settings
    from llama_index.core import Document, StorageContext, VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.vector_stores.chroma import ChromaVectorStore
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(packaged_folder()), device="cpu")

    class Packaged(BaseEmbedding):
        """What its own wrapper of sentence-transformers does, without a further package."""

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            vectors: list[list[float]] = model.encode(
                texts, batch_size=BATCH, normalize_embeddings=True
            ).tolist()
            return vectors

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    embedding = Packaged(model_name="packaged", embed_batch_size=BATCH)
    embedding.get_text_embedding("warm up")
    folder = tempfile.mkdtemp(prefix="llama-")
    start = time.perf_counter()
    client = chromadb.PersistentClient(folder, settings=Settings(anonymized_telemetry=False))
    store = ChromaVectorStore(chroma_collection=client.create_collection("texts", embedding_function=None))
    VectorStoreIndex.from_documents(
        [Document(text=f"{title}\n{text}") for title, text in texts],
        storage_context=StorageContext.from_defaults(vector_store=store),
        embed_model=embedding,
        transformations=[SentenceSplitter(chunk_size=CHUNK, chunk_overlap=0)],
    )
    seconds = time.perf_counter() - start
    shutil.rmtree(folder)
    return seconds


def txtai(texts: Texts) -> float:
    """Bring the texts into txtai, with their content and its keyword index; return seconds.

    It cuts nothing itself: without the pieces it would read the first 256 tokens of a page only.
    """
    from llama_index.core.node_parser import SentenceSplitter
    from txtai import Embeddings

    embeddings = Embeddings(path=str(packaged_folder()), content=True, hybrid=True, gpu=False)
    embeddings.index(["warm up"])
    start = time.perf_counter()
    splitter = SentenceSplitter(chunk_size=CHUNK, chunk_overlap=0)
    embeddings.index([piece for title, text in texts for piece in splitter.split_text(f"{title}\n{text}")])
    return time.perf_counter() - start


@dataclass(frozen=True)
class Peer:
    """Something else that puts texts into a search index."""

    name: str
    modules: tuple[str, ...]
    measure: Callable[[Texts], float]


PEERS = (
    Peer(
        "LlamaIndex + Chroma",
        ("llama_index.core", "llama_index.vector_stores.chroma", "sentence_transformers"),
        llama_index,
    ),
    Peer("txtai", ("txtai", "llama_index.core"), txtai),
)


def absent(peer: Peer) -> str:
    """Return the first module the peer lacks, "" if it can run."""
    for module in peer.modules:
        try:
            found = importlib.util.find_spec(module)
        except ModuleNotFoundError:
            found = None
        if found is None:
            return module
    return ""


def texts_of_pdfs(folder: Path, into: Path) -> tuple[list[tuple[str, str]], float]:
    """Copy the PDFs that hold text to a folder; return (name, text) of their pages and the seconds pypdf, the
    peers' own reader, took for them.

    Scans and what pypdf cannot open are left out: the peers read nothing there, Strata uses OCR.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    into.mkdir(parents=True)
    texts: list[tuple[str, str]] = []
    seconds = 0.0
    for path in sorted(folder.glob("*.pdf")):
        start = time.perf_counter()
        try:
            pages = [page.extract_text() for page in PdfReader(path).pages]
        except (PyPdfError, ValueError, KeyError):
            continue
        took = time.perf_counter() - start
        if len("".join(pages).split()) >= 20:
            shutil.copy(path, into)
            texts += [(path.stem, page) for page in pages if page.strip()]
            seconds += took
    return texts, seconds
