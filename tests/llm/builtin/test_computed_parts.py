"""What was computed for one part of a question answers that part; its value is not what was asked with."""

from dataclasses import replace

import pytest

from core.domain import Column, ColumnCard, Evidence, Outcome, TableCard
from core.llm.builtin import BuiltinLLM
from core.llm.builtin.answer.admission import admissible
from core.llm.builtin.answer.answer_confidence import may_answer
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.scorer import Scorer
from core.llm.builtin.answer.values import field_of
from core.llm.encoders.embedders import PackagedEmbedder
from core.tasks import Answer, Bridge, Bridged, PartAsked, Query, QuestionAnswer, WriteQuery, Written

SUPPLIER = Evidence(
    n=2,
    source="Catalogue",
    text="Part number: PN-4410; Supplier: Nordvak",
    kind="result",
    columns=(Column(name="Part number"), Column(name="Supplier")),
    rows=(("PN-4410", "Nordvak"),),
)
LOT = Evidence(n=1, source="Log", text="Lot L25-0317 was processed on tool ETCH-03.")
WHERE, WHO = "On which tool was lot L25-0317 processed?", "Which supplier delivers PN-4410?"


def test_a_result_of_one_part_does_not_stand_for_all(engine):
    parts = (
        QuestionAnswer(id=1, question=WHERE, answer="ETCH-03", citations=(1,)),
        QuestionAnswer(id=2, question=WHO, answer="Nordvak", citations=(2,)),
    )
    asked = "On which tool was lot L25-0317 processed, and which supplier delivers PN-4410?"
    written = engine.run(
        Answer(question=asked, parts=parts, evidence=(LOT, SUPPLIER), language="en"), Written
    )
    assert "ETCH-03" in written.text and "Nordvak" in written.text


def test_what_says_little_of_one_part_does_not_stand_for_all(engine):
    which = "Which procedure describes the cleaning of the showerhead?"
    parts = (
        QuestionAnswer(id=1, question=WHERE, answer="ETCH-03", citations=(1,)),
        QuestionAnswer(id=2, question=which),
    )
    asked = "On which tool was lot L25-0317 processed, and which procedure describes its cleaning?"
    written = engine.run(Answer(question=asked, parts=parts, evidence=(LOT,), language="en"), Written)
    assert written.outcome is Outcome.GAP and which in written.text
    open_parts = tuple(part.model_copy(update={"answer": "", "citations": ()}) for part in parts)
    task = Answer(question=asked, parts=open_parts, evidence=(LOT,), language="en")
    assert engine.run(task, Written).outcome is Outcome.CLOSEST


@pytest.mark.parametrize(
    ("rows", "value"),
    [
        ((("Edge ring (ER), 300 mm", "Norvac"),), "Norvac"),
        ((("Edge ring, silicon", "Norvac"), ("Edge ring, carbide", "Norvac")), "Norvac"),
        (
            (("Edge ring, silicon", "Norvac"), ("Edge ring, carbide", "Ostmark")),
            "Part: Edge ring, silicon; Supplier: Norvac",
        ),
    ],
)
def test_the_value_of_rows_that_a_question_names_in_part_is_that_of_the_other_column(engine, rows, value):
    columns = (Column(name="Part"), Column(name="Supplier"))
    result = Evidence(n=1, source="Catalogue", text="", kind="result", columns=columns, rows=rows)
    part = PartAsked(id=1, question="Which supplier delivers the edge ring?", evidence=(1,))
    task = Bridge(question=part.question, parts=(part,), evidence=(result,), language="en")
    assert engine.run(task, Bridged).parts[0].answer == value


def test_the_value_of_a_part_is_the_cell_the_question_does_not_say(engine):
    task = Bridge(
        question=WHO,
        parts=(PartAsked(id=1, question=WHO, evidence=(2,)),),
        evidence=(SUPPLIER,),
        language="en",
    )
    assert engine.run(task, Bridged).parts[0].answer == "Nordvak"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the lead time and supplier of PN-4410?", "Supplier: Nordvak; Lead time [weeks]: 14"),
        ("PN-4410的供应商是谁，交付时间是多少？", "Supplier: Nordvak; Lead time [weeks]: 14"),
        ("What is the lead time of PN-4410 of Nordvak?", "14 weeks"),
        ("Which supplier delivers PN-4410?", "Nordvak"),  # the other cell was not asked for
    ],
)
def test_a_row_asked_for_by_several_columns_gives_the_value_of_each(engine, question, value):
    columns = (*SUPPLIER.columns, Column(name="Lead time", unit="weeks"))
    row = SUPPLIER.model_copy(update={"columns": columns, "rows": (("PN-4410", "Nordvak", 14),)})
    part = PartAsked(id=1, question=question, evidence=(2,))
    task = Bridge(question=question, parts=(part,), evidence=(row,), language="en")
    assert engine.run(task, Bridged).parts[0].answer == value


def test_a_field_is_not_what_the_question_says_itself():
    text = "Lot: L25-0317; Tool: ETCH-03 B"
    span = field_of(read(WHERE), text)
    assert span is not None and text[slice(*span)] == "ETCH-03 B"


def test_a_verb_of_who_is_asked_for_is_no_open_word_and_any_other_is():
    card = TableCard(
        name="parts",
        title="Parts",
        columns=(
            ColumnCard(name="Part number", type="text", samples=("PN-4410",)),
            ColumnCard(name="Supplier", type="text", samples=("Nordvak",)),
        ),
        rows=4,
    )
    engine = BuiltinLLM(PackagedEmbedder())
    assert '"Supplier"' in engine.run(WriteQuery(question=WHO, tables=(card,)), Query).sql
    for verb in ("rejected", "replaced", "sued"):
        assert not engine.run(
            WriteQuery(question=f"Which supplier {verb} PN-4410?", tables=(card,)), Query
        ).sql


def test_an_empty_cell_answers_nothing_beside_it(engine):
    question = "hub height of the aerodyn SCD 168?"
    cells = {"manufacturer": "aerodyn", "name": "SCD 168", "hub_height": None, "rotor_area": 22164}
    turbine = Evidence(
        n=1,
        source="Wind turbines",
        text="manufacturer: aerodyn; name: SCD 168; rotor_area: 22164",
        columns=tuple(Column(name=name) for name in cells),
        rows=(tuple(cells.values()),),
    )
    computed = turbine.model_copy(update={"kind": "result"})
    task = Answer(question=question, evidence=(computed,), language="en")
    assert engine.run(task, Written).outcome is Outcome.NOTHING
    for asked, may in ((question, False), ("rotor area of the aerodyn SCD 168?", True)):
        row = Scorer(Meaning(None)).score(read(asked), units([turbine]))[0]
        as_read = replace(row, signals={**row.signals, "unread": 0.0})
        assert may_answer(read(asked), as_read) is may


def test_a_row_that_is_one_of_those_counted_does_not_say_how_many_there_are():
    cells = {"country": "Bhutan", "income": 7983, "region": "south_asia"}
    bhutan = Evidence(
        n=1,
        source="Income",
        text="country: Bhutan; income: 7983; region: south_asia",
        columns=tuple(Column(name=name) for name in cells),
        rows=(tuple(cells.values()),),
    )
    for asked, may in (("number of countries in the south asia region", False), ("income of Bhutan", True)):
        row = Scorer(Meaning(None)).score(read(asked), units([bhutan]))[0]
        assert admissible(read(asked), row) is may
        as_read = replace(row, signals={**row.signals, "unread": 0.0})
        assert may_answer(read(asked), as_read) is may


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        (
            "What is the order number of the edge ring?",
            "The edge ring (order number: ER-77) of hall 2 is made by Norvac.",
            "ER-77",
        ),
        ("What is the grade of the oil?", "The oil [grade: VG-46] is changed each spring.", "VG-46"),
    ],
)
def test_the_value_of_a_field_in_a_bracket_ends_with_it(engine, question, text, value):
    part = PartAsked(id=1, question=question, evidence=(1,))
    result = Evidence(n=1, source="Manual", text=text)
    task = Bridge(question=question, parts=(part,), evidence=(result,), language="en")
    assert engine.run(task, Bridged).parts[0].answer == value


@pytest.mark.parametrize(
    ("question", "columns", "row", "outcome"),
    [
        (
            "What is the average turbidity of well 3 over the six sampling dates?",
            ("mean of turbidity", "rows"),
            (0.5783, 6),
            Outcome.ANSWER,
        ),
        ("Compare the ducks of 2024 with those of 2025", ("Year", "Ducks"), (2024, 130), Outcome.CLOSEST),
    ],
)
def test_a_result_for_the_whole_question_is_told_though_parts_are_open_but_not_of_one_side(
    engine, question, columns, row, outcome
):
    result = Evidence(
        n=1,
        source="Table",
        text="; ".join(f"{name}: {value}" for name, value in zip(columns, row, strict=True)),
        kind="result",
        columns=tuple(Column(name=name) for name in columns),
        rows=(row,),
    )
    parts = (
        QuestionAnswer(id=1, question="What are the six sampling dates?", answer=""),
        QuestionAnswer(id=2, question="What is known about the ducks of 2025?", answer=""),
    )
    written = engine.run(Answer(question=question, parts=parts, evidence=(result,), language="en"), Written)
    assert written.outcome is outcome
