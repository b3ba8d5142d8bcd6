"""The chart of a forecast shows everything it rests on, and its points find their source."""

from streamlit.testing.v1 import AppTest

from core.domain import (
    Chunk,
    DatedEvent,
    Forecast,
    Interval,
    JointScenario,
    Passage,
    Point,
    Report,
    Row,
    Series,
)
from core.ui.inspector import forecast_chart, point_view

ROW = Row(entity="A77", attribute="Yield", period="2025-02", value=91.0, unit="%", table_id="t1", row=1)
MADE = Forecast(
    series=Series(
        name="<b>yield</b>",
        frequency="monthly",
        unit="%",
        aggregate="mean per month",
        points=(
            Point(period="2025-01", value=90.0),
            Point(period="2025-02", value=91.0, rows=(ROW,)),
            Point(period="2025-03", value=86.0),
        ),
    ),
    points=(
        Interval(period="2025-04", value=90.5, low80=89.0, high80=92.0, low95=88.0, high95=93.0),
        Interval(period="2025-05", value=90.6, low80=88.5, high80=92.5, low95=87.0, high95=94.0),
    ),
    model="median combination",
    fitted=(Point(period="2025-03", value=91.2),),
    outliers=("2025-03",),
)


def chunk(**changes: object) -> Chunk:
    held = {
        "id": "c1",
        "document_id": "d1",
        "section_id": "s1",
        "text": "2025-02: 91 %",
        "heading_path": (),
        "order": 0,
        "tokens": 5,
    }
    return Chunk.model_validate({**held, **changes})


def report(*chunks: Chunk) -> Report:
    passages = tuple(Passage(chunk=c, document_title="Yield", query="", score=1.0) for c in chunks)
    return Report(run="r", question="q", passages=passages, forecast=MADE)


def test_the_chart_holds_history_forecast_both_intervals_and_backtest():
    drawn = forecast_chart.figure(MADE)
    names = [trace.name for trace in drawn.data]
    assert names == ["95 % interval", "80 % interval", "history", "backtest", "forecast", "break or unusual"]
    history = drawn.data[2]
    assert list(history.y) == [90.0, 91.0, 86.0]
    assert [data[1] for data in history.customdata] == ["Jan 2025", "Feb 2025", "Mar 2025"]
    assert list(drawn.data[4].y) == [86.0, 90.5, 90.6]


def test_the_table_lists_history_and_forecast():
    frame = forecast_chart.table(MADE)
    assert list(frame["Kind"]) == ["history"] * 3 + ["forecast"] * 2
    assert list(frame["Period"])[-1] == "May 2025"
    assert frame["80 % low"].iloc[-1] == 88.5


def test_a_row_of_a_text_opens_its_passage():
    row = ROW.model_copy(update={"table_id": "", "row": None, "chunk_id": "c1"})
    held = report(chunk())
    assert point_view.passage_of(row, held.passages) == held.passages[0]


def test_a_scenario_and_the_dates_of_events_are_drawn_beside_the_forecast():
    event = DatedEvent(period="2025-05", text="The <b>lamps</b> are replaced.")
    scenario = JointScenario(events=(event,), effect=-3.0, points=MADE.points[1:])
    drawn = forecast_chart.figure(MADE, scenario=scenario)
    assert [trace.name for trace in drawn.data][-3:] == ["80 % interval, as if", "as if", "event"]
    assert drawn.data[-1].text == ("May 2025: The &lt;b&gt;lamps&lt;/b&gt; are replaced.",)
    assert len(drawn.layout.shapes) == 1
    result = forecast_chart.table(MADE, scenario)  # the numbers below the chart change with it
    assert list(result["Kind"])[-2:] == ["forecast", "as if"]
    assert result.iloc[-1]["Period"] == "May 2025"


def _choosing() -> None:
    from core.ui.inspector import scenario_choice
    from tests.ui.test_forecast_chart import MADE, report

    scenario_choice.choose(MADE, report(), "k", "r")


def test_a_change_the_reader_types_is_ticked_or_asked_for_again():
    app = AppTest.from_function(_choosing, default_timeout=30).run()
    app.text_input[0].set_value("lamps replaced")
    app.button[0].click().run()
    assert "Say what happens" in app.warning[0].value
    for when, number in (("May 2025", 1), ("April 2025", 2), ("May 2025", 2)):  # what is listed stays one
        app.text_input[1].set_value(when)
        app.button[0].click().run()
        assert not app.exception
        assert len(app.checkbox) == number
    assert "lamps replaced" in app.checkbox[0].label
    assert all(box.value for box in app.checkbox)
    assert "holds no such event" in app.caption[-1].value


def _choosing_planned() -> None:
    import streamlit as st

    from core.ui.inspector import scenario_choice
    from tests.forecast.test_scenarios import planned
    from tests.ui.test_forecast_chart import report

    joint = scenario_choice.choose(planned(), report(), st.session_state.get("place", "k"), "r")
    st.text(str(len(joint.events) if joint else 0))


def test_several_planned_events_are_ticked_and_told_together():
    app = AppTest.from_function(_choosing_planned, default_timeout=30).run()
    lamps, doors = app.checkbox
    lamps.check().run()
    assert "would be" in app.caption[1].value
    doors.check().run()
    assert "their steps add up" in app.caption[1].value
    assert "by itself" in app.caption[2].value
    assert app.text[-1].value == "2"
    lamps.uncheck().run()
    assert app.text[-1].value == "1"


def _choosing_supposed() -> None:
    import streamlit as st

    from core.forecast.scenarios import with_events
    from core.ui.inspector import scenario_choice
    from tests.forecast.test_scenarios import AHEAD, LIKE, OTHER, made
    from tests.ui.test_forecast_chart import report

    narrated = with_events(made(-8), (*LIKE, AHEAD, OTHER), "en", "the lamps are replaced in May")
    joint = scenario_choice.choose(narrated, report(), "k", "r")
    st.text(str([event.period for event in joint.events] if joint else []))


def test_what_the_question_supposes_is_ticked_from_the_start():
    app = AppTest.from_function(_choosing_supposed, default_timeout=30).run()
    assert [box.value for box in app.checkbox] == [True, False, False]
    assert app.text[-1].value == "['2025-05']"


def test_what_is_ticked_in_the_chat_is_ticked_in_the_trace():
    app = AppTest.from_function(_choosing_planned, default_timeout=30).run()
    app.checkbox[1].check().run()
    app.session_state["place"] = "another"
    app.run()
    assert [box.value for box in app.checkbox] == [False, True]
    app.checkbox[1].uncheck().run()
    app.session_state["place"] = "third"
    app.run()
    assert [box.value for box in app.checkbox] == [False, False]
