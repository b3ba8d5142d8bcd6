"""A second round asks for what is missing, in other words."""

from core.answering.extend import Extender
from core.domain import Outcome, Plan, SubQuestion, Verdict
from core.tasks import Reform, Reformed
from tests.doubles import ScriptedLLM
from tests.making import part, passage

PLAN = Plan(question="A and B?", parts=(SubQuestion(id=1, question="A?"), SubQuestion(id=2, question="B?")))


def test_a_missing_part_is_asked_anew_and_knows_whom_it_replaces():
    llm = ScriptedLLM(Reformed(question="What is B, in other words?"))
    verdict = Verdict(outcome=Outcome.GAP, missing=("B?",))
    parts = [part(1, "A?", "a"), part(2, "B?")]
    extended = Extender(llm).extend(PLAN, parts, verdict, [passage("found")], "en")
    added = extended.plan.parts[-1]
    assert (added.id, added.question, added.again) == (3, "What is B, in other words?", 2)
    assert extended.plan.parts[:2] == PLAN.parts
    asked = llm.asked[0]
    assert isinstance(asked, Reform)
    assert asked.question == "B?"
    assert asked.found[0].text == "found"


def test_no_more_than_three_parts_are_added_and_an_empty_reply_keeps_the_words():
    llm = ScriptedLLM(Reformed(question=" "))
    verdict = Verdict(outcome=Outcome.GAP, missing=tuple(f"M{n}?" for n in range(6)))
    extended = Extender(llm).extend(PLAN, [], verdict, [], "en")
    assert [p.question for p in extended.plan.parts[2:]] == ["M0?", "M1?", "M2?"]
