"""Questions of every level go through the flow, with the rules and with a served model alike."""

import pytest

from core.domain import Level, Outcome, Scope, Support, Turn
from core.llm.builtin import BuiltinLLM
from core.ports import Listener
from core.tasks import (
    PartDraft,
    Reply,
    Task,
)
from core.trace import Searched, StepFinished, StepStarted, WordsMapped
from tests.flow.scripted import ScriptedTasks, plan


def test_a_factual_question_is_answered_with_its_source(asking):
    report = asking.ask("Who is responsible for SOP-112?")["report"]
    assert "Mei Tanaka" in report.answer
    assert report.outcome in (Outcome.ANSWER, Outcome.CAVEAT)
    cited = {n for sentence in report.sentences for n in sentence.citations}
    assert any("Mei Tanaka is responsible" in report.passages[n - 1].chunk.text for n in cited)


def test_a_question_of_two_parts_gets_both_answered(asking):
    state = asking.ask(
        "Who is responsible for SOP-112 and when was Norvac founded?",
        asked_level=Level.LINKING,
        effort="thorough",
    )
    report = state["report"]
    assert report.plan is not None
    assert len(report.plan.parts) == 2
    assert "Mei Tanaka" in report.answer
    assert "1987" in report.answer


def test_a_chinese_question_is_answered_in_chinese(asking):
    report = asking.ask("干泵多久保养一次？")["report"]
    assert "2000" in report.answer
    assert "保养" in report.answer


@pytest.mark.parametrize(
    "question",
    [
        "Who won the football world cup in 1998?",
        "What is the recipe for a good sourdough bread?",
        "How do bees find their way home?",
        "谁写了《红楼梦》？",
    ],
)
def test_a_question_about_something_else_finds_nothing(asking, question):
    report = asking.ask(question)["report"]
    assert report.outcome in (Outcome.NOTHING, Outcome.CLOSEST, Outcome.GAP)  # none of them is an answer
    assert not any(sentence.support is Support.SUPPORTED for sentence in report.sentences)


def test_every_step_is_told_from_its_start_to_its_end(asking):
    asking.ask("Who is responsible for SOP-112?")
    started = [e.step for e in asking.events if isinstance(e, StepStarted)]
    finished = [e.step for e in asking.events if isinstance(e, StepFinished)]
    assert sorted(started) == sorted(finished)
    assert started[:2] == ["understand", "gather"]
    assert started[-3:] == ["synthesise", "check", "present"]


def test_each_event_names_the_calls_that_made_it(asking, llm):
    asking.ask("Who is responsible for SOP-112?", effort="thorough")
    calls = [call for event in asking.events for call in event.calls]
    assert {"Understand", "Answer", "Review"} <= {call.task for call in calls}
    built_in = isinstance(llm, BuiltinLLM)
    engines = {call.task: call.engine for call in calls}
    assert (engines["Answer"] == "built-in") is built_in


def test_the_loop_reads_whole_chunks_one_after_the_other(asking):
    state = asking.ask("Who founded the company that makes the dry pump DP-3?", strategy="loop")
    proposed = asking.of("proposed")
    assert proposed
    chosen = [event.chunk_id for event in proposed if event.chunk_id]
    assert chosen
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) <= {passage.chunk.id for passage in state["report"].passages}


def test_what_the_loop_read_answers_no_more_than_the_parts_of_the_question(asking, llm):
    question = "Who founded the company that makes the dry pump DP-3?"
    planned = asking.ask(question)["report"]
    looped = asking.ask(question, strategy="loop")["report"]
    if isinstance(llm, BuiltinLLM):
        assert [part.question for part in looped.parts] == [part.question for part in planned.parts]
        assert [part.found for part in looped.parts] == [part.found for part in planned.parts]
        assert looped.outcome is planned.outcome


def test_a_prediction_that_cannot_be_computed_says_so_and_answers_from_the_documents(asking):
    report = asking.ask("Who is responsible for SOP-112?", asked_level=Level.PREDICTIVE)["report"]
    assert "L3" in report.notes[0]
    assert "Mei Tanaka" in report.answer


def test_a_direct_question_is_looked_up_or_falls_through_to_a_search(asking):
    report = asking.ask("Who is responsible for SOP-112?", asked_level=Level.DIRECT)["report"]
    assert "Mei Tanaka" in report.answer
    assert report.level is Level.DIRECT
    nothing = asking.ask("Who won the football world cup in 1998?", asked_level=Level.DIRECT)["report"]
    assert nothing.outcome is Outcome.NOTHING


def test_orders_inside_documents_are_flagged_and_not_followed(asking):
    report = asking.ask("With which badge level is the spare parts cabinet of building B4 opened?")["report"]
    flagged = asking.of("instruction_flagged")
    assert any("Ignore all previous instructions" in event.text for event in flagged)
    assert "3" in report.answer
    assert "closed" not in report.answer


def test_a_follow_up_is_read_with_what_was_said(asking):
    history = (Turn(question="Who leads the vacuum team?", answer="Mei Tanaka leads the vacuum team."),)
    state = asking.ask("Where does it sit?", history=history)
    assert state["read_as"] != "Where does it sit?"
    assert "B4" in state["report"].answer
    assert state["report"].read_as == state["read_as"]


def test_a_scope_keeps_other_documents_out(asking, library):
    people = next(d.id for d in library.knowledge.documents() if d.name == "people.md")
    report = asking.ask("Who is Mei Tanaka?", scope=Scope(documents=(people,)))["report"]
    assert report.passages
    assert {passage.chunk.document_id for passage in report.passages} == {people}


def test_the_same_question_gives_the_same_answer(flow_run):
    question = "Who founded the company that makes the dry pump of ETCH-07, and where does it sit?"
    first = flow_run(BuiltinLLM()).ask(question)["report"]
    second = flow_run(BuiltinLLM()).ask(question)["report"]
    assert first == second


def test_a_learnt_word_is_read_as_the_librarys_term_by_every_step_and_told(library, flow_run):
    library.knowledge.learn_tag_pair("gizmo paper", "SOP-112")
    try:
        made = flow_run(ScriptedTasks())
        report = made.ask("Who is responsible for the gizmo paper?")["report"]
    finally:
        library.knowledge.unlearn_tag_pair("gizmo paper", "SOP-112")
    read = next(e for e in made.events if isinstance(e, WordsMapped) and e.cause == "understand")
    assert [(pair.said, pair.meant) for pair in read.pairs] == [("gizmo paper", "SOP-112")]
    assert next(e for e in made.events if isinstance(e, Searched)).query.startswith(
        "Who is responsible for the SOP-112?"
    )
    assert "Mei Tanaka" in report.answer


def test_a_survey_is_gathered_from_summaries_first(flow_run):
    made = flow_run(ScriptedTasks())
    state = made.ask("Summarise what the documents say about the dry pump.", strategy="auto")
    assert state["seeks"] == "global"


class Counting:
    """Counts the tasks a model is asked, and lets the rules do them."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.plain = BuiltinLLM()

    def run(self, task: Task, into: type[Reply], listener: Listener | None = None) -> Reply:
        self.asked.append(type(task).__name__)
        return self.plain.run(task, into, listener)


def test_effort_says_how_often_a_model_reads_the_question(flow_run):
    sure, unsure = (
        "Who is responsible for SOP-112?",
        "Was Mei Tanaka ever in Bergen, where Norvac has its headquarters?",
    )
    read = {}
    for effort in ("quick", "balanced", "thorough"):
        for question in (sure, unsure):
            llm = Counting()
            flow_run(llm).ask(question, effort=effort)
            read[effort, question] = llm.asked.count("Understand")
    assert [read[effort, sure] for effort in ("quick", "balanced", "thorough")] == [0, 0, 1]
    assert [read[effort, unsure] for effort in ("quick", "balanced", "thorough")] == [0, 1, 1]


def test_what_was_not_found_stops_the_parts_that_need_it_and_is_never_asked_with_its_question(flow_run):
    parts = plan(
        PartDraft(id=1, question="Which pump did the zzyzx replace?", type="bridging"),
        PartDraft(id=2, question="Who makes #1?", depends_on=(1,)),
        PartDraft(id=3, question="Who is responsible for SOP-112?"),
    )
    made = flow_run(ScriptedTasks(Understand=parts))
    state = made.ask("Who makes the pump of the zzyzx?", strategy="plan", effort="thorough")
    asked = [e.query for e in made.events if isinstance(e, Searched)]
    assert not any("#1" in query or "[part 1]" in query or "Who makes Which" in query for query in asked)
    found = {answer.id: answer for answer in state["answers"]}
    assert (found[1].found, found[2].found, found[3].found) == (False, True, False)
    assert found[3].question == "Who makes [part 1]?" and not found[3].passages


def test_what_the_library_holds_is_counted_in_its_catalogue_and_not_read_from_a_page(asking, library):
    report = asking.ask("How many documents are in the library?")["report"]
    assert report.answer.startswith(f"The library holds {len(library.knowledge.documents())} documents: 5 MD")
    assert (report.outcome, report.level, asking.of("searched")) == (Outcome.ANSWER, Level.DIRECT, [])
    assert asking.ask("资料库里有多少份文件？")["report"].answer.startswith("资料库共有 8 份文件")
    people = next(d.id for d in library.knowledge.documents() if d.name == "people.md")
    only = asking.ask("Which documents are there?", scope=Scope(documents=(people,)))["report"]
    assert only.answer == "The library holds one document: 1 MD.\nThey are: Who is who."
    assert asking.ask("How many documents did Mei Tanaka write?")["report"].answer != report.answer


def test_a_survey_of_the_library_tells_each_document_under_a_topic_and_those_others_name(asking, library):
    report = asking.ask("What topics are in the library?")["report"]
    titles = [document.title for document in library.knowledge.documents()]
    head, *topics = report.answer.splitlines()
    assert head.startswith("The library holds 8 documents") and len(topics) >= 2
    assert all(sum(title in topic for topic in topics) == 1 for title in titles)
    whole = asking.ask("What is in the library?")["report"].answer
    assert all(topic in whole for topic in topics) and "Most linked: " in whole
