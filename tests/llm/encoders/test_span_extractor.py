"""The reader that looks at question and passage together."""

import numpy as np
import pytest

from core.domain import Evidence
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.passage_readings import NOT_READ, Readings
from core.llm.encoders.embedders import packaged_folder
from core.llm.encoders.minilm import MiniLM
from core.llm.encoders.span_extractor import ADAPTERS, SpanExtractor, SpanLogits

REPORT = (
    "Pump inspection\nThe feed pump P-11 was opened on 4 May. Its impeller had lost 3.2 mm, the seal was "
    "replaced by Dana Ruiz. The spare pump stayed in store."
)


@pytest.fixture(scope="module")
def reader() -> SpanExtractor:
    return SpanExtractor()


def test_where_the_answer_stands_is_told_and_a_near_miss_is_not_here(reader: SpanExtractor) -> None:
    missed = reader.read("What did the repair of pump P-11 cost?", [REPORT])[0].best()
    assert missed is not None and missed.score < 0
    for question, answer in (
        ("Who replaced the seal of P-11?", "Dana Ruiz"),
        ("impeller wear P-11", "3.2 mm"),
        ("When was P-11 opened?", "4 May"),
    ):
        span = reader.read(question, [REPORT])[0].best()
        assert span is not None and span.score > missed.score + 1
        assert REPORT[span.start : span.end] == answer


def test_networks_that_read_the_same_are_averaged(reader: SpanExtractor) -> None:
    question = "Who replaced the seal of P-11?"
    alone = [SpanExtractor(adapters=(one,)).read(question, [REPORT])[0] for one in ADAPTERS]
    assert len(alone) > 1
    together = reader.read(question, [REPORT])[0]
    for side in ("starts", "ends"):
        mean = np.mean([getattr(one, side) for one in alone], axis=0)
        np.testing.assert_allclose(getattr(together, side), mean, atol=1e-3)


def test_a_passage_without_a_chance_is_read_by_the_first_network_alone(reader: SpanExtractor) -> None:
    question, passages = "Who replaced the seal of P-11?", ["Lunch\nThe canteen closes at two.", REPORT]
    first = SpanExtractor(adapters=ADAPTERS[:1]).read(question, passages)
    for both, alone, same in zip(reader.read(question, passages), first, (True, False), strict=True):
        assert np.allclose(both.starts, alone.starts, atol=1e-3) is same


def test_in_eight_bits_it_reads_the_same_whatever_is_beside(reader: SpanExtractor) -> None:
    question, beside = "Who replaced the seal of P-11?", "Lunch\nThe canteen closes at two."
    alone = SpanExtractor("int8").read(question, [REPORT])[0]
    together = SpanExtractor("int8").read(question, [beside, REPORT * 3, REPORT])[2]
    assert np.array_equal(alone.starts, together.starts) and np.array_equal(alone.ends, together.ends)
    exact, near = reader.read(question, [REPORT])[0].best(), alone.best()
    assert exact is not None and near is not None and near.score == pytest.approx(exact.score, abs=1)
    assert (near.start, near.end) == (exact.start, exact.end)


def test_a_piece_is_read_within_its_characters(reader: SpanExtractor) -> None:
    reading = reader.read("Who replaced the seal of P-11?", [REPORT])[0]
    start = REPORT.index("The spare")
    last = reading.best(start, len(REPORT))
    whole = reading.best()
    assert last is not None and whole is not None
    assert last.start >= start and last.score < whole.score
    assert reading.best(len(REPORT)) is None


def test_an_answer_has_no_more_tokens_than_it_may() -> None:
    places = tuple((at, at + 1) for at in range(60))
    starts, ends = np.zeros(60, np.float32), np.zeros(60, np.float32)
    starts[0], ends[59], ends[10] = 5.0, 9.0, 1.0
    best = SpanLogits(places, starts, ends).best()
    assert best is not None and best.end - best.start <= 30


def test_what_is_long_is_read_as_far_as_the_window_goes(reader: SpanExtractor) -> None:
    readings = reader.read("Who replaced the seal? " * 40, [REPORT * 40, "x", ""])
    assert len(readings) == 3 and readings[2].best() is None


def test_the_adapter_makes_the_network_that_was_fitted() -> None:
    import torch  # by none but this test: a second of every worker's

    from bench.span_network import ReaderNetwork, adapter_of

    torch.manual_seed(0)
    network = ReaderNetwork(torch.float32).eval()
    for value in network.lora.values():
        torch.nn.init.normal_(value, std=0.05)
    torch.nn.init.normal_(network.segments, std=0.1)
    ids = torch.randint(1000, 20000, (2, 24))
    second = torch.arange(24)[None, :].repeat(2, 1) > 8
    adapter = {name: value.numpy() for name, value in adapter_of(network).items()}
    served = MiniLM(packaged_folder() / "model.safetensors", adapter=adapter)
    hidden = torch.from_numpy(np.stack(list(served.hidden(ids.tolist(), first=9))))
    with torch.no_grad():
        found, expected = network.head(hidden), network(ids, second, torch.ones_like(second))
    torch.testing.assert_close(found, expected, atol=0.05, rtol=0.01)


def test_other_languages_are_not_read(reader: SpanExtractor) -> None:
    evidence = [
        Evidence(n=1, text=REPORT, source="报告"),
        Evidence(n=2, text="密封件由李雷更换。", source="报告"),
    ]
    pieces = units(evidence)
    foreign = Readings.of(reader, "谁更换了密封件？", pieces)
    assert {foreign.read(piece) for piece in pieces} == {NOT_READ}
    english = Readings.of(reader, "Who replaced the seal of P-11?", pieces)
    assert [english.read(one) is NOT_READ for one in pieces] == [one.evidence.n == 2 for one in pieces]
