"""What is distilled from a document: atoms, entities, relations, tags, summaries, each with its source."""

import time
from collections.abc import Callable

import pytest

from core.domain import RULES, Block, Chunk, Distilled, Document, Parsed, Section
from core.errors import LLMUnavailable, Stopped
from core.ingest.chunker import Chunker
from core.ingest.distiller import Distillation, Distiller
from core.llm.cache import CachedLLM
from core.llm.extractive import ExtractiveLLM
from core.llm.fallback import FallbackLLM
from core.ports import LLM
from core.tasks import (
    Atomise,
    Atoms,
    Call,
    EntityDraft,
    Extracted,
    ExtractRelations,
    RelationDraft,
    Reply,
    Summarise,
    Summary,
    TagChunk,
    TagDraft,
    Tagged,
    Task,
)
from core.text.names import Names, Target
from tests.doubles import Ear, ScriptedLLM
from tests.ingest.house import WordEmbedder

Cutout = tuple[Document, tuple[Section, ...], tuple[Chunk, ...]]


def cut(*blocks: tuple[str, str], title: str = "Log", name: str = "log.md") -> Cutout:
    document = Document(id="d0", title=title, media_type="text/markdown", name=name)
    made = tuple(Block.model_validate({"kind": kind, "text": text, "level": 1}) for kind, text in blocks)
    embedder = WordEmbedder()
    result = Chunker(embedder.count, 256).chunk(document, Parsed(title=title, media_type="x", blocks=made))
    return document, result.sections, result.chunks


def distil(llm: LLM, cutout: Cutout, **more: object) -> Distillation:
    work = Distiller(llm, parallel=int(str(more.pop("parallel", 1)))).distil(*cutout, **more)  # type: ignore[arg-type]
    while True:
        try:
            next(work)
        except StopIteration as stop:
            result: Distillation = stop.value
            return result


def script(**replies: Callable[[Task], Reply]) -> ScriptedLLM:
    """A model that answers each kind of task by a function, empty where none is given."""
    empty = {"Atomise": Atoms, "ExtractRelations": Extracted, "TagChunk": Tagged, "Summarise": Summary}

    def answer(task: Task) -> Reply:
        name = type(task).__name__
        return replies[name](task) if name in replies else empty[name]()

    return ScriptedLLM(answer)


LOG = cut(
    ("heading", "Monday"),
    ("paragraph", "The electrostatic chuck (ESC) leaked. Nordvak made the ESC."),
    ("heading", "Tuesday"),
    ("paragraph", "Electrostatic chucks were replaced as Monday showed."),
)


def name_of(distilled: Distilled, entity_id: str) -> str:
    return next(entity.name for entity in distilled.entities if entity.id == entity_id)


def test_atoms_keep_their_chunk_their_kind_and_who_made_them() -> None:
    def atoms(task: Task) -> Reply:
        assert isinstance(task, Atomise)
        asked = (f"What happened on {task.heading}?", " What  happened on Monday? ", "")
        return Atoms(questions=asked, call=Call(task="Atomise", engine="qwen3"))

    distilled = distil(script(Atomise=atoms), LOG).distilled
    monday, tuesday = LOG[2]
    assert [(a.text, a.chunk_id, a.kind, a.by) for a in distilled.atoms] == [
        ("What happened on Monday?", monday.id, "question", "qwen3"),
        ("What happened on Tuesday?", tuesday.id, "question", "qwen3"),
    ]


def test_spellings_of_a_thing_are_one_entity_and_relations_hang_on_it() -> None:
    def facts(task: Task) -> Reply:
        assert isinstance(task, ExtractRelations)
        if "Nordvak" in task.text:
            return Extracted(
                entities=(EntityDraft(name="ESC", kind="equipment"), EntityDraft(name="Nordvak")),
                relations=(RelationDraft(subject="ESC", predicate="made by", object="Nordvak"),),
            )
        return Extracted(entities=(EntityDraft(name="Electrostatic chucks", aliases=("E-chuck",)),))

    distilled = distil(script(ExtractRelations=facts), LOG).distilled
    chuck = [e for e in distilled.entities if "ESC" in (e.name, *e.aliases)]
    assert len(chuck) == 1
    assert chuck[0].name == "electrostatic chuck"
    assert chuck[0].kind == "equipment"
    assert "E-chuck" not in chuck[0].aliases  # the text does not say so
    assert {m.chunk_id for m in distilled.mentions if m.entity_id == chuck[0].id} == {c.id for c in LOG[2]}
    (relation,) = distilled.relations
    assert relation.subject == chuck[0].id
    assert name_of(distilled, relation.object) == "Nordvak"
    assert relation.chunk_id == LOG[2][0].id


def test_a_mention_of_a_heading_leads_to_its_section() -> None:
    cutout = cut(
        ("heading", "Seal change"),
        ("paragraph", "Do it after the Chamber wet clean."),
        ("heading", "Chamber wet clean"),
        ("paragraph", "Rinse twice."),
    )
    document, sections, chunks = cutout
    names = Names()
    for section in sections:
        names.add(section.path[-1], Target(document.id, section.id))
    distilled = distil(script(), cutout, names=names).distilled
    (heading,) = [entity for entity in distilled.entities if entity.name == "Chamber wet clean"]
    assert heading.about == (sections[-1].id,)
    assert {m.chunk_id for m in distilled.mentions if m.entity_id == heading.id} == {c.id for c in chunks}


def test_a_mention_of_another_documents_heading_is_a_reference_to_it() -> None:
    names = Names()
    names.add("Wafer handling rules", Target("other", "s9"))
    cutout = cut(("paragraph", "Follow the wafer handling rules at all times."))
    (reference,) = distil(script(), cutout, names=names).distilled.references
    assert (reference.target_id, reference.chunk_id) == ("other", cutout[2][0].id)


def test_tags_are_kept_once_per_chunk() -> None:
    tagged = Tagged(
        tags=(TagDraft(name="leak", tag_class="defect"), TagDraft(name=" leak ", tag_class="defect"))
    )
    distilled = distil(script(TagChunk=lambda task: tagged), LOG).distilled
    assert [(t.chunk_id, t.name, t.tag_class) for t in distilled.tags] == [
        (chunk.id, "leak", "defect") for chunk in LOG[2]
    ]


def test_summaries_are_made_from_the_level_below_and_know_what_came_before() -> None:
    blocks = [("heading", "Part")] + [("paragraph", f"Fact {n}. " + "long text " * 60) for n in range(30)]
    asked: list[Summarise] = []

    def summarise(task: Task) -> Reply:
        assert isinstance(task, Summarise)
        asked.append(task)
        return Summary(summary=f"summary {len(asked)}")

    cutout = cut(*blocks, title="Part")
    distilled = distil(script(Summarise=summarise), cutout).distilled
    first = len(cutout[2])  # the chunks' own summaries come before
    assert asked[first].before == ""
    assert asked[first + 1].before == f"summary {first + 1}"
    assert all(len(task.text) <= 6200 for task in asked)
    assert f"summary {first + 1}\nsummary {first + 2}" in asked[-2].text
    assert list(distilled.section_summaries) == [cutout[1][0].id]
    assert distilled.document_summary == f"summary {len(asked)}"


def test_short_sections_are_not_summarised_one_by_one() -> None:
    llm = script(Summarise=lambda task: Summary(summary="all"))
    blocks = [block for n in range(200) for block in (("heading", f"Item {n}"), ("paragraph", "A fact."))]
    distilled = distil(llm, cut(*blocks)).distilled
    assert distilled.section_summaries == {}
    assert distilled.document_summary == "all"
    assert sum(isinstance(task, Summarise) for task in llm.asked) == 1


def test_questions_of_the_rules_stand_beside_their_statements_and_are_not_searched() -> None:
    text = "The focus ring must be replaced every 400 RF hours. The ring is made by Nordvak Ceramics."
    distilled = distil(ExtractiveLLM(), cut(("heading", "Focus ring"), ("paragraph", text))).distilled
    asked = [atom for atom in distilled.atoms if atom.kind == "question"]
    assert [(atom.text, atom.by, atom.searched) for atom in asked] == [
        ("How often must the focus ring be replaced?", RULES, False),
        ("By whom is the ring made?", RULES, False),
    ]
    stated = [atom for atom in distilled.atoms if atom.kind == "statement"]
    assert len(stated) == 2 and all(atom.searched and atom.by == "built-in" for atom in stated)


def test_a_model_that_fails_on_a_chunk_is_replaced_there_and_that_is_said() -> None:
    model = script(Atomise=lambda task: _fail(task), Summarise=lambda task: Summary(summary="s"))
    result = distil(FallbackLLM(model, ExtractiveLLM(), rest=0.0), LOG)
    assert {atom.by for atom in result.distilled.atoms} == {"built-in"}
    assert any("no answer" in note and "built-in engine answered" in note for note in result.notes)


def _fail(task: Task) -> Reply:
    if "Nordvak" in str(task):
        raise LLMUnavailable("no answer")
    return Atoms()


class _Dict(dict[str, bytes]):
    def put(self, key: str, value: bytes) -> None:
        self[key] = value


def test_after_an_interruption_only_the_chunks_not_seen_are_asked_again() -> None:
    def atoms(task: Task) -> Reply:
        return Atoms(questions=(str(len(str(task))),), call=Call(task="Atomise", engine="m"))

    blocks = [
        b for n in range(10) for b in (("heading", f"H{n}"), ("paragraph", f"Fact number {n} is here."))
    ]
    cutout = cut(*blocks)
    model = script(Atomise=atoms)
    cached = CachedLLM(model, _Dict(), lambda task: "weights")  # type: ignore[arg-type]
    work = Distiller(cached).distil(*cutout)
    for _ in range(4):
        next(work)
    work.close()
    seen = sum(isinstance(task, Atomise) for task in model.asked)
    distil(cached, cutout)
    assert sum(isinstance(task, Atomise) for task in model.asked) == 10
    assert seen == 4


def test_several_chunks_are_asked_for_at_once_and_the_result_is_the_same() -> None:
    assert distil(ExtractiveLLM(), LOG, parallel=3) == distil(ExtractiveLLM(), LOG)


def test_a_stop_ends_distillation_at_the_next_chunk() -> None:
    ear = Ear(Stopped("enough"), after_checks=2)
    with pytest.raises(Stopped):
        distil(ExtractiveLLM(), LOG, listener=ear)


def test_rows_of_a_table_are_not_atomised() -> None:
    llm = script()
    chunk = LOG[2][0].model_copy(update={"kind": "table"})
    distil(llm, (LOG[0], LOG[1], (chunk,)))
    assert {type(task) for task in llm.asked} <= {TagChunk, Summarise}


def test_the_built_in_engine_distils_hundreds_of_chunks_a_second() -> None:
    text = (
        "Anna Lindqvist founded the Malmö Film Institute in 1998. It was led by Per Olsson until 2004. " * 3
    )
    blocks = [b for n in range(300) for b in (("heading", f"Passage {n}"), ("paragraph", f"{n}: {text}"))]
    cutout = cut(*blocks, title="corpus", name="corpus.jsonl")
    start = time.perf_counter()
    distil(ExtractiveLLM(), cutout)
    assert time.perf_counter() - start < 6
