"""One kind of task goes to the trained model, everything else to the usual one."""

from pathlib import Path

from core.bootstrap import build
from core.domain import Scope
from core.llm.delegation import DelegatingLLM
from core.settings import LLMSettings, Settings, StoreSettings
from core.tasks import NextQuestion, Proposals, Propose, ProposeNext
from tests.doubles import ScriptedLLM
from tests.ollama_double import MODELS, OllamaDouble


def test_only_tasks_of_the_kind_are_handed_over():
    usual, special = ScriptedLLM(Proposals(questions=("a",))), ScriptedLLM(NextQuestion(question="b"))
    both = DelegatingLLM(usual, ProposeNext, special)
    assert both.run(Propose(question="q"), Proposals).questions == ("a",)
    assert both.run(ProposeNext(question="q"), NextQuestion).question == "b"
    assert (len(usual.asked), len(special.asked)) == (1, 1)


def test_the_model_named_in_the_settings_asks_the_loops_questions_in_one_call_each(tmp_path: Path):
    named = MODELS[0].name
    with OllamaDouble() as double:
        llm = LLMSettings(backend="ollama", host=double.host, decomposer=named, generation=MODELS[1].name)
        assistant = build(Settings(store=StoreSettings(path=tmp_path / "data"), llm=llm), warm=False)
        try:
            (tmp_path / "a.md").write_text(
                "# Pumps\n\nNorvac makes the DP-3. Ada Berg founded Norvac in 1987."
            )
            assistant.library.wait(assistant.library.ingest([tmp_path / "a.md"]))
            double.requests.clear()
            events: list = []
            steps = assistant.questions.steps()
            with steps.call_log.step() as calls:
                found = steps.loop.run("Who founded the maker of the DP-3?", Scope(), events.append, "en")
        finally:
            assistant.close()
        assert {body["model"] for body in double.chats()} == {named}
    assert {call.task for call in calls} == {"ProposeNext"}
    assert found.passages
