"""The figures are given what the run says."""

import json

import pytest

from core.domain import Passage
from core.i18n import messages
from core.tasks import Call
from core.trace import Finished, PartAnswered, Stamped, StepFinished, StepStarted, Synthesised
from core.ui.trace import call_waterfall, trace_charts
from core.ui.trace.run_trace import read_trace
from tests.ui import sample


def test_a_plan_is_drawn_wave_by_wave_with_its_edges() -> None:
    data = trace_charts.plan(read_trace(sample.events()))
    assert [[node["id"] for node in column] for column in data["columns"]] == [
        ["question"],
        ["part1"],
        ["part2", "part3"],  # the numbers rise as they are read
        ["answer"],
    ]
    assert {(a, b) for a, b, _ in data["edges"]} == {
        ("question", "part1"),
        ("question", "part3"),
        ("part1", "part2"),
        ("part2", "answer"),
        ("part3", "answer"),
    }
    assert data["label"] == "Plan: part 1, then part 2 and part 3, then the answer"


def test_parts_of_a_run_that_was_stopped_are_not_at_work() -> None:
    events = sample.events()
    cut = next(at for at, each in enumerate(events) if isinstance(each.event, PartAnswered))
    going = trace_charts.plan(read_trace(events[:cut]))
    last = events[-1].event
    assert isinstance(last, Finished)
    stopped = last.model_copy(update={"report": last.report.model_copy(update={"partial": True})})
    over = trace_charts.plan(read_trace([*events[:cut], events[-1].model_copy(update={"event": stopped})]))
    assert "working …" in json.dumps(going, ensure_ascii=False)
    assert states(over) == {"not finished"}
    assert not any(live for *_, live in over["edges"])
    assert states(trace_charts.plan(read_trace([*events[:cut], events[-1]]))) == {"not asked by itself"}


def states(drawn: trace_charts.Data) -> set[str]:
    """Return what the parts of a drawn plan say of themselves."""
    return {node["state"] for column in drawn["columns"][1:-1] for node in column}  # type: ignore[index]


def test_what_a_node_looks_like_does_not_hang_on_the_readers_language() -> None:
    events = sample.events()
    with messages.speaking("zh"):
        result = trace_charts.plan(read_trace(events), compact=True)["columns"]
    english = trace_charts.plan(read_trace(events), compact=True)["columns"]
    assert [[node["status"] for node in wave] for wave in result] == [
        [node["status"] for node in wave] for wave in english
    ]
    assert result[-1][0]["kicker"] != english[-1][0]["kicker"]


def test_a_simple_question_has_no_plan_to_draw() -> None:
    assert trace_charts.plan(read_trace(sample.events()[:4]))["columns"] == []


def test_reranking_is_drawn_from_the_new_order() -> None:
    data = trace_charts.slope(sample.PASSAGES)
    assert data is not None
    assert [row["state"] for row in data["rows"]] == ["up", "down", "up", "down"]
    assert data["label"] == "Reranking moved 2 of 4 passages up"


def test_an_order_that_is_not_known_is_not_drawn() -> None:
    assert trace_charts.slope([p.model_copy(update={"rank_before": None}) for p in sample.PASSAGES]) is None


def test_scores_are_drawn_relative_to_the_best_of_their_leg() -> None:
    rows = trace_charts.evidence(sample.PASSAGES, cited=["chunk01"])
    first = {score["leg"]: (score["value"], score["share"]) for score in rows[0]["scores"]}
    assert first["words"] == ("9.41", 1.0)
    assert rows[0]["badge"] == "cited"
    assert "atoms" not in {score["leg"] for score in rows[2]["scores"]}
    assert all(score["scale"] for row in rows for score in row["scores"])


def test_a_passage_has_one_figure_relative_to_the_best_of_its_list() -> None:
    assert [row["figure"] for row in trace_charts.evidence(sample.PASSAGES)] == ["100", "88", "70", "24"]
    bare = [p.model_copy(update={"scores": {}, "score": n}) for n, p in enumerate(sample.PASSAGES)]
    assert [row["figure"] for row in trace_charts.evidence(bare)] == ["0", "33", "67", "100"]


@pytest.mark.parametrize("passage", sample.PASSAGES)
def test_the_marked_range_is_the_sentence_that_matters(passage: Passage) -> None:
    row = trace_charts.evidence([passage])[0]
    span = passage.highlights[0]
    assert [row["text"][a:b] for a, b in row["marks"]] == [passage.chunk.text[span.start : span.end]]


def test_a_long_passage_is_cut_around_its_mark() -> None:
    held = sample.PASSAGES[0]
    lead = "filler words " * 300
    chunk = held.chunk.model_copy(update={"text": lead + held.chunk.text})
    span = held.highlights[0]
    moved = span.model_copy(update={"start": span.start + len(lead), "end": span.end + len(lead)})
    row = trace_charts.evidence([held.model_copy(update={"chunk": chunk, "highlights": (moved,)})])[0]
    assert len(row["text"]) < 1700
    assert [row["text"][a:b] for a, b in row["marks"]] == [
        "All 25 wafers were processed on ETCH-03, chamber B."
    ]


def test_calls_and_steps_stand_on_one_axis_with_seconds_and_tokens() -> None:
    call = Call(task="Answer", engine="llama3", seconds=0.8, tokens_in=900, tokens_out=100)
    events = [
        (0.0, StepStarted(step="synthesise")),
        (
            2.0,
            Synthesised(
                sentences=(), cause="synthesise", calls=(call, call.model_copy(update={"cached": True}))
            ),
        ),
        (2.0, StepFinished(step="synthesise")),
    ]
    trace = read_trace([Stamped(seq=n, at=at, event=event) for n, (at, event) in enumerate(events)])
    step, first, second = call_waterfall.bars(trace)
    assert (step.start, step.seconds, step.call) == (0.0, 2.0, None)
    assert (round(first.start, 3), first.seconds, first.label) == (1.2, 0.8, "800 ms · 900 in, 100 out")
    assert (second.kind, second.call) == ("cached", 1)
    assert len(call_waterfall.figure(trace).data) == 3


def test_everything_drawn_can_be_sent_as_json() -> None:
    trace = read_trace(sample.events())
    for data in (trace_charts.plan(trace), trace_charts.evidence(sample.PASSAGES)):
        json.dumps(data)
    json.dumps(trace_charts.ledger(sample.SENTENCES))
