"""The state of a flow is rebuilt from its events."""

from core.domain import Plan, Scope, Sentence, SubQuestion
from core.flow.nodes import carried, ready, settled
from core.flow.state_of_events import state_from_events
from core.trace import Asked, FollowedUp, PartAnswered, Planned, Reranked, Searched, Synthesised, Wrote
from tests.making import part, passage

PLAN = Plan(
    question="Q",
    parts=(
        SubQuestion(id=1, question="A?"),
        SubQuestion(id=2, question="B of #1?", depends_on=(1,)),
        SubQuestion(id=3, question="C?"),
    ),
)


def test_what_was_found_for_anyone_is_kept():
    state = state_from_events(
        [
            Asked(question="Q", scope=Scope(collections=("x",))),
            FollowedUp(question="Q", read_as="Q in full"),
            Planned(plan=PLAN),
            Searched(query="A?", passages=(passage("one"),), sub_question=1),
            Searched(query="Q", passages=(passage("one"), passage("two"))),
            PartAnswered(answer=part(1, "A?", "a")),
        ]
    )
    assert (state["question"], state["read_as"], state["scope"].collections) == ("Q", "Q in full", ("x",))
    assert [p.chunk.text for p in state["own"]] == ["one", "two"]
    assert [a.id for a in state["answers"]] == [1]
    assert state["plan"] == PLAN


def test_written_text_is_the_draft_and_a_second_round_replaces_it():
    events = [
        Asked(question="Q"),
        Wrote(text="It "),
        Wrote(text="is 5 [1]."),
        Wrote(text="It is 6 [2].", round=2),
    ]
    assert state_from_events(events[:3])["draft"].text == "It is 5 [1]."
    assert state_from_events(events)["draft"].text == "It is 6 [2]."
    assert state_from_events(events)["draft"].sentences == (Sentence(text="It is 6.", citations=(2,)),)


def test_a_second_rounds_text_comes_after_the_first_rounds_draft():
    first = Synthesised(sentences=(Sentence(text="It is 5.", citations=(1,)),))
    events = [Asked(question="Q"), Wrote(text="It is 5 [1]."), first, Wrote(text="It is 6.", round=2)]
    assert state_from_events(events)["draft"].text == "It is 6."


def test_evidence_is_what_was_ranked_last_for_the_question_itself():
    ranked = Reranked(question="Q", reranker="r", passages=(passage("best"),))
    other = Reranked(question="A?", reranker="r", passages=(passage("part"),), sub_question=1)
    assert [p.chunk.text for p in state_from_events([Asked(question="Q"), ranked, other])["evidence"]] == [
        "best"
    ]


def test_parts_are_ready_once_their_needs_are_answered():
    assert [p.id for p in ready(PLAN, [])] == [1, 3]
    assert [p.id for p in ready(PLAN, [part(1, "A?"), part(3, "C?")])] == [2]
    assert ready(None, []) == ()


def test_evidence_is_carried_from_the_parts_a_part_needs():
    answers = [
        part(1, "A?", "a", passage("p1"), passage("p2"), passage("p3")),
        part(3, "C?", "c", passage("x")),
    ]
    assert [p.chunk.text for p in carried(PLAN.parts[1], answers)] == ["p1", "p2"]


def test_a_retry_replaces_only_what_was_not_found():
    again = SubQuestion(id=4, question="B, again?", again=2)
    plan = PLAN.model_copy(update={"parts": (*PLAN.parts, again)})
    answers = [part(1, "A?", "a"), part(2, "B?"), part(3, "C?", "c"), part(4, "B, again?", "b")]
    assert [a.id for a in settled({"plan": plan, "answers": answers})] == [1, 4, 3]
    assert [a.id for a in settled({"plan": plan, "answers": answers[:3]})] == [1, 2, 3]
