"""Chinese compounds that say an English name word by word."""

from core.text.compounds import compounds

COLUMNS = (
    "Unit Cost",
    "Freshwater Ducks",
    "Total Value",
    "Minimum stock",
    "Stock",
    "Subscription Date",
    "Cost",
)


def test_a_compound_says_a_name_where_each_of_its_words_says_one_of_the_name():
    assert compounds("SKU-1和SKU-2哪个单位成本更高？", COLUMNS) == [("单位成本", "Unit Cost")]
    assert compounds("2020年有多少淡水鸭？", COLUMNS) == [("淡水鸭", "Freshwater Ducks")]
    assert compounds("谁的订阅日期更早？", COLUMNS) == [("订阅日期", "Subscription Date")]


def test_what_says_a_part_of_a_name_or_more_than_it_says_it_not():
    assert compounds("成本是多少？淡水有多少？", COLUMNS) == []
    assert compounds("What is the unit cost?", COLUMNS) == []
