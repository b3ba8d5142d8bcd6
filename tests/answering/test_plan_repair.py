"""A draft of a plan is repaired, and each repair is said."""

from hypothesis import given, settings
from hypothesis import strategies as st

from core.answering.plan_repair import repair
from core.domain import Plan
from core.tasks import PartDraft


def draft(number: int, question: str, *needs: int) -> PartDraft:
    return PartDraft(id=number, question=question, depends_on=needs)


def test_a_sound_draft_stays_as_it_is_and_nothing_is_said():
    parts, repaired = repair([draft(1, "Who led the team?"), draft(2, "Where was #1 born?", 1)], "q", 5)
    assert [(p.id, p.question, p.depends_on) for p in parts] == [
        (1, "Who led the team?", ()),
        (2, "Where was #1 born?", (1,)),
    ]
    assert repaired == ()


def test_parts_are_numbered_in_the_order_in_which_they_are_worked_on():
    parts, repaired = repair(
        [draft(1, "Who led the team?"), draft(2, "Where was #1 born?", 1), draft(3, "Who paid it?")], "q", 5
    )
    assert [(p.id, p.question, p.depends_on) for p in parts] == [
        (1, "Who led the team?", ()),
        (2, "Who paid it?", ()),
        (3, "Where was #1 born?", (1,)),
    ]
    assert repaired == ()


def test_a_reference_in_the_text_becomes_a_dependency():
    parts, repaired = repair([draft(1, "Who led the team?"), draft(2, "Where was #1 born?")], "q", 5)
    assert parts[1].depends_on == (1,)
    assert "the dependency was added" in repaired[0]


def test_references_to_itself_and_to_no_part_are_taken_out():
    parts, repaired = repair([draft(1, "When did #1 start?", 1), draft(2, "Who owns #7?", 7)], "q", 5)
    assert [p.question for p in parts] == ["When did it start?", "Who owns it?"]
    assert all(not p.depends_on for p in parts)
    assert any("itself" in s for s in repaired)
    assert any("part 7, which does not exist" in s for s in repaired)


def test_a_circle_is_cut_where_it_points_forwards():
    parts, repaired = repair([draft(1, "What uses #2?", 2), draft(2, "What makes #1?", 1)], "q", 5)
    assert [(p.question, p.depends_on) for p in parts] == [("What uses it?", ()), ("What makes #1?", (1,))]
    assert "waited for each other" in repaired[0]


def test_a_part_asked_twice_is_asked_once_and_references_follow():
    parts, repaired = repair(
        [draft(1, "Who led it?"), draft(2, "who led it"), draft(3, "Where was #2 born?", 2)], "q", 5
    )
    assert [(p.id, p.question, p.depends_on) for p in parts] == [
        (1, "Who led it?", ()),
        (2, "Where was #1 born?", (1,)),
    ]
    assert "repeats part 1" in repaired[0]


def test_more_than_five_parts_are_joined_by_likeness():
    drafts = [draft(n, f"What is the limit of alarm EX-{n}?") for n in range(1, 6)]
    parts, repaired = repair([*drafts, draft(6, "Who signed the report?")], "q", 5)
    assert len(parts) == 5
    assert "Who signed the report?" in [p.question for p in parts]
    assert "were joined" in repaired[0]


def test_a_chain_longer_than_the_plan_may_be_loses_its_end():
    drafts = [draft(1, "Start?")] + [draft(n, f"After #{n - 1} what?", n - 1) for n in range(2, 8)]
    parts, repaired = repair(drafts, "q", 5)
    assert [p.depends_on for p in parts] == [(), (1,), (2,), (3,), (4,)]
    assert any("too many parts" in s for s in repaired)


def test_parts_with_the_same_number_both_live():
    parts, repaired = repair([draft(1, "Who?"), draft(1, "Where?")], "q", 5)
    assert [p.id for p in parts] == [1, 2]
    assert "numbered 1" in repaired[0]


def test_a_draft_without_anything_asks_the_question_as_it_stands():
    parts, _ = repair([], "What is the yield?", 5)
    assert [p.question for p in parts] == ["What is the yield?"]
    parts, repaired = repair([draft(1, "#1"), draft(2, "  ")], "What is the yield?", 5)
    assert [p.question for p in parts] == ["What is the yield?"]
    assert len(repaired) == 3


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.builds(
            PartDraft,
            id=st.integers(-1, 9),
            question=st.text("ab #123?", max_size=12),
            depends_on=st.lists(st.integers(-1, 9), max_size=3).map(tuple),
        ),
        max_size=9,
    )
)
def test_whatever_is_drafted_the_plan_can_be_worked_on(drafts):
    parts, _ = repair(drafts, "The question?", 5)
    assert 1 <= len(parts) <= 5
    assert [p.id for p in parts] == list(range(1, len(parts) + 1))
    waves = Plan(question="The question?", parts=parts).waves()
    assert sum(len(wave) for wave in waves) == len(parts)
