"""A run is worked on again with a reader's edits; nothing of it is lost."""

from pathlib import Path

import pytest

from core.domain import Edits, Level, Outcome, SubQuestion
from core.errors import QuestionError
from core.export.run_export import Exporter
from core.knowledge.base import KnowledgeBase
from core.llm.builtin import BuiltinLLM
from core.tasks import Answer
from core.trace import (
    TRACE,
    Asked,
    Failed,
    Finished,
    PartAnswered,
    Planned,
    Searched,
)
from core.work.runs.compare_runs import since_parent
from core.work.runs.runner import Request, Runner
from tests.forked import telling
from tests.work.rerun_setup import CHAIN, PARTS, Counting, reused
from tests.work.runs.cut_off import rerun_for_ever


def test_a_run_that_is_not_changed_takes_every_part_and_writes_the_same_answer(before):
    held, llm, first = before
    report = held.again(first.run, Edits(parts=PARTS))
    assert llm.answered() == []
    assert reused(held, report.run) == {1, 2, 3, None}
    assert not held.events_of(report.run, Searched)
    assert report.answer == first.answer
    assert [p.chunk.id for p in report.passages] == [p.chunk.id for p in first.passages]
    assert sum(isinstance(task, Answer) for task in llm.tasks) == 1


def test_the_first_event_names_the_run_before_and_the_edits(before):
    held, _, first = before
    edits = Edits(parts=PARTS[:2], banned=("x",), level=Level.LINKING)
    report = held.again(first.run, edits)
    (asked,) = held.events_of(report.run, Asked)
    assert (asked.parent, asked.edits) == (first.run, edits)
    stored = held.store.events(report.run)
    assert [s.seq for s in stored] == list(range(len(stored)))
    assert TRACE.validate_json(TRACE.dump_json(stored)) == stored
    assert isinstance(stored[-1].event, Finished)


def test_an_edited_leaf_works_alone(before):
    held, llm, first = before
    leaf = PARTS[2].model_copy(update={"question": "Who leads the vacuum team?"})
    report = held.again(first.run, Edits(parts=(*PARTS[:2], leaf)))
    assert llm.answered() == ["Who leads the vacuum team?"]
    assert reused(held, report.run) == {1, 2, None}
    assert [event.sub_question for event in held.events_of(report.run, PartAnswered)] == [3]


def test_an_edited_root_works_with_everything_that_depends_on_it(before):
    held, llm, first = before
    root = PARTS[0].model_copy(update={"question": "Which company makes the pump DP-3?"})
    report = held.again(first.run, Edits(parts=(root, *PARTS[1:])))
    assert len(llm.answered()) == 2
    assert llm.answered()[0] == "Which company makes the pump DP-3?"
    assert reused(held, report.run) == {3, None}


def test_a_part_that_is_added_or_taken_away_leaves_the_others_as_they_are(before):
    held, llm, first = before
    extra = SubQuestion(id=4, question="Who is the quality manager?")
    more = held.again(first.run, Edits(parts=(*PARTS, extra)))
    assert llm.answered() == ["Who is the quality manager?"]
    assert "Jonas Weber" in more.answer
    fewer = held.again(more.run, Edits(parts=PARTS[2:]))
    assert len(llm.answered()) == 1
    assert [part.question for part in fewer.parts] == ["Who is responsible for SOP-112?"]


def test_a_banned_passage_is_never_evidence_and_only_its_readers_work_again(before):
    held, _, first = before
    sop = next(p.chunk.id for p in first.passages if "Mei Tanaka is responsible" in p.chunk.text)
    report = held.again(first.run, Edits(parts=PARTS, banned=(sop,)))
    everywhere = [
        passage.chunk.id
        for stamped in held.store.events(report.run)
        for passage in (
            *getattr(stamped.event, "passages", ()),
            *getattr(getattr(stamped.event, "answer", None), "passages", ()),
        )
    ]
    assert everywhere
    assert sop not in everywhere
    read = {part.id for part in first.parts if sop in {p.chunk.id for p in part.passages}}
    assert read
    assert {
        e.sub_question for e in held.events_of(report.run, PartAnswered) if e.sub_question in (1, 2, 3)
    } == read
    back = held.again(report.run, Edits(parts=PARTS))
    assert sop in {passage.chunk.id for passage in back.passages}


def test_a_pinned_passage_is_always_evidence_and_says_so(before):
    held, llm, first = before
    found = {p.chunk.id: p for e in held.events_of(first.run, Searched) for p in e.passages}
    found |= {p.chunk.id: p for part in first.parts for p in part.passages}
    evidence = {p.chunk.id for p in first.passages}
    far = next((number for number in found if number not in evidence), first.passages[-1].chunk.id)
    report = held.again(first.run, Edits(parts=PARTS, pinned=(far,)))
    assert [p.chunk.id for p in report.passages if p.pinned] == [far]
    assert llm.answered() == []


def test_a_banned_passage_stays_away_from_a_simple_question_and_from_the_loop(rerun_setup):
    setup = rerun_setup()
    first = setup.ask("Who is responsible for SOP-112?", level=Level.FACTUAL)
    cited = {first.passages[n - 1].chunk.id for s in first.sentences for n in s.citations}
    report = setup.again(first.run, Edits(banned=tuple(cited)))
    assert not cited & {p.chunk.id for p in report.passages}
    assert report.answer != first.answer
    found = setup.again(first.run, Edits(banned=tuple(cited), strategy="loop"))
    assert not cited & {p.chunk.id for p in found.passages}


def test_another_level_or_way_of_working_can_be_chosen(rerun_setup):
    setup = rerun_setup()
    question = "Who is responsible for SOP-112 and when was Norvac founded?"
    first = setup.ask(question, level=Level.FACTUAL)
    assert first.plan is None
    report = setup.again(first.run, Edits(level=Level.LINKING))
    assert report.level is Level.LINKING
    assert report.plan is not None
    assert len(report.plan.parts) == 2


def test_a_simple_question_can_be_given_a_plan(rerun_setup):
    setup = rerun_setup()
    first = setup.ask("Who is responsible for SOP-112?", level=Level.FACTUAL)
    report = setup.again(first.run, Edits(parts=(PARTS[2], PARTS[0].model_copy(update={"id": 4}))))
    assert report.level is Level.LINKING
    assert "Mei Tanaka" in report.answer
    assert report.plan is not None
    assert report.plan.by == "reader"


def test_nothing_is_taken_over_once_the_library_has_changed(rerun_setup):
    llm, changes = Counting(), [0]
    setup = rerun_setup(llm, lambda: changes[0])
    first = setup.ask(CHAIN, level=Level.LINKING, strategy="plan")
    changes[0] += 1
    llm.tasks.clear()
    report = setup.again(first.run, Edits())
    assert reused(setup, report.run) == set()
    assert llm.answered()
    assert report.answer == first.answer


def test_an_export_tells_what_changed_since_the_run_before(before):
    held, _, first = before
    sop = first.parts[2].passages[0].chunk.id
    report = held.again(first.run, Edits(parts=PARTS, banned=(sop,)))
    changes = since_parent(held.store, report.run)
    assert first.run in changes[0]
    assert any(change.startswith("Passages banned: ") for change in changes)
    assert any(change.startswith("Evidence lost: ") for change in changes)
    run, events = held.store.get(report.run), held.store.events(report.run)
    html = Exporter().html(run, events, ("<b>Banned</b>", *changes))
    assert "<h2>What changed</h2>" in html
    assert "&lt;b&gt;Banned" in html
    assert "## What changed" in Exporter().markdown(run, events, changes)
    alone = held.ask("Who leads the vacuum team?")
    assert since_parent(held.store, alone.run) == ()
    last = held.again(report.run, Edits(parts=PARTS))
    held.store.delete(report.run)
    assert "no longer in the library" in since_parent(held.store, last.run)[0]


def test_what_an_edit_would_do_is_said_beforehand(before):
    held, _, first = before
    leaf = PARTS[2].model_copy(update={"question": "Who leads the vacuum team?"})
    root = PARTS[0].model_copy(update={"question": "Which company makes the pump DP-3?"})
    sop = next(p.chunk.id for p in first.parts[2].passages)
    expected = (
        (Edits(parts=PARTS), (1, 2, 3), ()),
        (Edits(parts=(*PARTS[:2], leaf)), (1, 2), (3,)),
        (Edits(parts=(root, *PARTS[1:])), (3,), (1, 2)),
        (Edits(banned=(sop,)), None, None),
    )
    for edits, kept, again in expected:
        seen = held.runner.preview(first.run, edits, 5)
        assert seen.plan is not None
        report = held.again(first.run, edits)
        assert reused(held, report.run) - {None} == set(seen.kept)
        assert {
            e.sub_question for e in held.events_of(report.run, PartAnswered) if e.sub_question in (1, 2, 3)
        } == set(seen.again)
        if kept is not None:
            assert (set(seen.kept), seen.again) == (set(kept), again)
    assert held.runner.preview(first.run, Edits(parts=()), 5).plan is None
    assert held.runner.preview(first.run, Edits(level=Level.FACTUAL), 5).planned_anew


def test_a_run_that_is_still_going_cannot_be_worked_on(rerun_setup):
    llm = Counting(hold=Answer)
    setup = rerun_setup(llm)
    run = setup.runner.start(Request(question="Who is responsible for SOP-112?"))
    assert llm.waiting.wait(30)
    with pytest.raises(QuestionError):
        setup.runner.rerun(run, Edits())
    llm.go.set()
    setup.runner.wait(run, 30)


# -- nothing is lost ---------------------------------------------------------------------------


def test_a_crash_in_the_middle_leaves_a_cut_off_run_that_knows_its_parent(tmp_path: Path):
    process, output = telling(rerun_for_ever, tmp_path)
    first, again = output.recv()
    process.kill()
    process.join()
    with KnowledgeBase(tmp_path, "none") as base:
        Runner(base.runs, lambda stop, model: BuiltinLLM(), BuiltinLLM(), None, lambda: "").close()  # type: ignore[arg-type]
        assert base.runs.get(first).report is not None
        after = base.runs.get(again)
        assert after.status == "failed"
        assert after.report is not None
        assert after.report.partial
        stored = base.runs.events(again)
        assert [s.seq for s in stored] == list(range(len(stored)))
        asked = stored[0].event
        assert isinstance(asked, Asked)
        assert (asked.parent, asked.edits is not None) == (first, True)
        assert isinstance(stored[-1].event, Failed)


def test_many_edits_in_a_row_lose_no_event(before):
    held, _, report = before
    names = ("Who leads the vacuum team?", "Who is responsible for SOP-112?", "Who founded Norvac?")
    for n in range(6):
        leaf = PARTS[2].model_copy(update={"question": names[n % 3]})
        report = held.again(report.run, Edits(parts=(*PARTS[:2], leaf)))
        stored = held.store.events(report.run)
        assert [s.seq for s in stored] == list(range(len(stored)))
        assert isinstance(stored[-1].event, Finished)
        assert report.outcome is not Outcome.NOTHING
        assert [e.plan.by for e in held.events_of(report.run, Planned) if e.round == 1]
