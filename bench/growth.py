"""How time and memory grow with the library: files of 1,000 passages each through the ordinary queue."""

import itertools
import json
import resource
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from bench.data import bench_data
from bench.timed import TimedEmbedder, way_in
from core.llm.encoders.embedders import packaged_folder
from core.ports import Encoded, Vectors
from core.work.jobs.job_queue import JobQueue

CORPORA = ("2wiki", "hotpotqa", "musique", "scifact")
A_FILE = 1000  # passages


class WordVectors(TimedEmbedder):
    """The model's own word vectors, normalised, without its layers: real tokens and realistic vectors at a
    hundredth of the cost, so that everything around the model can be measured at large sizes."""

    name = "word vectors"

    @property
    def digest(self) -> str:
        return "word-vectors-384"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self.encode(texts).vectors

    def encode(self, texts: Sequence[str]) -> Encoded:
        start = time.perf_counter()
        table = self._table()
        tokens = tuple(
            table[encoding.ids[1:-1]] for encoding in self._tokenizer.encode_batch_fast(list(texts))
        )
        pooled = [each.mean(0) if len(each) else table[0] for each in tokens]
        vectors = np.stack(pooled) if pooled else np.zeros((0, 384), np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        self.seconds += time.perf_counter() - start
        return Encoded(vectors, tokens)

    def _table(self) -> Vectors:
        if not hasattr(self, "_words"):
            from safetensors.numpy import load_file

            table = load_file(packaged_folder() / "model.safetensors")["embeddings.word_embeddings.weight"]
            table = np.asarray(table, np.float32)
            self._words: Vectors = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
        return self._words


class Anonymous:
    """The most memory of this process that no file stands behind, in MB, looked at twice a second."""

    def __init__(self) -> None:
        self.peak = 0.0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        status = Path("/proc/self/status")
        while status.exists() and not self._ending.wait(0.5):
            held = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("RssAnon")]
            self.peak = max(self.peak, *(int(kilobytes) / 1024 for kilobytes in held))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._thread.join()


def passages() -> Iterator[dict[str, str]]:
    """Yield the passages of all corpora; after the last, again, each with another title."""
    for times in itertools.count():
        for corpus in CORPORA:
            with bench_data(corpus, "corpus.jsonl").open(encoding="utf-8") as lines:
                for line in lines:
                    row = json.loads(line)
                    title = f"{row['title']} ({times + 1})" if times else row["title"]
                    yield {"title": title, "text": row["text"]}


def grow(size: int, stand_in: bool) -> dict[str, float]:
    """Fill a library; return chunks and atoms, seconds until searchable and until distilled, peak memory (all
    and anonymous) and folder in MB, seconds in the model."""
    home = Path(tempfile.mkdtemp(prefix="strata-growth-"))
    (home / "in").mkdir()
    source = passages()
    for number in range((size + A_FILE - 1) // A_FILE):
        rows = itertools.islice(source, min(A_FILE, size - number * A_FILE))
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (home / "in" / f"{number:04}.jsonl").write_text(text, encoding="utf-8")
    embedder = WordVectors() if stand_in else TimedEmbedder()
    embedder.encode(["warm", "up"])
    embedder.seconds = 0.0
    into = way_in(home / "library", embedder)
    runner = JobQueue(into.knowledge, into)
    with Anonymous() as anonymous:
        start = time.perf_counter()
        jobs = runner.submit([home / "in"])
        while len(into.knowledge.documents()) < len(jobs):
            time.sleep(0.1)
        searchable = time.perf_counter() - start
        runner.wait(jobs)
        distilled = time.perf_counter() - start
    counts = into.knowledge.counts()
    runner.close()
    into.knowledge.close()
    held = sum(path.stat().st_size for path in (home / "library").rglob("*") if path.is_file())
    shutil.rmtree(home)
    return {
        "chunks": counts["chunks"],
        "atoms": counts["atoms"],
        "searchable": searchable,
        "distilled": distilled,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "anonymous": anonymous.peak,
        "folder": held / 2**20,
        "model": embedder.seconds,
    }
