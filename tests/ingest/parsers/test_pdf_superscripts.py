"""Exponents, indices and footnote marks of a PDF keep their meaning, and a search finds them."""

import pytest

from core.text.quantities import find_quantities
from core.text.tokens import index_words, normal
from tests.ingest.parsers.conftest import Reads
from tests.ingest.parsers.test_pdf import Text, pdf

WIDTH = 5.56  # of a figure of Helvetica at 10 points


def raised(before: str, figures: str, after: str, rise: float, width: float) -> list[Text]:
    """Return a line with small figures behind `before`, which is so many points wide."""
    small = WIDTH * 0.7 * len(figures)
    return [
        (50, 700, 10, "F1", before),
        (50 + width, 700 + rise, 7, "F1", figures),
        (50 + width + small + 0.2, 700, 10, "F1", after),
    ]


@pytest.mark.parametrize(
    ("before", "figures", "rise", "width", "text"),
    [
        ("1010", "6", 4, 4 * WIDTH, "1010⁶"),
        ("10", "12", 4, 2 * WIDTH, "10¹²"),
        ("1010", "2", -2, 4 * WIDTH, "1010₂"),
        ("1010", "6", 0, 4 * WIDTH, "10106"),
        ("1010", "th", 4, 4 * WIDTH, "1010th"),
    ],
)
def test_small_figures_over_and_under_the_line_are_told_from_those_on_it(
    reads: Reads, before: str, figures: str, rise: float, width: float, text: str
) -> None:
    (block,) = reads(
        "a.pdf", pdf(raised(before, figures, " of the wafers were measured.", rise, width))
    ).blocks
    assert block.text.split()[0] == text


def test_they_are_found_by_plain_letters_and_a_mark_is_no_part_of_its_word() -> None:
    assert index_words("H₂O at 10⁻⁶ mbar over 3 m²") == index_words("H2O at 10-6 mbar over 3 m2")
    assert normal("Zejiang Shen¹") == normal("Zejiang Shen")
    assert normal("cm² of D¹") == "cm2 of d1"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1.2 × 10⁻⁶ mbar", [1.2e-6]),
        ("3·10⁶ Pa", [3e6]),
        ("10⁻⁹ mbar", [1e-9]),
        ("93.5¹ %", [93.5]),
        ("25² wafers", []),
        ("12 m²", [12]),
    ],
)
def test_an_exponent_is_no_figure_of_its_number(text: str, values: list[float]) -> None:
    assert [quantity.value for quantity in find_quantities(text)] == values
