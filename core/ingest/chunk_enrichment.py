"""Asks an engine about the chunks of a document, batch by batch, and joins the replies with their sources."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from core.domain import BUILT_IN, Chunk, Distilled, Document, Entity, Section, Table
from core.ingest.distilled_assembly import Assembly, ChunkFacts
from core.ingest.entity_resolution import Resolver
from core.ingest.grounded_facts import Grounding
from core.ingest.section_summaries import passages_of, section_summaries
from core.ingest.table_relations import Rows
from core.ingest.tag_names import TagNames
from core.ports import LLM, Listener
from core.tasks import Call, Enrich, Enriched, EnrichedPiece, TagClass
from core.text.title_names import TitleNames

Known = Callable[[Sequence[str]], Iterable[Entity]]

_RUN_LENGTH = 64  # chunks that are asked about one after the other, each knowing what came before
_CALL_TOKENS = 320  # tokens of the chunks that share a call
_SHORT_CHUNK_TOKENS = 40  # tokens; a shorter chunk is its own summary


class Enrichment(NamedTuple):
    """A document's distilled layer and what the reader should know about how it was made."""

    distilled: Distilled
    notes: tuple[str, ...]


class ChunkRun(NamedTuple):
    """Neighbouring chunks; `continues` says which of them read on from the one before."""

    chunks: tuple[Chunk, ...]
    continues: tuple[bool, ...]


@dataclass(frozen=True)
class FactExtractor:
    """Extracts the facts of a run of chunks by an engine; with the rules behind it, on another machine, too.

    Up to `together` short neighbours share a call. `rules` do what no model is asked about: rows of tables,
    which are queried, code, and a piece that a reply leaves out.
    """

    llm: LLM
    rules: LLM
    classes: tuple[TagClass, ...] = ()
    together: int = 1

    def extract(
        self, document: Document, run: ChunkRun, listener: Listener | None = None
    ) -> Iterator[ChunkFacts]:
        """Yield what is said about each chunk, in order. Raises LLMError, Stopped."""
        before = ""
        at = 0
        for batch in self.batches(run):
            if listener is not None:
                listener.check()
            if not batch[0].goes_on:
                before = ""
            chunks = run.chunks[at : at + len(batch)]
            at += len(batch)
            task = Enrich(
                title=document.title,
                classes=self.classes,
                before=before,
                pieces=tuple(batch),
                language=chunks[0].language,
            )
            for chunk, facts in zip(chunks, self._run(task, listener), strict=True):
                if facts.piece.summary and _wants_summary(chunk):
                    before = facts.piece.summary
                yield facts

    def batches(self, run: ChunkRun) -> Iterator[list[EnrichedPiece]]:
        """Yield the pieces of each call, numbered from 1: neighbours in one language that are prose, or a
        single other one."""
        batch: list[EnrichedPiece] = []
        size = 0
        language = ""
        for chunk, continues in zip(*run, strict=True):
            piece = EnrichedPiece(
                n=1,
                text=chunk.text,
                heading=chunk.heading_path[-1] if chunk.heading_path else "",
                goes_on=continues,
                prose=chunk.kind not in ("table", "code"),
            )
            fits = len(batch) < self.together and size + chunk.tokens <= _CALL_TOKENS
            alike = language == chunk.language and piece.prose
            if batch and not (alike and fits and batch[-1].prose):
                yield batch
                batch, size = [], 0
            batch.append(piece.model_copy(update={"n": len(batch) + 1}))
            size += chunk.tokens
            language = chunk.language
        if batch:
            yield batch

    def _run(self, task: Enrich, listener: Listener | None) -> Iterator[ChunkFacts]:
        engine = self.llm if task.pieces[0].prose else self.rules
        reply = engine.run(task, Enriched, listener)
        by_number = {facts.n: facts for facts in reply.pieces}
        for piece in task.pieces:
            facts, call = by_number.get(piece.n), reply.call
            if facts is None:
                alone = task.model_copy(update={"pieces": (piece,), "before": ""})
                own = self.rules.run(alone, Enriched, listener)
                facts = own.pieces[0]
                call = Call(task="Enrich", engine=BUILT_IN, fallback="the model left a piece out")
            yield ChunkFacts(facts, call)


Elsewhere = Callable[[FactExtractor, Document, Sequence[ChunkRun], Listener | None], Iterable[ChunkFacts]]


@dataclass(frozen=True)
class ChunkEnricher:
    """Asks for atoms, entities, relations, tags and summaries (PIKE-RAG 4.1.3 and 5.2), and sums sections and
    documents up from the level below (RAPTOR, arXiv 2401.18059).

    A served model should stand behind a cache: a document that is enriched again after an interruption then
    asks only for the chunks it has not seen. `parallel` runs are asked for at once, or all of them
    `elsewhere`, on a cluster.
    """

    llm: LLM
    rules: LLM
    classes: Callable[[], tuple[TagClass, ...]] = tuple
    parallel: int = 1
    together: int = 1
    most_atoms: int = 8  # of a chunk and kind
    elsewhere: Elsewhere | None = None

    def enrich(
        self,
        document: Document,
        sections: Sequence[Section],
        chunks: Sequence[Chunk],
        *,
        tables: Sequence[tuple[Table, Rows]] = (),
        names: TitleNames | None = None,
        known: Known | None = None,
        tags: TagNames | None = None,
        listener: Listener | None = None,
    ) -> Generator[int, None, Enrichment]:
        """Yield the number of chunks done, now and then; return everything distilled.

        `tables` are those of the document, with their first rows; `names` holds the titles and headings of
        the whole library, this document's among them; `known` returns the library's entities that go by one
        of some names; `tags` how its tags are written. Raises LLMError, Stopped.
        """
        facts: list[ChunkFacts] = []
        for each in self._facts(document, chunk_runs_of(document, sections, chunks), listener):
            facts.append(each)
            yield len(facts)
        grounding = Grounding(document)
        facts = grounding.of(chunks, facts)
        assembly = Assembly(document, sections, chunks, self.most_atoms, Resolver(known), tags or TagNames())
        for chunk, fact in zip(chunks, facts, strict=True):
            assembly.add(chunk, fact)
        for table, rows in tables:
            assembly.add_rows(table, rows)
        if names is not None:
            assembly.find(names)
        assembled = assembly.assembled()
        yield len(facts)  # so that other work gets its turn
        summed = {
            chunk.id: fact.piece.summary
            for chunk, fact in zip(chunks, facts, strict=True)
            if fact.piece.summary and _wants_summary(chunk)
        }
        in_parts = Counter(passages_of(document, sections, chunks))
        summaries = {
            chunk.id: summed[chunk.id]
            for chunk, passage in zip(chunks, passages_of(document, sections, chunks), strict=True)
            if chunk.id in summed and in_parts[passage] > 1
        }
        of_sections, of_document = section_summaries(document, sections, chunks, summaries)
        notes = Counter(fact.call.fallback for fact in facts if fact.call and fact.call.fallback)
        distilled = assembled.model_copy(
            update={
                "chunk_summaries": summaries,
                "section_summaries": of_sections,
                "document_summary": of_document,
            }
        )
        return Enrichment(
            distilled,
            (
                *(f"{times} times the built-in engine answered: {why}" for why, times in notes.items()),
                *grounding.notes(),
            ),
        )

    def fact_extractor(self) -> FactExtractor:
        """Return what extracts the facts of chunks, with the classes of tags the library has now."""
        return FactExtractor(self.llm, self.rules, self.classes(), self.together)

    def _facts(
        self, document: Document, runs: Sequence[ChunkRun], listener: Listener | None
    ) -> Iterable[ChunkFacts]:
        extractor = self.fact_extractor()
        if self.elsewhere is not None:
            yield from self.elsewhere(extractor, document, runs, listener)
            return
        if self.parallel == 1:
            for run in runs:
                yield from extractor.extract(document, run, listener)
            return
        with ThreadPoolExecutor(self.parallel) as pool:
            try:
                for found in pool.map(lambda each: list(extractor.extract(document, each, listener)), runs):
                    yield from found
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def chunk_runs_of(document: Document, sections: Sequence[Section], chunks: Sequence[Chunk]) -> list[ChunkRun]:
    """Cut a document into runs of at most 64 chunks."""
    passages = passages_of(document, sections, chunks)
    continues = [False, *(one == other for one, other in pairwise(passages))][: len(chunks)]
    found = []
    for at in range(0, len(chunks), _RUN_LENGTH):
        part = continues[at : at + _RUN_LENGTH]
        found.append(ChunkRun(tuple(chunks[at : at + _RUN_LENGTH]), (False, *part[1:])))
    return found


def _wants_summary(chunk: Chunk) -> bool:
    """Say whether a chunk is summed up: short ones, rows, code, figures and recordings say it themselves."""
    return chunk.kind == "text" and chunk.tokens >= _SHORT_CHUNK_TOKENS
