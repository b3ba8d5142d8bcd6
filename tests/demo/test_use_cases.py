"""Defects, process and equipment: three questions in two languages, from the question to its trace.

With the built-in engine and with a served model (the double, whose mind quotes what it was given).
"""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from core.domain import Level, Outcome
from core.trace import AnswerChecked, PerspectiveGiven, Reranked, Searched, Synthesised
from tests.demo.conftest import Asked


class UseCase(NamedTuple):
    """A question, its level, and one of the titles that must be among the first passages shown."""

    question: str
    level: Level
    titles: tuple[str, ...]


FACT, IDEAS = Level.FACTUAL, Level.CREATIVE
DEFECTS = ("Defect report DR-2025-041", "8D report 8D-2025-003: Edge particles on product A77")
MEETINGS = ("Yield meeting, 18 March 2025", "良率周会纪要-2025-04-15")
TOOL = ("PE-300 Plasma Etcher: Equipment Manual", "SOP-ETCH-015 静电吸盘更换规程")
USE_CASES = (
    UseCase("Are the wafer defects caused by an equipment malfunction?", FACT, (*DEFECTS, *TOOL[:1])),
    UseCase("Were the edge particles caused by the electrostatic chuck of ETCH-03?", FACT, DEFECTS),
    UseCase("晶圆缺陷是否由设备故障引起？", FACT, DEFECTS),
    UseCase("How can the yield of the etch process be improved?", IDEAS, MEETINGS),
    UseCase("如何优化刻蚀工艺以提高良率？", IDEAS, MEETINGS),
    UseCase("What should be checked when the backside helium leak alarm appears?", FACT, TOOL),
    UseCase("背面氦气泄漏报警时应该检查什么？", FACT, TOOL),
)


@pytest.fixture(scope="module")
def folder(demo_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the demo library for both engines."""
    return Path(shutil.copytree(demo_library, tmp_path_factory.mktemp("cases") / "library"))


@pytest.mark.parametrize("case", USE_CASES, ids=lambda case: case.question)
def test_a_use_case_leads_from_the_question_to_its_trace(asked: Asked, case: UseCase):
    report, events, engine = asked(case.question)
    assert report.level is case.level
    first = [passage.document_title for passage in report.passages[:3]]
    assert set(first) & set(case.titles), first
    assert any(isinstance(event, Searched) for event in events)
    read = [event for event in events if isinstance(event, Reranked | PerspectiveGiven)]
    assert {passage.chunk.id for passage in report.passages} <= {
        passage.chunk.id for event in read for passage in event.passages
    }
    assert any(isinstance(event, Synthesised) for event in events)
    assert any(isinstance(event, AnswerChecked) for event in events)
    assert report.council is None or (report.engine == "built-in") == (engine == "built-in"), report.engine
    if engine == "built-in" and report.outcome is Outcome.CLOSEST:
        return
    assert report.outcome in (Outcome.ANSWER, Outcome.CAVEAT), report.outcome
    cited = {number for sentence in report.sentences for number in sentence.citations}
    assert cited and all(0 < number <= len(report.passages) for number in cited)
    shown = {report.passages[number - 1].document_title for number in cited}
    assert shown <= set(case.titles) or engine != "built-in", shown
    assert engine == "built-in" or [
        call.task for event in events for call in event.calls if call.engine not in ("", "built-in")
    ]


@pytest.mark.parametrize(
    ("question", "alarm"),
    [
        ("Which alarms did ETCH-03 send between 10 and 14 March 2025?", "E-217"),
        ("2025年3月10日至14日ETCH-03发出了哪些报警？", "E-217"),
    ],
)
def test_alarms_of_a_span_are_answered_from_the_log(asked: Asked, question: str, alarm: str):
    report, events, engine = asked(question)
    rows = [row for event in events if event.name == "table_queried" for row in event.rows]
    counted = {row[0]: row[1] for row in rows if len(row) == 2}
    assert counted.get(alarm) == "5", rows  # as often as the file says it
    text = report.answer.replace("**", "")
    assert engine != "built-in" or (report.outcome is Outcome.ANSWER and f"{alarm}; times: 5" in text)


@pytest.mark.parametrize(
    "question", ["How many wafers will be scrapped in 2026?", "2026年会报废多少片晶圆？"]
)
def test_a_figure_of_the_future_is_a_forecast(asked: Asked, question: str):
    report, _, _ = asked(question)
    assert report.level is Level.PREDICTIVE and report.forecast is not None
    assert report.outcome is Outcome.CAVEAT


def test_an_overview_of_a_thing_is_told_from_each_document_that_names_it(asked: Asked):
    report, _, engine = asked("Give me an overview of ETCH-03.")
    held = [passage.document_title for passage in report.passages]
    assert len(set(held[:10])) >= 5, held
    assert all("ETCH-03" in passage.chunk.passage_text() for passage in report.passages[:10])
    if engine == "built-in":
        texts = [sentence.text for sentence in report.sentences]
        assert report.outcome is Outcome.ANSWER
        assert any(
            text.startswith("- **Defect report DR-2025-041**:") and "ETCH-03" in text for text in texts
        )
        assert len(texts) >= 5


@pytest.mark.parametrize(
    ("question", "theme"),
    [
        ("What does the library say about yield?", "yield"),
        ("What do we know about the electrostatic chuck?", "electrostatic chuck"),
        ("我们对静电吸盘了解多少？", "静电吸盘"),
    ],
)
def test_an_overview_of_a_theme_is_read_from_all_documents_that_say_it(
    asked: Asked, question: str, theme: str
):
    report, events, engine = asked(question)
    read = [event for event in events if isinstance(event, Searched) and event.kind == "summary"]
    assert len({passage.document_title for event in read for passage in event.passages}) >= 4
    if engine == "built-in":
        assert (report.level, report.outcome) == (Level.LINKING, Outcome.ANSWER), report.notes
        assert sum(sentence.text.startswith("- **") for sentence in report.sentences) >= 4
