"""A run's events read as one trace, whatever the order among siblings."""

import random

from core.domain import Outcome
from core.trace import Stamped, StepStarted, WaveStarted, Wrote
from core.ui.trace.run_trace import read_trace
from tests.ui import sample


def test_the_whole_run_is_in_the_story() -> None:
    trace = read_trace(sample.events())
    assert trace.plan == sample.PLAN
    assert {n: part.status() for n, part in trace.parts.items()} == {1: "found", 2: "found", 3: "found"}
    assert trace.parts[2].asked == "Which part was replaced in ETCH-03, chamber B?"
    done = [(type(step.event).__name__, round(step.seconds, 2)) for step in trace.parts[3].steps]
    assert done == [("Searched", 0.06), ("Searched", 0.03), ("Reranked", 0.03), ("TableQueried", 0.03)]
    assert trace.text.split() == sample.ANSWER.split()
    assert trace.verdict is not None
    assert trace.verdict.outcome is Outcome.CAVEAT
    assert trace.engines() == ["built-in"]
    assert len(trace.flags) == len(trace.warnings) == 1


def test_a_run_half_way_shows_which_parts_are_at_work() -> None:
    until = next(s.seq for s in sample.events() if isinstance(s.event, WaveStarted) and s.event.wave == 2)
    trace = read_trace(sample.events()[: until + 1])
    assert trace.parts[1].status() == "found"
    assert trace.parts[2].status() == "running"
    assert trace.report is None


def test_a_part_that_has_not_begun_waits() -> None:
    trace = read_trace(sample.events()[:6])
    assert trace.part(1).status() == "waiting"


def test_each_step_has_its_start_and_end() -> None:
    spans = {(span.step, span.sub_question): span for span in read_trace(sample.events()).spans}
    assert spans["synthesise", None].start == 0.61
    assert spans["synthesise", None].end == 1.2


def test_a_step_that_has_not_ended_reaches_to_now() -> None:
    trace = read_trace([Stamped(seq=0, at=1.0, event=StepStarted(step="understand")), *sample.events()[1:2]])
    assert trace.spans[-1].end == 1.0


def test_siblings_may_come_in_any_order() -> None:
    events = sample.events()
    parallel = [s for s in events if s.event.sub_question in (1, 3)]
    shuffled = parallel[:]
    random.Random(7).shuffle(shuffled)
    order = iter(shuffled)
    mixed = [next(order) if s.event.sub_question in (1, 3) else s for s in events]
    assert [p.passages() for _, p in sorted(read_trace(mixed).parts.items())] == [
        p.passages() for _, p in sorted(read_trace(events).parts.items())
    ]


def test_a_second_round_writes_the_answer_anew() -> None:
    written = [Wrote(text="first"), Wrote(text="second ", round=2), Wrote(text="try", round=2)]
    assert read_trace([Stamped(seq=n, at=n, event=e) for n, e in enumerate(written)]).text == "second try"
