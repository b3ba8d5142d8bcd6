"""A follow-up is read against the turns before it."""

from core.answering.follow_up import FollowUpReader
from core.domain import Turn
from core.tasks import Resolved, ResolveFollowUp
from tests.doubles import ScriptedLLM

TURNS = [Turn(question=f"Q{n}?", answer=f"A{n}") for n in range(6)]


def test_a_first_question_is_taken_as_it_is_without_asking_anyone():
    llm = ScriptedLLM(AssertionError("nobody should be asked"))
    assert FollowUpReader(llm).read("What is it?", (), "en").question == "What is it?"


def test_the_last_turns_are_handed_over():
    llm = ScriptedLLM(Resolved(question="What is the limit of EX-05?"))
    assert FollowUpReader(llm, turns=2).read("And its limit?", TURNS, "en").question == (
        "What is the limit of EX-05?"
    )
    asked = llm.asked[0]
    assert isinstance(asked, ResolveFollowUp)
    assert asked.history == tuple(TURNS[-2:])


def test_an_empty_reading_leaves_the_question():
    llm = ScriptedLLM(Resolved(question="  "))
    assert FollowUpReader(llm).read("And its limit?", TURNS, "en").question == "And its limit?"
