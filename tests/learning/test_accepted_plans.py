"""An accepted plan is followed for the next question of its kind, by the rules and by a model alike."""

from pathlib import Path

import pytest

from core.bootstrap import build
from core.domain import Plan, SubQuestion
from core.settings import LLMSettings, Settings, StoreSettings
from tests.ollama_double import OllamaDouble

ACCEPTED = Plan(
    question="Would the Harbour Bridge survive an earthquake?",
    parts=(
        SubQuestion(id=1, question="How strong an earthquake does the Harbour Bridge stand?"),
        SubQuestion(id=2, question="Is #1 enough for the Harbour Bridge?", depends_on=(1,)),
    ),
)
QUESTION = "Would the Vellin Lighthouse survive an earthquake?"
LEARNT = [
    "How strong an earthquake does the Vellin Lighthouse stand?",
    "Is #1 enough for the Vellin Lighthouse?",
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
    return [part.question for part in assistant.questions.read(question, "thorough").plan.parts]


def test_an_accepted_plan_is_followed_until_it_is_withdrawn(assistant):
    plans = assistant.library.knowledge.learned.plans
    assert asked(assistant, QUESTION) == [QUESTION]
    kept = plans.accept(ACCEPTED.question, ACCEPTED)
    assert asked(assistant, QUESTION) == LEARNT
    assert asked(assistant, "How deep is the etch of recipe 7?") == ["How deep is the etch of recipe 7?"]
    plans.withdraw(kept.id)
    assert asked(assistant, QUESTION) == [QUESTION]


def test_a_question_over_the_window_of_the_embedder_is_read_beside_accepted_plans(assistant):
    assistant.library.knowledge.learned.plans.accept(ACCEPTED.question, ACCEPTED)
    long = f"How deep is the etch of recipe 7? {'It is asked for the shift plan. ' * 80}"
    assert assistant.library.gatherer().retriever.embedder.count(long) > 256
    assert assistant.questions.read(long, "thorough").plan.parts
