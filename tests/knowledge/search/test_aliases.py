"""Other names, other scripts, titles and slips of the hand: what a question may say instead."""

from dataclasses import replace

import pytest

from core.knowledge.base import KnowledgeBase
from core.knowledge.search.aliases import Alias, AliasIndex, aliases_in
from core.knowledge.search.spelling import SpellingIndex
from tests.knowledge.conftest import entry_of, make_document


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("采用静电吸盘（ESC）固定", ("采用静电吸盘", "ESC")),
        ("ESC（静電チャック）は", ("静電チャック", "ESC")),
        ("감염 증-19(COVID-19, 이하 “코로나-19”)의", ("감염증-19", "COVID-19")),
        ("an electrostatic chuck (ESC) holds", None),  # E, S and C begin no three words
        ("Large language models (LLMs) are", ("large language models", "LLM")),
        ("as shown before (Figure 3)", None),
        ("the pump (which is old) runs", None),
    ],
)
def test_names_given_side_by_side(text, pair):
    found = list(aliases_in(text))
    assert found == ([] if pair is None else [Alias(*pair)])


def test_the_other_name_is_given_for_either():
    index = AliasIndex()
    index.add(
        "d1", "采用静电吸盘（ESC）固定。 The World Health Organisation (WHO) and the 세계보건기구(WHO)."
    )
    assert index.others("How is the ESC cleaned?") == ["采用静电吸盘"]
    assert index.others("静电吸盘多久清洗一次？") == ["ESC"]
    assert index.others("who cleans it?") == []
    assert index.others("WHO guideline") == ["world health organisation", "세계보건기구"]
    again = AliasIndex()
    again.load(index.dump())
    again.add("d2", "静电吸盘（ESC）")
    again.remove({"d1"})
    assert again.others("How is the ESC cleaned?") == ["静电吸盘"]


def test_near_words_are_at_most_a_slip_away():
    words = SpellingIndex(["receipt", "recip", "hypertension", "power", "headache"])
    assert [word for word, _ in words.near("hedache")] == ["headache"]
    assert [word for word, _ in words.near("hipertenson")] == ["hypertension"]
    assert words.near("tower") == []  # another first letter is another word
    assert words.near("cat") == [] and words.near("e217") == []


def test_a_slip_is_mended_only_where_the_library_does_not_know_the_word(add, library: KnowledgeBase):
    wanted = add("Shop", "The receipt shows the final total.")
    add("Other", "A recipe for soup.")
    assert library.keyword("show me the recipt", 5)[0].id == wanted.chunks[0].id
    assert "receipt" not in library.words.asked("recipe of the soup")
    assert set(library.words.asked("Wo ist der Koffer")) == {"wo", "ist", "der", "koffer"}


def test_a_question_finds_a_passage_under_its_other_name(add, library, folder):
    made = add("设备", "静电吸盘（ESC）由三家供应商提供。", "吸盘的清洗。")
    assert library.keyword("ESC suppliers", 5)[0].id == made.chunks[0].id
    foreign = add("manual", "The ESC is cleaned every week.")
    assert foreign.chunks[0].id in {hit.id for hit in library.keyword("静电吸盘多久清洗一次？", 5)}
    library.words.save()
    library.close()
    with KnowledgeBase(folder, "test") as again:
        assert "esc" in again.words.asked("静电吸盘多久清洗一次？")
        again.remove(made.document.id)
        assert "esc" not in again.words.asked("静电吸盘多久清洗一次？")


def test_a_document_is_found_by_its_title_and_the_name_of_its_file(library):
    for n in range(6):
        texts = ["Cashier: Emily", "Total: 9.00"] if n > 3 else [f"Note {n}", f"Remark {n}"]
        prepared = make_document(f"Shop {n}", texts)
        chunks = tuple(chunk.model_copy(update={"heading_path": ()}) for chunk in prepared.chunks)
        document = prepared.document.model_copy(update={"name": f"SLIP_TXN-9876{n}.pdf"})
        library.add(replace(prepared, document=document, chunks=chunks), entry_of(prepared))
        if n == 4:
            wanted = prepared.chunks
    assert library.keyword("cashier on TXN-98764", 1)[0].id == wanted[0].id
    assert library.keyword("total of slip TXN98764", 1)[0].id == wanted[1].id
    assert library.keyword("total at Shop 4", 1)[0].id == wanted[1].id


def test_the_heading_over_a_passage_counts_more_than_the_same_word_in_it(library):
    listed = "Aspirin and lisinopril, one tablet of each, taken once a day, by the patient at home"
    for n, (heading, text) in enumerate(
        [("Plan", f"medications, {listed}"), ("Medications", f"morning, {listed}"), ("Notes", "seen again")]
    ):
        prepared = make_document(f"Chart {n}", [text])
        chunks = tuple(chunk.model_copy(update={"heading_path": (heading,)}) for chunk in prepared.chunks)
        library.add(replace(prepared, chunks=chunks), entry_of(prepared))
    first, second = library.keyword("medications", 2)
    assert library.chunks(ids=[first.id])[0].heading_path == ("Medications",)
    assert first.score > second.score
