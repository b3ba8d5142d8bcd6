"""Words as rules compare them: what the search holds for one word, they hold for one word."""

import pytest

from core.domain import Evidence
from core.llm.builtin.answer.answer_or_abstain import decide_outcome
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.scorer import Scorer
from core.llm.builtin.answer.word_matching import SAME_WORD_LIKENESS, likeness, words_of
from core.llm.encoders.embedders import PackagedEmbedder


@pytest.mark.parametrize(
    "asked, text",
    [
        ("1200", "1,200"),
        ("Geneve", "Genève"),
        ("Fuhrer", "Führer’s"),
        ("1200", "1\u202f200"),
        ("CWLS", "C.W.L.S."),
    ],
)
def test_one_word_written_in_two_ways_is_one(asked, text):
    (one,), (other,) = words_of(asked), words_of(f"of {text}")
    assert likeness(one.key, other.key) == 1.0
    assert other.start == 3


@pytest.mark.parametrize("repeats", [1, 20])
def test_a_code_in_wide_signs_is_one_word_and_every_word_keeps_its_place(repeats):
    text = "The ﬁlter of ＰＥ－３００ holds ½ litre. " * repeats
    found = words_of(text)
    assert [word.key for word in found].count("pe-300") == repeats
    assert text[found[-1].start : found[-1].end] == "litre"


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("A pump feeds chamber A. A valve B opens.", [21, 32]),
        ("A", [0]),
        ("Chamber: A; Note: A pump", [9]),
        ("A腔和B腔", [0, 3]),
    ],
)
def test_a_letter_that_names_a_thing_is_a_word_and_an_article_is_none(text, letters):
    assert [word.start for word in words_of(text) if len(word.text) == 1 and word.text.isascii()] == letters


@pytest.mark.parametrize(
    ("question", "keys"),
    [("Is chamber A open?", {"chamber", "a", "open"}), ("Who is John F. Kennedy?", {"john", "kennedi"})],
)
def test_a_letter_of_a_question_has_to_be_said_but_no_initial(question, keys):
    assert read(question).keys == keys


def test_a_word_is_close_to_what_the_dictionary_calls_it_and_never_the_same():
    (asked,), (result,) = words_of("晶圆"), words_of("wafers")
    assert 0.5 <= likeness(asked.key, result.key) < SAME_WORD_LIKENESS
    assert likeness(result.key, asked.key) == likeness(asked.key, result.key)
    assert likeness(asked.key, words_of("valve")[0].key) == 0.0


def test_a_chinese_question_is_read_beside_english_passages_by_its_words_meanings():
    pieces = [
        Evidence(n=1, source="Rules", text="The canteen opens at noon."),
        Evidence(n=2, source="Report", text="Defects on the wafer were caused by a fault of the equipment."),
    ]
    scorer = Scorer(Meaning(PackagedEmbedder()))
    found = decide_outcome("晶圆缺陷是否由设备故障引起？", pieces, scorer)
    assert found.outcome == "closest passages" and found.sentences[0].citations == (2,)
    assert scorer.score(read("晶圆缺陷是否由设备故障引起？"), units(pieces))[0].signals["meaning"] > 0.5


def test_a_long_passage_that_is_shown_ends_with_a_whole_word():
    piece = Evidence(n=1, text=f"Pump {'seal and bearing ' * 60}end.", source="Pumps")
    found = decide_outcome("Where is the pump made?", [piece], Scorer(Meaning(None)))
    assert found.outcome == "closest passages"
    assert {word.strip("*") for word in found.sentences[0].text.split()} <= {"Pump", "seal", "and", "bearing"}
