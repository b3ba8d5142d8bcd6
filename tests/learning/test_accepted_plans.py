"""An accepted plan is an example for the next question, for the rules and for a model alike."""

from pathlib import Path

import pytest

from core.bootstrap import build
from core.settings import LLMSettings, Settings, StoreSettings
from tests.llm.extractive.test_learning_plans import OFFICE, PAIRS, habits
from tests.ollama_double import OllamaDouble

QUESTION = "Which vendor delivers the filter that the report of CVD-11 names?"
LEARNT = [
    "Which filter does the report of CVD-11 name?",
    "Which vendor delivers #1?",
    "Does the vendor #2 deliver it?",
]


@pytest.fixture(params=["built-in", "ollama"])
def assistant(request, tmp_path: Path):
    with OllamaDouble() as double:
        host = double.host if request.param == "ollama" else None
        llm = LLMSettings(backend=request.param, host=host)
        made = build(Settings(store=StoreSettings(path=tmp_path / "data"), llm=llm), warm=False)
        try:
            yield made
        finally:
            made.close()


def asked(assistant, question: str) -> list[str]:
    return [part.question for part in assistant.questions.plan(question).parts]


def test_an_accepted_plan_is_followed_until_it_is_withdrawn(assistant):
    plans = assistant.library.knowledge.learned.plans
    before = asked(assistant, QUESTION)
    kept = plans.accept(OFFICE.question, OFFICE)
    assert before != LEARNT == asked(assistant, QUESTION)
    assert asked(assistant, "How deep is the etch of recipe 7?") == ["How deep is the etch of recipe 7?"]
    plans.withdraw(kept.id)
    assert asked(assistant, QUESTION) == before


def test_a_habit_shows_once_enough_plans_were_accepted(assistant):
    question = "Would the Harbour Bridge survive an earthquake?"
    before = asked(assistant, question)
    for plan in habits(len(PAIRS)):
        assistant.library.knowledge.learned.plans.accept(plan.question, plan)
    assert asked(assistant, question) != before
    assert len(asked(assistant, question)) == 3
