"""What many documents say, and covers, weigh little; what is said once or in tables weighs as it did."""

import pytest

from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.retrieval.boilerplate import BOILERPLATE_WEIGHT, COVER_WEIGHT, Boilerplate
from core.retrieval.evidence_pieces import as_evidence
from core.retrieval.passage_details import PassageDetails
from tests.knowledge.conftest import entry_of, make_document

DISCLAIMER = "Synthetic report made for the demonstration library of 2025."
TEXTS = (
    "Pump failed",
    "Seal leaked oil",
    "Valve stuck shut",
    "Filter clogged up",
    "Motor ran hot",
    "Belt tore",
)


@pytest.fixture
def library(tmp_path):
    with KnowledgeBase(tmp_path / "library", "test") as opened:
        for n, text in enumerate(TEXTS):
            disclaimer = DISCLAIMER.replace("2025", str(2020 + n))
            own = f"{text} during the long test run of machine number {n} in building {n}. " * 3
            made = make_document(f"Report {n}", [f"Cover {n}", disclaimer, f"{own}\n{disclaimer}", own])
            opened.add(made, entry_of(made))
        yield opened


def test_repeated_lines_and_covers_weigh_little(library):
    chunks = library.chunks(document_id=library.documents()[0].id)
    weights = Boilerplate(library, len(TEXTS)).weights(chunks)
    cover, disclaimer, both, own = (weights[chunk.id] for chunk in chunks)
    assert cover == COVER_WEIGHT
    assert disclaimer == pytest.approx(BOILERPLATE_WEIGHT)
    assert BOILERPLATE_WEIGHT < both < own == 1.0
    table = chunks[1].model_copy(update={"id": "t", "kind": "table"})
    assert Boilerplate(library, len(TEXTS)).weights([table]) == {"t": 1.0}


def test_a_few_copies_of_a_document_are_no_boilerplate(library):
    gone = library.documents()[:2]
    for document in gone:
        library.remove(document.id)
    chunks = library.chunks(document_id=library.documents()[0].id)
    assert Boilerplate(library, 4).weights(chunks)[chunks[1].id] == 1.0


def test_the_only_passage_of_a_document_is_no_cover(library):
    made = make_document("Note", ["Short"])
    library.add(made, entry_of(made))
    assert Boilerplate(library, 7).weights(made.chunks) == {made.chunks[0].id: 1.0}


def test_evidence_leaves_out_what_many_documents_say_beside_the_question(library):
    chunk = library.chunks(document_id=library.documents()[0].id)[2]
    found = Passage(chunk=chunk, document_title="Report 0", query="q", score=1.0)
    asked = {"Which machine failed?": False, "Is the report synthetic?": True}
    for question, kept in asked.items():
        passage = PassageDetails(library).add(question, [found])[0]
        text = as_evidence([passage])[0].text
        assert (DISCLAIMER.replace("2025", "2020") in text) is kept
        assert text.startswith("Pump failed during")
        assert PassageDetails(library).add("Anything else?", [passage])[0].beside == passage.beside


def test_a_passage_that_is_mostly_what_many_say_is_read_whole(library):
    chunk = library.chunks(document_id=library.documents()[0].id)[1]
    assert Boilerplate(library, len(TEXTS)).beside("Which machine failed?", chunk) == ()


def test_the_lines_of_a_passage_are_asked_for_together(library):
    chunk = library.chunks(document_id=library.documents()[0].id)[2]
    text = "\n".join(f"{DISCLAIMER} {n} and words of line {chr(97 + n) * 3}" for n in range(9))
    long = chunk.model_copy(update={"id": "long", "text": f"{text}\n{DISCLAIMER}"})
    connection, statements = library.database._idle.get_nowait(), []
    library.database._idle.put(connection)
    connection.set_trace_callback(statements.append)
    weights = Boilerplate(library, len(TEXTS)).weights([long])
    connection.set_trace_callback(None)
    assert BOILERPLATE_WEIGHT < weights["long"] < 1.0
    assert sum("generation" in statement for statement in statements) == 1


def test_short_lines_are_told_by_the_paragraph_that_repeats_and_a_passage_of_such_lines_is_no_section(
    tmp_path,
):
    stamp = "Property of Brixen Waterworks plc, Orval. Uncontrolled when printed. See rule 4."
    with KnowledgeBase(tmp_path / "library", "test") as opened:
        for n, text in enumerate(TEXTS):
            made = make_document(
                f"Report {n}", [stamp, f"{stamp}\n\n{text} in building {n}, next to the old gate."]
            )
            opened.add(made, entry_of(made))
        boilerplate = Boilerplate(opened, len(TEXTS))
        alone, both = opened.chunks(document_id=opened.documents()[0].id)
        assert boilerplate.only_repeats([alone, both]) == {alone.id}
        assert boilerplate.beside("What failed?", alone) == ()
        assert boilerplate.beside("What failed?", both, searched=False) == (
            "Property of Brixen Waterworks plc, Orval.",
            "Uncontrolled when printed.",
            "See rule 4.",
        )
