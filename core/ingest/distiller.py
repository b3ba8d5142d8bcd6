"""The distilled layer of one document: what its chunks say, name and sum up to, each with its source."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from core.domain import Chunk, Distilled, Document, Entity, Section
from core.ingest.entities import Resolver
from core.ingest.gathering import Facts, Gathering
from core.ingest.summaries import Summariser
from core.ports import LLM, Listener
from core.tasks import Atomise, Atoms, Extracted, ExtractRelations, TagChunk, Tagged
from core.text.names import Names

Known = Callable[[Sequence[str]], Iterable[Entity]]


class Distillation(NamedTuple):
    """A document's distilled layer and what the reader should know about how it was made."""

    distilled: Distilled
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Asker:
    """Asks about one chunk. With the built-in rules behind it, it may travel to another machine."""

    llm: LLM
    classes: tuple[str, ...] = ()

    def facts(self, document: Document, chunk: Chunk, listener: Listener | None = None) -> Facts:
        """Return what the engine says; rows of a table are queried, not atomised. Raises LLMError."""
        if listener is not None:
            listener.check()
        language = chunk.language
        heading = chunk.heading_path[-1] if chunk.heading_path else ""
        tagged = self.llm.run(
            TagChunk(text=chunk.passage_text(), classes=self.classes, language=language), Tagged, listener
        )
        if chunk.kind in ("table", "code"):
            return Facts(Atoms(), Extracted(), tagged)
        atoms = self.llm.run(
            Atomise(title=document.title, heading=heading, text=chunk.text, language=language),
            Atoms,
            listener,
        )
        extracted = self.llm.run(
            ExtractRelations(title=heading or document.title, text=chunk.text, language=language),
            Extracted,
            listener,
        )
        return Facts(atoms, extracted, tagged)


Elsewhere = Callable[[Asker, Document, Sequence[Chunk], Listener | None], Iterable[Facts]]


@dataclass(frozen=True)
class Distiller:
    """Asks for atoms, entities, relations, tags and summaries (PIKE-RAG 4.1.3 and 5.2, RAPTOR 2401.18059).

    A served model should stand behind a cache: a document that is distilled again after an interruption
    then asks only for the chunks it has not seen. `parallel` chunks are asked for at once, or all of them
    `elsewhere`, on a cluster.
    """

    llm: LLM
    classes: tuple[str, ...] = ()
    parallel: int = 1
    most_atoms: int = 8  # of a chunk and kind
    elsewhere: Elsewhere | None = None

    def distil(
        self,
        document: Document,
        sections: Sequence[Section],
        chunks: Sequence[Chunk],
        *,
        names: Names | None = None,
        known: Known | None = None,
        listener: Listener | None = None,
    ) -> Generator[int, None, Distillation]:
        """Yield the number of chunks done, now and then; return everything distilled.

        `names` holds the titles and headings of the whole library, this document's among them; `known`
        returns the library's entities that go by one of some names. Raises LLMError, Stopped.
        """
        facts: list[Facts] = []
        for each in self._ask(document, chunks, listener):
            facts.append(each)
            yield len(facts)
        gathering = Gathering(document, sections, chunks, self.most_atoms, Resolver(known))
        for chunk, fact in zip(chunks, facts, strict=True):
            gathering.take(chunk, fact)
        if names is not None:
            gathering.find(names)
        gathered = gathering.gathered()
        summariser = Summariser(self.llm, listener)
        of_chunks: dict[str, str] = {}
        for chunk_id, text in summariser.forward(document, sections, chunks):
            of_chunks[chunk_id] = text
            yield len(facts)  # so that other work gets its turn
        summaries, summary = summariser.summarise(document, sections, chunks)
        said = [reply.call for fact in facts for reply in fact if reply.call] + summariser.calls
        notes = Counter(call.fallback for call in said if call.fallback)
        return Distillation(
            gathered.model_copy(
                update={
                    "chunk_summaries": of_chunks,
                    "section_summaries": summaries,
                    "document_summary": summary,
                }
            ),
            tuple(f"{times} times the built-in engine answered: {why}" for why, times in notes.items()),
        )

    def _ask(self, document: Document, chunks: Sequence[Chunk], listener: Listener | None) -> Iterable[Facts]:
        asker = Asker(self.llm, self.classes)
        if self.elsewhere is not None:
            yield from self.elsewhere(asker, document, chunks, listener)
            return
        if self.parallel == 1:
            for chunk in chunks:
                yield asker.facts(document, chunk, listener)
            return
        with ThreadPoolExecutor(self.parallel) as pool:
            try:
                yield from pool.map(lambda chunk: asker.facts(document, chunk, listener), chunks)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
