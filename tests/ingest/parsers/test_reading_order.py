"""Columns, notes, items and headings of pages, also of pages that are pictures."""

from core.domain import Parsed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.media.ocr import OcrLine
from core.ingest.parsers.media.ocr_page import page_of
from core.ingest.parsers.pdf.page_assembly import PageAssembly
from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.test_pdf import PROSE, Text, lines, pdf

LEFT = (
    "The rules in this subchapter shall",
    "apply to all positions in the service",
    "and to all who hold them now.",
)
RIGHT = (
    "A person with this status may be",
    "promoted, transferred or demoted",
    "without taking an examination.",
)


def scanned(*found: OcrLine) -> Parsed:
    """Return the document that pieces of lines read from a picture make."""
    draft = Draft("scan.png", "image/png")
    composition = PageAssembly(draft)
    composition.take(page_of(found, 0, 600, 800))
    composition.write({})
    return draft.parsed()


def piece(text: str, x0: float, x1: float, y: float, high: float = 0.0118) -> OcrLine:
    return OcrLine(text, x0, y, x1, y + high)


def test_columns_of_a_scan_that_nearly_touch_are_read_one_after_the_other() -> None:
    pieces = [
        piece(words, *span, 0.2 + 0.013 * (3 * turn + row), 0.0118 if row else 0.0142)
        for turn in range(3)
        for span, column in (((0.21, 0.493), LEFT), ((0.506, 0.787), RIGHT))
        for row, words in enumerate(column)
    ]
    text = " ".join(block.text for block in scanned(*pieces).blocks)
    assert text.index("A person with") > text.rindex("all who hold them")
    assert not texts(scanned(*pieces), "heading")  # boxes of one font differ in height


def test_a_section_of_a_scan_is_a_heading_by_its_sign() -> None:
    found = scanned(
        piece("Sec.", 0.2, 0.25, 0.1),
        piece("§ 1.2 Extent of the competitive service.", 0.2, 0.5, 0.14),
        *(piece(words, 0.2, 0.5, 0.16 + 0.013 * row) for row, words in enumerate(LEFT)),
    )
    assert texts(found, "heading") == ["§ 1.2 Extent of the competitive service."]


def test_notes_and_items_are_told_by_their_marks(reads: Reads) -> None:
    page: list[Text] = [
        (50, 750, 14, "F2", "Figures Example"),
        *lines(50, 700, ".1   The intent of this request is to solicit offers."),
        *lines(50, 660, ".2   Further information stands in section 45 of it."),
        *lines(50, 620, *PROSE, *PROSE),
        (50, 120, 7, "F1", "1\\) The first note says where the figures come from."),
        (50, 110, 7, "F1", "2\\) The second note says of which year they are."),
    ]
    parsed = reads("a.pdf", pdf(page))
    assert texts(parsed, "heading") == ["Figures Example"]  # not the caption of a figure "s"
    assert [text.split()[0] for text in texts(parsed, "list_item")] == [".1", ".2"]
    assert [text.split()[0] for text in texts(parsed, "footnote")] == ["1)", "2)"]


def test_three_columns_of_prose_whose_lines_are_level_are_no_table() -> None:
    stated = [f"{word} is what the office asks of each of" for word in ("Alpha", "Bravo", "Delta")]
    pieces = [
        piece(f"{text} {row}" if row % 4 else f"{text[:26]} {row}.", x0, x0 + (0.27 if row % 4 else 0.19), y)
        for row in range(24)
        for text, x0, y in zip(stated, (0.06, 0.365, 0.67), [0.1 + 0.02 * row] * 3, strict=True)
    ]
    parsed = scanned(*pieces)
    text = " ".join(block.text for block in parsed.blocks)
    assert not parsed.tables
    assert text.rindex("Alpha") < text.index("Bravo") < text.rindex("Bravo") < text.index("Delta")


def test_a_paragraph_that_runs_on_over_the_page_is_not_parted_by_notes_nor_figures(reads: Reads) -> None:
    first: list[Text] = [
        *lines(50, 700, *PROSE, *PROSE, *PROSE),
        *lines(50, 180, *PROSE[:2]),
        (50, 120, 7, "F1", "1\\) The first note says where the figures come from and goes on at length in a"),
        (50, 111, 7, "F1", "second line of it."),
    ]
    second: list[Text] = [
        *lines(50, 700, "Table 2. Wear of rings by week."),
        *lines(50, 670, *PROSE[2:], "Nothing else was seen there."),
        *lines(50, 570, *PROSE, *PROSE),
    ]
    parsed = reads("a.pdf", pdf(first, second))
    whole = next(block for block in parsed.blocks if block.text.endswith("Nothing else was seen there."))
    after = parsed.blocks[parsed.blocks.index(whole) + 1 :]
    assert whole.text.startswith("The etch rate of the chamber fell")
    assert [block.kind for block in after[:2]] == ["footnote", "caption"]


def test_a_paragraph_of_signs_without_small_letters_runs_on_over_the_page() -> None:
    draft = Draft("scan.png", "image/png")
    composition = PageAssembly(draft)
    body = "本规则适用于所有在职人员以及今后"
    for number, rows in enumerate(((body, body, body), ("加入本单位的人员。", "另见第二章的全部规定。"))):
        pieces = [piece(row, 0.2, 0.2 + 0.022 * len(row), 0.3 + 0.016 * at) for at, row in enumerate(rows)]
        composition.take(page_of(pieces, number, 600, 800))
    composition.write({})
    assert draft.parsed().blocks[0].text.startswith(body * 3 + "加入本单位的人员。")


def test_the_notes_of_a_page_stay_notes_over_its_columns(reads: Reads) -> None:
    left = [row[:38] for row in PROSE]
    page: list[Text] = [
        *lines(50, 700, *left * 11),
        (50, 120, 7, "F1", "3\\) The third note says where the figures come"),
        (50, 110, 7, "F1", "4\\) 2. a. to f. of the annex, and of its list in the"),
        *lines(330, 700, *left * 11),
        (330, 120, 7, "F1", "second part the first column only."),
    ]
    notes = texts(reads("a.pdf", pdf(page)), "footnote")
    assert [note[:2] for note in notes] == ["3)", "4)"]
    assert notes[1].endswith("list in the second part the first column only.")
