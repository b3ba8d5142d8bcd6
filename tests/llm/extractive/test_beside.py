"""What stands beside a question and is no answer to it: another thing, another unit, an order, a year."""

import pytest

from core.llm.extractive.counts import counts_nothing
from core.llm.extractive.questions import counted_noun
from core.llm.extractive.reading import Line, score_lines
from core.llm.extractive.rows import tell
from core.llm.extractive.supporting import fitting, holds
from core.tasks import (
    Answered,
    AnswerPart,
    ChooseTools,
    Evidence,
    QuestionAnswer,
    Synthesise,
    ToolChoice,
    Written,
)

MANUAL = "PE-300 manual"
CHUCK = Evidence(n=1, source="更换规程", text="5 备件\n静电吸盘由 Nordvak 供货，交货期 14 周，价格见目录。")
LIMITS = Evidence(
    n=2,
    source="Fault detection limits",
    text="limits\nparameter | unit | warning | alarm\nhelium leak | sccm | 1.5 | 2.5\n"
    "reflected RF power | W | 12 | 25",
)
LEAK = Evidence(
    n=3,
    source="会议",
    text="二、背面氦气泄漏\n4月1日起，氦气泄漏报警上限由 3.0 sccm 降为 2.5 sccm（见 FDC-LIM-007 C 版）。",
)
STEPS = Evidence(
    n=4,
    source="SOP",
    text="3 Procedure\n1. Run the recipe.\n2. Lock the generator and vent the chamber to 760 Torr.",
)
DATA = Evidence(
    n=5,
    source=MANUAL,
    text="Data\nProperty | Value\nChambers | 2 (A and B)\nThroughput | 28 wafers per hour",
)
CLEAN = Evidence(n=6, source="SOP", text="The PE-300 process chamber is cleaned after 600 RF hours.")
LOTS = Evidence(
    n=7,
    source="Report",
    text="Lots\nLot | Tool | Wafers measured | Added particles\nL25-0317 | ETCH-03 B | 25 | 164\n"
    "L25-0318 | ETCH-02 A | 25 | 17",
)
PARTS = Evidence(
    n=8, source="Catalogue", text="Parts\nPart | Lead time [weeks]\nElectrostatic chuck | 14\nPump | 8"
)


def answer(engine, question, *evidence):
    language = "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in question) else "en"
    return engine.run(AnswerPart(question=question, evidence=evidence, language=language), Answered)


def said(engine, question, *evidence):
    language = "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in question) else "en"
    return engine.run(Synthesise(question=question, evidence=evidence, language=language), Written).text


@pytest.mark.parametrize(
    ("question", "evidence"),
    [
        ("聚焦环的供应商是谁？", (CHUCK,)),  # a supplier, but of the chuck
        ("静电吸盘的价格是多少？", (CHUCK,)),  # a figure, but a time
        ("What are the pressure limits in the FDC?", (LEAK,)),
        ("Which chamber was vented?", (STEPS,)),  # told to be, not done
    ],
)
def test_what_speaks_of_something_else_is_no_answer(engine, question, evidence):
    assert not answer(engine, question, *evidence).found
    assert "[" not in said(engine, question, *evidence)


@pytest.mark.parametrize(
    ("question", "evidence", "told"),
    [
        ("反射功率的报警上限是多少？", (LEAK, LIMITS), "25"),  # the alarm, not the warning beside it
        ("PE-300 有几个腔体？", (CLEAN, DATA), "2"),
        ("What is the added particles of lot L25-0317?", (LOTS,), "164"),
        ("What is the lead time of the electrostatic chuck?", (PARTS,), "14 weeks"),
    ],
)
def test_what_was_asked_is_found_beside_it(engine, question, evidence, told):
    found = answer(engine, question, *evidence)
    assert (found.found, found.answer) == (True, told)


def test_another_revision_is_not_the_one_that_is_asked_about():
    other = Evidence(n=1, source="SOP", text="Revision 7 is valid from 24 March 2025.")
    right = Evidence(n=2, source="Limits", text="Revision C is valid from 1 April 2025.")
    spoken = Evidence(n=3, source="Limits", text="Under this revision a limit is valid from its date.")
    question = "Since when is revision C valid?"
    assert {line.n for line in fitting(question, score_lines(question, (other, right, spoken)))} == {2, 3}


def test_a_voltage_holds_nothing_of_how_often():
    volts, hours = (Line(1, 0, text, 1.0, 1.0) for text in ("It holds by 2,500 V.", "Every 400 RF hours."))
    assert not holds("静电吸盘多久更换一次？", volts) and not holds("How often is it exchanged?", volts)
    assert holds("How often is it exchanged?", hours)


def test_a_yield_that_was_looked_up_is_no_target_yield(engine):
    row = Evidence(
        n=1, source="Workbook", text="Yields\nProduct: A77; found Yield [%]: 91.7; Month: 2025-12-01"
    )
    notes = Evidence(n=2, source="Notes", text="Yield of product A77 fell to 84.1 %; the target is 92 %.")
    assert "the target is 92 %" in said(engine, "What is the target yield of A77?", row, notes)
    assert "91.7 %" in said(engine, "What is the yield of A77?", row, notes)


def test_no_one_figure_is_told_for_two_years_that_are_compared(engine):
    both = "average Yield [%]: 90; Product: A77; from: 2023-01-01; to: 2024-12-01"
    years = ("average Yield [%]: 89.25; Product: A77; from: 2023-01-01; to: 2023-12-01",
             "average Yield [%]: 90.76; Product: A77; from: 2024-01-01; to: 2024-12-01")  # fmt: skip
    evidence = tuple(Evidence(n=n, text=t, source="Workbook") for n, t in enumerate((both, *years), 1))
    parts = tuple(
        QuestionAnswer(id=n, question=f"What is the mean yield of A77 in {year}?", answer=told)
        for n, (year, told) in enumerate(((2023, "89.25 %"), (2024, "90.76 %")), 1)
    )
    question = "How does the mean yield of A77 in 2023 differ from 2024?"
    text = engine.run(Synthesise(question=question, evidence=evidence, parts=parts), Written).text
    assert "89.25 %" in text and "90.76 %" in text and "is 90 %" not in text


def test_a_heading_that_is_cut_into_sentences_is_no_evidence(engine):
    piece = Evidence(
        n=1, source="Report", text="Report > Table 1. Costs of the parts, Table 1\nItem: Lid; Cost [EUR]: 5"
    )
    assert answer(engine, "What is the cost of the lid?", piece).answer == "5 EUR"


def test_a_count_in_chinese_names_what_is_counted():
    assert counted_noun("PE-300 有几个腔体？") == "腔体"
    assert counted_noun("更换需要几个小时？") == counted_noun("需要多少天？") == ""
    assert counts_nothing("PE-300 有几个腔体？", "按第 9、10 步进行腔体老化。")
    assert not counts_nothing("PE-300 有几个腔体？", "每台有 2 个腔体。")


def test_of_two_columns_the_one_that_first_means_the_word_is_told():
    row = "parameter: reflected RF power; unit: W; warning: 12; alarm: 25"
    assert tell("反射功率的报警上限是多少？", row) == "reflected RF power的报警为25 W"


def test_every_thing_a_chinese_question_names_has_a_name_to_search_by(engine):
    question = "聚焦环的供应商和交货期是什么？"
    choice = engine.run(ChooseTools(question=question, found=(CHUCK,), language="zh"), ToolChoice)
    assert choice.tool == "search"
    assert all(name in choice.argument for name in ("focus ring", "supplier", "lead time"))
