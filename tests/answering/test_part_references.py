"""What waits for another part is asked with its answer, and not at all where there is none."""

from core.answering.part_references import lacks_referenced_answer, refer, referred
from core.domain import SubQuestion
from tests.making import part


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


def test_a_part_lacks_referenced_answer_for_what_was_not_found_but_a_comparison_may_have_a_gap():
    answers = [part(1, "Who led the team?", "Ada Byron."), part(2, "Which pump failed?")]
    asks = SubQuestion(id=3, question="Who repaired #2?", depends_on=(2,))
    assert lacks_referenced_answer(asks, answers)
    assert not lacks_referenced_answer(asks.model_copy(update={"question": "Who repaired #1?"}), answers)
    compares = SubQuestion(id=4, question="Is A (#1) older than B (#2)?", type="comparative")
    assert not lacks_referenced_answer(compares, answers)
    assert lacks_referenced_answer(compares.model_copy(update={"question": "Is B (#2) old?"}), answers)


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
