"""Which unit says which quantity, in one list for what measures and what counts."""

import pytest

from core.llm.extractive.quantities import UNIT, measures, measures_another


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        ("power", "RF generator: 2500 W"),
        ("pressur", "vented to 760 Torr"),
        ("temperatur", "below 40 °C"),
        ("time", "it takes 6.5 hours"),
        ("time", "every 400 RF hours"),
        ("时间", "更换需要 5 小时"),
        ("周期", "每 3 个月检查一次"),
        ("力矩", "力矩 4 牛·米"),
        ("price", "38500 EUR"),
    ],
)
def test_a_unit_says_its_quantity(quantity, text):
    assert measures(quantity, text)


def test_a_unit_of_another_quantity_does_not():
    assert not measures("price", "14 weeks")
    assert not measures("power", "PE-300 Wafers")
    assert not measures("yield", "84 %")  # a share may be of anything


@pytest.mark.parametrize(
    ("question", "noun", "text"),
    [
        ("静电吸盘多久更换一次？", "", "2,500 V"),
        ("How often must it be replaced?", "", "2,500 V"),
        ("静电吸盘的价格是多少？", "价格", "14 周"),
        ("What is the generator's power?", "power", "13.56 MHz"),
    ],
)
def test_a_figure_in_the_unit_of_something_else_is_no_answer(question, noun, text):
    assert measures_another(question, noun, text)


@pytest.mark.parametrize(
    ("question", "noun", "text"),
    [
        ("How often must it be replaced?", "", "400 RF hours"),
        ("How often is the oil changed?", "", "every 5,000 km"),  # an interval may be a way
        ("How often is it inspected?", "", "3 times"),
        ("What is the throughput?", "throughput", "28 wafers per hour"),
        ("What is the price?", "price", "2100"),
    ],
)
def test_a_figure_without_another_unit_may_be_the_answer(question, noun, text):
    assert not measures_another(question, noun, text)


def test_one_list_serves_what_measures_and_what_counts():
    from core.llm.extractive.counts import counts_nothing

    assert "牛·?米" in UNIT
    assert counts_nothing("How many screws are there?", "Tighten the screws with 4 牛·米.")
