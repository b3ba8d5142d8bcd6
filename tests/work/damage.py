"""A small library with something in every store, ways to damage its files, and what it answers."""

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from core.domain import Feedback
from core.knowledge.base import KnowledgeBase
from core.knowledge.maintenance.diagnosis import LibraryDiagnosis
from core.knowledge.stores.vector_index.embeddings import EmbeddingModel
from core.knowledge.stores.vector_index.library_collections import server_at
from core.work.upkeep.library_repair import LibraryRepair, OpenedLibrary
from tests.ingest.ingestion_parts import WordEmbedder, ingestion, inventory

NOTES = {
    "pump.md": "# Dry pump\n\nThe pump of ETCH-07 ran hot in May.\n\n# Filter\n\n"
    "Its filter was clogged, see Report 12.\n",
    "report.md": "# Report 12\n\nThe filter of the dry pump was changed after 6.5 hours of work.\n",
    "yield.csv": "lot,tool,yield\nL1,ETCH-07,91.5\nL2,ETCH-03,88.0\nL3,ETCH-07,92.25\n",
}
QUESTIONS = ("filter of the dry pump", "ETCH-07", "yield of L2")
Damage = Callable[[Path], None]


def make(folder: Path, chroma_url: str | None = None) -> Path:
    """Make the library; return its folder. The files it was made of lie beside it."""
    sources = folder / "sources"
    sources.mkdir(parents=True)
    for name, text in NOTES.items():
        (sources / name).write_text(text, "utf-8")
    into = ingestion(folder / "library", chroma_url=chroma_url)
    knowledge = into.knowledge
    knowledge.embeddings.serve(EmbeddingModel(digest=WordEmbedder.digest, backend="packaged", name="words"))
    for name in NOTES:
        for _ in into.ingest(sources / name):
            pass
    knowledge.link(
        knowledge.entries()[0].model_copy(update={"path": "/elsewhere/again.md", "collection": "b"})
    )
    knowledge.feedback.give(Feedback(run="run1", target="answer", verdict="right"))
    knowledge.learn_tag_pair("vacuum engine", "dry pump")
    knowledge.cache.put("a key", b"a value")
    answers(knowledge)
    knowledge.words.rebuild()  # so that its cache is written
    knowledge.words.fresh()
    knowledge.graph.rebuild()
    knowledge.propagate({knowledge.chunks()[0].id: 1.0}, 0.5)
    knowledge.close()
    return folder / "library"


def answers(knowledge: KnowledgeBase) -> dict[str, object]:
    """Return what the library answers, from every store."""
    embedder = WordEmbedder()
    found: dict[str, object] = inventory(knowledge)
    for question in QUESTIONS:
        encoded = embedder.encode([question])
        hits = knowledge.keyword(question, 5)
        near = knowledge.nearest(encoded.vectors[0], "chunks", 5)
        ids = sorted(hit.id for hit in near)
        found[question] = (
            [(hit.id, round(hit.score, 4)) for hit in hits],
            [(hit.id, round(hit.score, 4)) for hit in near],
            [round(score or 0.0, 2) for score in knowledge.late_interaction(encoded.tokens[0], ids)],
            sorted((k, round(v, 4)) for k, v in knowledge.propagate({ids[0]: 1.0}, 0.5).items()),
        )
    found["texts"] = sorted(chunk.text for d in knowledge.documents() for chunk in knowledge.chunks(d.id))
    found["rows"] = [knowledge.rows(table.id).to_dict("records") for table in knowledge.tables()]
    found["titles"] = [(d.title, d.name, d.media_type, d.date) for d in knowledge.documents()]
    found["entries"] = sorted((e.path, e.collection, e.document_id) for e in knowledge.entries())
    found["feedback"] = [(each.run, each.verdict) for each in knowledge.feedback.list()]
    found["pairs"] = [(pair.said, pair.meant) for pair in knowledge.tag_pairs()]
    return found


def opened(folder: Path, chroma_url: str | None = None) -> KnowledgeBase:
    """Open the library. Raises KnowledgeError."""
    return KnowledgeBase(folder, WordEmbedder.digest, chroma_url)


def diagnosis(folder: Path, chroma_url: str | None = None) -> LibraryDiagnosis:
    return LibraryDiagnosis(folder, server_at(chroma_url))


def repair(folder: Path, chroma_url: str | None = None) -> list[str]:
    """Repair the library as `strata doctor --repair` does, with a small embedder."""

    def opened() -> OpenedLibrary:
        into = ingestion(folder, repairing=True, chroma_url=chroma_url)
        serving = into.knowledge.embeddings.serving()
        if serving is None:
            into.knowledge.embeddings.serve(
                EmbeddingModel(digest=WordEmbedder.digest, backend="packaged", name="words")
            )
        return OpenedLibrary(into.knowledge, into, WordEmbedder())

    return LibraryRepair(diagnosis(folder, chroma_url), opened).repair()


def files(folder: Path) -> list[str]:
    """Return every file of a library but its lock."""
    there = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file())
    return [name for name in there if name != "lock"]


def _remove(path: Path) -> None:
    path.unlink()


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])


def flip(number: int, seed: int = 1) -> Damage:
    """Return a damage that flips so many bytes, at places drawn by the seed."""

    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        chance = random.Random(seed)
        for place in {chance.randrange(len(data)) for _ in range(number)} if data else ():
            data[place] ^= 0xFF
        path.write_bytes(bytes(data))

    return damage


DAMAGES: dict[str, Damage] = {
    "removed": _remove,
    "emptied": _empty,
    "truncated": _truncate,
    "1 byte": flip(1),
    "30 bytes": flip(30),
}


def damaged(library: Path, target: Path, name: str, how: str) -> Path:
    """Return a copy of the library in which one file is damaged."""
    shutil.copytree(library, target)
    DAMAGES[how](target / name)
    return target


def same(one: object, other: object) -> bool:
    """Say whether two answers are the same; rows may hold NaN."""
    return bool(np.array_equal(repr(one), repr(other)))


def originals(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every kept original with its bytes."""
    for path in sorted((folder / "originals").rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield path.relative_to(folder).as_posix(), path.read_bytes()
