"""What a task reads from prose is kept only where value, unit and date are in the cited piece."""

import json

import pytest

from bench.prose_series import HERE, extract, liar
from core.domain import Chunk, Evidence
from core.forecast.extraction import Extraction, checked, concerns
from core.forecast.request import read_question
from core.llm.builtin import BuiltinLLM
from core.llm.ollama.client import OllamaLLM
from core.tasks import EventDraft, ExtractSeries, SeriesExtracted, ValueDraft
from tests.ollama_brain import StrataBrain
from tests.ollama_double import OllamaDouble

TEXT = (
    "Of 2019 we remember the crowds: 1,240 people came. In 2020 it was 310 people, down by 930. "
    "The lift will be replaced in May 2022."
)
QUESTION = "How many visitors will the Morwen lighthouse have in 2023?"
PIECE = Evidence(n=2, text=TEXT, source="Visitors of the Morwen lighthouse")
CHUNK = Chunk(id="c2", document_id="d", section_id="s", text=TEXT, heading_path=(), order=0, tokens=40)
TRUE = ValueDraft(
    what="visitors",
    when="2019",
    amount="1,240",
    unit="people",
    quote="the crowds: 1,240 people came",
    citation=2,
)
PLANNED = EventDraft(when="May 2022", quote="The lift will be replaced in May 2022", citation=2)


def read(*drafts: ValueDraft | EventDraft) -> Extraction:
    reply = SeriesExtracted(
        values=tuple(d for d in drafts if isinstance(d, ValueDraft)),
        events=tuple(d for d in drafts if isinstance(d, EventDraft)),
    )
    return checked(reply, [(PIECE, CHUNK)], read_question(QUESTION))


def test_what_stands_there_is_kept_with_its_words_and_its_chunk():
    kept = read(TRUE, PLANNED)
    assert [(r.period, r.value, r.chunk_id) for r in kept.rows] == [("2019", 1240.0, "c2")]
    assert [(e.period, e.text, e.chunk_id) for e in kept.events] == [("2022-05", PLANNED.quote, "c2")]
    assert kept.dropped == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"quote": "1,240 people came in 2019"}, "its words do not stand"),
        ({"citation": 3}, "its words do not stand"),
        ({"when": "2018"}, "its date does not stand"),
        ({"amount": "1,250"}, "its value does not stand"),
        ({"amount": "240"}, "its value does not stand"),  # within a longer number
        ({"unit": "tickets"}, "its unit does not stand"),
        ({"quote": "In 2020 it was 310 people, down by 930", "when": "2020", "amount": "930"}, "its value"),
    ],
)
def test_what_does_not_stand_there_is_dropped_and_said(change: dict[str, object], reason: str):
    kept = read(TRUE.model_copy(update=change))
    assert kept.rows == ()
    assert len(kept.dropped) == 1
    assert reason in kept.dropped[0]


def test_an_event_of_another_machine_is_not_one_of_the_series():
    wanted = read_question("How will the leak of ETCH-03 develop?")
    assert concerns("The chuck is replaced on 4 May 2025.", "Minutes on ETCH-03", wanted)
    assert not concerns("The chuck of ETCH-05 is replaced on 4 May 2025.", "Minutes on ETCH-03", wanted)


@pytest.mark.parametrize("text", ["Last change: 9 April 2025.", "Status: open.\n最后修改：2025年4月9日"])
def test_when_a_document_was_changed_is_no_event_of_what_it_is_about(text: str):
    task = ExtractSeries(question=QUESTION, evidence=(PIECE.model_copy(update={"text": text}),))
    assert BuiltinLLM().run(task, SeriesExtracted).events == ()


def test_a_value_of_another_machine_of_the_family_is_none_of_the_series():
    text = "Lift E-14 had 7 faults in 2023. Lift E-15 had 19 faults in 2023. In 2024 E-14 had 9 faults."
    chunk = CHUNK.model_copy(update={"text": text})
    piece = Evidence(n=1, text=text, source="Lifts")
    task = ExtractSeries(question="How many faults will E-14 have in 2025?", evidence=(piece,))
    kept = checked(BuiltinLLM().run(task, SeriesExtracted), [(piece, chunk)], read_question(task.question))
    assert [(row.period, row.value) for row in kept.rows] == [("2023", 7.0), ("2024", 9.0)]


def test_what_a_model_makes_up_beside_what_stands_there_is_not_kept():
    rows = [json.loads(line) for line in (HERE / "look.jsonl").read_text("utf-8").splitlines()][:6]
    with OllamaDouble(StrataBrain()) as true, OllamaDouble(liar(StrataBrain())) as untrue:
        for row in rows:
            by_rules = extract(BuiltinLLM(), row)
            assert extract(OllamaLLM(true.host), row) == by_rules
            reply = extract(OllamaLLM(untrue.host), row)
            assert reply.rows == by_rules.rows and len(reply.dropped) >= 2


def test_the_rule_reads_values_and_dated_changes_in_both_languages():
    text = "The yield of A77 was 91 % in March 2025.\n1. Replace the seal of A77. Owner: Li, due 4 May 2025."
    zh = "2025年3月 A77 的良率为 91%。设备组计划于2025年5月4日更换密封圈。"
    for piece, question in ((text, "What will the yield of A77 be?"), (zh, "A77 的良率会是多少？")):
        task = ExtractSeries(question=question, evidence=(Evidence(n=1, text=piece, source="Minutes"),))
        reply = BuiltinLLM().run(task, SeriesExtracted)
        assert [(v.of, v.citation) for v in reply.values] == [("A77", 1)]
        assert len(reply.events) == 1
        assert reply.events[0].quote in piece
