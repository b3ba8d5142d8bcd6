import pytest

from core.domain import Scope
from core.retrieval.hybrid_retriever import HybridRetriever
from tests.fab_library import make_library

CAUSES = ("worn bearings", "a bent shaft", "loose bolts", "cavitation", "a dirty impeller", "misalignment")
NOTES = {
    f"Pump note {n}": (f"The strong vibration of pump P-101 came from {cause}; the vibration went away.",)
    for n, cause in enumerate(CAUSES, start=1)
}
VALVE = {
    "Stores": (
        "Shelf four holds gaskets, grease and V-77 spares.",
        "V-77 was exchanged in May, as its seat had worn.",
    )
}
QUESTION = "Did the strong vibration of pump P-101 come before the exchange of V-77?"


@pytest.fixture(scope="module")
def plant(tmp_path_factory, embedder):
    folder = tmp_path_factory.mktemp("plant") / "library"
    with make_library(folder, embedder, documents={**NOTES, **VALVE}, names=("P-101", "V-77")) as library:
        yield HybridRetriever(library, embedder)


def about(passages, name):
    return [passage for passage in passages if name in passage.chunk.text]


def test_a_name_that_nothing_found_speaks_of_is_searched_by_itself(plant):
    before = plant.without("second_search", "graph").search(QUESTION, 5, kind="reasoning")
    assert about(before, "P-101") == before
    found = plant.without("graph").search(QUESTION, 8, kind="reasoning")
    valve = about(found, "V-77")
    assert valve[0].chunk.text == "V-77 was exchanged in May, as its seat had worn."
    assert "second search for V-77" in valve[0].why
    assert valve[0].score == pytest.approx(found[0].score / 2, rel=0.2) or valve[0].score > found[0].score / 2


def test_a_name_that_is_answered_is_not_searched_again(plant):
    found = plant.search("Where did the vibration of pump P-101 come from?", 8)
    assert not [why for passage in found for why in passage.why if why.startswith("second search")]


def test_the_second_search_keeps_to_the_scope(plant):
    (stores,) = {p.chunk.document_id for p in plant.search("exchange of V-77", 9) if "V-77" in p.chunk.text}
    banned = {p.chunk.id for p in plant.search("V-77", 9) if "exchanged" in p.chunk.text}
    found = plant.without("graph").search(QUESTION, 9, Scope(without=tuple(banned)))
    assert [p.chunk.text for p in about(found, "V-77")] == [VALVE["Stores"][0]]
    others = tuple({p.chunk.document_id for p in found} - {stores})
    assert about(plant.search(QUESTION, 9, Scope(documents=others)), "V-77") == []


def test_facts_lean_on_what_is_near_and_reasoning_on_what_is_linked(retriever):
    question = "In which city is the maker of the part that caused the edge particles of LOT-2231?"

    def place(kind):
        titles = [passage.document_title for passage in retriever.search(question, 9, kind=kind)]
        return titles.index("Marwick Seals")

    assert place("reasoning") <= place("factual")
