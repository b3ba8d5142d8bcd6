"""A predictive question is read: how far, in which steps, counted or averaged."""

import pytest

from core.forecast.request import read_question
from core.forecast.supposition import event_words


@pytest.mark.parametrize(
    ("question", "steps", "unit"),
    [
        ("What will the yield of A77 be in the next six months?", 6, "monthly"),
        ("未来六个月 A77 的良率会是多少？", 6, "monthly"),
        ("How much scrap next quarter?", 1, "quarterly"),
        ("下个季度的报废数量？", 1, "quarterly"),
        ("How many alarms over the coming 3 weeks?", 3, "weekly"),
        ("明年的良率？", 1, "yearly"),
        ("未来半年的良率？", 6, "monthly"),
        ("within two years", 2, "yearly"),
        ("How will the helium leak of ETCH-03 develop?", None, None),
    ],
)
def test_how_far_ahead_is_read(question: str, steps: int | None, unit: str | None):
    wanted = read_question(question)
    assert (wanted.steps, wanted.unit) == (steps, unit)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("How many E-217 alarms in the second half of 2025?", "2025-07", "2025-12"),
        ("2025年下半年有多少次报警？", "2025-07", "2025-12"),
        ("What will the yield be in Q2 2026?", "2026-Q2", "2026-Q2"),
        ("What will the yield be by 2027?", "2027", "2027"),
        ("2026年3月的良率？", "2026-03", "2026-03"),
    ],
)
def test_the_time_asked_for_is_read(question: str, first: str, last: str):
    wanted = read_question(question)
    assert (wanted.first, wanted.last) == (first, last)


@pytest.mark.parametrize(
    ("question", "last", "supposed"),
    [
        (
            "What will the yield be in 2026 as if the exchange is done in May?",
            "2026",
            "the exchange is done in May",
        ),
        ("As if the lamps were replaced, what will the yield be in 2026?", "2026", "the lamps were replaced"),
        (
            "What will the yield be in 2026 if the chuck is replaced in May?",
            "2026",
            "the chuck is replaced in May",
        ),
        ("Assuming that the roof is painted, how many wafers next year?", None, "the roof is painted"),
        ("假设5月更换静电吸盘，2026年的良率会是多少？", "2026", "5月更换静电吸盘"),
        ("2026年的良率会是多少，如果静电吸盘在5月更换？", "2026", "静电吸盘在5月更换"),
        ("What will the yield be in 2026 if nothing changes?", "2026", ""),
        ("What will the yield be in May 2026?", "2026-05", ""),
    ],
)
def test_what_a_question_supposes_sets_no_horizon(question: str, last: str | None, supposed: str):
    wanted = read_question(question)
    assert (wanted.last, wanted.supposed) == (last, supposed)
    assert not supposed or not wanted.words & {"exchang", "lamp", "chuck", "roof", "吸盘"}


@pytest.mark.parametrize(
    ("supposed", "event"),
    [
        ("the exchange is done in May", "exchange"),
        ("the electrostatic chuck is replaced on 12 May 2026", "electrostatic chuck is replaced"),
        ("5月完成更换静电吸盘", "更换静电吸盘"),
        ("in May", "in May"),
    ],
)
def test_the_event_is_what_happens_without_its_date(supposed: str, event: str):
    assert event_words(supposed) == event


def test_since_when_the_history_counts_is_no_target():
    wanted = read_question("How will the yield develop since 2023?")
    assert (wanted.since, wanted.last) == ("2023", None)


@pytest.mark.parametrize(
    ("question", "frequency", "aggregate", "counting"),
    [
        ("How many alarms per month?", "monthly", None, True),
        ("每周有多少次报警？", "weekly", None, True),
        ("average weekly yield", "weekly", "mean", False),
        ("total cost each quarter", "quarterly", "sum", False),
        ("下个季度的停机时间", None, None, False),
    ],
)
def test_grouping_is_read(question: str, frequency: str | None, aggregate: str | None, counting: bool):
    wanted = read_question(question)
    assert (wanted.frequency, wanted.aggregate, wanted.counting) == (frequency, aggregate, counting)


def test_codes_are_told_from_periods():
    assert read_question("E-217 alarms of ETCH-03 in Q3 2026 or H2 2026").codes == {"E-217", "ETCH-03"}


def test_a_chinese_question_finds_english_columns_and_the_other_way():
    assert "yield" in read_question("A77 的良率").words
    assert "良率" in read_question("the yield of A77").words
