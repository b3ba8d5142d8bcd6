"""The figures are given what the run says."""

import json

import pytest

from core.domain import Passage
from core.tasks import Call
from core.trace import PartAnswered, Searched, Stamped, StepFinished, StepStarted, Synthesised
from core.ui.trace import charts
from core.ui.trace.story import tell
from tests.ui import sample


def test_a_plan_is_drawn_wave_by_wave_with_its_edges() -> None:
    data = charts.plan(tell(sample.events()))
    assert [[node["id"] for node in column] for column in data["columns"]] == [
        ["question"],
        ["part1", "part3"],
        ["part2"],
        ["answer"],
    ]
    assert {(a, b) for a, b, _ in data["edges"]} == {
        ("question", "part1"),
        ("question", "part3"),
        ("part1", "part2"),
        ("part2", "answer"),
        ("part3", "answer"),
    }
    assert data["label"] == "Plan: part 1 and part 3, then part 2, then the answer"


def test_parts_of_a_run_that_was_stopped_are_not_at_work() -> None:
    told = sample.events()
    cut = next(at for at, each in enumerate(told) if isinstance(each.event, PartAnswered))
    going = charts.plan(tell(told[:cut]))
    over = charts.plan(tell([*told[:cut], told[-1]]))
    assert "working …" in json.dumps(going, ensure_ascii=False)
    assert {node["state"] for column in over["columns"][1:-1] for node in column} == {"not finished"}
    assert not any(live for *_, live in over["edges"])


def test_a_simple_question_has_no_plan_to_draw() -> None:
    assert charts.plan(tell(sample.events()[:4]))["columns"] == []


def test_reranking_is_drawn_from_the_new_order() -> None:
    data = charts.slope(sample.PASSAGES)
    assert data is not None
    assert [row["state"] for row in data["rows"]] == ["up", "down", "up", "down"]
    assert data["label"] == "Reranking moved 2 of 4 passages up"


def test_an_order_that_is_not_known_is_not_drawn() -> None:
    assert charts.slope([p.model_copy(update={"rank_before": None}) for p in sample.PASSAGES]) is None


def test_scores_are_drawn_relative_to_the_best_of_their_leg() -> None:
    rows = charts.evidence(sample.PASSAGES, cited=["chunk01"])
    first = {score["leg"]: (score["value"], score["share"]) for score in rows[0]["scores"]}
    assert first["words"] == ("9.41", 1.0)
    assert rows[0]["badge"] == "cited"
    assert {score["leg"]: score["value"] for score in rows[2]["scores"]}["atoms"] == "–"


@pytest.mark.parametrize("passage", sample.PASSAGES)
def test_the_marked_range_is_the_sentence_that_matters(passage: Passage) -> None:
    row = charts.evidence([passage])[0]
    span = passage.highlights[0]
    assert [row["text"][a:b] for a, b in row["marks"]] == [passage.chunk.text[span.start : span.end]]


def test_a_long_passage_is_cut_around_its_mark() -> None:
    held = sample.PASSAGES[0]
    lead = "filler words " * 100
    chunk = held.chunk.model_copy(update={"text": lead + held.chunk.text})
    span = held.highlights[0]
    moved = span.model_copy(update={"start": span.start + len(lead), "end": span.end + len(lead)})
    row = charts.evidence([held.model_copy(update={"chunk": chunk, "highlights": (moved,)})])[0]
    assert len(row["text"]) < 450
    assert [row["text"][a:b] for a, b in row["marks"]] == [
        "All 25 wafers were processed on ETCH-03, chamber B."
    ]


def test_steps_are_drawn_on_one_axis() -> None:
    data = charts.waterfall(tell(sample.events()))
    assert data["rows"][0]["start"] == 0
    assert all(0 <= row["start"] <= row["end"] <= 1 for row in data["rows"])
    assert data["ticks"][-1]["text"] == "1.4 s"


def test_the_tokens_of_a_step_stand_beside_its_engine() -> None:
    call = Call(task="Answer", engine="llama3", tokens_in=900, tokens_out=100)
    told = [
        (0.0, StepStarted(step="gather")),
        (0.5, Searched(query="q", calls=(call,))),
        (1.0, StepFinished(step="gather")),
        (1.0, StepStarted(step="synthesise")),
        (
            2.0,
            Synthesised(
                sentences=(), cause="synthesise", calls=(call, call.model_copy(update={"cached": True}))
            ),
        ),
        (2.0, StepFinished(step="synthesise")),
    ]
    story = tell([Stamped(seq=n, at=at, event=event) for n, (at, event) in enumerate(told)])
    assert [row["engine"] for row in charts.waterfall(story)["rows"]] == ["llama3 · 1,000 tokens"] * 2


def test_everything_drawn_can_be_sent_as_json() -> None:
    story = tell(sample.events())
    for data in (charts.plan(story), charts.waterfall(story), charts.evidence(sample.PASSAGES)):
        json.dumps(data)
    json.dumps(charts.ledger(sample.SENTENCES))
