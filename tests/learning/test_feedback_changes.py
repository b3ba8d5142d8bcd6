"""What feedback changes is undone exactly, measured, and made all or not at all."""

import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from core.domain import Feedback, Level, Report
from core.errors import FeedbackError, KnowledgeError
from core.knowledge.learned.changes import Change
from core.knowledge.search.graph_index import MAX_STALE_SECONDS
from core.learning.apply_changes import ChangeApplier
from tests.learning.conftest import BETTER, QUESTION, TAUGHT, ask, judge, opened, stored, undone

# -- smaller things -----------------------------------------------------------------------------


def soon(outdated_reason: Callable[[], bool]) -> None:
    """Wait until it holds: on a slow machine the graph may be behind for a while."""
    until = time.monotonic() + 2 * MAX_STALE_SECONDS
    while not outdated_reason():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_every_other_kind_of_change_is_undone_exactly(assistant):
    report = ask(assistant)
    library = assistant.library.knowledge
    before = stored(assistant)
    passage, tag = report.passages[0], library.tags()[0]
    relation = library.relations()[0]
    cases = [
        ("wrong", f"passage:{passage.chunk.id}", ""),
        ("corrected", "tag:zapping", "arcing"),
        ("wrong", f"tag:{tag.name}", ""),
        ("corrected", f"tag:{library.tags()[-1].chunk_id}:{library.tags()[-1].name}", "upkeep"),
        ("wrong", f"relation:{relation.id}", ""),
        ("wrong", "answer", ""),
        ("wrong", "sentence:1", ""),
    ]
    made = [
        change for verdict, target, new in cases for change in judge(assistant, report, verdict, target, new)
    ]
    assert [c.kind for c in made] == [
        "usefulness",
        "tag pair",
        "tag removed",
        "tag replaced",
        "relation removed",
        "gap",
        "usefulness",
    ]
    assert tag.name not in {held.name for held in library.tags()}
    assert relation.id not in {held.id for held in library.relations()}
    assert undone(assistant, before, *made)


def test_a_corrected_relation_says_the_new_verb_and_goes_back(assistant):
    held = assistant.library.contents.relations()[0]
    before = stored(assistant)
    given = Feedback(run="", target=f"relation:{held.id}", verdict="corrected", correction="is stored at")
    (change,) = assistant.learning.give_feedback(given)
    assert "is stored at" in {r.predicate for r in assistant.library.contents.relations()}
    assert undone(assistant, before, change)


def test_a_removed_tag_is_gone_from_the_graph_and_comes_back(assistant):
    library = assistant.library.knowledge
    tag = library.tags()[0]
    node = f"tag:{tag.tag_class}:{tag.name}"
    weights = {"tagged": 1.0}
    assert node in library.propagate({tag.chunk_id: 1.0}, 0.8, weights)
    (change,) = assistant.learning.give_feedback(Feedback(run="", target=f"tag:{tag.name}", verdict="wrong"))
    library.graph.save()
    soon(lambda: node not in library.propagate({tag.chunk_id: 1.0}, 0.8, weights))
    assistant.learning.undo(change.id)
    soon(lambda: node in library.propagate({tag.chunk_id: 1.0}, 0.8, weights))


def test_a_word_is_taught_once_with_one_meaning(assistant):
    teach = {"run": "", "target": "tag:zapping", "verdict": "corrected"}
    assistant.learning.give_feedback(Feedback.model_validate({**teach, "correction": "arcing"}))
    assert [(p.said, p.meant) for p in assistant.library.knowledge.tag_pairs()] == [("zapping", "arcing")]
    with pytest.raises(FeedbackError):
        assistant.learning.give_feedback(Feedback.model_validate({**teach, "correction": "sparks"}))


def test_a_plan_that_is_right_becomes_an_example(assistant):
    report = ask(
        assistant, "Who leads the vacuum team, and how long does the wet clean of a PE-300 chamber take?"
    )
    assert report.plan is not None and len(report.plan.parts) > 1
    before = stored(assistant)
    (change,) = judge(assistant, report, "right", "plan")
    (kept,) = assistant.library.knowledge.learned.plans.list()
    assert kept.plan == report.plan
    vector = assistant.questions.steps().loop.retriever.vector(report.question)
    assert assistant.library.knowledge.learned.plans.nearest(vector)[0][1] == pytest.approx(1.0, abs=1e-3)
    assert undone(assistant, before, change)


def test_a_part_of_a_plan_can_be_verified_by_itself(assistant):
    report = ask(
        assistant, "Who leads the vacuum team, and how long does the wet clean of a PE-300 chamber take?"
    )
    part = next(p for p in report.parts if "wet clean" in p.question)
    (change,) = judge(assistant, report, "corrected", f"part:{part.id}", BETTER)
    assert change.name.endswith(part.question)
    assert ask(assistant, part.question).level is Level.DIRECT


# -- what a change does -------------------------------------------------------------------------


def test_the_saved_questions_tell_what_a_change_did(assistant):
    report = ask(assistant)
    assistant.learning.keep_questions([QUESTION, "Who leads the vacuum team?"])
    (change,) = judge(
        assistant, report, "corrected", correction="Plan 6.5 hours for the wet clean of a PE-300."
    )
    effect = change.effect
    assert effect is not None
    assert [row.same for row in effect.compared] == [False, True]
    assert effect.compared[0].before == report.answer
    assert effect.compared[0].after.startswith("Plan 6.5 hours")
    assert effect.skipped == 0


@pytest.mark.parametrize(
    ("questions", "text"),
    [
        (["", " "], "empty"),
        (["Who leads it?", "who leads it"], "twice"),
        ([f"What is number {n}?" for n in range(11)], "10 are the most"),
    ],
)
def test_a_question_set_that_is_no_use_is_refused(assistant, questions, text):
    with pytest.raises(FeedbackError, match=text) as refused:
        assistant.learning.keep_questions(questions)
    assert refused.value.hint


@dataclass(frozen=True)
class FullDisk(ChangeApplier):
    """A disk that is full when the last of the changes is made."""

    room: list[int] = field(default_factory=lambda: [0])

    def make(self, change: Change) -> Change:
        if not self.room[0]:
            raise KnowledgeError("The disk is full.")
        self.room[0] -= 1
        return super().make(change)


@pytest.mark.parametrize("room", [0, 1])
def test_feedback_whose_changes_fail_leaves_nothing_and_can_be_given_again(assistant, room):
    report = ask(assistant)
    learner = assistant.learning.learner
    given = Feedback(run=report.run, target="answer", verdict="corrected", correction=BETTER)
    whole = len(replace(learner).take(given))
    assistant.learning.retract(report.run, "answer")
    changer = FullDisk(learner.changer.knowledge, learner.changer.embedder, [min(room, whole - 1)])
    with pytest.raises(KnowledgeError, match="disk is full"):
        replace(learner, changer=changer).take(given)
    assert assistant.learning.feedback(report.run) == []
    assert assistant.learning.changes("active") == []
    assert len(assistant.learning.give_feedback(given)) == whole


@dataclass(frozen=True)
class Interrupted(ChangeApplier):
    """Makes a change and fails before it is recorded."""

    def make(self, change: Change) -> Change:
        super().make(change)
        raise KnowledgeError("The disk is full.")


@pytest.mark.parametrize("verified", [False, True])
def test_an_answer_that_cannot_be_adopted_changes_nothing(assistant, verified):
    report = ask(assistant)
    change = judge(assistant, report, "corrected", correction=BETTER)[0].id if verified else ""
    learner = assistant.learning.learner
    before = stored(assistant)
    interrupted = replace(learner, changer=Interrupted(learner.changer.knowledge, learner.changer.embedder))
    with pytest.raises(KnowledgeError, match="disk is full"):
        interrupted.adopt(QUESTION, report, "update:1", replaces=change)
    assert stored(assistant) == before
    assert [held.id for held in assistant.learning.changes("active")] == [change] * verified
    assert ask(assistant).level is (Level.DIRECT if verified else Level.FACTUAL)
    assert learner.adopt(QUESTION, report, "update:1", replaces=change).status == "active"


@pytest.mark.parametrize("adopting", [False, True])
def test_others_go_on_while_the_questions_are_asked_that_show_an_effect(assistant, adopting):
    report = ask(assistant)
    learner = assistant.learning.learner
    waited: list[bool] = []

    def asked(question: str, seconds: float) -> Report:
        other = threading.Thread(target=learner.refresh, daemon=True)
        other.start()
        other.join(5)
        waited.append(other.is_alive())
        return report

    measuring = replace(learner, effects=replace(learner.effects, ask=asked))
    if adopting:
        measuring.adopt(QUESTION, report, "update:1")
    else:
        measuring.take(Feedback(run=report.run, target="answer", verdict="right"))
    assert waited and not any(waited)


def test_what_is_said_twice_at_once_is_learnt_once(assistant):
    report = ask(assistant)
    learner = assistant.learning.learner
    given = Feedback(run=report.run, target="answer", verdict="right")
    other: list[tuple[Change, ...]] = []

    def asked(question: str, seconds: float) -> Report:
        if not other:
            other.append(())
            other[0] = learner.take(given)
        return report

    made = replace(learner, effects=replace(learner.effects, ask=asked)).take(given)
    assert made == other[0]
    assert len(assistant.learning.feedback(report.run)) == 1


TEACHING = """
import os, signal, sys
from dataclasses import dataclass, replace
from pathlib import Path
from core.domain import Feedback
from core.learning.apply_changes import ChangeApplier
from tests.learning.conftest import BETTER, ask, opened

@dataclass(frozen=True)
class Dying(ChangeApplier):
    def make(self, change):
        made.append(super().make(change))
        if len(made) == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return made[-1]

made = []
assistant = opened(Path(sys.argv[1]))
report = ask(assistant)
learner = assistant.learning.learner
print(report.run, flush=True)
changer = Dying(learner.changer.knowledge, learner.changer.embedder)
given = Feedback(run=report.run, target="answer", verdict="corrected", correction=BETTER)
print(len(replace(learner, changer=changer).take(given)), flush=True)
assistant.close()
"""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_process_killed_while_it_learns_has_learnt_all_or_nothing(template: Path, tmp_path: Path) -> None:
    numbers, whole = [99], 0
    while numbers:
        number = numbers.pop()
        folder = Path(shutil.copytree(template, tmp_path / str(number)))
        died = subprocess.run(
            [sys.executable, "-c", TEACHING, str(folder), str(number)],
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        output = died.stdout.split()
        if number == 99:
            whole = int(output[1])
            numbers = list(range(1, whole + 1))
            continue
        assert died.returncode == -signal.SIGKILL and len(output) == 1, died.stderr
        fresh = opened(folder)
        try:
            assert fresh.learning.feedback(output[0]) == [] and fresh.learning.changes("active") == []
            assert {
                table: rows for table, rows in stored(fresh).items() if rows and table in TAUGHT[:4]
            } == {}
            given = Feedback(run=output[0], target="answer", verdict="corrected", correction=BETTER)
            assert len(fresh.learning.give_feedback(given)) == whole
            fresh.library.knowledge.repair()
            assert fresh.library.knowledge.check() == []
        finally:
            fresh.close()
