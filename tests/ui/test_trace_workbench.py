"""The workbench of the trace page: the plan is edited, passages are marked, two runs stand side by side."""

import re
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.assistant import Assistant
from core.domain import Edits, Level, Outcome, Sentence, SubQuestion
from core.flow.preview import Preview
from core.knowledge.stores.records import Run
from core.ui.shared import session
from core.ui.trace import pending_edits, run_differences
from core.ui.trace.pending_edits import EditedRow
from core.ui.trace.run_trace import read_trace
from core.ui.trace.workbench import foreseen
from core.work.runs.run_changes import Cost, PartChange, RunComparison, SentenceChange, Side
from tests.ui import sample
from tests.ui.conftest import Open, page_text

QUESTION = (
    "On which tool was lot L25-0317 processed, and how long does the wet clean of a PE-300 chamber take?"
)


# -- the draft ---------------------------------------------------------------------------------


def test_a_fresh_draft_changes_nothing():
    edits = pending_edits.fresh(read_trace(sample.events()))
    assert [row.question for row in edits.rows] == [part.question for part in sample.PARTS]
    assert not edits.changed()
    assert edits.edits() == Edits()


def test_a_part_that_is_removed_is_needed_by_none_and_the_others_move_up():
    edits = pending_edits.fresh(read_trace(sample.events()))
    edits.remove(1)
    assert edits.changed()
    assert edits.edits().parts == (
        SubQuestion(id=1, question=sample.PARTS[1].question, type="bridging"),
        SubQuestion(id=2, question=sample.PARTS[2].question, type="quantitative"),
    )


def test_a_part_without_words_is_left_out():
    held = pending_edits.fresh(read_trace(sample.events()))
    held.add()
    assert not held.changed()
    held.rows[-1].question = " Who pays? "
    held.rows[-1].needs = [3]
    parts = held.edits().parts
    assert parts is not None
    assert parts[-1] == SubQuestion(id=4, question="Who pays?", depends_on=(3,))


def test_a_passage_is_pinned_or_banned_but_never_both():
    edits = pending_edits.fresh(read_trace(sample.events()))
    passage = sample.PASSAGES[0]
    edits.mark(passage, "pinned")
    assert edits.edits().pinned == (passage.chunk.id,)
    edits.mark(passage, "banned")
    assert (edits.edits().pinned, edits.edits().banned) == ((), (passage.chunk.id,))
    assert edits.state(passage.chunk.id) == "banned"
    edits.mark(passage, "banned")
    assert not edits.changed()


def test_a_plan_can_be_taken_away_altogether():
    held = pending_edits.fresh(read_trace(sample.events()))
    for row in list(held.rows):
        held.remove(row.uid)
    assert held.edits().parts == ()
    held.rows = [EditedRow(1, "One?")]
    assert held.edits().parts == (SubQuestion(id=1, question="One?"),)


@pytest.mark.parametrize(
    ("seen", "changed", "expected"),
    [
        (
            Preview(plan=sample.PLAN, again=(2,), kept=(1, 3)),
            True,
            "part 2 works again; parts 1 and 3 stay as found.",
        ),
        (Preview(plan=sample.PLAN, again=(1, 2, 3)), True, "parts 1, 2 and 3 work again."),
        (Preview(plan=sample.PLAN, kept=(1,)), False, "Nothing is changed yet."),
        (Preview(planned_anew=True), True, "The plan is made anew."),
        (
            Preview(stale="the library has changed since"),
            True,
            "Everything is worked on again, because the library has changed since.",
        ),
    ],
)
def test_what_would_happen_is_said_in_words(seen, changed, expected):
    assert foreseen(seen, changed=changed) == expected


# -- side by side ------------------------------------------------------------------------------


def test_a_changed_sentence_is_marked_word_by_word():
    change = SentenceChange(
        change="changed", before=Sentence(text="It is 5 kg heavy."), after=Sentence(text="It is 7 kg heavy.")
    )
    found = RunComparison(
        before=Side(run="a", question="Q"), after=Side(run="b", question="Q"), sentences=(change,)
    )
    (row,) = run_differences.answers(found, "b")["rows"]  # type: ignore[misc]
    assert row["before"] == [("It is ", ""), ("5 ", "changed"), ("kg heavy.", "")]
    assert row["after"] == [("It is ", ""), ("7 ", "changed"), ("kg heavy.", "")]


def test_a_sentence_that_took_anothers_place_stands_beside_it():
    changes = (
        SentenceChange(change="added", after=Sentence(text="New.")),
        SentenceChange(change="removed", before=Sentence(text="Old.")),
        SentenceChange(change="same", before=Sentence(text="Both."), after=Sentence(text="Both.")),
    )
    side = Side(run="a", question="Q", outcome=Outcome.ANSWER, cost=Cost(seconds=2, calls=3, tokens=40))
    found = RunComparison(before=side, after=Side(run="b", question="Q"), sentences=changes)
    data = run_differences.answers(found, "b")
    assert [row["note"] for row in data["rows"]] == ["replaced", ""]  # type: ignore[attr-defined,index]
    assert "40 tokens" in data["heads"][0]["meta"]  # type: ignore[index]
    assert "1 sentence new, 1 sentence gone." in str(data["label"])


def test_plans_that_are_the_same_are_not_drawn():
    part = SubQuestion(id=1, question="A?")
    sides = {"before": Side(run="a", question="Q"), "after": Side(run="b", question="Q")}
    same = PartChange(change="same", before=part, after=part)
    new = PartChange(change="added", after=part, found_after="it")
    assert run_differences.plan(RunComparison(parts=(same,), **sides))["rows"] == []
    assert [
        row["note"] for row in run_differences.plan(RunComparison(parts=(same, new), **sides))["rows"]
    ] == [  # type: ignore[attr-defined]
        "worked on again",
        "new",
    ]


def _compared(parts: int) -> None:
    from core.domain import SubQuestion
    from core.ui.trace import side_by_side
    from core.work.runs.run_changes import PartChange, RunComparison, Side

    changed = tuple(
        PartChange(change="added", after=SubQuestion(id=n, question=f"{n}?")) for n in range(1, parts + 1)
    )
    sides = {"before": Side(run="a", question="Q"), "after": Side(run="b", question="Q")}
    side_by_side.compared(RunComparison(parts=changed, **sides), "b")


def test_a_long_list_of_changes_is_folded_and_a_short_one_stands_open():
    for parts, folded in ((3, []), (5, ["What became of each part of the plan"])):
        at = AppTest.from_function(_compared, args=(parts,)).run()
        assert not at.exception, at.exception
        assert [held.label for held in at.expander] == folded


# -- the page ----------------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def three_parts() -> Iterator[None]:
    """The settings allow a plan of three parts."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("STRATA_PLAN__MOST", "3")
        yield


@pytest.fixture(scope="module")
def first(assistant: Assistant) -> str:
    run = assistant.questions.ask(QUESTION, level=Level.LINKING, strategy="plan")
    assert len(assistant.questions.wait(run, 60).parts) == 2
    return run


def button(at: AppTest, label: str) -> None:
    next(held for held in at.button if held.label == label).click().run()
    assert not at.exception, at.exception


def test_a_part_is_edited_and_only_it_works_again(assistant, first, open_page: Open):
    at = open_page(session.TRACE, run=first, at="plan")
    button(at, "Change the plan and run again")
    texts = [area for area in at.text_area if area.label.startswith("Part ")]
    assert [area.label for area in texts] == ["Part 1", "Part 2"]
    texts[1].set_value("When is the wet clean of a PE-300 chamber due?").run()
    assert "Part 2 works again; part 1 stays as found." in page_text(at)
    button(at, "Run again")
    run = assistant.questions.runs(limit=1)[0].id
    assert run != first
    assistant.questions.wait(run, 60)
    at = open_page(session.TRACE, run=run)
    words = page_text(at)
    assert "What changed" in words
    assert "The plan was changed by you." in words
    plan = assistant.questions.run(run).report.plan
    assert plan.parts[1].question == "When is the wet clean of a PE-300 chamber due?"


def test_any_two_runs_can_be_set_side_by_side(assistant, first, open_page: Open):
    other = assistant.questions.ask("How long does the wet clean of a PE-300 chamber take?")
    assistant.questions.wait(other, 60)
    at = open_page(session.TRACE, run=other)
    box = next(held for held in at.selectbox if held.label == "Another run")
    assert box.value is None
    assert all(re.match(r".*\d\d:\d\d  · ", option) for option in box.options), "the time is cut off"
    box.set_value(first).run()
    assert not at.exception, at.exception
    assert "Another question was asked" in page_text(at)


def test_the_choice_of_another_run_reads_no_report(assistant, first, open_page: Open):
    """A rerun of a run's page costs the same however many runs are saved, and whatever they hold."""
    store = assistant.questions.store
    old = Run(id="of-an-older-strata", conversation="c", question="What was asked then?", status="done")
    store.save_run(old)
    with store.database.writing() as connection:
        report = ('{"level": "L1", "outcome": "answer"}', old.id)
        connection.execute("UPDATE runs SET report = ? WHERE id = ?", report)
    try:
        at = open_page(session.TRACE, run=first)
        box = next(held for held in at.selectbox if held.label == "Another run")
        assert any("What was asked then?" in option for option in box.options)
    finally:
        store.delete(old.id)


def test_the_parts_of_a_plan_come_and_go(first, open_page: Open):
    at = open_page(session.TRACE, run=first, at="plan")
    button(at, "Change the plan and run again")
    button(at, "Add a sub-question")
    assert len([area for area in at.text_area if area.label.startswith("Part ")]) == 3
    add = next(held for held in at.button if held.label == "Add a sub-question")
    assert (add.disabled, add.help) == (True, "A plan has at most 3 parts.")  # as the settings say
    button(at, "Remove")
    assert len([area for area in at.text_area if area.label.startswith("Part ")]) == 2
    button(at, "Discard changes")
    assert at.text_area(key=next(a.key for a in at.text_area if a.label == "Part 1")).value.startswith("On")
    button(at, "Close the workbench")
    assert not [area for area in at.text_area if area.label.startswith("Part ")]


def test_the_shares_of_the_documents_are_found_on_demand(first, open_page: Open):
    at = open_page(session.TRACE, run=first, at="answer")
    assert "Share of the answer" not in page_text(at)
    button(at, "Which documents does it rest on?")
    assert "Share of the answer" in page_text(at)
