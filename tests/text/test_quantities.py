"""Numbers with units are read as English and Chinese sources write them."""

import pytest

from core.text.quantities import convert, find_counts, find_quantities, from_chinese, spelled_number


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("84.1 %", 84.1, "%"),
        ("97 percent", 97, "%"),
        ("百分之九十七", 97, "%"),
        ("1,250 wafers", 1250, "wafer"),
        ("1.2万片", 12_000, "片"),
        ("3.5亿元", 350_000_000, "元"),
        ("2.4万亿", 2.4e12, ""),
        ("$2.4 million", 2_400_000, "$"),
        ("4.6 bn EUR", 4.6e9, "EUR"),
        ("-12.5 °C", -12.5, "°C"),
        ("−3 V", -3, "V"),
        ("65 ℃", 65, "°C"),
        ("5-10 %", 7.5, "%"),
        ("0.5～0.7 sccm", 0.6, "sccm"),
        ("between 12 and 16 hours", 14, "h"),
        ("三百二十人", 320, "人"),
        ("412小时", 412, "h"),
        ("410 nm/min", 410, "nm/min"),
        ("0.42 1/cm2", 0.42, "1/cm2"),
        ("12 pages", 12, ""),
        ("良率90%", 90, "%"),
        ("3,5 bar", 3.5, "bar"),
        ("1.234,56 €", 1234.56, "€"),
        ("£1,200.50", 1200.5, "£"),
        ("5만 원", 50_000, "원"),
        ("2 heures", 2, "h"),
        ("14 Stunden", 14, "h"),
        ("3 个月", 3, "month"),
        ("3시간", 3, "h"),
        ("2024年", 2024, ""),
    ],
)
def test_a_quantity_is_read_with_its_unit(text: str, value: float, unit: str):
    (found,) = find_quantities(text)
    assert found.value == pytest.approx(value)
    assert found.unit == unit


@pytest.mark.parametrize(
    "text",
    [
        "ETCH-03",
        "E-217",
        "A77",
        "L25-0317",
        "8D",
        "3rd",
        "version 2.1.4",
        "第三季度",
        "no numbers",
        "the pump [12] was moved",
        "[1][2] The lid is blue",
    ],
)
def test_codes_versions_and_ordinals_are_no_quantities(text: str):
    assert find_quantities(text) == []


def test_numbers_joined_by_and_stay_two():
    assert [q.value for q in find_quantities("12 and 16 hours")] == [12, 16]


def test_a_range_keeps_its_upper_end():
    (found,) = find_quantities("80 to 95 EUR")
    assert (found.value, found.upper) == (87.5, 95)


@pytest.mark.parametrize(
    ("text", "value"),
    [("三十二", 32), ("一亿二千万", 120_000_000), ("二〇二四", 2024), ("十", 10), ("两百零五", 205)],
)
def test_chinese_numerals_are_read(text: str, value: float):
    assert from_chinese(text) == value


def test_what_is_no_chinese_numeral_has_no_value():
    assert from_chinese("亿千") is None


def test_spelled_numbers_are_counts():
    text = "three pumps, 两台设备"
    assert [text[start:end] for start, end in find_counts(text)] == ["three", "两"]


def test_units_that_measure_the_same_are_converted():
    assert convert(1.5, "h", "min") == pytest.approx(90)
    assert convert(20, "°C", "°F") == pytest.approx(68)
    assert convert(5, "mTorr", "Pa") == pytest.approx(0.6666, rel=1e-3)
    assert convert(3, "", "%") == 3
    assert convert(3, "nm", "h") is None


def test_a_number_spelled_out_is_read_in_both_languages() -> None:
    assert [spelled_number(word) for word in ("one", "Twelve", "两", "十二", "many", "几")] == [
        *(1, 12, 2, 12),
        *(None, None),
    ]
