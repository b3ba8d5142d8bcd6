"""A draft of a plan is repaired, and each repair is said."""

from hypothesis import given, settings
from hypothesis import strategies as st

from core.answering.plan import refer, referred, repair, waits_in_vain
from core.domain import Plan, SubQuestion
from core.tasks import PartDraft
from tests.making import part


def draft(number: int, question: str, *needs: int) -> PartDraft:
    return PartDraft(id=number, question=question, depends_on=needs)


def test_a_sound_draft_stays_as_it_is_and_nothing_is_said():
    parts, said = repair([draft(1, "Who led the team?"), draft(2, "Where was #1 born?", 1)], "q", 5)
    assert [(p.id, p.question, p.depends_on) for p in parts] == [
        (1, "Who led the team?", ()),
        (2, "Where was #1 born?", (1,)),
    ]
    assert said == ()


def test_parts_are_numbered_in_the_order_in_which_they_are_worked_on():
    parts, said = repair(
        [draft(1, "Who led the team?"), draft(2, "Where was #1 born?", 1), draft(3, "Who paid it?")], "q", 5
    )
    assert [(p.id, p.question, p.depends_on) for p in parts] == [
        (1, "Who led the team?", ()),
        (2, "Who paid it?", ()),
        (3, "Where was #1 born?", (1,)),
    ]
    assert said == ()


def test_a_reference_in_the_text_becomes_a_dependency():
    parts, said = repair([draft(1, "Who led the team?"), draft(2, "Where was #1 born?")], "q", 5)
    assert parts[1].depends_on == (1,)
    assert "the dependency was added" in said[0]


def test_references_to_itself_and_to_no_part_are_taken_out():
    parts, said = repair([draft(1, "When did #1 start?", 1), draft(2, "Who owns #7?", 7)], "q", 5)
    assert [p.question for p in parts] == ["When did it start?", "Who owns it?"]
    assert all(not p.depends_on for p in parts)
    assert any("itself" in s for s in said)
    assert any("part 7, which does not exist" in s for s in said)


def test_a_circle_is_cut_where_it_points_forwards():
    parts, said = repair([draft(1, "What uses #2?", 2), draft(2, "What makes #1?", 1)], "q", 5)
    assert [(p.question, p.depends_on) for p in parts] == [("What uses it?", ()), ("What makes #1?", (1,))]
    assert "waited for each other" in said[0]


def test_a_part_asked_twice_is_asked_once_and_references_follow():
    parts, said = repair(
        [draft(1, "Who led it?"), draft(2, "who led it"), draft(3, "Where was #2 born?", 2)], "q", 5
    )
    assert [(p.id, p.question, p.depends_on) for p in parts] == [
        (1, "Who led it?", ()),
        (2, "Where was #1 born?", (1,)),
    ]
    assert "repeats part 1" in said[0]


def test_more_than_five_parts_are_joined_by_likeness():
    drafts = [draft(n, f"What is the limit of alarm EX-{n}?") for n in range(1, 6)]
    parts, said = repair([*drafts, draft(6, "Who signed the report?")], "q", 5)
    assert len(parts) == 5
    assert "Who signed the report?" in [p.question for p in parts]
    assert "were joined" in said[0]


def test_a_chain_longer_than_the_plan_may_be_loses_its_end():
    drafts = [draft(1, "Start?")] + [draft(n, f"After #{n - 1} what?", n - 1) for n in range(2, 8)]
    parts, said = repair(drafts, "q", 5)
    assert [p.depends_on for p in parts] == [(), (1,), (2,), (3,), (4,)]
    assert any("too many parts" in s for s in said)


def test_parts_with_the_same_number_both_live():
    parts, said = repair([draft(1, "Who?"), draft(1, "Where?")], "q", 5)
    assert [p.id for p in parts] == [1, 2]
    assert "numbered 1" in said[0]


def test_a_draft_without_anything_asks_the_question_as_it_stands():
    parts, _ = repair([], "What is the yield?", 5)
    assert [p.question for p in parts] == ["What is the yield?"]
    parts, said = repair([draft(1, "#1"), draft(2, "  ")], "What is the yield?", 5)
    assert [p.question for p in parts] == ["What is the yield?"]
    assert len(said) == 3


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


def test_references_are_replaced_by_answers_and_never_by_what_was_asked():
    answers = [part(1, "Who led the team?", "Ada Byron."), part(2, "Which pump failed?")]
    assert refer("Where was #1 born?", answers) == "Where was Ada Byron born?"
    assert refer("Who repaired #2?", answers) == "Who repaired #2?"
    assert refer("What of #3?", answers) == "What of #3?"
    assert refer("How do A (#1) and B (#2) compare?", answers) == "How do A (Ada Byron) and B compare?"


def test_a_comparison_names_its_sides_to_readers_and_says_to_a_model_what_was_found_for_each():
    answers = [
        part(1, "What is the mass of A?", "14 kg"),
        part(2, "What is the price of A?", "9 EUR"),
        part(3, "What is known of B?", "B is a part of the pump, and it weighs 3 kg."),
    ]
    last = SubQuestion(id=4, question="Is A (#1, #2) or B (#3) heavier?", type="comparative")
    asked = referred(last, answers)
    assert asked.question == "Is A or B heavier?"
    assert asked.resolved == "Is A (14 kg, 9 EUR) or B heavier (B is a part of the pump, and it weighs 3 kg)?"
    chain = SubQuestion(id=4, question="What weighs #1?")
    assert referred(chain, answers).question == "What weighs 14 kg?"
    zh = SubQuestion(id=4, question="A（#1、#2）和B（#3）哪个更重？", type="comparative")
    assert referred(zh, answers).question == "A和B哪个更重？"


def test_a_part_waits_in_vain_for_what_was_not_found_but_a_comparison_may_have_a_gap():
    answers = [part(1, "Who led the team?", "Ada Byron."), part(2, "Which pump failed?")]
    asks = SubQuestion(id=3, question="Who repaired #2?", depends_on=(2,))
    assert waits_in_vain(asks, answers)
    assert not waits_in_vain(asks.model_copy(update={"question": "Who repaired #1?"}), answers)
    compares = SubQuestion(id=4, question="Is A (#1) older than B (#2)?", type="comparative")
    assert not waits_in_vain(compares, answers)
    assert waits_in_vain(compares.model_copy(update={"question": "Is B (#2) old?"}), answers)


def test_a_sentence_is_handed_on_behind_the_question():
    sentence = "- The seal band of the electrostatic chuck became brittle after nine hundred hours of plasma."
    asked = refer("How was #1 solved?", [part(1, "What caused the particles?", sentence)])
    assert asked == f"How was it solved ({sentence[2:-1]})?"


def test_of_a_sentence_the_one_new_name_stands_in_the_next_question():
    def asked(said: str) -> str:
        return refer("Who makes the dry pump #1?", [part(1, "Which dry pump does ETCH-07 have?", said)])

    assert asked("The dry pump of ETCH-07 is a DP-3.") == "Who makes the dry pump DP-3?"
    two = "The dry pump of ETCH-07 is a DP-3 or an IXH-9."
    assert asked(two) == f"Who makes the dry pump it ({two.rstrip('.')})?"
    assert refer("Who owns #1?", [part(1, "Which firm?", "Acme Ltd.")]) == "Who owns Acme Ltd?"
