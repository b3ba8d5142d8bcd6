"""The chart of a forecast shows everything it rests on, and its points find their source."""

from core.domain import (
    Chunk,
    Forecast,
    Interval,
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
