"""Names in texts and questions: what they stand for, and the references between documents they make."""

from collections.abc import Callable

from core.domain import Distilled, Mention, identify
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.knowledge.search.name_matching import NameIndex
from tests.knowledge.conftest import distil, entity, entry_of

Add = Callable[..., IndexableDocument]


def test_a_title_is_found_whichever_document_came_first(library: KnowledgeBase, add: Add) -> None:
    early = add("Alarm log", "See Etch Chamber Manual for the limits.", "Nothing here.")
    manual = add("Etch Chamber Manual", "The limits are 60 and 80.")
    late = add("Shift report", "We followed the etch chamber manual.")
    for document in (early, late):
        [reference] = library.references(document.document.id)
        assert (reference.target_id, reference.kind) == (manual.document.id, "title")
        assert reference.chunk_id == document.chunks[0].id
    assert len(library.referring(manual.document.id)) == 2
    library.remove(manual.document.id)
    assert library.references(early.document.id) == []


def test_chinese_titles_and_document_numbers_are_found(library: KnowledgeBase, add: Add) -> None:
    manual = add("蚀刻设备手册", "温度限值为六十度。")
    sop = add("SOP-112 Wafer cleaning", "Rinse twice.")
    report = add("Report", "请参阅蚀刻设备手册。", "As SOP-112 says, rinse twice.")
    targets = {reference.text: reference.target_id for reference in library.references(report.document.id)}
    assert targets == {"蚀刻设备手册": manual.document.id, "SOP-112": sop.document.id}


def test_what_a_document_only_speaks_of_does_not_lead_to_it(library: KnowledgeBase, add: Add) -> None:
    add("sensor-log-ETCH-03", "Day, leak.")
    add("Spare parts catalogue PE-300", "Seals and rings.")
    defect = add("Defect report DR-41", "Particles.")
    report = add("Report", "ETCH-03, a PE-300, was stopped as DR-41 says.")
    found = [(reference.text, reference.target_id) for reference in library.references(report.document.id)]
    assert found == [("DR-41", defect.document.id)]


def test_a_common_word_with_a_small_letter_is_not_a_title(library: KnowledgeBase, add: Add) -> None:
    add("Yield", "What yield means.")
    add("Notes", "The yield fell.", "To yield is not to fail.")
    assert library.counts()["references"] == 0


def test_a_given_reference_is_resolved_when_its_target_comes_and_open_again_when_it_goes(
    library: KnowledgeBase, add: Add
) -> None:
    source = add(
        "Overview",
        "Read on there.",
        references=[
            ("file", "../docs/Pump%20plan.txt#top"),
            ("identifier", "DOC-77"),
            ("file", "../docs/Pump%20plan.txt#top"),
        ],
    )
    assert [r.target_id for r in library.references(source.document.id)] == [None, None]
    plan = add("Pump plan", "The plan.", metadata={"document_number": "doc 77"})
    assert [r.target_id for r in library.references(source.document.id)] == [plan.document.id] * 2
    library.remove(plan.document.id)
    assert [r.target_id for r in library.references(source.document.id)] == [None, None]
    library.add(plan, entry_of(plan))
    assert [r.target_id for r in library.references(source.document.id)] == [plan.document.id] * 2


def test_common_words_and_phrases_are_no_names(library: KnowledgeBase, add: Add) -> None:
    report = add("Report", "Born is a village.")
    distil(library, report, "Born", "place of birth", "God's Gift", "Oslo")
    assert library.link_entities("Where was she born, and what is her place of birth?") == []
    assert [node for node, _ in library.link_entities("Is Born the home of God'S Gift?")] == sorted(
        identify(name) for name in ("Born", "God's Gift")
    )


def test_names_in_a_question_are_linked_the_rarer_first(library: KnowledgeBase, add: Add) -> None:
    documents = [add(f"Report {n}", f"Text {n}.") for n in ("one", "two", "three", "four")]
    for document in documents:
        distil(library, document, "Plant North")
    library.enrich(
        documents[0].document.id,
        Distilled(
            entities=(entity("Etch chamber 3", "EC3", "蚀刻腔三号"),),
            mentions=(Mention(chunk_id=documents[0].chunks[0].id, entity_id=identify("Etch chamber 3")),),
        ),
        {},
    )
    linked = library.link_entities("Why did etch chamber 3 of Plant North fail after Report two?")
    assert [node for node, _ in linked][-1] == identify("Plant North")
    assert {node for node, _ in linked} == {
        identify("Etch chamber 3"),
        identify("Plant North"),
        documents[1].document.id,
    }
    assert 0 < linked[-1][1] < linked[0][1] <= 1
    assert library.link_entities("EC3?") == library.link_entities("蚀刻腔三号的温度?")
    library.remove(documents[0].document.id)
    assert library.link_entities("EC3?") == []
    assert library.link_entities("") == [] and library.link_entities("nothing known") == []


def test_the_longest_name_wins() -> None:
    names = NameIndex()
    for name in ("New York", "New York Times", "York", "the", "纽约", "纽约时报"):
        names.add(name, name)
    assert [found.ids[0] for found in names.find("The New York Times left york; new york’s best.")] == [
        "New York Times",
        "York",
        "New York",
    ]
    assert [found.ids[0] for found in names.find("纽约时报在纽约。")] == ["纽约时报", "纽约"]
