"""A row is looked up by a cell that names it and the column asked for; it goes before prose."""

import pytest

from core.domain import Column, Evidence, Outcome
from core.llm.builtin import BuiltinLLM
from core.llm.builtin.answer.answer_confidence import may_answer
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.scorer import Scorer
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.span_extractor import SpanExtractor
from core.tasks import Answer, Written


@pytest.fixture(scope="module")
def engine() -> BuiltinLLM:
    """The engine as it is wired, with its network that reads."""
    return BuiltinLLM(PackagedEmbedder(), SpanExtractor())


def scored(question: str, evidence: Evidence):
    return Scorer(Meaning(None)).score(read(question), units([evidence]))[0]


def piece(text: str) -> Evidence:
    return Evidence(n=1, source="Duty list", text=text)


def test_a_row_that_is_looked_up_goes_before_what_is_read_in_prose(engine):
    columns = ("Lot", "Tool", "Wafers")
    lots = Evidence(
        n=2,
        source="Defect report",
        text="Lot: L7-31; Tool: ETCH-03 B; Wafers: 25",
        kind="table",
        columns=tuple(Column(name=name) for name in columns),
        rows=(("L7-31", "ETCH-03 B", "25"),),
    )
    prose = piece("Tanaka showed edge particles on lot L7-31, all wafers processed on ETCH-03, chamber B.")
    asked = Answer(question="On which tool was lot L7-31 processed?", evidence=(prose, lots))
    assert "**ETCH-03 B**" in engine.run(asked, Written).text


def test_a_figure_of_several_is_looked_up_and_prose_is_not_told_for_a_table(engine):
    columns = ("Year", "Marriages", "Divorces")
    row = Evidence(
        n=1,
        source="Register",
        text="Year: 1946; Marriages: 2291000; Divorces: 610000",
        kind="table",
        columns=tuple(Column(name=name) for name in columns),
        rows=(("1946", "2291000", "610000"),),
    )
    asked = Answer(question="marriages in 1946", evidence=(row,))
    assert "**2291000**" in engine.run(asked, Written).text
    prose = piece("The new extension AX-512 adds 30 instructions, as earlier ones did.")
    question = "new instructions of extension AX-512 in the table of extensions"
    assert not may_answer(read(question), scored(question, prose))
    assert may_answer(read("new instructions of extension AX-512"), scored(question, prose))


@pytest.mark.parametrize(
    "question, expected",
    [
        ("how many accidental deaths in 2013", "**400517**"),
        ("how many of the accidental deaths in 2013 were road accidents", ""),
    ],
)
def test_a_row_is_not_looked_up_for_a_part_of_what_it_counts(engine, question, expected):
    columns = ("Sl. No.", "Year", "Accidental Deaths", "Suicides")
    row = ("47", "2013", "400517", "134799")
    evidence = Evidence(
        n=1,
        source="Deaths in accidents",
        text="; ".join(f"{name}: {value}" for name, value in zip(columns, row, strict=True)),
        kind="table",
        columns=tuple(Column(name=name) for name in columns),
        rows=(row,),
    )
    written = engine.run(Answer(question=question, evidence=(evidence,)), Written)
    assert (written.outcome is Outcome.ANSWER) is bool(expected)
    assert expected in written.text


@pytest.mark.parametrize(
    "question, expected",
    [
        ("How many silver medals does Austria have in the 2014 games?", "**6**"),  # the year is the file's
        ("How many gold medals does Austria have in the 2018 games?", ""),
    ],
)
def test_a_row_is_looked_up_by_what_its_file_is_called_too(engine, question, expected):
    columns = ("name", "medals.gold", "medals.silver")
    evidence = Evidence(
        n=1,
        source="games2014",
        name="games2014.json",
        text="name: Austria; medals.gold: 2; medals.silver: 6",
        kind="table",
        columns=tuple(Column(name=name) for name in columns),
        rows=(("Austria", "2", "6"),),
    )
    written = engine.run(Answer(question=question, evidence=(evidence,)), Written)
    assert (written.outcome is Outcome.ANSWER) is bool(expected)
    assert expected in written.text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which alarm is raised for the glaze pressure?", False),
        ("What is the alarm of the glaze pressure?", True),
    ],
)
def test_a_column_is_no_answer_where_another_cell_says_what_is_done(engine, question, expected):
    columns = ("Parameter", "Alarm", "Action")
    row = Evidence(
        n=1,
        source="Limits",
        text="Parameter: glaze pressure; Alarm: 25; Action: stop, raise E-104",
        kind="table",
        columns=tuple(Column(name=name) for name in columns),
        rows=(("glaze pressure", "25", "stop, raise E-104"),),
    )
    written = engine.run(Answer(question=question, evidence=(row,)), Written)
    assert ("**25**" in written.text and written.outcome is Outcome.ANSWER) is expected
