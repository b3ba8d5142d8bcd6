"""Parts are gathered one by one and answered together; a failure is a record."""

from dataclasses import replace

import pytest

from core.answering.part_worker import PartGathered, PartWorker, read_for
from core.domain import Scope, SubQuestion
from core.errors import BudgetExceeded, LLMTimeout, Stopped
from core.retrieval.gatherer import Gathered
from core.tasks import Bridge, Bridged, BridgedPart
from tests.doubles import ScriptedLLM
from tests.making import passage

PART = SubQuestion(id=2, question="Who makes the DP-3?")
LEAF = SubQuestion(id=3, question="Who leads the vacuum team?")


def bridge_reply(**part) -> Bridged:
    return Bridged(parts=(BridgedPart(id=PART.id, **part),))


class Gatherer:
    """Gathers what it was given, or raises it."""

    def __init__(self, found) -> None:
        self.found = found

    def gather(self, *asked) -> Gathered:
        if isinstance(self.found, Exception):
            raise self.found
        return Gathered(passages=tuple(self.found), sql="SELECT 1")


def work(found, reply, before=()):
    llm = ScriptedLLM(reply)
    worker = PartWorker(Gatherer(found), llm)
    gathered = worker.gather(PART, before, Scope(), "en", lambda event: None)
    return worker.bridge("Who?", (gathered,), "en")[0], llm


def gathered(part: SubQuestion, *texts: str) -> PartGathered:
    return PartGathered(part=part, passages=tuple(passage(text) for text in texts))


def test_the_passages_an_answer_cites_come_first():
    answer, _ = work([passage("one"), passage("two")], bridge_reply(answer="Norvac", citations=(2,)))
    assert (answer.id, answer.answer, answer.found, answer.sql) == (2, "Norvac", True, "SELECT 1")
    assert [p.chunk.text for p in answer.passages] == ["two", "one"]
    assert {p.sub_question for p in answer.passages} == {2}


def test_evidence_of_earlier_parts_is_read_as_well_but_not_twice_nor_too_much():
    before = [passage("one"), passage("a"), passage("b"), passage("c")]
    _, llm = work([passage("one")], bridge_reply(), before)
    task = llm.asked[0]
    assert isinstance(task, Bridge)
    assert [e.text for e in task.evidence] == ["one", "a", "b"]


def test_what_a_query_computed_for_an_earlier_part_is_carried_to_a_comparison_alone():
    computed = passage("Station: Orval; Built: 1971").model_copy(update={"scores": {"table": 1.0}})
    worker = PartWorker(Gatherer([passage("one")]), ScriptedLLM())
    for type_, texts in (
        ("quantitative", ["one", "a"]),
        ("comparative", ["one", "Station: Orval; Built: 1971", "a"]),
    ):
        part = SubQuestion(id=2, question="How many orders has Orval?", type=type_, depends_on=(1,))
        held = worker.gather(part, [computed, passage("a")], Scope(), "en", lambda event: None)
        assert [p.chunk.text for p in held.passages] == texts


def test_without_evidence_nobody_is_asked():
    answer, llm = work([], AssertionError("nobody should be asked"))
    assert not answer.found
    assert llm.asked == []


@pytest.mark.parametrize("failing", ["gather", "answer"])
def test_a_failure_is_part_of_the_record(failing):
    error = LLMTimeout("it went silent")
    answer, _ = work(error if failing == "gather" else [passage("one")], error)
    assert answer.failure == "LLMTimeout: it went silent"
    assert not answer.found


@pytest.mark.parametrize("error", [Stopped("stop"), BudgetExceeded("spent")])
def test_the_end_of_the_run_is_no_failure_of_a_part(error):
    with pytest.raises(type(error)):
        work([passage("one")], error)


def test_an_answer_of_white_space_is_none():
    assert not work([passage("one")], bridge_reply(answer="  "))[0].found


def test_a_part_nothing_answers_says_what_comes_near_and_what_to_search():
    answer, _ = work(
        [passage("one")], bridge_reply(near_miss="the DP-2 is Norvac's", search="maker of the DP-3")
    )
    assert (answer.found, answer.near_miss, answer.search) == (
        False,
        "the DP-2 is Norvac's",
        "maker of the DP-3",
    )


def test_one_call_answers_what_others_wait_for_and_rules_try_the_rest():
    model = ScriptedLLM(bridge_reply(answer="Norvac", citations=(1,)))
    rules = ScriptedLLM(Bridged(parts=(BridgedPart(id=3),)))
    wave = (gathered(PART, "one", "two"), gathered(LEAF, "three"))
    bridged = PartWorker(Gatherer(()), model, rules).bridge("Both?", wave, "en", {2})
    assert [(a.id, a.found, a.open) for a in bridged] == [(2, True, False), (3, False, True)]
    assert [[p.id for p in task.parts] for task in (*model.asked, *rules.asked)] == [[2], [3]]


def test_what_rules_merely_quote_is_not_told_to_a_model_that_writes():
    """A model believed "Owner: Mei Lin. Number assigned: 8D-3." to be her telephone number."""
    model = ScriptedLLM(bridge_reply(answer="Norvac", citations=(1,)))
    rules = ScriptedLLM(*(Bridged(parts=(BridgedPart(id=3, answer="a guess"),)) for _ in range(3)))
    wave = (gathered(PART, "one", "two"), gathered(LEAF, "three"))
    worker = PartWorker(Gatherer(()), model, rules, writes=True)
    bridged = worker.bridge("Both?", wave, "en", {2})
    assert [(a.id, a.answer, a.open) for a in bridged] == [(2, "Norvac", False), (3, "", True)]
    assert [p.chunk.text for p in bridged[1].passages] == ["three"]
    computed = (wave[1].model_copy(update={"sql": "SELECT 1"}),)
    assert [a.answer for a in worker.bridge("Both?", computed, "en", set())] == ["a guess"]
    quick = replace(worker, writes=False).bridge("Both?", wave[1:], "en", set())
    assert [a.answer for a in quick] == ["a guess"]


def test_what_a_model_read_before_stands_first_again_word_for_word():
    model = ScriptedLLM(bridge_reply())
    worker = PartWorker(Gatherer(()), model, ScriptedLLM(Bridged()), most=2)
    first = worker.bridge("Both?", (gathered(PART, "one", "two", "three"),), "en", {2})
    later = worker.bridge("Both?", (gathered(LEAF, "four", "two"),), "en", {3}, read_for(first))
    tasks = model.asked
    assert [e.text for e in tasks[0].evidence] == ["one", "two"]
    assert [e.text for e in tasks[1].evidence] == ["one", "two", "four"]
    assert tasks[1].evidence[:2] == tasks[0].evidence and tasks[1].parts[0].evidence == (3, 2)
    assert [p.chunk.text for p in read_for((*first, *later))] == ["one", "two", "four"]


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        ("How do PN-4410 (14) and PN-5215 (12) compare?", "PN-4410: 14 weeks", False),
        ("How do PN-4410 (14) and PN-5215 (12) compare?", "PN-4410 takes 14 weeks, PN-5215 takes 12", True),
        ("Which takes longer, PN-4410 or PN-5215?", "PN-4410", True),
        ("Which takes longer, PN-4410 or PN-5215?", "Part number: PN-4410; Lead time: 14", False),
        ("Which takes longer, PN-4410 or PN-5215?", "14 weeks", False),
        ("Which supplier do PN-4410 and PN-4415 share?", "Nordvak", True),
    ],
)
def test_what_rules_say_of_one_side_is_no_comparison(question, answer, found):
    part = SubQuestion(id=1, question=question, type="comparative")
    reply = Bridged(parts=(BridgedPart(id=1, answer=answer, citations=(1,)),))
    (made,) = PartWorker(Gatherer([]), ScriptedLLM(reply, engine="built-in")).bridge(
        "Q", (gathered(part, "a row"),), "en"
    )
    assert (made.found, made.open) == (found, not found)
