"""The step that reads a question: its effort, its repairs, and what it hands to a model."""

import pytest

from core.answering.understand import Understander
from core.domain import Level, Plan, Scope, Turn
from core.llm.builtin import BuiltinLLM
from core.llm.builtin.understand.understand_rule import asks, kind_of
from core.llm.ollama.client import OllamaLLM
from core.retrieval.term_mapping import TermMapper
from core.tasks import PartDraft, TagPair, Understand, Understood
from tests.doubles import ScriptedLLM
from tests.ollama_double import OllamaDouble


@pytest.fixture
def reading(retriever, library):
    def made(llm, **changes):
        bridge = TermMapper(library, retriever)
        return Understander(
            llm, BuiltinLLM(), library, bridge, retriever.snapshots, 5, asks=asks, kind_of=kind_of, **changes
        )

    return made


def draft(number, question, *needs):
    return PartDraft(id=number, question=question, depends_on=needs)


def replied(*parts, **fields):
    return ScriptedLLM(Understood(**{"level": Level.LINKING, "parts": parts, **fields}))


def test_a_model_is_handed_the_library_the_last_turns_and_the_accepted_plans(reading):
    example = Plan(question="Old?")
    llm = replied(draft(1, "Who is it?"))
    turns = [Turn(question=f"Q{n}?", answer=f"A{n}") for n in range(6)]
    read = reading(llm, examples=lambda question: (example,), turns=2).read(
        "How is the wet clean done?", turns, Scope(), "en", "thorough"
    )
    (task,) = llm.asked
    assert isinstance(task, Understand)
    assert task.history == tuple(turns[-2:])
    assert (task.examples, task.most) == ((example,), 5)
    assert "wet clean" in task.tags and "en" in task.languages
    assert any("wet clean" in card for card in task.library)
    assert (read.question, read.plan.by) == ("How is the wet clean done?", "scripted")


def test_a_part_that_is_no_question_is_not_asked_and_the_whole_question_is(reading):
    llm = replied(draft(1, "Which part does alarm EX-05 name?"), draft(2, "Who is #1 points to?", 1))
    read = reading(llm).read("Who makes the part that alarm EX-05 names?", (), Scope(), "en", "thorough")
    assert [part.question for part in read.plan.parts] == ["Who makes the part that alarm EX-05 names?"]
    assert "Part 2 is not built as a question" in read.plan.repairs[-1]


def test_parts_of_a_plain_level_are_linked_and_a_plan_is_repaired_and_says_so(reading):
    llm = replied(draft(1, "Who led it?"), draft(2, "Where was #1 born?"), level=Level.FACTUAL, kind="cause")
    read = reading(llm).read("Where was its leader born?", (), Scope(), "en", "thorough")
    assert (read.level, read.composite, read.seeks) == (Level.LINKING, True, "reasoning")
    assert read.plan.parts[1].depends_on == (1,)
    assert "the dependency was added" in read.plan.repairs[0]
    assert read.plan.execution == "all_sequential"


def test_what_a_model_leaves_empty_is_the_question_as_asked(reading):
    pairs = (TagPair(said="ring", meant="环"),)
    read = reading(replied(search=pairs, question="  ")).read(
        "Where is the ring?", (), Scope(), "en", "thorough"
    )
    assert read.question == "Where is the ring?"
    assert [part.question for part in read.plan.parts] == ["Where is the ring?"]
    assert read.search == pairs


def test_a_model_that_finds_nothing_to_take_apart_has_the_question_asked_whole(reading):
    question = "What will the etch rate of tool E-14 be in the next six months?"
    with OllamaDouble(brain=lambda asked: '{"parts": []}') as double:
        llm = OllamaLLM(double.host, models={"routing": "qwen3:4b"})
        read = reading(llm).read(question, (), Scope(), "en", "thorough")
        assert len(double.chats()) == 1
    assert [part.question for part in read.plan.parts] == [question]
    assert (read.level, read.plan.by) == (Level.PREDICTIVE, "qwen3:4b")
