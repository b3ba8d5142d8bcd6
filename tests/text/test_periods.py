"""Periods are found in English and Chinese text, and their steps are counted."""

from datetime import date, datetime
from itertools import islice

import pytest

from core.text.periods import (
    as_period,
    between,
    coarsen,
    find_dates,
    find_periods,
    first_day,
    following,
    frequency_of,
    is_year,
)


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("approved on 6 March 2015.", "2015-03-06"),
        ("the 3rd of May, 2021", "2021-05-03"),
        ("March 6, 2015", "2015-03-06"),
        ("2025-04-15", "2025-04-15"),
        ("2025年4月15日", "2025-04-15"),
        ("in March 2024", "2024-03"),
        ("Sept. 2023", "2023-09"),
        ("2024年12月底", "2024-12"),
        ("03/2024", "2024-03"),
        ("Q3 2024", "2024-Q3"),
        ("Q1 of 2025", "2025-Q1"),
        ("the third quarter of 2023", "2023-Q3"),
        ("2023年第二季度", "2023-Q2"),
        ("week 11 of 2025", "2025-W11"),
        ("2024年第7周", "2024-W07"),
        ("in 2024.", "2024"),
        ("FY2023", "2023"),
        ("2024年度", "2024"),
        ("2022: 41", "2022"),
        ("2022年41件", "2022"),
        ("signé le 3 février 2020", "2020-02-03"),
        ("am 5. Mai 2018", "2018-05-05"),
        ("2023년 5월 3일", "2023-05-03"),
        ("31.12.2020", "2020-12-31"),
        ("12/31/2020", "2020-12-31"),
    ],
)
def test_a_period_is_read(text: str, period: str):
    assert [found.period for found in find_periods(text)] == [period]


@pytest.mark.parametrize(
    "text",
    [
        "every 2000 hours",
        "2000小时",
        "F-2024-17",
        "DR-2025-041",
        "2,024 wafers",
        "1.2024",
        "You may ask",
        "12-34",
    ],
)
def test_what_is_no_period_is_passed_over(text: str):
    assert find_periods(text) == []


def test_a_period_without_a_year_belongs_to_the_year_before_it_or_the_one_given():
    assert [d.period for d in find_periods("2025年1月为412，2月为388")] == ["2025-01", "2025-02"]
    assert [d.period for d in find_periods("from week 11 to week 15", "2025")] == ["2025-W11", "2025-W15"]
    assert [d.period for d in find_periods("from March to May", "2024")] == ["2024-03", "2024-05"]
    assert find_periods("from week 11 to week 15") == []
    assert find_periods("3月") == []


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("from March 5 to 7 May", ["March 5", "7 May"]),
        ("born in 1756, on 03/04/2021", ["1756", "03/04/2021"]),
        ("version 1.2.3 of SOP-112, 1756 units", []),
        ("3월 5일", ["3월 5일"]),
    ],
)
def test_dates_are_found_without_a_year_and_before_1900_too(text: str, dates: list[str]):
    assert [text[start:end] for start, end in find_dates(text)] == dates


def test_a_date_whose_month_nobody_can_tell_is_its_year_alone():
    assert [d.period for d in find_periods("03/04/2021")] == ["2021"]
    assert as_period("03/04/2021") is None


def test_a_cell_is_a_period_only_as_a_whole():
    assert as_period(date(2024, 3, 1)) == "2024-03-01"
    assert as_period(datetime(2024, 3, 1, 12, 30)) == "2024-03-01"
    assert as_period(2024) == "2024"
    assert as_period("2024-03") == "2024-03"
    assert as_period("see the report of March 2024 on this") is None
    assert as_period(91.5) is None


def test_longer_periods_hold_shorter_ones():
    assert coarsen("2025-03-18", "weekly") == "2025-W12"
    assert coarsen("2025-03-18", "monthly") == "2025-03"
    assert coarsen("2025-03", "quarterly") == "2025-Q1"
    assert coarsen("2025-Q4", "yearly") == "2025"
    assert coarsen("2025", "monthly") is None
    assert coarsen("2025-03-18", "daily") == "2025-03-18"


@pytest.mark.parametrize(
    ("period", "after"),
    [
        ("2024", ["2025", "2026"]),
        ("2024-Q4", ["2025-Q1", "2025-Q2"]),
        ("2024-12", ["2025-01", "2025-02"]),
        ("2024-W52", ["2025-W01", "2025-W02"]),
        ("2024-02-28", ["2024-02-29", "2024-03-01"]),
    ],
)
def test_periods_follow_each_other(period: str, after: list[str]):
    assert list(islice(following(period), 2)) == after
    assert between(period, after[1]) == [period, *after]
    assert frequency_of(after[0]) == frequency_of(period)


def test_a_period_begins_on_its_first_day():
    assert first_day("2024-Q2") == date(2024, 4, 1)
    assert first_day("2025-W12") == date(2025, 3, 17)
    assert first_day("2024") == date(2024, 1, 1)


def test_a_bare_year_is_four_digits_of_the_last_century_or_this_one() -> None:
    assert [text for text in ("1899", "1900", "2099", "2100", "19", "2024年", "20245") if is_year(text)] == [
        "1900",
        "2099",
    ]
