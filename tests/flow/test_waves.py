"""Parts of a plan are worked on wave by wave."""

from core.domain import Level, Outcome
from core.errors import LLMUnavailable
from core.llm.builtin import BuiltinLLM
from core.ports import Listener
from core.tasks import (
    Bridge,
    PartDraft,
    Reply,
    Task,
)
from core.trace import Reranked, Searched, StepStarted, WaveStarted
from tests.flow.scripted import CHAIN, ScriptedTasks, plan


def test_a_chain_hands_on_answers_and_evidence(flow_run):
    made = flow_run(ScriptedTasks(Understand=CHAIN))
    state = made.ask(
        "Who makes the dry pump of ETCH-07?", asked_level=Level.LINKING, strategy="plan", effort="thorough"
    )
    waves = [e for e in made.events if isinstance(e, WaveStarted)]
    assert [wave.wave for wave in waves][:2] == [1, 2]
    assert waves[1].parts[0].question == "Who makes the dry pump DP-3?"
    second = next(a for a in state["answers"] if a.id == 2)
    first = next(a for a in state["answers"] if a.id == 1)
    assert first.passages[0].chunk.id in {p.chunk.id for p in second.passages}
    assert any("made by Norvac" in passage.chunk.text for passage in second.passages)


def test_the_original_question_is_always_searched_and_ranked_against(flow_run):
    made = flow_run(ScriptedTasks(Understand=CHAIN))
    question = "Who makes the dry pump of ETCH-07?"
    made.ask(question, strategy="plan", effort="thorough")
    searched = {e.query for e in made.events if isinstance(e, Searched)}
    assert any(query.startswith(question) for query in searched)
    assert [e for e in made.events if isinstance(e, Reranked)][-1].question == question


class Failing:
    """Fails in every Bridge with a part that holds a word."""

    def __init__(self, word: str) -> None:
        self.word, self.plain = word, BuiltinLLM()

    def run(self, task: Task, into: type[Reply], listener: Listener | None = None) -> Reply:
        if isinstance(task, Bridge) and any(self.word in part.question for part in task.parts):
            raise LLMUnavailable("gone")
        return self.plain.run(task, into, listener)


def test_a_failing_worker_leaves_the_others_alive(flow_run):
    parts = plan(
        PartDraft(id=1, question="Who is responsible for SOP-112?"),
        PartDraft(id=2, question="When was zzyzx founded?"),
    )
    made = flow_run(ScriptedTasks(Understand=parts, Bridge=Failing("zzyzx")))
    state = made.ask(
        "Who is responsible for SOP-112 and when was zzyzx founded?", strategy="plan", effort="thorough"
    )
    report = state["report"]
    answers = {part.id: part for part in report.parts}
    assert answers[1].found
    assert "gone" in answers[2].failure
    assert report.outcome is Outcome.GAP
    assert "When was zzyzx founded?" in report.missing
    assert "Mei Tanaka" in report.answer


def test_without_a_better_search_there_is_no_second_round(flow_run):
    made = flow_run(BuiltinLLM())
    report = made.ask("Who is the zzyzx of Norvac?")["report"]
    assert report.outcome in (Outcome.CLOSEST, Outcome.NOTHING) and not report.sentences
    assert len([e for e in made.events if isinstance(e, StepStarted) and e.step == "synthesise"]) <= 1
