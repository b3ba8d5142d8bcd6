"""Byte-equal beginnings: what a server keeps of one call, the next of the question does not read again."""

import re

import pytest

from core.domain import Evidence
from core.llm import prompting
from core.llm.ollama.client import OllamaLLM
from core.tasks import (
    Answer,
    Bridge,
    Bridged,
    Claim,
    PartAsked,
    QuestionAnswer,
    Review,
    Reviewed,
    Understand,
    Understood,
    Written,
)
from tests.ollama_brain import StrataBrain, tasks
from tests.ollama_double import Model, OllamaDouble, Pace
from tests.ollama_pace import rendered

READERS = (Understand, Bridge, Answer, Review)
ASKED = "Who keeps the lighthouse that the ferry calls at?"
PIECES = tuple(
    Evidence(n=n, text=f"The ferry calls at harbour {n}, lit in {1800 + n}.", source=f"Log {n}")
    for n in range(1, 7)
)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_all_that_read_for_a_question_have_one_system_prompt(language: str) -> None:
    assert len({prompting.find(kind, language).system for kind in READERS}) == 1


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", [kind for kind in tasks() if "question" in kind.model_fields])
def test_the_question_is_the_last_thing_a_prompt_tells(kind: type, language: str) -> None:
    names = re.findall(r"\$(\w+)", prompting.find(kind, language).user)
    assert names[-1] == "question" and names.count("question") == 1


def test_what_was_read_for_a_part_is_not_read_again_for_the_answer() -> None:
    part = PartAsked(id=1, question="Which lighthouse does the ferry call at?", evidence=(1, 2, 3))
    statement = QuestionAnswer(id=1, question=part.question, answer="harbour 1", citations=(1,))
    claim = Claim(index=0, text="The ferry calls at harbour 1.", citations=(1,))
    asked = (
        (Understand(question=ASKED), Understood),
        (Bridge(question=ASKED, parts=(part,), evidence=PIECES[:3]), Bridged),
        (Answer(question=ASKED, parts=(statement,), evidence=PIECES), Written),
        (Review(question=ASKED, claims=(claim,), parts=(statement,), evidence=PIECES[:1]), Reviewed),
    )
    pace = Pace(speed=10_000)
    with OllamaDouble(StrataBrain(), (Model("qwen3:4b-instruct"),), pace=pace) as double:
        llm = OllamaLLM(double.host)
        for task, into in asked:
            llm.run(task, into)
        assert double.machine is not None
        understood, bridged, answered, reviewed = double.machine.turns
    system = rendered([{"role": "system", "content": prompting.find(Answer, "en").system}])
    shared = len(system.removesuffix("<|assistant|>\n")) // 4
    pieces = bridged.prompt.index("<<<[3]") // 4
    assert understood.cached == 0
    assert bridged.cached >= shared and reviewed.cached >= shared
    assert answered.cached > pieces > shared
