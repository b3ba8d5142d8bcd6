"""Accepted plans teach the rules: a pattern with slots, or the habit of many; nothing else changes."""

import pytest

from core.domain import Plan, SubQuestion
from core.llm.extractive.planning import by_rules, lessons
from core.llm.extractive.skeletons import drafts, habit, shape_of, things
from core.tasks import Decompose, PlanDraft

OFFICE = Plan(
    question="Which supplier delivers the gasket that the manual of ETCH-03 names?",
    parts=(
        SubQuestion(id=1, question="Which gasket does the manual of ETCH-03 name?", type="bridging"),
        SubQuestion(id=2, question="Which supplier delivers #1?", depends_on=(1,)),
        SubQuestion(id=3, question="Does the supplier #2 deliver it?", depends_on=(2,)),
    ),
)
PAIRS = (
    "gold|vinegar",
    "cranes|ladders",
    "yeast|salt",
    "owls|foxes",
    "paper|acid",
    "bees|smoke",
    "rust|paint",
)


def habits(count: int) -> list[Plan]:
    """Yes/no questions about two things, each planned as looking both up and then deciding."""
    return [
        Plan(
            question=f"Could {one} be kept with {other}?",
            parts=(
                SubQuestion(id=1, question=f"What does {one} do?"),
                SubQuestion(id=2, question=f"What harms {other}?"),
                SubQuestion(id=3, question="Is #1 among #2?", depends_on=(1, 2)),
            ),
        )
        for one, other in [pair.split("|") for pair in PAIRS[:count]]
    ]


def plan(engine, question, examples=()):
    return engine.run(Decompose(question=question, examples=tuple(examples)), PlanDraft).parts


def test_a_question_built_like_an_accepted_one_is_planned_like_it(engine):
    question = "Which vendor delivers the filter that the report of CVD-11 names?"
    parts = plan(engine, question, [OFFICE])
    assert [(part.question, part.depends_on) for part in parts] == [
        ("Which filter does the report of CVD-11 name?", ()),
        ("Which vendor delivers #1?", (1,)),
        ("Does the vendor #2 deliver it?", (2,)),
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Which supplier delivers the gasket that ETCH-03 names?",  # built otherwise
        "Who supplies the part that caused alarm A-207?",
        "导致4月良率下降的那个部件是由哪家供应商提供的？",
    ],
)
def test_a_question_built_otherwise_is_planned_by_the_rules(engine, question):
    assert plan(engine, question, [OFFICE]) == plan(engine, question)


def test_a_habit_of_many_accepted_plans_is_followed_and_of_few_it_is_not(engine):
    question = "Would the Harbour Bridge survive an earthquake?"
    few, many = habits(3), habits(7)
    assert lessons(question, few) == ()
    taught = lessons(question, many)
    assert len(taught) == 3
    parts = plan(engine, question, taught)
    assert [(part.question, part.depends_on) for part in parts] == [
        ("What is known about Harbour Bridge?", ()),
        ("What is known about earthquake?", ()),
        ("Would the Harbour Bridge survive an earthquake, given #1 and #2?", (1, 2)),
    ]


def test_a_habit_the_rules_have_themselves_teaches_nothing(engine):
    question = "Where was the wife of Lou Breslow born?"
    own = [
        Plan(
            question=f"Where was the wife of {name} born?",
            parts=tuple(
                SubQuestion(id=part.id, question=part.question, depends_on=part.depends_on)
                for part in by_rules(f"Where was the wife of {name} born?")
            ),
        )
        for name in (
            "Karl May",
            "Max Planck",
            "Otto Hahn",
            "Emil Nolde",
            "Paul Klee",
            "Franz Marc",
            "Hugo Ball",
        )
    ]
    assert shape_of(plan(engine, question, lessons(question, own))) == shape_of(plan(engine, question))


def test_few_examples_of_other_kinds_change_nothing(engine):
    question = "What is the torque of the chuck bolts?"
    assert plan(engine, question, habits(7)) == plan(engine, question)


def test_things_are_names_and_runs_of_content():
    assert things("Could a giant squid fit aboard the deck of the Titanic?")[1:] == ("deck of the Titanic",)
    assert things("Did the Royal Air Force fight in the Boxer Rebellion?") == (
        "Royal Air Force",
        "Boxer Rebellion",
    )
    assert things("Which is older, MiMA or 270 Park Avenue?") == ("MiMA", "270 Park Avenue")


def test_two_examples_are_no_habit_yet(engine):
    question = "Would the Harbour Bridge survive an earthquake?"
    assert plan(engine, question, habits(7)[:2]) == plan(engine, question)


def test_a_habit_must_be_right_more_often_than_the_rules():
    accepted = habits(7)
    question = "Would the Harbour Bridge survive an earthquake?"

    def nearly(text):  # rules that plan all but the first as readers accepted
        return () if text == accepted[0].question else drafts(accepted[0])

    assert habit(question, accepted, nearly) == ()
    assert len(habit(question, accepted, lambda text: ())) == 3


def test_a_part_with_words_of_its_own_needs_words_that_call_for_them(engine):
    accepted = Plan(
        question="Is Norvac in Jena?",
        parts=(
            SubQuestion(id=1, question="What is the postcode of Norvac?"),
            SubQuestion(id=2, question="Is #1 in Jena?", depends_on=(1,)),
        ),
    )
    question = "Is Tellum in Ulm?"
    assert plan(engine, question, [accepted]) == plan(engine, question)


def test_words_that_could_be_cut_in_two_ways_are_not_cut(engine):
    accepted = Plan(
        question="Which chamber seal leaks?",
        parts=(
            SubQuestion(id=1, question="Which chamber is it?"),
            SubQuestion(id=2, question="Which seal leaks in #1?", depends_on=(1,)),
        ),
    )
    assert len(plan(engine, "Which reactor gasket drips?", [accepted])) == 2
    question = "Which load lock door leaks?"
    assert plan(engine, question, [accepted]) == plan(engine, question)
