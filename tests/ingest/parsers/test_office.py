"""Word, PowerPoint, Excel, OpenDocument, RTF, EPUB."""

import base64
import io
import zipfile
import zlib

import pytest

from core.domain import Parsed
from tests.ingest.parsers.conftest import Reads, texts


def saved(thing: object) -> bytes:
    stream = io.BytesIO()
    thing.save(stream)  # type: ignore[attr-defined]
    return stream.getvalue()


@pytest.fixture
def report(reads: Reads) -> Parsed:
    from docx import Document

    document = Document()
    document.core_properties.title = "8D report"
    document.sections[0].header.paragraphs[0].text = "Confidential"
    document.add_heading("Problem", 1)
    document.add_paragraph("Particles on wafer 7.")
    document.add_heading("Actions", 2)
    for step in ("Clean", "Measure"):
        document.add_paragraph(step, style="List Number")
    table = document.add_table(rows=3, cols=2)
    for cell, text in zip(
        (c for row in table.rows for c in row.cells),
        ["Site", "Depth (nm)", "1", "30", "2", "31.5"],
        strict=True,
    ):
        cell.text = text
    return reads("a.docx", saved(document))


def test_word_keeps_headings_lists_tables_and_headers(report: Parsed) -> None:
    assert [(b.text, b.level) for b in report.blocks if b.kind == "heading"] == [
        ("Problem", 1),
        ("Actions", 2),
    ]
    assert texts(report, "list_item") == ["1. Clean", "2. Measure"]
    assert report.tables[0].rows == ((1, 30.0), (2, 31.5))
    assert report.tables[0].columns[1].unit == "nm"
    assert (report.title, report.metadata["header"]) == ("8D report", "Confidential")


def test_slides_are_pages_with_notes_tables_and_boxes(reads: Reads) -> None:
    from pptx import Presentation
    from pptx.util import Inches

    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Yield 2024"
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for (y, x), text in {(0, 0): "Month", (0, 1): "Yield (%)", (1, 0): "May", (1, 1): "93"}.items():
        table.cell(y, x).text = text
    slide.notes_slide.notes_text_frame.text = "Say thanks."
    parsed = reads("a.pptx", saved(show))
    assert parsed.pages == 1
    assert parsed.blocks[0].text == "Yield 2024"
    assert parsed.blocks[0].location.page == 0
    assert 0 < parsed.blocks[1].location.boxes[0].y0 < 1
    assert parsed.tables[0].rows == (("May", 93),)
    assert texts(parsed, "paragraph") == ["Notes: Say thanks."]


def test_a_head_over_several_columns_of_a_slide_names_each_of_them(reads: Reads) -> None:
    from pptx import Presentation
    from pptx.util import Inches

    show, held = Presentation(), io.BytesIO()
    shapes = show.slides.add_slide(show.slide_layouts[6]).shapes
    table = shapes.add_table(4, 4, 0, 0, Inches(6), Inches(2)).table
    for y, row in enumerate(
        (("", "2023", "", "2024"), ("", "won", "lost", "won"), ("A", "1", "2", "3"), ("", "4", "5", "6"))
    ):
        for x, text in enumerate(row):
            table.cell(y, x).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(2, 0).merge(table.cell(3, 0))
    show.save(held)
    (found,) = reads("a.pptx", held.getvalue()).tables
    assert [column.name for column in found.columns] == ["column 1", "2023 won", "2023 lost", "2024 won"]
    assert found.rows == (("A", 1, 2, 3), ("A", 4, 5, 6))


def test_a_sheet_with_several_tables_titles_and_merged_cells(reads: Reads) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Yield"
    for row in [
        ["Monthly yield", None, None],
        ["Month", "Line 1 (%)", "Line 2 (%)"],
        ["2024-01", 93, 91.5],
        ["2024-02", 94, 92.5],
    ]:
        sheet.append(row)
    sheet.merge_cells("A1:C1")
    sheet.append([])
    sheet.append(["Tool", "Alarms"])
    sheet.append(["E1", 4])
    sheet.append(["E2", 0])
    parsed = reads("a.xlsx", saved(book))
    first, second = parsed.tables
    assert (first.caption, first.rows[1]) == ("Monthly yield", ("2024-02-01", 94, 92.5))
    assert [(c.name, c.type, c.unit) for c in first.columns] == [
        ("Month", "date", ""),
        ("Line 1", "integer", "%"),
        ("Line 2", "real", "%"),
    ]
    assert second.rows == (("E1", 4), ("E2", 0))
    assert (second.location.sheet, second.location.rows) == ("Yield", (5, 7))


def test_percent_cells_and_dates_are_what_the_reader_sees(reads: Reads) -> None:
    import datetime as dt

    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Day", "Share"])
    for share in (0.931, 0.5):
        sheet.append([dt.date(2024, 5, 1), share])
        sheet.cell(sheet.max_row, 2).number_format = "0.0%"
    table = reads("a.xlsx", saved(book)).tables[0]
    assert table.rows == (("2024-05-01", 93.1), ("2024-05-01", 50.0))
    assert (table.columns[0].type, table.columns[1].unit) == ("date", "%")


def test_formulas_without_a_stored_value_are_said(reads: Reads) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [["a", "b"], [1, "=A2*2"], [2, "=A3*2"]]:
        sheet.append(row)
    assert any(
        "Formulas without a stored value: 2." in sentence for sentence in reads("a.xlsx", saved(book)).skipped
    )


_SAME = ("office", "text", "table", "style")


def odf(kind: str, body: str) -> bytes:
    spaces = " ".join(
        f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{u}:1.0"'
        for n, u in {
            **dict(zip(_SAME, _SAME, strict=True)),
            "draw": "drawing",
            "presentation": "presentation",
            "svg": "svg-compatible",
        }.items()
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr(
            "content.xml",
            f"<office:document-content {spaces}><office:body>{body}</office:body></office:document-content>",
        )
    return stream.getvalue()


def row(*cells: str) -> str:
    return "<table:table-row>" + "".join(cells) + "</table:table-row>"


def cell(text: str, about: str = "") -> str:
    return f"<table:table-cell {about}><text:p>{text}</text:p></table:table-cell>"


def test_opendocument_text_and_sheets(reads: Reads) -> None:
    words = "<text:h text:outline-level='2'>Scope</text:h><text:p>All tools.</text:p>"
    text = reads("a.odt", odf("text", f"<office:text>{words}</office:text>"))
    assert [(b.kind, b.text, b.level) for b in text.blocks] == [
        ("heading", "Scope", 2),
        ("paragraph", "All tools.", 0),
    ]
    rows = row(cell("Lot"), cell("n")) + row(
        cell("A"), cell("3", "office:value-type='float' office:value='3'")
    )
    rows += (
        "<table:table-row table:number-rows-repeated='1048573'>"
        "<table:table-cell table:number-columns-repeated='16384'/></table:table-row>"
    )
    body = f"<office:spreadsheet><table:table table:name='S'>{rows}</table:table></office:spreadsheet>"
    assert reads("a.ods", odf("spreadsheet", body)).tables[0].rows == (("A", 3),)


def test_merged_cells_of_an_open_document_sheet_are_filled(reads: Reads) -> None:
    covered = "<table:covered-table-cell/>"
    rows = row(cell("Yield by chamber", "table:number-columns-spanned='3'"), covered, covered)
    rows += row(cell("Chamber"), cell("Day"), cell("n"))
    rows += row(cell("A", "table:number-rows-spanned='2'"), cell("Mon"), number(1))
    rows += row(covered, cell("Tue"), number(2))
    body = f"<office:spreadsheet><table:table table:name='S'>{rows}</table:table></office:spreadsheet>"
    parsed = reads("plan.ods", odf("spreadsheet", body))
    assert (parsed.title, parsed.tables[0].caption) == ("plan", "Yield by chamber")
    assert parsed.tables[0].rows == (("A", "Mon", 1), ("A", "Tue", 2))


def number(value: int) -> str:
    return cell(str(value), f"office:value-type='float' office:value='{value}'")


# A workbook of Excel 97, packed: a title over three columns, a cell over two rows, two shares in percent.
OLD = """
eNrtWE1IVFEU/u59M86M+TOaBhrYIGhlEkWbCHSyTBeh2Q/0Q1AzzoCijTLUwhZl2SyDoE1FG8EWbaw2/VCI7aICoxZBEGjRKloEBS3U
1znn3Vc6GThQgvK+4Z537rnn3HvuPeed9+a9miiZHL5XOYUsNMLCrB1C3hyZohZyO2HQuG0z616D1GwPywqhIAUyz4/HhS8DHEOO9xQ0
7vqeEgU+UDuOfrT3pZKRJcQu8SGm2IcG5aPc07hJrQgV4lep0E6hq4XeEd0nQneK5LLQBtKdVMcwEW2v227y+IiulrEiogoPxOadSLai
HM84j89fUY6uH03p7ljvMhuo8hVgBBTS1mQqmeZ+CLfgA7Zs3lIziTIK9Ai+2xHgm3tHj0c8+dLKFUj+Y7488Bd5kMKXLb+qKaCDsE8q
TuMMVmGHj0cs7OtNZKhW9+c5SdEyjb1SukNO5T7anexNROIDkc6u2Kl4Mk15stvhLKA5NuAHDnbF0knKqSaStPWliB46w/0YtXg+TyWV
IzyvchTK/VRANIFi4UvkrgqT+9O3v75ui3dET4hkUJ4WzjOlhrcBGxfYgoyLZER2QlsB6sRik9CLMuta4SuFllHK07W2o9wwLUOic0lG
a2mdbYI30fVz+A3EZz7vf1iV+RjdSPxo69TZstG30WFU0yElyJ5/Q6hX9erGdcajqHtVpvq8F1rxRyUK6rDx3TYPzmLMIF/YEqFj0uPT
4fNhfbWAvhJ9pk7PPU2np6lnmdX0AtZarH1G34mFn/U0Vz1Ne7iWKh0af/4lyjNYWTOM0ZlYxl+2t8SeY3xOc4/tX1Dvk5yFFl0XGo26
FPfZAarEv7EUWaN/0eWaNXrBrAmYODhZEzT6KkufY+NkTb6c7TqTNU50bKMYQjMpjVdp+CVQWChQHjx48ODBg4cVC2Xelizzxu0372QB
811nhtqs95lkxeIA+uh3mv5Y7kGKrmkM5JQ/a+BX7lxqkTbu90LGYVo9jR7ExY+enPOX3qnV3P0s2jD8726hXNefzcXP/7z+T+ddFV8=
"""


def test_an_old_workbook_has_its_merged_cells_filled_and_its_shares_in_percent(reads: Reads) -> None:
    parsed = reads("old.xls", zlib.decompress(base64.b64decode(OLD)))
    assert (parsed.title, parsed.tables[0].caption) == ("old", "Yield by chamber")
    assert parsed.tables[0].rows == (("A", "Mon", 93.1), ("A", "Tue", 50.0))
    assert parsed.tables[0].columns[2].unit == "%"


def test_rtf_gives_its_words(reads: Reads) -> None:
    parsed = reads("a.rtf", rb"{\rtf1\ansi{\fonttbl\f0 Arial;}\f0 Pump \b failed\b0 .\par Replace it.\par}")
    assert texts(parsed, "paragraph") == ["Pump failed.", "Replace it."]


def test_a_book_is_read_chapter_by_chapter(reads: Reads) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container><rootfiles><rootfile full-path="o/p.opf"/></rootfiles></container>',
        )
        items = "".join(f'<item id="c{i}" href="c{i}.html"/>' for i in (1, 2, 3))
        spine = "".join(f'<itemref idref="c{i}"/>' for i in (2, 1, 3))
        archive.writestr(
            "o/p.opf",
            f"<package><metadata><title>Etching</title></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>",
        )
        for i in (1, 2):
            archive.writestr(f"o/c{i}.html", f"<html><body><h1>C{i}</h1><p>Text {i}.</p></body></html>")
    parsed = reads("a.epub", stream.getvalue())
    assert parsed.title == "Etching"
    assert texts(parsed, "heading") == ["C2", "C1"]
    assert "Chapter 3" in parsed.skipped[0]


def test_a_slide_of_opendocument_tells_its_title_once_and_its_shapes_by_their_places(reads: Reads) -> None:
    def frame(text: str, left: int, top: int, about: str = "") -> str:
        at = f"svg:x='{left}cm' svg:y='{top}cm' svg:width='5cm' svg:height='2cm'"
        return f"<draw:frame {at} {about}><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"

    shapes = frame("Lower", 1, 8) + frame("Upper", 1, 4) + frame("Pumps", 1, 1, "presentation:class='title'")
    notes = f"<presentation:notes>{frame('Say thanks.', 1, 1)}</presentation:notes>"
    untitled = f"<draw:page>{frame('Alone', 1, 1)}</draw:page>"
    pages = f"<draw:page>{notes}{shapes}</draw:page>{untitled}"
    parsed = reads("a.odp", odf("presentation", f"<office:presentation>{pages}</office:presentation>"))
    stated = ["Pumps", "Upper", "Lower", "Notes: Say thanks.", "Slide 2", "Alone"]
    assert ([block.text for block in parsed.blocks], parsed.title) == (stated, "Pumps")
    alone = reads("b.odp", odf("presentation", f"<office:presentation>{untitled}</office:presentation>"))
    assert alone.title == "b"


def test_objects_of_other_programs_are_left_out_by_name(reads: Reads) -> None:
    from docx import Document
    from docx.oxml import parse_xml
    from pptx import Presentation

    show, document = Presentation(), Document()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.add_ole_object(io.BytesIO(b"x"), "Excel.Sheet.12", 0, 0).name = "Budget"
    skipped = reads("a.pptx", saved(show)).skipped
    assert any("“Budget, Excel.Sheet.12” was left out" in message for message in skipped)
    office = "xmlns:o='urn:schemas-microsoft-com:office:office'"
    document.add_paragraph("Costs")._p.append(parse_xml(f"<o:OLEObject {office} ProgID='Visio.Drawing.15'/>"))
    skipped = reads("a.docx", saved(document)).skipped
    assert any("“Visio.Drawing.15” was left out" in message for message in skipped)
    ole = "<draw:frame draw:name='Plan'><draw:object-ole/></draw:frame>"
    body = f"<office:text><text:p>Costs{ole}</text:p></office:text>"
    assert any("“Plan” was left out" in message for message in reads("a.odt", odf("text", body)).skipped)
