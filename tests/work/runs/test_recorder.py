"""Events are stamped and saved at once, in one order, whichever thread tells them."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import Stopped
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.records import Run
from core.tasks import Call
from core.trace import StepFinished, StepStarted, Wrote
from core.work.runs.recorder import Recorder


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase(tmp_path, "none") as opened:
        opened.runs.save_run(Run(id="r", conversation="c", question="q"))
        yield opened


def free() -> None:
    """Nobody stops the run."""


def test_an_event_is_stored_the_moment_it_is_told(base):
    recorder = Recorder(base.runs, "r", free)
    recorder.emit(StepStarted(step="understand"))
    (stored,) = base.runs.events("r")
    assert stored.event == StepStarted(step="understand")
    assert 0 <= stored.at < 5


def test_written_text_is_gathered_and_loses_nothing(base):
    recorder = Recorder(base.runs, "r", free)
    made = Call(task="Answer", engine="built-in", fallback="the reply broke off")
    for word in ["a", "b", "c", "d", "e", "f", "g"]:
        recorder.emit(Wrote(text=word))
    recorder.emit(Wrote(text="h", calls=(made,)))
    recorder.emit(StepFinished(step="synthesise"))
    stored = [s.event for s in base.runs.events("r")]
    assert "".join(e.text for e in stored if isinstance(e, Wrote)) == "abcdefgh"
    assert len(stored) < 8
    assert [call for e in stored for call in e.calls] == [made]
    assert isinstance(stored[-1], StepFinished)


def test_the_first_piece_is_seen_at_once_and_later_ones_after_a_tenth_of_a_second(base):
    recorder = Recorder(base.runs, "r", free)
    time.sleep(0.11)
    recorder.emit(Wrote(text="first"))
    assert len(base.runs.events("r")) == 1
    recorder.emit(Wrote(text=" second"))
    assert len(base.runs.events("r")) == 1
    time.sleep(0.11)
    recorder.emit(Wrote(text=" third"))
    assert [s.event.text for s in base.runs.events("r")] == ["first", " second third"]


def test_text_of_two_rounds_is_not_mixed(base):
    recorder = Recorder(base.runs, "r", free)
    recorder.emit(Wrote(text="one"))
    recorder.emit(Wrote(text="two", round=2))
    assert [(e.text, e.round) for e in recorder.events() if isinstance(e, Wrote)] == [("one", 1), ("two", 2)]


def test_many_threads_give_one_gapless_order(base):
    recorder = Recorder(base.runs, "r", free)

    def emit(n: int) -> None:
        for step in range(25):
            recorder.emit(StepStarted(step=f"{n}.{step}"))

    threads = [threading.Thread(target=emit, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = base.runs.events("r")
    assert [s.seq for s in stored] == list(range(100))
    assert [s.at for s in stored] == sorted(s.at for s in stored)
    assert len({s.event.step for s in stored}) == 100


def test_a_stopped_run_ends_at_the_next_thing_told(base):
    def stopped() -> None:
        raise Stopped("stop")

    recorder = Recorder(base.runs, "r", stopped)
    with pytest.raises(Stopped):
        recorder.emit(StepStarted(step="understand"))
    recorder.record(StepStarted(step="last"))
    assert [s.event.step for s in base.runs.events("r")] == ["last"]


def test_what_is_no_event_is_refused(base):
    with pytest.raises(ValueError, match="no event"):
        Recorder(base.runs, "r", free).emit("hello")
