import pytest

from core.llm.encoders.embedders import PackagedEmbedder
from core.retrieval.hybrid_retriever import HybridRetriever
from core.retrieval.term_mapping import TermMapper, phrases, put_in_columns
from core.tasks import TagPair


@pytest.fixture
def bridge(library):
    bridge = TermMapper(library, HybridRetriever(library, PackagedEmbedder()))
    yield bridge
    for pair in library.tag_pairs():
        library.unlearn_tag_pair(pair.said, pair.meant)


def test_a_term_the_library_uses_itself_is_not_read_as_another(bridge):
    assert not bridge.evident(TagPair(said="PE-300", meant="Helix chuck"))
    assert not bridge.evident(TagPair(said="particles", meant="wet clean"))


def test_a_proposed_pair_needs_nearness_initials_or_a_passage_that_holds_both(bridge):
    assert bridge.evident(TagPair(said="heart races", meant="palpitations"))
    assert bridge.evident(TagPair(said="MFC", meant="mass flow controller"))
    assert bridge.evident(TagPair(said="Dresden", meant="Marwick Seals"))
    assert bridge.evident(TagPair(said="颗粒", meant="particles"))
    assert not bridge.evident(TagPair(said="tulip", meant="wet clean"))


def test_learnt_pairs_are_found_in_a_question_as_whole_words(bridge):
    bridge.knowledge.learn_tag_pair("puck", "Helix chuck")
    assert bridge.learnt("Where is the Puck?") == [TagPair(said="puck", meant="Helix chuck")]
    assert bridge.learnt("Is it puckish?") == []


def test_pairs_are_learnt_from_several_questions_and_their_answers(bridge):
    samples = [
        ("Who sells the grey puck?", "The seal of the Helix chuck comes from Marwick Seals."),
        ("How old is the grey puck of tool 3?", "Its Helix chuck was changed in May."),
        ("When is the canteen open?", "The canteen opens at eleven."),
    ]
    assert bridge.learn(samples, ("Helix chuck", "wet clean")) == [
        TagPair(said="grey puck", meant="Helix chuck")
    ]
    (kept,) = bridge.knowledge.tag_pairs()
    assert (kept.said, kept.meant, kept.teacher) == ("grey puck", "Helix chuck", "samples")


def test_phrases_begin_and_end_with_a_word_of_meaning():
    assert phrases("Where is the grey puck?") == ["grey", "grey puck", "puck"]


def test_chinese_phrases_are_runs_of_whole_words():
    assert "设备发烧" in phrases("设备发烧怎么办？") and "备发" not in phrases("设备发烧怎么办？")


def test_a_tag_that_is_part_of_a_term_stands_for_the_whole_term(bridge):
    samples = [
        ("How old is the doodad?", "The Helix chuck is four years old."),
        ("Who made the doodad?", "Marwick Seals made the Helix chuck."),
    ]
    assert bridge.learn(samples, ("chuck",)) == [TagPair(said="doodad", meant="Helix chuck")]


def test_a_phrase_without_a_tag_stands_for_the_term_that_its_answers_alone_say(bridge):
    samples = [
        ("How old is the doodad?", "The Helix chuck is four years old."),
        ("Who made the doodad?", "Marwick Seals made the Helix chuck."),
    ]
    elsewhere = ("When is the canteen open?", "Ask whoever keeps the Helix chuck.")
    assert bridge.learn([*samples, elsewhere], ()) == []
    assert bridge.learn(samples, ()) == [TagPair(said="doodad", meant="Helix chuck")]


def test_a_learnt_word_that_no_passage_holds_is_replaced_and_one_that_is_held_stays(bridge):
    bridge.knowledge.learn_tag_pair("doodad", "Helix chuck")
    bridge.knowledge.learn_tag_pair("chamber", "Helix chuck")
    pair = TagPair(said="doodad", meant="Helix chuck")
    assert bridge.read("Who made the Doodad?") == ("Who made the Helix chuck?", [pair])
    assert bridge.read("Who cleans the chamber?") == ("Who cleans the chamber?", [])
    assert bridge.read("Is the doodad the Helix chuck?") == ("Is the doodad the Helix chuck?", [])


def test_words_become_columns_of_the_other_script_and_never_values_nor_what_a_dictionary_gives():
    pairs = [TagPair(said="停机", meant="stop"), TagPair(said="停机", meant="downtime")]
    pairs += [TagPair(said="交货期", meant="lead time"), TagPair(said="价格", meant="cost")]
    columns = {"downtime", "lead time", "price", "cost"}
    assert put_in_columns("A-1的停机", pairs, columns) == "A-1的 downtime "
    assert put_in_columns("A-1的价格和交货期", pairs, columns) == "A-1的价格和 lead time "
