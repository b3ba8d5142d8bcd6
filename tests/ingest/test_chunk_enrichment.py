"""What is distilled from a document: atoms, entities, relations, tags, summaries, each with its source."""

from core.ingest.tag_names import TagNames
from core.tasks import (
    Enrich,
    EnrichedPiece,
    EntityDraft,
    PieceFacts,
    RelationDraft,
    TagDraft,
)
from core.text.title_names import Target, TitleNames
from tests.ingest.enrichment_parts import LOG, cut, enrich, name_of, pieces_of, script


def test_atoms_keep_their_chunk_their_kind_and_who_made_them() -> None:
    def atoms(task: Enrich, piece: EnrichedPiece) -> PieceFacts:
        asked = (f"What happened on {piece.heading}?", " What  happened on Monday? ", "")
        return PieceFacts(n=piece.n, questions=asked)

    distilled = enrich(script(atoms), LOG).distilled
    monday, tuesday = LOG[2]
    assert [(a.text, a.chunk_id, a.kind, a.by) for a in distilled.atoms] == [
        ("What happened on Monday?", monday.id, "question", "qwen3"),
        ("What happened on Tuesday?", tuesday.id, "question", "qwen3"),
    ]


def test_spellings_of_a_thing_are_one_entity_and_relations_hang_on_it() -> None:
    def facts(task: Enrich, piece: EnrichedPiece) -> PieceFacts:
        if "Nordvak" in piece.text:
            return PieceFacts(
                n=piece.n,
                entities=(EntityDraft(name="ESC", kind="equipment"), EntityDraft(name="Nordvak")),
                relations=(RelationDraft(subject="ESC", predicate="made by", object="Nordvak"),),
            )
        return PieceFacts(
            n=piece.n, entities=(EntityDraft(name="Electrostatic chucks", aliases=("E-chuck",)),)
        )

    distilled = enrich(script(facts), LOG).distilled
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
    names = TitleNames()
    for section in sections:
        names.add(section.path[-1], Target(document.id, section.id))
    distilled = enrich(script(), cutout, names=names).distilled
    (heading,) = [entity for entity in distilled.entities if entity.name == "Chamber wet clean"]
    assert heading.about == (sections[-1].id,)
    assert {m.chunk_id for m in distilled.mentions if m.entity_id == heading.id} == {c.id for c in chunks}


def test_a_mention_of_another_documents_heading_is_a_reference_to_it() -> None:
    names = TitleNames()
    names.add("Wafer handling rules", Target("other", "s9"))
    cutout = cut(("paragraph", "Follow the wafer handling rules at all times."))
    (reference,) = enrich(script(), cutout, names=names).distilled.references
    assert (reference.target_id, reference.chunk_id) == ("other", cutout[2][0].id)


def test_a_name_with_and_without_its_hyphen_is_one_thing_called_as_it_is_most_often() -> None:
    named = {
        "Monday": ("ChIPSeq", "Shen 1", "B1", "B1", "B1", "SARS-U04.9"),
        "Tuesday": ("ChIP-seq", "ChIP-seq", "Shen1", "B-1", "B 12", "SARS (U04.9)"),
    }

    def facts(task: Enrich, piece: EnrichedPiece) -> PieceFacts:
        return PieceFacts(n=piece.n, entities=tuple(EntityDraft(name=name) for name in named[piece.heading]))

    blocks = [
        b for day in named for b in (("heading", day), ("paragraph", f"Seen: {'; '.join(named[day])}."))
    ]
    distilled = enrich(script(facts), cut(*blocks)).distilled
    names = {entity.name: entity for entity in distilled.entities if entity.name[0] in "CSB"}
    assert set(names) == {"ChIP-seq", "Shen 1", "B1", "B 12", "SARS-U04.9"}
    assert len({m.chunk_id for m in distilled.mentions if m.entity_id == names["ChIP-seq"].id}) == 2


def test_tags_have_one_spelling_and_column_names_are_none() -> None:
    named = {
        "Monday": ("leak", " Leaks ", "Said", "2025", "the"),
        "Tuesday": ("LEAK", "dry-pump", "Dry pumps"),
    }

    def tagged(task: Enrich, piece: EnrichedPiece) -> PieceFacts:
        tags = tuple(TagDraft(name=name, tag_class="defect") for name in named[piece.heading])
        return PieceFacts(n=piece.n, tags=tags)

    held = cut(
        ("heading", "Monday"),
        ("paragraph", "A leak in 2025, they said."),
        ("heading", "Tuesday"),
        ("paragraph", "The LEAK of the dry pumps."),
    )
    distilled = enrich(script(tagged), held, tags=TagNames(["Said", "Meant"])).distilled
    monday, tuesday = held[2]
    assert [(t.chunk_id, t.name, t.tag_class) for t in distilled.tags] == [
        (monday.id, "leak", "defect"),
        (tuesday.id, "leak", "defect"),
        (tuesday.id, "dry-pump", "defect"),
    ]


def test_sections_and_the_document_are_summed_up_from_the_summaries_below() -> None:
    blocks = [("heading", "Part")] + [
        ("paragraph", f"Fact {n}. The pump number {n} of Velm hums loudly. " + "long text " * 60)
        for n in range(30)
    ]

    def summed(task: Enrich, piece: EnrichedPiece) -> PieceFacts:
        return PieceFacts(
            n=piece.n, summary=f"The pump number {piece.text.split()[1][:-1]} of Velm hums loudly."
        )

    cutout = cut(*blocks, title="Part")
    llm = script(summed)
    distilled = enrich(llm, cutout).distilled
    assert len(llm.asked) == len(cutout[2])
    assert set(distilled.chunk_summaries) == {chunk.id for chunk in cutout[2]}
    assert list(distilled.section_summaries) == [cutout[1][0].id]
    result = distilled.section_summaries[cutout[1][0].id]
    assert "pump number" in result and "long text" not in result
    assert "pump number" in distilled.document_summary


def test_short_sections_are_not_summarised_one_by_one() -> None:
    blocks = [block for n in range(200) for block in (("heading", f"Item {n}"), ("paragraph", "A fact."))]
    distilled = enrich(script(), cut(*blocks)).distilled
    assert distilled.section_summaries == {}
    assert distilled.document_summary


def test_short_neighbours_share_a_call_and_know_what_came_before() -> None:
    blocks = [b for n in range(9) for b in (("heading", f"H{n}"), ("paragraph", f"Fact {n}. " + "so " * 60))]
    cutout = cut(*blocks)

    def summed(task: Enrich, piece: EnrichedPiece) -> PieceFacts:
        return PieceFacts(n=piece.n, summary=f"{piece.heading} states a fact.")

    llm = script(summed)
    shared = enrich(llm, cutout, together=3).distilled
    assert [len(texts) for texts in pieces_of(llm)] == [3, 3, 3]
    asked = [task for task in llm.asked if isinstance(task, Enrich)]
    assert [[piece.goes_on for piece in task.pieces] for task in asked] == [
        [False, True, True],
        [True, True, True],
        [True, True, True],
    ]
    assert [task.before.split()[:1] for task in asked] == [[], ["H2"], ["H5"]]
    assert list(shared.chunk_summaries) == [chunk.id for chunk in cutout[2]]
