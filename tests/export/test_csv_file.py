"""CSV files that spreadsheets show and never compute."""

import csv
import io
import itertools
import re

import pandas as pd
import pytest

from core.export.csv_file import csv_bytes, harmless

FORMULAS = (
    "=1+1",
    "=cmd|'/C calc'!A0",
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1,2)",
    "\t=1+1",
    "\r=1+1",
    " =1+1",
    "\ufeff=1",
    "\uff1d1+1",
    "|x",
    '=HYPERLINK("http://evil.test","press")',
)


def test_no_cell_or_name_of_a_column_begins_a_formula():
    frame = pd.DataFrame({text: [text, "plain"] for text in FORMULAS})
    rows = list(csv.reader(io.StringIO(csv_bytes(frame).decode("utf-8-sig"), newline="")))
    assert len(rows) == 3
    for cell in (*rows[0], *rows[1]):
        assert cell.startswith("'"), cell
        assert cell.replace("'", "") in {text.replace("'", "") for text in FORMULAS}, (
            "nothing else is changed"
        )


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("between", [";", "; ", "a;", "a\n", "a\r\n ", "a\t", "a;b;\t", '"a";', "a,b;"])
def test_no_part_of_a_cell_begins_a_formula_where_other_signs_part_cells(between: str, separator: str):
    """As a spreadsheet set to another language reads it: the quotes are not where it expects them."""
    frame = pd.DataFrame({"n": [1] * len(FORMULAS), "said": [between + text for text in FORMULAS]})
    text = csv_bytes(frame).decode("utf-8-sig")
    for cell in itertools.chain.from_iterable(csv.reader(io.StringIO(text, newline=""), delimiter=separator)):
        assert not re.match(r"[\s\ufeff]*[=+\-@|\uff1d]", cell), cell


def test_numbers_and_words_stay_as_they_are():
    for cell in ("-5", "+5.2e3", "-1,200.5", "12 %", "a=b", "", "ETCH-07", "-"):
        assert harmless(cell) == (f"'{cell}" if cell == "-" else cell)
    for cell in ("a; b; -5", "Lot A7: 3 %;\nLot A8: -3", "a;-1.5"):
        assert harmless(cell) == cell
    assert csv_bytes(pd.DataFrame({"n": [-1, 2]})).decode("utf-8-sig").split() == ["n", "-1", "2"]
