"""The gap backlog and the self-update: asked again after documents come, readers first, nothing lost."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Feedback, Level, Report
from core.errors import FeedbackError, Stopped
from core.settings import LLMSettings, Settings, StoreSettings
from core.work.runs.background_reasking import YieldingStop
from tests.learning.papers import MANUAL, MEETING, SPARES

PRICE = "What does the helium regulator valve PN-7781 cost?"
ABSENT = "Who won the chess olympiad of 1972?"


def opened(folder: Path, *, background: bool = False) -> Assistant:
    settings = Settings(store=StoreSettings(path=folder / "library"), llm=LLMSettings(backend="built-in"))
    return build(settings, warm=background)


def add(assistant: Assistant, folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    assistant.library.wait(assistant.library.ingest([folder / name]))


def ask(assistant: Assistant, question: str) -> Report:
    return assistant.questions.wait(assistant.questions.ask(question), 60)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of one document, to be copied."""
    folder = tmp_path_factory.mktemp("template")
    opened_file = opened(folder)
    add(opened_file, folder, "manual.md", MANUAL)
    opened_file.close()
    return folder / "library"


@pytest.fixture
def assistant(tmp_path: Path, template: Path) -> Iterator[Assistant]:
    """An assistant over a copy of the library, with the built-in engine."""
    shutil.copytree(template, tmp_path / "library")
    opened_file = opened(tmp_path)
    yield opened_file
    opened_file.close()


def test_a_gap_is_found_although_the_clock_was_set_back(assistant):
    ask(assistant, PRICE)
    runs = assistant.learning.knowledge.runs
    ended = runs.list(limit=1)[0]
    runs.save_run(ended.model_copy(update={"finished": (ended.finished or 0.0) + 86_400}))
    assert len(assistant.learning.gaps("open")) == 1
    ask(assistant, ABSENT)
    assert {gap.question for gap in assistant.learning.gaps("open")} == {PRICE, ABSENT}


def test_what_is_not_found_becomes_a_gap_and_an_answer_closes_it(assistant, tmp_path):
    ask(assistant, PRICE)
    (gap,) = assistant.learning.gaps("open")
    assert (gap.question, gap.reason) == (PRICE, "nothing found")
    add(assistant, tmp_path, "spares.md", SPARES)
    ask(assistant, PRICE)
    (gap,) = assistant.learning.gaps()
    assert (gap.status, gap.closed_by[:3]) == ("closed", "run")


def test_a_dismissed_gap_is_not_opened_again(assistant):
    ask(assistant, ABSENT)
    assistant.learning.dismiss(assistant.learning.gaps("open")[0].id)
    ask(assistant, ABSENT)
    assert assistant.learning.gaps("open") == []


def test_an_update_says_what_changed_and_because_of_what(assistant, tmp_path):
    ask(assistant, PRICE)
    ask(assistant, ABSENT)
    assert assistant.learning.updater.due() is None
    add(assistant, tmp_path, "spares.md", SPARES)
    update = assistant.learning.update()
    assert update is not None
    assert (update.status, update.asked, len(update.new)) == ("done", 2, 1)
    (changed,) = update.differences
    assert changed.question == PRICE
    assert changed.before == ""
    assert "2,150 EUR" in changed.after.replace("**", "")
    assert changed.because == ("Spare parts",)
    assert [gap.question for gap in assistant.learning.gaps("open")] == [ABSENT]


def test_an_accepted_difference_is_a_verified_answer_and_is_decided_once(assistant, tmp_path):
    ask(assistant, PRICE)
    assistant.learning.updater.due()
    add(assistant, tmp_path, "spares.md", SPARES)
    update = assistant.learning.update()
    assert update is not None
    change = assistant.learning.accept(update.number, update.differences[0].id)
    assert change.kind == "verified answer"
    assert ask(assistant, PRICE).level is Level.DIRECT
    with pytest.raises(FeedbackError, match="accepted already"):
        assistant.learning.reject(update.number, update.differences[0].id)


def test_a_rejected_difference_leaves_the_gap_open(assistant, tmp_path):
    ask(assistant, PRICE)
    assistant.learning.updater.due()
    add(assistant, tmp_path, "spares.md", SPARES)
    update = assistant.learning.update()
    assert update is not None
    assistant.learning.reject(update.number, update.differences[0].id)
    assert [gap.question for gap in assistant.learning.gaps("open")] == [PRICE]


def test_a_verified_answer_that_new_documents_contradict_is_shown_not_replaced(assistant, tmp_path):
    question = "How long does the wet clean of a PE-300 chamber take?"
    report = ask(assistant, question)
    assistant.learning.give_feedback(Feedback(run=report.run, target="answer", verdict="right"))
    assistant.learning.updater.due()
    newer = "# Cleaning notice\n\nThe wet clean of a PE-300 chamber takes 5 hours since May 2025.\n"
    add(assistant, tmp_path, "notice.md", newer)
    update = assistant.learning.update()
    assert update is not None
    (changed,) = update.differences
    assert (changed.of, changed.because) == ("verified answer", ("Cleaning notice",))
    assert ask(assistant, question).answer == report.answer
    assistant.learning.accept(update.number, changed.id)
    assert ask(assistant, question).answer == changed.after


def test_an_update_that_a_crash_cut_off_goes_on(tmp_path):
    first = opened(tmp_path)
    add(first, tmp_path, "manual.md", MANUAL)
    ask(first, PRICE)
    ask(first, ABSENT)
    first.learning.updater.due()
    add(first, tmp_path, "spares.md", SPARES)
    update = first.learning.updater.due()
    assert update is not None
    asked = first.learning.updater.step(
        update, lambda q, scope: first.learning.reasker._ask(q, scope, threading.Event())
    )
    assert len(asked.pending) == 1
    first.close()
    second = opened(tmp_path)
    going = second.learning.updater.due()
    assert going is not None
    assert (going.number, going.pending) == (asked.number, asked.pending)
    done = second.learning.update()
    assert done is not None
    assert (done.status, done.asked) == ("done", 2)
    second.close()


def test_what_is_being_asked_ends_at_once_for_a_reader_and_stays_pending(assistant, tmp_path):
    ask(assistant, PRICE)
    assistant.learning.updater.due()
    add(assistant, tmp_path, "spares.md", SPARES)
    update = assistant.learning.updater.due()
    assert update is not None
    stop = YieldingStop(lambda: True)
    with pytest.raises(Stopped):
        assistant.learning.updater.step(
            update, lambda q, scope: assistant.learning.reasker._ask(q, scope, stop)
        )
    assert assistant.learning.updates()[0].pending == update.pending


def test_a_cancelled_update_stays_cancelled(assistant, tmp_path):
    ask(assistant, PRICE)
    assistant.learning.updater.due()
    add(assistant, tmp_path, "spares.md", SPARES)
    update = assistant.learning.updater.due()
    assert update is not None
    assistant.learning.cancel(update.number)
    assert assistant.learning.updater.due() is None
    assert assistant.learning.updates()[0].status == "cancelled"


def test_no_more_than_the_bound_is_asked_and_the_rest_is_told(assistant):
    for number in range(4):
        ask(assistant, f"Who won the chess olympiad of 19{72 + number}?")
    assistant.learning.updater.due()
    few = assistant.learning.updater.__class__(
        assistant.library.knowledge, assistant.learning.learner, assistant.learning.backlog, most=3
    )
    update = few.now()
    assert update is not None
    assert (len(update.pending), update.skipped) == (3, 1)


def test_in_the_background_gaps_are_asked_again_after_documents_come(tmp_path):
    opened_file = opened(tmp_path, background=True)
    try:
        add(opened_file, tmp_path, "meeting.md", MEETING)
        assert opened_file.learning.reasker.wait_until_idle(
            30
        )  # what is distilled late is a change of its own
        ask(opened_file, PRICE)
        assert opened_file.learning.reasker.wait_until_idle(30)
        add(opened_file, tmp_path, "spares.md", SPARES)
        assert opened_file.learning.reasker.wait_until_idle(60)
        (update,) = opened_file.learning.updates()
        assert (update.status, [d.because for d in update.differences]) == ("done", [("Spare parts",)])
    finally:
        opened_file.close()
