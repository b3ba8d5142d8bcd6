"""Feedback that changes the knowledge base, over a real library: taken, seen, measured, undone exactly."""

import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain import Feedback, Level, Outcome, Scope, Support
from core.errors import FeedbackError, NotFound
from core.tasks import Classified, ClassifyTags
from tests.doubles import ScriptedLLM
from tests.learning.conftest import BETTER, QUESTION, ask, judge, opened, stored, undone
from tests.ollama_double import OllamaDouble

REWORDED = "The wet clean of a PE-300 chamber takes how long?"

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
    assert "verified by a reader" in again.notes[0]
    assert "6.5 hours" in again.passages[again.sentences[0].citations[0] - 1].chunk.text


def test_a_confirmed_answer_keeps_its_sentences_and_their_sources(assistant):
    first = ask(assistant)
    judge(assistant, first, "right")
    again = ask(assistant)
    assert again.level is Level.DIRECT
    assert [s.text for s in again.sentences] == [s.text for s in first.sentences]
    cited = {again.passages[n - 1].chunk.id for s in again.sentences for n in s.citations}
    assert cited == {first.passages[n - 1].chunk.id for s in first.sentences for n in s.citations}


def test_a_question_over_the_window_of_the_embedder_is_judged_like_any_other(assistant):
    asked = f"{QUESTION} {'It is asked for the shift plan of the next months, please. ' * 60}"
    assert assistant.library.gatherer().retriever.embedder.count(asked) > 256
    first = ask(assistant, asked)
    (change,) = judge(assistant, first, "corrected", correction=BETTER)
    assert change.kind == "verified answer"
    assert ask(assistant, asked).answer.startswith(BETTER.rstrip("."))


def test_a_verified_answer_stands_in_the_distilled_layer_with_who_verified_it(assistant):
    judge(assistant, ask(assistant), "right")
    (held,) = assistant.library.knowledge.learned.verified.list()
    (atom,) = assistant.library.contents.atoms_by_id([held.id])
    assert (atom.verified_by, atom.text, atom.kind) == ("reader", QUESTION, "question")
    near = assistant.library.contents.nearest(
        assistant.questions.steps().loop.retriever.vector(QUESTION), "atoms", 1
    )
    assert near[0].id == held.id


def test_the_tags_of_what_answers_an_accepted_question_come_first_when_classes_are_made(assistant):
    seen: list[tuple[str, ...]] = []

    def sort(task: ClassifyTags) -> Classified:
        seen.append(task.terms)
        return Classified()

    classifier = replace(assistant.learning.tag_classes, llm=ScriptedLLM(sort))
    learning = replace(assistant.learning, tag_classes=classifier)
    learning.learn_tags()
    report = ask(assistant)
    judge(assistant, report, "right")
    learning.learn_tags()
    cited = report.passages[report.sentences[0].citations[0] - 1].chunk.id
    answering = {tag.name for tag in assistant.library.contents.tags(cited)} & set(seen[1])
    assert answering and set(seen[1][: len(answering)]) == answering
    assert seen[0] != seen[1]


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


def test_a_correction_answers_its_question_in_other_words_and_says_whose_it_is(assistant):
    first = ask(assistant)
    judge(assistant, first, "corrected", correction=BETTER)
    again = ask(assistant, REWORDED)
    assert again.level is Level.DIRECT
    assert again.answer.startswith(BETTER.rstrip("."))
    assert again.notes[0].startswith(f"From a reader's correction of “{QUESTION}” on ")


@pytest.mark.parametrize("verdict", ["right", "corrected"])
def test_what_a_query_computed_can_be_verified_with_either_engine(template, tmp_path, verdict):
    folder = Path(shutil.copytree(template, tmp_path / "library"))
    (tmp_path / "parts.csv").write_text("Part,Lead time [weeks]\nFocus ring,4\nSeal band,6\nLift pin,3\n")
    statement = "What is the lead time of the focus ring?"
    with closing(opened(folder)) as held:
        held.library.wait(held.library.ingest([tmp_path / "parts.csv"]))
        first = ask(held, statement)
        assert first.passages[0].why[0].startswith("computed"), first.passages[0].why
        judge(held, first, verdict, correction="It is 5 weeks since May." * (verdict == "corrected"))
        assert ask(held, statement).level is Level.DIRECT
    with OllamaDouble() as double, closing(opened(folder, double.host)) as held:
        again = ask(held, "The lead time of the focus ring is what?")
        assert ("5 weeks since May" in again.answer) is (verdict == "corrected")
        assert ("'s correction of" in "".join(again.notes)) is (verdict == "corrected")
        near = ask(held, "What is the lead time of the lift pin?")
        assert "5 weeks" not in near.answer


def test_a_correction_in_other_words_ends_with_its_source(assistant):
    judge(assistant, ask(assistant), "corrected", correction=BETTER)
    held = next(d.id for d in assistant.library.contents.documents() if d.name == "manual.md")
    assistant.library.delete_permanently(held)
    assert BETTER.rstrip(".") not in ask(assistant, REWORDED).answer


def test_what_was_only_confirmed_is_worked_out_anew_in_other_words(assistant):
    judge(assistant, ask(assistant), "right")
    assert ask(assistant, REWORDED).level is not Level.DIRECT


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
    assistant.library.delete_permanently(
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
    assistant.library.knowledge.remove_enrichment(
        next(d.id for d in assistant.library.contents.documents() if d.name == "manual.md")
    )
    assert not assistant.library.contents.atoms_by_id([held.id])
    assistant.learning.changes()
    assert assistant.library.contents.atoms_by_id([held.id])


# -- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "verdict", "correction", "text"),
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
def test_feedback_that_says_nothing_is_refused_with_what_to_do(assistant, target, verdict, correction, text):
    report = ask(assistant)
    with pytest.raises(FeedbackError, match=text) as refused:
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
