"""What stands before the text of a PDF: its title, its authors, its day, its contents."""

import io

import pytest
from reportlab.pdfgen import canvas

from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.test_pdf import PROSE, Text, lines, pdf

PARTS = ("1 Vacuum pumps", "2 Gas boxes", "3 Chambers", "4 Edge rings", "5 Spare parts")
AUTHORS = (
    "Ann Lee\nOslo College\nOslo, Norway\nann.lee@oslo.no",
    "Bo Dahl\nBergen College\nBergen, Norway\nbo.dahl@bergen.no",
    "Cy Berg\nHarbour Works\nHarbour, Norway\ncy.berg@harbour.no",
)


def paper() -> list[list[Text]]:
    front: list[Text] = [
        (150, 740, 18, "F2", "Care of etch tools"),
        *(
            (70 + 170 * column, 710 - 12 * row - 4 * (row > 0), 10, "F1", content)
            for column, author in enumerate(AUTHORS)
            for row, content in enumerate(author.split("\n"))
        ),
        (220, 640, 13, "F1", "May 2, 2023"),
        *(text for row, part in enumerate(PARTS) for text in entry(600 - 14 * row, part, row + 1)),
    ]
    stated = [[(50.0, 740.0, 14.0, "F2", part), *lines(50, 700, *PROSE)] for part in PARTS]
    return [front, *stated]


def entry(y: float, part: str, page: int) -> list[Text]:
    return [(50, y, 10, "F1", part), (400, y, 10, "F1", str(page))]


def test_authors_side_by_side_and_the_day_are_no_table_and_no_headings(reads: Reads) -> None:
    parsed = reads("a.pdf", pdf(*paper()))
    assert parsed.metadata["authors"] == "Ann Lee; Bo Dahl; Cy Berg"
    assert texts(parsed, "heading") == ["Care of etch tools", *PARTS]
    assert texts(parsed, "paragraph")[:4] == [
        *(author.replace("\n", " ") for author in AUTHORS),
        "May 2, 2023",
    ]


def test_the_authors_a_file_claims_head_nothing_in_any_script(reads: Reads) -> None:
    buffer = io.BytesIO()
    draw = canvas.Canvas(buffer, pagesize=(600, 800))
    draw.setAuthor("Ann Lee, CHEM-7 of the works")
    for y, size, text in ((740, 24, "Care of etch tools"), (700, 17, "Ann Lee,  CHEM-7 of the works")):
        draw.setFont("Helvetica-Bold", size)
        draw.drawString(60, y, text)
    draw.setFont("Helvetica", 10)
    for row, line in enumerate(PROSE * 3):
        draw.drawString(60, 640 - 13 * row, line)
    draw.save()
    assert texts(reads("a.pdf", buffer.getvalue()), "heading") == ["Care of etch tools"]


def test_the_number_of_a_chapter_over_its_title_is_one_heading_with_it(reads: Reads) -> None:
    heads: list[Text] = [(60, 740, 16, "F2", "Chapter 2"), (60, 700, 22, "F1", "Care of etch tools")]
    more: list[Text] = [(60, 560, 16, "F2", "Chapter and verse"), (60, 520, 22, "F1", "Pumps")]
    parsed = reads("a.pdf", pdf([*heads, *lines(60, 660, *PROSE), *more, *lines(60, 500, *PROSE)]))
    assert texts(parsed, "heading") == ["Chapter 2 Care of etch tools", "Chapter and verse", "Pumps"]


def test_contents_are_a_list_and_other_rows_with_rising_figures_are_a_table(reads: Reads) -> None:
    parsed = reads("a.pdf", pdf(*paper()))
    assert texts(parsed, "list_item") == [f"{part} {row + 1}" for row, part in enumerate(PARTS)]
    rows = [
        text
        for row, name in enumerate(("Bolt", "Ring", "Seal", "Nut", "Pin"))
        for text in entry(600 - 14 * row, name, 4 + row)
    ]
    (table,) = reads("b.pdf", pdf([*rows, *lines(50, 500, *PROSE)])).tables
    assert "Ring" in str(table)


def test_the_title_may_stand_under_an_imprint(reads: Reads) -> None:
    imprint: list[Text] = [
        (50, 760 - 34 * row, 10, "F1", f"Imprint {name}") for row, name in enumerate("abcdefg")
    ]
    under: list[Text] = [*imprint, (50, 480, 18, "F2", "Care of pumps"), *lines(50, 440, *PROSE)]
    assert reads("a.pdf", pdf(under)).title == "Care of pumps"
    assert reads("a.pdf", pdf([*under, (50, 100, 18, "F2", "Care of rings")])).title == "a"


@pytest.mark.parametrize(
    ("head", "title"), [("Report on pumps*", "Report on pumps"), ("Search with A*", "Search with A*")]
)
def test_the_mark_of_a_note_is_no_part_of_the_title(reads: Reads, head: str, title: str) -> None:
    parsed = reads("a.pdf", pdf([(50, 740, 18, "F2", head), *lines(50, 700, *PROSE)]))
    assert (parsed.title, texts(parsed, "heading")) == (title, [head])


def test_a_line_in_larger_type_that_goes_on_with_a_sentence_is_no_heading(reads: Reads) -> None:
    page = [
        *lines(50, 700, *PROSE),
        (50.0, 600.0, 10.0, "F1", "Clean the chamber with three"),
        *lines(50, 300, *PROSE),
    ]
    parsed = reads("a.pdf", pdf([*page, (50, 586, 13, "F1", "wipes and two swabs")]))
    assert texts(parsed, "heading") == []


def test_an_author_alone_in_large_type_heads_nothing(reads: Reads) -> None:
    front: list[Text] = [(150, 740, 18, "F2", "Care of tools"), (200, 705, 13, "F1", "Emma Paradis*")]
    parsed = reads("a.pdf", pdf([*front, *lines(50, 660, *PROSE)]))
    assert (texts(parsed, "heading"), parsed.metadata["authors"]) == (["Care of tools"], "Emma Paradis")


def test_a_numbered_heading_goes_on_in_the_line_centred_below_it(reads: Reads) -> None:
    heads: list[Text] = [(60, 700, 10, "F1", "§ 4.1 Tools and people that are concerned by")]
    below: list[Text] = [(110, 688, 10, "F1", "the rules of this part.")]
    parsed = reads("a.pdf", pdf([*heads, *below, *lines(60, 660, *PROSE)]))
    assert texts(parsed, "heading") == [
        "§ 4.1 Tools and people that are concerned by the rules of this part."
    ]
    left: list[Text] = [(60, 688, 10, "F1", "The rules hold from May on.")]
    assert texts(reads("b.pdf", pdf([*heads, *left, *lines(60, 660, *PROSE)])), "heading") == [heads[0][-1]]


def test_bold_lines_that_stand_apart_are_a_heading_each(reads: Reads) -> None:
    heads: list[Text] = [
        (60, 700, 10, "F2", "What the service rests on"),
        (60, 681, 10, "F2", "Month by month"),
    ]
    parsed = reads("a.pdf", pdf([*heads, *lines(60, 660, *PROSE)]))
    assert texts(parsed, "heading") == ["What the service rests on", "Month by month"]
