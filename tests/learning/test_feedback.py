"""Feedback that changes the knowledge base, over a real library: taken, seen, measured, undone exactly."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Feedback, Level, Outcome, Report, Scope, Support
from core.errors import FeedbackError, KnowledgeError, NotFound
from core.knowledge.learned.changes import Change
from core.learning.change_store import Changer
from core.settings import LLMSettings, Settings, StoreSettings
from tests.learning.papers import MANUAL, MEETING

QUESTION = "How long does the wet clean of a PE-300 chamber take?"
BETTER = "The wet clean of a PE-300 chamber takes 6.5 hours."
TAUGHT = (
    "verified_answers",
    "usefulness",
    "tag_pairs",
    "accepted_plans",
    "tags",
    "relations",
    "atoms",
    "gaps",
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of two small documents, to be copied."""
    folder = tmp_path_factory.mktemp("template")
    (folder / "manual.md").write_text(MANUAL, encoding="utf-8")
    (folder / "meeting.md").write_text(MEETING, encoding="utf-8")
    held = opened(folder / "library")
    held.library.queue.wait(held.library.ingest([folder / "manual.md", folder / "meeting.md"]))
    held.close()
    return folder / "library"


def opened(folder: Path) -> Assistant:
    settings = Settings(store=StoreSettings(path=folder), llm=LLMSettings(backend="built-in"))
    return build(settings, warm=False)


@pytest.fixture
def assistant(tmp_path: Path, template: Path) -> Iterator[Assistant]:
    """An assistant over a copy of the library, with the built-in engine."""
    held = opened(Path(shutil.copytree(template, tmp_path / "library")))
    yield held
    held.close()


def ask(assistant: Assistant, question: str = QUESTION) -> Report:
    return assistant.questions.wait(assistant.questions.ask(question), 60)


def judge(
    assistant: Assistant, report: Report, verdict: str, target: str = "answer", correction: str = ""
) -> tuple[Change, ...]:
    given = {"run": report.run, "target": target, "verdict": verdict, "correction": correction}
    return assistant.learning.give_feedback(Feedback.model_validate(given))


def stored(assistant: Assistant) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of what feedback may change, as the database holds it."""
    with sqlite3.connect(assistant.library.path / "catalog.sqlite") as connection:
        return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TAUGHT}


def undone(assistant: Assistant, before: dict[str, list[tuple[object, ...]]], *changes: Change) -> bool:
    for change in reversed(changes):
        assert assistant.learning.undo(change.id).status == "undone"
    return stored(assistant) == before


# -- verified answers ---------------------------------------------------------------------------


def test_a_corrected_answer_is_given_from_l0_next_time(assistant):
    first = ask(assistant)
    assert first.level is Level.FACTUAL
    (change,) = judge(assistant, first, "corrected", correction=BETTER)
    assert change.kind == "verified answer"
    again = ask(assistant, "how long does a wet clean of the PE-300 chamber take")
    assert again.level is Level.DIRECT
    assert again.outcome is Outcome.ANSWER
    assert again.answer.startswith(BETTER.rstrip("."))
    assert "verified by reader" in again.notes[0]
    assert "6.5 hours" in again.passages[again.sentences[0].citations[0] - 1].chunk.text


def test_a_confirmed_answer_keeps_its_sentences_and_their_sources(assistant):
    first = ask(assistant)
    judge(assistant, first, "right")
    again = ask(assistant)
    assert again.level is Level.DIRECT
    assert [s.text for s in again.sentences] == [s.text for s in first.sentences]
    cited = {again.passages[n - 1].chunk.id for s in again.sentences for n in s.citations}
    assert cited == {first.passages[n - 1].chunk.id for s in first.sentences for n in s.citations}


def test_a_verified_answer_stands_in_the_distilled_layer_with_who_verified_it(assistant):
    judge(assistant, ask(assistant), "right")
    (held,) = assistant.library.knowledge.learned.verified.list()
    (atom,) = assistant.library.contents.atoms_by_id([held.id])
    assert (atom.verified_by, atom.text, atom.kind) == ("reader", QUESTION, "question")
    near = assistant.library.contents.nearest(
        assistant.questions.steps().loop.retriever.vector(QUESTION), "atoms", 1
    )
    assert near[0].id == held.id


def test_undoing_a_verified_answer_leaves_nothing_of_it(assistant):
    first = ask(assistant)
    before = stored(assistant)
    (change,) = judge(assistant, first, "corrected", correction=BETTER)
    assert stored(assistant) != before
    assert undone(assistant, before, change)
    assert ask(assistant).level is Level.FACTUAL
    assert assistant.learning.feedback(first.run) == []


def test_another_question_is_not_answered_by_it(assistant):
    judge(assistant, ask(assistant), "corrected", correction=BETTER)
    assert ask(assistant, "How long does the wet clean of a PE-400 chamber take?").level is not Level.DIRECT


def test_it_is_not_given_where_its_passages_are_out_of_scope_or_another_level_is_chosen(assistant):
    judge(assistant, ask(assistant), "corrected", correction=BETTER)
    other = next(d.id for d in assistant.library.contents.documents() if d.name == "meeting.md")
    narrow = assistant.questions.ask(QUESTION, scope=Scope(documents=(other,)))
    assert assistant.questions.wait(narrow, 60).level is not Level.DIRECT
    chosen = assistant.questions.ask(QUESTION, level=Level.FACTUAL)
    assert assistant.questions.wait(chosen, 60).level is Level.FACTUAL


def test_a_correction_no_passage_says_is_kept_but_told_as_unsupported(assistant):
    judge(assistant, ask(assistant), "corrected", correction="It takes 97 days and a moose.")
    again = ask(assistant)
    assert again.outcome is Outcome.CAVEAT
    assert again.sentences[0].support is Support.MISSING


def test_a_verified_answer_ends_when_its_evidence_leaves_and_is_asked_again(assistant):
    (change,) = judge(assistant, ask(assistant), "corrected", correction=BETTER)
    assistant.library.remove(
        next(d.id for d in assistant.library.contents.documents() if d.name == "manual.md")
    )
    assert ask(assistant).level is not Level.DIRECT
    (ended,) = (c for c in assistant.learning.changes() if c.id == change.id)
    assert ended.status == "invalid"
    assert "left the library" in ended.reason
    assert QUESTION in [gap.question for gap in assistant.learning.gaps("open")]


def test_a_new_distillation_of_the_document_does_not_lose_it(assistant):
    judge(assistant, ask(assistant), "right")
    (held,) = assistant.library.knowledge.learned.verified.list()
    assistant.library.knowledge.undistil(
        next(d.id for d in assistant.library.contents.documents() if d.name == "manual.md")
    )
    assert not assistant.library.contents.atoms_by_id([held.id])
    assistant.learning.changes()
    assert assistant.library.contents.atoms_by_id([held.id])


# -- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "verdict", "correction", "said"),
    [
        ("answer", "corrected", " ?! ", "correction is empty"),
        ("answer", "right", "but better", "corrects it as well"),
        ("mood", "right", "", "nothing that can be judged"),
        ("sentence:9", "wrong", "", "there is no sentence 9"),
        ("part:7", "wrong", "", "no part 7"),
        ("plan", "right", "", "no plan"),
        ("tag: ", "wrong", "", "No tag is named"),
    ],
)
def test_feedback_that_says_nothing_is_refused_with_what_to_do(assistant, target, verdict, correction, said):
    report = ask(assistant)
    with pytest.raises(FeedbackError, match=said) as refused:
        judge(assistant, report, verdict, target, correction)
    assert refused.value.hint
    assert assistant.learning.feedback(report.run) == []


def test_saying_the_opposite_is_refused_until_the_first_is_taken_back(assistant):
    report = ask(assistant)
    judge(assistant, report, "right")
    with pytest.raises(FeedbackError, match="already judged: right"):
        judge(assistant, report, "wrong")
    assert assistant.learning.retract(report.run, "answer")
    (change,) = judge(assistant, report, "wrong")
    assert change.kind == "gap"


def test_two_corrections_of_one_question_are_refused_across_runs(assistant):
    first, second = ask(assistant), ask(assistant)
    judge(assistant, first, "corrected", correction=BETTER)
    with pytest.raises(FeedbackError, match="says otherwise"):
        judge(assistant, second, "corrected", correction="It takes 8 hours.")
    with pytest.raises(FeedbackError, match="has a verified answer"):
        judge(assistant, second, "wrong")


def test_saying_the_same_twice_changes_nothing(assistant):
    report = ask(assistant)
    first = judge(assistant, report, "corrected", correction=BETTER)
    held = stored(assistant)
    assert [c.id for c in judge(assistant, report, "corrected", correction=BETTER)] == [c.id for c in first]
    assert stored(assistant) == held


def test_a_run_or_passage_that_is_not_there_is_told(assistant):
    with pytest.raises(NotFound):
        assistant.learning.give_feedback(Feedback(run="nothing", target="answer", verdict="right"))
    with pytest.raises(NotFound):
        judge(assistant, ask(assistant), "wrong", "passage:ffff")


def test_a_change_is_undone_once(assistant):
    (change,) = judge(assistant, ask(assistant), "right")
    assistant.learning.undo(change.id)
    with pytest.raises(FeedbackError, match="undone already"):
        assistant.learning.undo(change.id)


# -- smaller things -----------------------------------------------------------------------------


def test_every_other_kind_of_change_is_undone_exactly(assistant):
    report = ask(assistant)
    library = assistant.library.knowledge
    before = stored(assistant)
    passage, tag = report.passages[0], library.tags()[0]
    relation = library.relations()[0]
    told = [
        ("wrong", f"passage:{passage.chunk.id}", ""),
        ("corrected", "tag:zapping", "arcing"),
        ("wrong", f"tag:{tag.name}", ""),
        ("corrected", f"tag:{library.tags()[-1].chunk_id}:{library.tags()[-1].name}", "upkeep"),
        ("wrong", f"relation:{relation.id}", ""),
        ("wrong", "answer", ""),
        ("wrong", "sentence:1", ""),
    ]
    made = [
        change for verdict, target, text in told for change in judge(assistant, report, verdict, target, text)
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
    assert node not in library.propagate({tag.chunk_id: 1.0}, 0.8, weights)
    assistant.learning.undo(change.id)
    assert node in library.propagate({tag.chunk_id: 1.0}, 0.8, weights)


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
    ("questions", "said"),
    [
        (["", " "], "empty"),
        (["Who leads it?", "who leads it"], "twice"),
        ([f"What is number {n}?" for n in range(11)], "10 are the most"),
    ],
)
def test_a_question_set_that_is_no_use_is_refused(assistant, questions, said):
    with pytest.raises(FeedbackError, match=said) as refused:
        assistant.learning.keep_questions(questions)
    assert refused.value.hint


@dataclass(frozen=True)
class FullDisk(Changer):
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


TEACHING = """
import os, signal, sys
from dataclasses import dataclass, replace
from pathlib import Path
from core.domain import Feedback
from core.learning.change_store import Changer
from tests.learning.test_feedback import BETTER, ask, opened

@dataclass(frozen=True)
class Dying(Changer):
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
        said = died.stdout.split()
        if number == 99:
            whole = int(said[1])
            numbers = list(range(1, whole + 1))
            continue
        assert died.returncode == -signal.SIGKILL and len(said) == 1, died.stderr
        held = opened(folder)
        try:
            assert held.learning.feedback(said[0]) == [] and held.learning.changes("active") == []
            assert {table: rows for table, rows in stored(held).items() if rows and table in TAUGHT[:4]} == {}
            given = Feedback(run=said[0], target="answer", verdict="corrected", correction=BETTER)
            assert len(held.learning.give_feedback(given)) == whole
            held.library.knowledge.repair()
            assert held.library.knowledge.check() == []
        finally:
            held.close()
