"""A run as a tree: what is in it, in which order, and what is shown at first."""

from core.trace import Finished, PartAnswered, Planned, Reused
from core.ui.trace import run_tree
from core.ui.trace.run_trace import read_trace
from tests.ui import sample
from tests.ui.test_forecast_chart import MADE


def test_the_tree_goes_from_the_question_over_its_parts_to_every_sentence() -> None:
    nodes = run_tree.tree(sample.run(), read_trace(sample.events()))
    assert [node.id for node in nodes if node.parent == "question"] == [
        "plan", "part:1", "part:2", "part:3", "whole", "answer", "check", "calls", "events",
    ]  # fmt: skip
    assert [node.kind for node in nodes if node.parent == "part:3"] == [
        "Searched", "Searched within topics", "Reranked", "Queried a table",
    ]  # fmt: skip
    known = {node.id: node for node in nodes}
    assert (known["part:1"].state, known["part:1"].seconds) == ("found", 0.14)
    assert known["answer"].state == "3 of 4 supported"
    assert [node.state for node in nodes if node.parent == "answer"][-1] == "not supported"
    assert run_tree.first(nodes) == "question"


def test_a_parent_stands_before_its_children() -> None:
    seen = {""}
    for node in run_tree.tree(sample.run(), read_trace(sample.events())):
        assert node.parent in seen
        seen.add(node.id)


def test_what_changed_stands_first_after_a_rerun_and_only_once_it_is_over() -> None:
    events = sample.events()
    asked = events[0].model_copy(update={"event": events[0].event.model_copy(update={"parent": "before"})})
    trace = read_trace([asked, *events[1:]])
    nodes = run_tree.tree(sample.run(), trace)
    assert nodes[0].id == run_tree.first(nodes) == "changes"
    assert run_tree.first(run_tree.tree(sample.run("running"), trace)) == "question"


def test_a_part_taken_from_the_run_before_says_so() -> None:
    events = sample.events()
    reused = events[0].model_copy(
        update={"seq": 99, "event": Reused(run="before", sub_question=1, answer=sample.ANSWERS[0])}
    )
    nodes = run_tree.tree(sample.run(), read_trace([*events, reused]))
    assert next(node for node in nodes if node.id == "part:1").state == "found, as before"
    assert isinstance(events[-1].event, Finished)


def test_a_part_the_forecast_tells_is_not_called_missing_and_no_place_holder_is_shown() -> None:
    events = sample.events()
    finished = events[-1].event
    assert isinstance(finished, Finished)
    outlook = finished.report.model_copy(update={"forecast": MADE})
    parts = [
        stamped.model_copy(
            update={
                "event": stamped.event.model_copy(
                    update={"answer": stamped.event.answer.model_copy(update={"found": False})}
                )
            }
        )
        if isinstance(stamped.event, PartAnswered)
        else stamped
        for stamped in events[:-1]
    ]
    ended = events[-1].model_copy(update={"event": finished.model_copy(update={"report": outlook})})
    nodes = {n.id: n for n in run_tree.tree(sample.run(), read_trace([*parts, ended]))}
    assert nodes["part:1"].state == "told by the forecast"
    planned = next(at for at, stamped in enumerate(events, 1) if isinstance(stamped.event, Planned))
    waiting = read_trace(events[:planned])
    asked = waiting.planned_parts()[1]
    assert run_tree.part_words(waiting, asked) == "Which part was replaced in [part 1]?"
