"""Questions about the future are answered from tables and texts, with every number computed."""

import pytest

from core.domain import Passage, Scope, Support
from core.forecast.forecaster import Forecaster, Outlook
from core.forecast.induce import AS_ASKED, Grouping
from core.forecast.narration import check
from core.knowledge.base import KnowledgeBase
from core.llm.builtin import BuiltinLLM
from core.text.tokens import detect_language


@pytest.fixture
def ask(demo: KnowledgeBase):
    def asked(question: str, *titles: str, grouping: Grouping = AS_ASKED) -> Outlook:
        evidence = [
            Passage(chunk=chunk, document_title=document.title, query=question, score=1.0)
            for document in demo.documents()
            if any(title in document.title for title in titles)
            for chunk in demo.chunks(document_id=document.id)[:1]
        ]
        return Forecaster(demo, BuiltinLLM()).forecast(
            question, evidence, Scope(), detect_language(question), grouping
        )

    return asked


def narrated(outlook: Outlook) -> str:
    return " ".join(sentence.text for sentence in outlook.sentences)


def test_the_yield_of_a_product_is_forecast_by_month_from_its_table(ask):
    outlook = ask("What will the yield of A77 be in the next six months?")
    made = outlook.forecast
    assert made is not None
    assert [p.period for p in made.points] == [f"2026-{month:02}" for month in range(1, 7)]
    assert len(made.series.points) == 60
    assert (made.series.frequency, made.series.unit) == ("monthly", "%")
    assert all(88 < p.value < 95 for p in made.points)
    assert all(p.low95 <= p.low80 <= p.value <= p.high80 <= p.high95 <= 100 for p in made.points)
    assert "2025-03" in made.outliers
    assert [s.points for s in outlook.sentences if s.points] == [made.outliers]
    assert made.series.points[0].rows[0].entity == "A77"
    assert "91." in narrated(outlook)
    assert "in January 2026" in narrated(outlook)


def test_a_chinese_question_gets_the_same_numbers_in_chinese(ask):
    english = ask("What will the yield of A77 be in the next six months?").forecast
    outlook = ask("未来六个月 A77 的良率会是多少？")
    assert outlook.forecast is not None
    assert english is not None
    assert outlook.forecast.points == english.points
    assert "2026年1月的预测值为" in narrated(outlook)


def test_alarms_are_counted_per_month_and_months_without_any_are_zero(ask, demo):
    outlook = ask("How many E-217 alarms are to be expected per month in the second half of 2025?")
    made = outlook.forecast
    assert made is not None
    counts = demo.query(
        f'SELECT month("Time") AS m, count(*) AS n FROM "{outlook.structured.link.table.sql_name}" '
        "WHERE \"Alarm\" = 'E-217' GROUP BY 1 ORDER BY 1"
    )
    held = dict(zip(counts["m"], counts["n"], strict=True))
    assert [p.value for p in made.series.points] == [float(held.get(m, 0)) for m in range(1, 7)]
    assert [p.period for p in made.points] == [f"2025-{month:02}" for month in range(7, 13)]
    assert made.summed == ("2025-07", "2025-12")
    assert outlook.shaky
    assert any("6 values" in caution for caution in made.cautions)
    assert all(p.low80 >= 0 for p in made.points)


@pytest.mark.parametrize("count", ["alarm count of ETCH-03", "total count of ETCH-03 alarms"])
def test_alarms_are_counted_where_the_question_calls_it_their_count(ask, count: str):
    made = ask(f"How will the {count} develop over the next three months?").forecast
    assert made is not None
    assert made.series.name == "number of ETCH-03 entries in alarm-log-2025-H1"


def test_a_jump_is_named_and_only_what_came_after_it_is_used(ask):
    outlook = ask("How will the helium leak of ETCH-03 develop?")
    made = outlook.forecast
    assert made is not None
    assert made.breaks == ("2025-03-21",)
    assert made.summed is None  # levels make no total
    assert all(0.4 < p.value < 0.8 for p in made.points)
    assert (made.series.name, made.series.unit) == ("helium leak of ETCH-03", "sccm")
    assert "41 values since then" in narrated(outlook)


def test_yearly_sums_run_to_the_year_asked_for(ask):
    outlook = ask("How many wafers will be scrapped because of edge particles by 2027?")
    made = outlook.forecast
    assert made is not None
    assert [p.period for p in made.points] == ["2026", "2027"]
    assert [p.value for p in made.series.points] == [310, 267, 229, 197, 334]
    assert made.summed is None  # one year is asked for
    assert "in 2027" in narrated(outlook)


def test_quarters_take_their_year_from_the_name_of_the_table(ask):
    made = ask("What will the unplanned downtime of ETCH-03 be next quarter?").forecast
    assert made is not None
    assert [p.period for p in made.series.points] == [f"2025-Q{q}" for q in range(1, 5)]
    assert [p.period for p in made.points] == ["2026-Q1"]


def test_text_gives_a_series_and_a_disagreement_is_shown(ask):
    outlook = ask("What will the output of LINE-9 be in 2025?", "Output", "Audit")
    made = outlook.forecast
    assert made is not None
    assert [p.value for p in made.series.points] == [1200, 1350, 1480, 1600, 1730, 1850]
    assert len(outlook.conflicts) == 1
    assert "1590" in outlook.conflicts[0]
    assert outlook.structured.merged == 1
    assert 1850 < made.points[0].value < 2100
    cited = {outlook.passages[n - 1].chunk.id for n in outlook.sentences[0].citations}
    assert {row.chunk_id for point in made.series.points for row in point.rows} <= cited


def test_dated_events_in_text_are_counted_per_year(ask):
    made = ask("How many drugs will be approved per year in the next two years?", "Approvals").forecast
    assert made is not None
    assert [(p.period, p.value) for p in made.series.points] == [
        ("2014", 1),
        ("2015", 2),
        ("2016", 2),
        ("2017", 3),
    ]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What will the yield of C99 be next year?", "No table and no text"),
        ("What will the share price of Norvac be next year?", "No table and no text"),
        ("What will the yield of Wexdale be next year?", "No table and no text"),
        ("What will the yield of winter barley be next year?", "No table and no text"),
        ("How will the yield at Port Larne develop?", "No table and no text"),
        ("What will the yield of A77 be in 2023?", "already holds values up to December 2025"),
        ("C99 明年的良率？", "没有所问内容"),
        ("How will the particle count of ETCH-03 develop over the next six months?", "No table and no text"),
    ],
)
def test_what_cannot_be_forecast_is_refused_with_its_reason(ask, question: str, words: str):
    outlook = ask(question)
    assert outlook.forecast is None
    assert words in outlook.reason


def test_the_reader_may_change_grouping_and_horizon(ask):
    question = "What will the yield of A77 be in the next six months?"
    made = ask(question, grouping=Grouping("quarterly", "mean", 2)).forecast
    assert made is not None
    assert (made.series.frequency, len(made.series.points)) == ("quarterly", 20)
    assert [p.period for p in made.points] == ["2026-Q1", "2026-Q2"]
    finer = ask(question, grouping=Grouping("weekly"))
    assert finer.forecast is not None
    assert finer.forecast.series.frequency == "monthly"
    assert "weekly steps cannot be given" in narrated(finer)


def test_a_partial_last_period_is_left_out_and_said(ask):
    outlook = ask("How many alarms will ETCH-05 raise per week in the next four weeks?")
    assert outlook.forecast is not None
    assert outlook.forecast.series.points[-1].period == "2025-W26"
    assert "27 of 2025 is covered only in part (1 d)" in narrated(outlook)


def test_every_number_is_checked_and_a_made_up_one_is_found(ask):
    outlook = ask("How will the helium leak of ETCH-03 develop?")
    made, result = outlook.forecast, outlook.context
    assert made is not None
    assert result is not None
    assert all(s.support is Support.SUPPORTED for s in check(made, result, outlook.sentences))
    wrong = outlook.sentences[0].model_copy(update={"text": "It will be 77.7 sccm on 1 May 2025."})
    assert check(made, result, [wrong])[0].support is Support.MISSING


def test_every_sentence_cites_the_rows_it_was_computed_from(ask):
    outlook = ask("What will the yield of A77 be in the next six months?")
    assert all(sentence.citations == (1,) for sentence in outlook.sentences)
    chunk = outlook.passages[0].chunk
    assert chunk.table_id == outlook.structured.link.table.id
    assert chunk.location.rows == (0, 118)
    assert "'A77'" in outlook.passages[0].why[0]


def test_two_tables_of_the_same_quantity_are_compared_and_never_averaged(ask, demo):
    outlook = ask("What will the yield of A77 be in the next six months?")
    assert outlook.structured.merged == 2  # October and December are the same in both
    assert {c.period[:7] for c in outlook.structured.conflicts} == {"2025-11"}
    held = {p.period: p.value for p in outlook.forecast.series.points}
    truth = demo.query(
        f'SELECT "Yield" AS y FROM "{outlook.structured.link.table.sql_name}" '
        "WHERE \"Product\" = 'A77' AND \"Month\" = '2025-11-01'"
    )
    assert held["2025-11"] == truth["y"][0]
    assert any("recount" in text and "November 2025" in text for text in outlook.conflicts)
    assert outlook.conflicts[0] in [sentence.text for sentence in outlook.sentences]
