"""What a file says of its columns elsewhere stands on them."""

from io import BytesIO

import pytest
from openpyxl import Workbook

from core.ingest.parsers import read

TURBINES = [("site", "pn", "vw_in", "h_hub"), ("Skagen", 3000, 3.5, 94), ("Ribe", 2300, 4, 80)]
SQL = """
CREATE TABLE turbine (
  site VARCHAR(20),
  pn INTEGER, -- nominal power in kW
  vw_in REAL COMMENT 'cut-in wind speed (m/s)'
);
INSERT INTO turbine VALUES ('Skagen', 3000, 3.5), ('Ribe', 2300, 4.0);
"""
POSTGRES = """
CREATE TABLE public.turbine (site text, pn integer, vw_in real);
COMMENT ON COLUMN public.turbine.pn IS 'Nominal power, the maker''s figure';
COPY public.turbine (site, pn, vw_in) FROM stdin;
Skagen\t3000\t3.5
Ribe\t2300\t4.0
\\.
"""


def notes_of(path, at=0):
    table = read(path, path.name).tables[at]
    return {c.name: (c.note, c.unit) for c in table.columns if c.note}


def workbook(path, *sheets):
    book = Workbook()
    for at, (title, rows) in enumerate(sheets):
        sheet = book.active if at == 0 else book.create_sheet()
        sheet.title = title
        for row in rows:
            sheet.append(row)
    stream = BytesIO()
    book.save(stream)
    path.write_bytes(stream.getvalue())
    return path


@pytest.mark.parametrize("header", [[("Variable", "Unit", "Meaning")], []], ids=["headed", "bare"])
def test_a_sheet_beside_explains_columns(tmp_path, header):
    rows = [
        ("pn", "kW", "Nominal power of the turbine"),
        ("vw-in", "m/s", "Cut-in wind speed"),
        ("h_hub", "m", "Hub height"),
    ]
    path = workbook(tmp_path / "wind.xlsx", ("Data", TURBINES), ("Legend", [*header, *rows]))
    found = notes_of(path)
    assert {name: note for name, (note, _) in found.items()} == {
        "pn": "Nominal power of the turbine",
        "vw_in": "Cut-in wind speed",
        "h_hub": "Hub height",
    }
    if header:
        assert found["pn"][1] == "kW"


def test_rows_that_only_share_words_explain_nothing(tmp_path):
    other = [
        ("site", "pn", "kind"),
        ("site", "a plain word", "x y"),
        ("Ribe", "a town in Jutland", "z z"),
        ("Oslo", "its capital", "q q"),
    ]
    assert notes_of(workbook(tmp_path / "wind.xlsx", ("Data", TURBINES), ("Places", other))) == {}


def test_single_words_beside_names_explain_nothing(tmp_path):
    seen = [("column", "state"), ("pn", "checked"), ("vw_in", "missing"), ("h_hub", "checked")]
    assert notes_of(workbook(tmp_path / "wind.xlsx", ("Data", TURBINES), ("Review", seen))) == {}


@pytest.mark.parametrize(
    "lines",
    [
        "Legend\n\npn = nominal power [kW]; vw_in = cut-in wind speed\n",
        "- `pn`: nominal power [kW]\n- `vw_in`: cut-in wind speed\n",
    ],
)
def test_lines_explain_columns(tmp_path, lines):
    path = tmp_path / "wind.md"
    table = "\n".join(
        ["| site | pn | vw_in |", "|---|---|---|", "| Skagen | 3000 | 3.5 |", "| Ribe | 2300 | 4.0 |"]
    )
    path.write_text(f"# Wind\n\n{table}\n\n{lines}")
    assert notes_of(path) == {"pn": ("nominal power [kW]", "kW"), "vw_in": ("cut-in wind speed", "")}


def test_fields_of_a_form_explain_no_columns(tmp_path):
    path = tmp_path / "order.md"
    table = "| Name | City |\n|---|---|\n| Ann Lee | Oslo |\n| Bo Dahl | Bergen |"
    path.write_text(f"# Order\n\nName: Carl Berg\nCity: New Bergen\n\n{table}\n")
    assert notes_of(path) == {}


def test_comments_of_a_dump_explain_columns(tmp_path):
    path = tmp_path / "wind.sql"
    path.write_text(SQL)
    assert notes_of(path) == {
        "pn": ("nominal power in kW", "kW"),
        "vw_in": ("cut-in wind speed (m/s)", "m/s"),
    }
    path.write_text(POSTGRES)
    assert notes_of(path) == {"pn": ("Nominal power, the maker's figure", "")}
