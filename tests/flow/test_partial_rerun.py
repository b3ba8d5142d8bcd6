"""A question is worked on again: only what an edit can reach is worked on anew."""

import pytest

from core.domain import Edits, PartAnswer, Plan, Scope, SubQuestion
from core.flow.partial_rerun import pins, previous_run_of, reused_answer, revised, untouched
from core.flow.previous_run import PreviousRun
from core.flow.state import State
from core.trace import Asked, PartAnswered, Planned, Reranked, RouteChosen, Searched
from tests.making import part, passage

ONE, TWO, THREE = passage("one"), passage("two"), passage("three")
PARTS = (
    SubQuestion(id=1, question="A?"),
    SubQuestion(id=2, question="B of #1?", depends_on=(1,)),
    SubQuestion(id=3, question="C?"),
)
PLAN = Plan(question="Q", parts=PARTS)
ANSWERS = (part(1, "A?", "a", ONE), part(2, "B of a?", "b", TWO), part(3, "C?", "c", THREE))
NOW = Asked(question="Q")


def earlier(now: Asked = NOW, answers: tuple[PartAnswer, ...] = ANSWERS) -> PreviousRun:
    events = [
        NOW,
        RouteChosen(level="L2", reason="several facts"),
        Planned(plan=PLAN),
        *(PartAnswered(answer=answer, sub_question=answer.id) for answer in answers),
        Reranked(question="Q", reranker="r", passages=(ONE, TWO)),
        Reranked(question="Q", reranker="r", passages=(ONE, TWO, THREE), cause="aggregate"),
    ]
    return previous_run_of("before", events, now)


def state(pinned: tuple = (), banned: tuple[str, ...] = (), left: PreviousRun | None = None) -> State:
    return {"earlier": left or earlier(), "pinned": pinned, "scope": Scope(without=banned)}


def test_what_a_run_left_is_read_from_its_events():
    left = earlier()
    assert (left.run, left.read_as, left.level, left.plan, left.stale) == ("before", "Q", "L2", PLAN, "")
    assert left.own == (ONE, TWO)
    assert left.answers == ANSWERS


@pytest.mark.parametrize("cause", ["knowledge_loop", "walk"])  # the second is its name in older runs
def test_what_the_loop_chose_is_read_from_runs_new_and_old(cause):
    events = [NOW, Searched(query="A?", passages=(ONE,), cause=cause), Searched(query="A?", passages=(TWO,))]
    assert previous_run_of("before", events, NOW).loop_passages == (ONE,)


def test_a_part_that_nothing_has_changed_is_kept_whatever_its_number():
    again = reused_answer(SubQuestion(id=5, question="c? "), state(), {})
    assert again is not None
    assert (again.answer.id, again.answer.answer, again.origin) == (5, "c", 3)
    assert {p.sub_question for p in again.answer.passages} == {5}


@pytest.mark.parametrize(
    "asked",
    [
        SubQuestion(id=3, question="C, but other?"),
        SubQuestion(id=3, question="C?", type="global"),
        SubQuestion(id=3, question="C?", depends_on=(1,)),
    ],
    ids=["other words", "other type", "other needs"],
)
def test_a_part_that_was_changed_is_worked_on_anew(asked):
    assert reused_answer(asked, state(), {1: 1}) is None


def test_a_part_is_kept_only_if_what_it_needs_was_kept():
    asked = SubQuestion(id=2, question="B of a?", depends_on=(1,))
    assert reused_answer(asked, state(), {1: 1}) is not None
    assert reused_answer(asked, state(), {}) is None


def test_a_ban_reaches_only_the_parts_that_read_the_passage():
    banned = state(banned=(THREE.chunk.id,))
    assert reused_answer(PARTS[0], banned, {}) is not None
    assert reused_answer(PARTS[2], banned, {}) is None
    assert untouched(earlier(), (ONE, TWO), banned["scope"])
    assert not untouched(earlier(), (ONE, THREE), banned["scope"])


def test_a_pin_reaches_the_parts_that_found_nothing_without_it():
    lost = (ANSWERS[0], ANSWERS[1], part(3, "C?"))
    pinned = ONE.model_copy(update={"pinned": True})
    assert reused_answer(PARTS[2], state((pinned,), left=earlier(answers=lost)), {}) is None
    assert reused_answer(PARTS[2], state((pinned,)), {}) is not None


def test_a_pin_that_was_taken_away_reaches_the_parts_that_read_it():
    read = part(3, "C?", "c", THREE.model_copy(update={"pinned": True}))
    assert reused_answer(PARTS[2], state(left=earlier(answers=(*ANSWERS[:2], read))), {}) is None


def test_a_part_that_failed_is_tried_again():
    failed = part(3, "C?", failure="LLMTimeout")
    assert reused_answer(PARTS[2], state(left=earlier(answers=(*ANSWERS[:2], failed))), {}) is None


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (Asked(question="Q", generation=1), "library"),
        (Asked(question="Q", made_with={"generation": "llama"}), "models"),
    ],
)
def test_nothing_is_kept_once_library_or_models_have_changed(now, why):
    left = earlier(now)
    assert why in left.stale
    assert reused_answer(PARTS[0], state(left=left), {}) is None
    assert not untouched(left, left.own, Scope())


def test_a_lifted_ban_makes_everything_anew():
    before = [Asked(question="Q", scope=Scope(without=("x",))), Planned(plan=PLAN)]
    assert "ban" in previous_run_of("before", before, NOW).stale


def test_the_readers_plan_is_repaired_and_every_repair_said():
    edits = Edits(
        parts=(
            SubQuestion(id=1, question="A of #2?", depends_on=(2,)),
            SubQuestion(id=2, question="B of #1 and #9?", depends_on=(1, 9)),
        )
    )
    plan = revised(earlier(), edits, 5)
    assert plan is not None
    assert len(plan.waves()) == 2
    assert plan.by == "reader"
    assert any("waited for each other" in message for message in plan.repairs)
    assert any("does not exist" in message for message in plan.repairs)


def test_the_readers_plan_has_at_most_five_parts():
    parts = tuple(SubQuestion(id=n, question=f"What is thing {n}?") for n in range(1, 8))
    plan = revised(earlier(), Edits(parts=parts), 5)
    assert plan is not None
    assert len(plan.parts) == 5


def test_a_plan_that_was_not_touched_stays_whose_it_was():
    assert revised(earlier(), Edits(parts=PARTS), 5) == PLAN
    assert revised(earlier(), Edits(), 5) == PLAN
    assert revised(earlier(), Edits(parts=()), 5) is None
    assert revised(earlier(), Edits(level="L1"), 5) is None


def test_a_ban_weighs_more_than_a_pin():
    ids = (ONE.chunk.id, TWO.chunk.id, "unknown")
    found = pins(ids, earlier(), Scope(without=(TWO.chunk.id,)))
    assert [(p.chunk.id, p.pinned) for p in found] == [(ONE.chunk.id, True)]
