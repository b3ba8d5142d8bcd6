"""A report says what was found and never more, in the language of the question."""

import pytest

from core.answering.present import Findings, Presenter
from core.domain import (
    CouncilReport,
    Level,
    Outcome,
    PartAnswer,
    Plan,
    Proposal,
    Sentence,
    Statement,
    SubQuestion,
    Support,
    Verdict,
)
from core.tasks import Call
from core.ui.chat import source_list
from tests.making import part, passage


def present(**changes):
    found = Findings(question="Q?", read_as="Q?", level=Level.FACTUAL, language="en")
    return Presenter().present(Findings(**{**vars(found), **changes}))


def test_nothing_found_is_said_in_the_readers_language():
    assert present().answer == "Nothing in the library answers this."
    assert present().outcome is Outcome.NOTHING
    assert "资料库" in present(language="zh").answer


def test_an_answer_keeps_its_sentences_and_evidence():
    sentence = Sentence(text="It is 5 Pa.", citations=(1,), support=Support.SUPPORTED)
    verdict = Verdict(outcome=Outcome.ANSWER, sentences=(sentence,))
    report = present(text="It is 5 Pa. [1]", verdict=verdict, evidence=(passage("5 Pa"),))
    assert report.answer == "It is 5 Pa. [1]"
    assert report.sentences == (sentence,)
    assert len(report.passages) == 1


@pytest.mark.parametrize("level", [Level.PREDICTIVE, Level.CREATIVE])
def test_what_is_not_done_yet_is_said(level):
    assert level.value in present(level=level).notes[0]
    assert level.value in present(level=level, language="zh").notes[0]


def test_the_engine_is_the_one_that_wrote_and_each_fallback_is_counted():
    calls = (
        Call(task="Understand", engine="qwen3:4b"),
        Call(task="Answer", engine="built-in", fallback="it went silent"),
        Call(task="Review", engine="qwen3:4b"),
    )
    report = present(text="x", calls=calls)
    assert report.engine == "built-in"
    assert any("1 of 3" in note and "it went silent" in note for note in report.notes)


def test_a_failed_part_is_said():
    report = present(text="x", parts=(part(2, "B?", failure="LLMTimeout: silent"),))
    assert any("Part 2" in note and "silent" in note for note in report.notes)


def test_a_partial_report_keeps_what_was_written():
    report = present(text="It is", partial=True)
    assert (report.answer, report.partial, report.outcome) == ("It is", True, Outcome.GAP)
    assert report.notes[0].startswith("Stopped before it was finished")
    assert not present(text="It is").notes


def test_closest_passages_without_a_model_say_how_to_get_more():
    closest = Verdict(outcome=Outcome.CLOSEST)
    for calls, advised in (((), True), ((Call(task="Answer", engine="qwen3:4b-instruct"),), False)):
        report = present(verdict=closest, calls=calls)
        assert any("Models page" in note for note in report.notes) is advised


def test_citations_are_numbered_from_the_table_that_stands_above_the_answer():
    evidence = tuple(passage(text) for text in ("a survey", "A weighs 4 kg", "B weighs 5 kg"))
    asked = [
        SubQuestion(id=n, question=f"What is the mass of {thing}?") for n, thing in ((1, "A-1"), (2, "B-2"))
    ]
    last = SubQuestion(
        id=3, question="How do A-1 (#1) and B-2 (#2) compare?", type="comparative", depends_on=(1, 2)
    )
    stated = [
        PartAnswer(id=one.id, question=one.question, answer=content, found=True, passages=(evidence[one.id],))
        for one, content in zip(asked, ("4 kg", "5 kg"), strict=True)
    ]
    sentence = Sentence(text="Both were weighed.", citations=(1,))
    report = present(
        text="Both were weighed. [1]",
        verdict=Verdict(outcome=Outcome.ANSWER, sentences=(sentence,)),
        plan=Plan(question="Compare them", parts=(*asked, last)),
        parts=tuple(stated),
        evidence=evidence,
    )
    assert [one.chunk.text for one in report.passages] == ["A weighs 4 kg", "B weighs 5 kg", "a survey"]
    assert report.answer == "Both were weighed. [3]"
    assert [n for n, _ in source_list.shown(report)] == [1, 2, 3]


def test_citations_of_a_decision_are_numbered_from_its_recommendation():
    """Its page shows the ideas first, the text it is kept as begins with what is known."""
    evidence = tuple(passage(text) for text in ("not read", "the chuck was replaced", "a band is inspected"))
    _, known, idea = (one.chunk.id for one in evidence)
    council = CouncilReport(
        perspectives=(),
        common=(Statement(text="The chuck was replaced.", chunks=(known,)),),
        proposals=(Proposal(id=1, role="engineer", text="Inspect it more often", chunks=(idea, known)),),
    )
    report = present(
        text="The chuck was replaced. [2] Inspect it more often. [3] [2]",
        verdict=Verdict(outcome=Outcome.ANSWER),
        evidence=evidence,
        council=council,
    )
    assert [one.chunk.id for one in report.passages][:2] == [idea, known]
    assert report.answer == "The chuck was replaced. [2] Inspect it more often. [1] [2]"
