"""The share of an answer that rests on each document is found by taking the document away."""

import pytest

from core.answering.answer_checking import AnswerChecker
from core.answering.document_contribution import Attributor
from core.domain import Report, Sentence, Support
from core.llm.builtin import BuiltinLLM
from core.tasks import Reviewed
from tests.doubles import ScriptedLLM
from tests.making import part, passage

PUMP = passage("The dry pump DP-3 is made by Norvac in Bergen.", title="Manual")
SEAL = passage("The shaft seal of the dry pump is replaced at every service.", title="Report")
AGAIN = passage("Norvac in Bergen makes the dry pump DP-3.", title="Brochure")
QUESTION = "Who makes the dry pump DP-3, and when is its shaft seal replaced?"


def report(*passages: object) -> Report:
    sentences = (
        Sentence(
            text="The dry pump DP-3 is made by Norvac in Bergen.", citations=(1,), support=Support.SUPPORTED
        ),
        Sentence(
            text="The shaft seal of the dry pump is replaced at every service.",
            citations=(2,),
            support=Support.SUPPORTED,
        ),
        Sentence(text="It is lovely.", support=Support.MISSING),
    )
    parts = (
        part(1, "Who makes the dry pump DP-3?", "Norvac", PUMP),
        part(2, "When is its shaft seal replaced?", "at every service", SEAL),
    )
    return Report(run="r", question=QUESTION, sentences=sentences, passages=passages, parts=parts)


@pytest.fixture
def attributor() -> Attributor:
    return Attributor(AnswerChecker(BuiltinLLM()))


def test_each_document_holds_the_sentence_only_it_says(attributor):
    found = attributor.attribute(report(PUMP, SEAL), "en")
    assert found.supported == 2
    assert {share.title: (share.share, share.lost) for share in found.shares} == {
        "Manual": (0.5, (0,)),
        "Report": (0.5, (1,)),
    }


def test_a_document_whose_words_stand_elsewhere_holds_nothing(attributor):
    shares = {
        share.title: share.share for share in attributor.attribute(report(PUMP, SEAL, AGAIN), "en").shares
    }
    assert shares["Manual"] == shares["Brochure"] == 0
    assert shares["Report"] == 0.5


def test_an_answer_on_one_document_rests_on_it_alone(attributor):
    other = SEAL.model_copy(
        update={"chunk": SEAL.chunk.model_copy(update={"document_id": PUMP.chunk.document_id})}
    )
    (share,) = attributor.attribute(report(PUMP, other), "en").shares
    assert (share.share, share.passages) == (1.0, 2)


def test_an_answer_without_support_has_no_shares(attributor):
    bare = report(PUMP).model_copy(update={"sentences": (Sentence(text="It is lovely."),)})
    found = attributor.attribute(bare, "en")
    assert found.supported == 0
    assert [share.share for share in found.shares] == [0.0]
    assert attributor.attribute(Report(run="r", question="Q"), "en").shares == ()


def test_the_cost_is_bounded_and_what_was_left_out_is_said():
    plain = BuiltinLLM()
    counting = ScriptedLLM(lambda task: plain.run(task, Reviewed))
    many = tuple(passage(f"Fact {n} stands here.", title=f"D{n}") for n in range(20))
    found = Attributor(AnswerChecker(counting), most=4).attribute(report(PUMP, SEAL, *many), "en")
    assert len(found.shares) == 4
    assert found.left_out == 18
    assert len(counting.asked) == 5


def test_a_sentence_with_another_number_is_another_sentence(attributor):
    manual = passage("The wet clean of the chamber takes 6.5 hours.", title="Manual")
    mail = passage("The wet clean of the chamber takes 8 hours.", title="Mail")
    statement = Sentence(
        text="The wet clean of the chamber takes 6.5 hours.", citations=(1,), support=Support.SUPPORTED
    )
    asked = Report(
        run="r", question="How long does the wet clean take?", sentences=(statement,), passages=(manual, mail)
    )
    shares = {share.title: share.share for share in attributor.attribute(asked, "en").shares}
    assert shares == {"Manual": 1.0, "Mail": 0.0}
