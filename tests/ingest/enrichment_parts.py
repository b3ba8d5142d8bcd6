"""Documents to enrich, and models that say of each piece what a function says."""

from collections.abc import Callable

from core.domain import Block, Chunk, Distilled, Document, Parsed, Section
from core.ingest.chunk_enrichment import ChunkEnricher, Enrichment
from core.ingest.chunker import Chunker
from core.llm.builtin import BuiltinLLM
from core.ports import LLM
from core.tasks import (
    Call,
    Enrich,
    Enriched,
    EnrichedPiece,
    PieceFacts,
    Task,
)
from tests.doubles import ScriptedLLM
from tests.ingest.ingestion_parts import WordEmbedder

Cutout = tuple[Document, tuple[Section, ...], tuple[Chunk, ...]]


def cut(*blocks: tuple[str, str], title: str = "Log", name: str = "log.md") -> Cutout:
    document = Document(id="d0", title=title, media_type="text/markdown", name=name)
    made = tuple(Block.model_validate({"kind": kind, "text": text, "level": 1}) for kind, text in blocks)
    embedder = WordEmbedder()
    result = Chunker(embedder.count, 256).chunk(document, Parsed(title=title, media_type="x", blocks=made))
    return document, result.sections, result.chunks


def enrich(llm: LLM, cutout: Cutout, **more: object) -> Enrichment:
    numbers = {name: int(str(more.pop(name, 1))) for name in ("parallel", "together")}
    work = ChunkEnricher(llm, BuiltinLLM(), **numbers).enrich(*cutout, **more)  # type: ignore[arg-type]
    while True:
        try:
            next(work)
        except StopIteration as stop:
            result: Enrichment = stop.value
            return result


def script(
    say: Callable[[Enrich, EnrichedPiece], PieceFacts] = lambda task, piece: PieceFacts(n=piece.n),
) -> ScriptedLLM:
    """A model that says of each piece what a function says."""

    def answer(task: Task) -> Enriched:
        assert isinstance(task, Enrich)
        return Enriched(
            pieces=tuple(say(task, piece) for piece in task.pieces), call=Call(task="Enrich", engine="qwen3")
        )

    return ScriptedLLM(answer)


def pieces_of(llm: ScriptedLLM) -> list[list[str]]:
    """Return the texts of each call."""
    return [[piece.text for piece in task.pieces] for task in llm.asked if isinstance(task, Enrich)]


LOG = cut(
    ("heading", "Monday"),
    ("paragraph", "The electrostatic chuck (ESC) leaked. Nordvak made the ESC."),
    ("heading", "Tuesday"),
    ("paragraph", "Electrostatic chucks were replaced as Monday showed."),
)


def name_of(distilled: Distilled, entity_id: str) -> str:
    return next(entity.name for entity in distilled.entities if entity.id == entity_id)
