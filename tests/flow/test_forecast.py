"""A predictive question goes through the flow to a forecast, or to L2's answer and the reason."""

from core.domain import Level, Outcome, Support
from core.flow.state_of_events import state_from_events
from core.trace import AnswerChecked, Forecasted, RowsStructured, SeriesInduced, StepStarted, Synthesised

ASKED = "What will the yield of ETCH-07 be in the next two months?"


def test_a_predictive_question_gets_a_cited_forecast(asking):
    report = asking.ask(ASKED, asked_level=Level.PREDICTIVE)["report"]
    made = report.forecast
    assert made is not None
    assert [p.value for p in made.series.points] == [91.2, 90.8, 84.1, 92.0]
    assert [p.period for p in made.points] == ["2024-05", "2024-06"]
    assert report.outcome is Outcome.CAVEAT  # four values are few
    assert all(s.citations and s.support is Support.SUPPORTED for s in report.sentences)
    cited = report.passages[report.sentences[0].citations[0] - 1]
    assert cited.chunk.table_id == made.series.points[0].rows[0].table_id
    assert "in May 2024" in report.answer
    assert not report.notes


def test_each_stage_of_a_forecast_is_told_in_order(asking):
    asking.ask(ASKED, asked_level=Level.PREDICTIVE)
    stages = (RowsStructured, SeriesInduced, Forecasted, Synthesised, AnswerChecked)
    assert [type(e) for e in asking.events if isinstance(e, stages)] == list(stages)
    assert "reason" not in [e.step for e in asking.events if isinstance(e, StepStarted)]
    (rows,) = asking.of("rows_structured")
    assert rows.total == 4
    assert "ETCH-07" in rows.sql


def test_where_no_series_can_be_made_the_evidence_answers_and_the_reason_is_said(asking):
    report = asking.ask("Who will be responsible for SOP-112?", asked_level=Level.PREDICTIVE)["report"]
    assert report.forecast is None
    assert "Mei Tanaka" in report.answer
    assert any("No forecast could be computed" in note for note in report.notes)


def test_a_forecast_in_chinese_is_told_in_chinese(asking):
    report = asking.ask("未来两个月 ETCH-07 的良率会是多少？", asked_level=Level.PREDICTIVE)["report"]
    assert report.forecast is not None
    assert "2024年5月的预测值为" in report.answer


def test_a_forecast_is_recalled_from_what_was_told(flow_run, llm):
    first = flow_run(llm)
    report = first.ask(ASKED, asked_level=Level.PREDICTIVE)["report"]
    assert state_from_events(first.events)["forecast"] == report.forecast
