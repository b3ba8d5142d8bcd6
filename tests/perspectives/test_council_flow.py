"""A creative question from end to end, over the small library of the flow's tests."""

from core.domain import Level, Outcome, Support
from core.flow.nodes import findings
from core.flow.state_of_events import state_from_events
from core.llm.builtin import BuiltinLLM
from core.tasks import Deliberate, Perspectives
from core.trace import Asked
from tests.flow.conftest import flow_run, library  # noqa: F401
from tests.perspectives.conftest import ThinkingLLM

QUESTION = "How could we prevent losses like lot L2209 on ETCH-07?"


def test_a_creative_question_is_answered_by_one_call(flow_run):  # noqa: F811
    llm = ThinkingLLM()
    made = flow_run(llm)
    report = made.ask(QUESTION)["report"]
    assert [type(task) for task in llm.asked].count(Perspectives) == 1
    assert not [task for task in llm.asked if isinstance(task, Deliberate)]
    assert report.level is Level.CREATIVE
    assert report.council is not None
    assert report.council.proposals
    unfounded = [s for s in report.sentences if s.support is not Support.SUPPORTED]
    assert unfounded, "an idea stands in no source"
    assert report.outcome is Outcome.CAVEAT, "an answer says that every sentence rests on its sources"
    assert all(0 < n <= len(report.passages) for s in report.sentences for n in s.citations)
    assert all(sentence.citations for sentence in report.sentences)
    assert any(sentence.support is Support.SUPPORTED for sentence in report.sentences)
    held = {passage.chunk.id for passage in report.passages}
    assert all(set(p.chunks) <= held for p in report.council.proposals)
    assert [event.name for event in made.events].count("settled") == 1


def test_only_thorough_effort_deliberates(flow_run):  # noqa: F811
    for effort, times in (("quick", 0), ("balanced", 0), ("thorough", 1)):
        llm = ThinkingLLM()
        flow_run(llm).ask(QUESTION, effort=effort)
        assert [type(task) for task in llm.asked].count(Deliberate) == times, effort
        assert [type(task) for task in llm.asked].count(Perspectives) == 1, effort


def test_without_a_model_nothing_is_proposed_and_the_answer_says_so(flow_run):  # noqa: F811
    report = flow_run(BuiltinLLM()).ask(QUESTION)["report"]
    assert report.council is not None
    assert not report.council.proposals
    assert report.outcome is Outcome.CLOSEST
    assert report.sentences
    assert any("ideas need a model" in note for note in report.notes)
    texts = [" ".join(passage.chunk.passage_text().split()) for passage in report.passages]
    contents = [s.text for given in report.council.perspectives for s in given.argument]
    assert contents
    assert all(any(" ".join(text.split()) in held for held in texts) for text in contents)


def test_a_chinese_question_is_answered_in_chinese(flow_run):  # noqa: F811
    report = flow_run(BuiltinLLM()).ask("如何改进干泵的保养，以减少损失？", asked_level=Level.CREATIVE)[
        "report"
    ]
    assert report.council is not None
    assert any("需要模型" in note for note in report.notes)
    assert report.council.perspectives[-1].role.name == "怀疑者"


def test_the_reader_may_name_the_roles(flow_run):  # noqa: F811
    state = flow_run(BuiltinLLM()).ask(QUESTION, roles=("safety", "Vacuum team: pumps and shaft seals"))
    names = [given.role.name for given in state["report"].council.perspectives]
    assert names == ["Safety", "Vacuum team"]


def test_a_reader_in_a_hurry_gets_an_answer_without_a_council(flow_run):  # noqa: F811
    first = flow_run(BuiltinLLM())
    first.ask(QUESTION)
    state = state_from_events([Asked(question=QUESTION), *first.events])
    del state["question"], state["draft"], state["verdict"]
    again = flow_run(BuiltinLLM())
    report = again.ask(QUESTION, **{**state, "hurried": True})["report"]
    assert report.passages
    assert not again.of("roles_planned")


def test_a_question_about_something_else_gets_no_council(flow_run):  # noqa: F811
    made = flow_run(BuiltinLLM())
    report = made.ask("How could we bake a better sourdough bread?", asked_level=Level.CREATIVE)["report"]
    assert report.council is None
    assert report.outcome is Outcome.NOTHING
    assert not made.of("roles_planned")


def test_a_council_can_be_recalled_from_its_events(flow_run):  # noqa: F811
    made = flow_run(BuiltinLLM())
    report = made.ask(QUESTION)["report"]
    state = state_from_events([Asked(question=QUESTION), *made.events])
    assert state["council"] == report.council
    assert [p.chunk.id for p in state["evidence"]] == [p.chunk.id for p in report.passages]
    assert findings(state, partial=True).verdict.sentences == report.sentences
