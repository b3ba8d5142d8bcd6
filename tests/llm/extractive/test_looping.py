import pytest

from core.domain import Evidence, Turn
from core.tasks import (
    FindTopics,
    MapTags,
    Proposals,
    Propose,
    Resolved,
    ResolveFollowUp,
    Select,
    Selection,
    TagsMapped,
    Topics,
)

JAWS = Evidence(n=1, source="Jaws", text="Jaws is a 1975 film directed by Steven Spielberg.")
QUESTION = "Who is the wife of the director of Jaws?"


def test_the_loop_proposes_first_what_it_can_ask_and_then_what_it_learnt(engine):
    first = engine.run(Propose(question=QUESTION), Proposals)
    assert first.questions[0] == "Who is the director of Jaws?" and not first.enough
    then = engine.run(Propose(question=QUESTION, context=(JAWS,), asked=first.questions), Proposals)
    assert "Who is the wife of Steven Spielberg?" in then.questions


def test_nothing_is_proposed_twice(engine):
    asked: tuple[str, ...] = ()
    for _ in range(5):
        proposals = engine.run(Propose(question=QUESTION, context=(JAWS,), asked=asked), Proposals).questions
        assert not set(proposals) & set(asked)
        asked += proposals


def test_the_candidate_that_carries_on_is_selected(engine):
    candidates = ("What is an orca?", "Who is Steven Spielberg married to?", "When was it released?")
    chosen = engine.run(Select(question=QUESTION, context=(JAWS,), candidates=candidates), Selection)
    assert chosen.index == 1 and chosen.reason
    assert engine.run(Select(question=QUESTION, candidates=("zzz",)), Selection).index is None


@pytest.mark.parametrize(
    ("before", "answer", "question", "whole"),
    [
        (
            "When was the chuck of tool 3 replaced?",
            "In March.",
            "and for tool 4?",
            "When was the chuck of tool 4 replaced?",
        ),
        (
            "When was the chuck of tool 3 replaced?",
            "In March.",
            "Why?",
            "Why was the chuck of tool 3 replaced?",
        ),
        ("What is the yield of ETCH-03?", "91 %", "What about ETCH-05?", "What is the yield of ETCH-05?"),
        (
            "What is the yield of ETCH-03?",
            "91 %",
            "Who is responsible for it?",
            "Who is responsible for ETCH-03?",
        ),
        ("Who wrote the 8D report?", "Mei Lin wrote it.", "Where does she work?", "Where does Mei Lin work?"),
        ("1号机的静电吸盘是什么时候更换的？", "3月。", "那2号机呢？", "2号机的静电吸盘是什么时候更换的？"),
        ("谁负责ETCH-03？", "韦伯。", "ETCH-05呢？", "谁负责ETCH-05？"),
        ("谁负责ETCH-03？", "韦伯。", "他还负责什么？", "韦伯还负责什么？"),
        ("谁负责ETCH-03？", "韦伯。", "它的良率是多少？", "ETCH-03的良率是多少？"),
        (
            "What is the yield of ETCH-03?",
            "91 %",
            "Is it dangerous to open the chamber?",
            "Is it dangerous to open the chamber?",
        ),
        (
            "What is the yield of ETCH-03?",
            "91 %",
            "How long does it take to mend it?",
            "How long does it take to mend ETCH-03?",
        ),
        (
            "Who wrote it?",
            "Mei Lin.",
            "What is the base pressure of CVD-02?",
            "What is the base pressure of CVD-02?",
        ),
    ],
)
def test_a_follow_up_is_read_as_a_whole_question(engine, before, answer, question, whole):
    history = (Turn(question=before, answer=answer),)
    assert engine.run(ResolveFollowUp(question=question, history=history), Resolved).question == whole


def test_a_first_question_stays_as_it_is(engine):
    assert engine.run(ResolveFollowUp(question="and it?"), Resolved).question == "and it?"


def test_topics_are_tags_the_question_names_or_means(engine):
    tags = ("helium", "leak", "etch tool", "pump", "yield")
    assert set(
        engine.run(FindTopics(question="Why did the etcher leak helium?", tags=tags), Topics).topics
    ) == {
        *("helium", "leak", "etch tool"),
    }
    assert engine.run(
        FindTopics(question="刻蚀机为什么报警？", tags=("etcher", "alarm", "oil")), Topics
    ).topics


def test_everyday_words_are_mapped_to_the_librarys_terms(engine):
    tags = ("palpitations", "failure", "particle", "mass flow controller", "etching")
    question = "my heart races and the machine broke down, dirt near the MFC after etchng"
    pairs = {(p.said, p.meant) for p in engine.run(MapTags(question=question, tags=tags), TagsMapped).pairs}
    assert pairs == {
        ("heart races", "palpitations"),
        ("broke down", "failure"),
        ("dirt", "particle"),
        ("MFC", "mass flow controller"),
        ("etchng", "etching"),
    }
