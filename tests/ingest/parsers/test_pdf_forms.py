"""Forms in PDFs: lists of check boxes in columns, and labels that ask for what stands below them."""

import io

import pytest
from reportlab.pdfgen import canvas

from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.test_pdf import PROSE, Text, lines, pdf

LEFT = ("Valve closed", "Pump stopped and the|breaker opened", "Tank vented", "Crew told", "Alarm off")
RIGHT = ("Area cleared", "Gas measured", "Report sent to the|safety office", "Door locked", "Other")


def checked(draw: "canvas.Canvas", items: tuple[str, ...], x: float, ticked: int) -> None:
    """Draw a list with a box before each item; "|" is where a line ends."""
    y = 600.0
    for number, item in enumerate(items):
        draw.rect(x, y, 9, 9)
        if number == ticked:
            draw.line(x, y, x + 9, y + 9)
            draw.line(x, y + 9, x + 9, y)
        for line in item.split("|"):
            draw.drawString(x + 24, y + 1, line)
            y -= 13


def form(*columns: tuple[tuple[str, ...], int]) -> bytes:
    buffer = io.BytesIO()
    draw = canvas.Canvas(buffer, pagesize=(600, 800))
    draw.setFont("Helvetica", 10)
    for row, line in enumerate(PROSE):
        draw.drawString(60, 700 - 13 * row, line)
        draw.drawString(60, 440 - 13 * row, line)
    for at, (items, ticked) in enumerate(columns):
        checked(draw, items, 60 + 170 * at, ticked)
    draw.save()
    return buffer.getvalue()


@pytest.mark.parametrize("columns", [2, 3])
def test_lists_of_check_boxes_beside_each_other_keep_their_lines(reads: Reads, columns: int) -> None:
    third = ("Shift begun", "Shift ended", "Handover to the|next crew", "Keys given", "Log signed")
    parsed = reads("a.pdf", form(*[(LEFT, 1), (RIGHT, 2), (third, 0)][:columns]))
    assert texts(parsed, "list_item")[:10] == [
        "☐ Valve closed",
        "☒ Pump stopped and the breaker opened",
        "☐ Tank vented",
        "☐ Crew told",
        "☐ Alarm off",
        "☐ Area cleared",
        "☐ Gas measured",
        "☒ Report sent to the safety office",
        "☐ Door locked",
        "☐ Other",
    ]
    assert len(texts(parsed, "list_item")) == 5 * columns
    assert not parsed.tables
    assert texts(parsed, "paragraph")[-1].startswith("The etch rate")  # what stands below comes after them


def test_answers_beside_each_other_stay_with_their_question(reads: Reads) -> None:
    buffer = io.BytesIO()
    draw = canvas.Canvas(buffer, pagesize=(600, 800))
    draw.setFont("Helvetica", 10)
    for row, asked in enumerate(("Was the pump off?", "Was the crew told?", "Was the area clear?")):
        y = 600 - 14 * row
        for x, answer in ((60, "Yes"), (110, "No")):
            draw.rect(x, y, 9, 9)
            draw.drawString(x + 14, y + 1, answer)
        draw.drawString(160, y + 1, asked)
    draw.save()
    text = " ".join(block.text for block in reads("a.pdf", buffer.getvalue()).blocks)
    assert "☐ Yes ☐ No Was the pump off?" in text.replace(" | ", " ")


def bold(x: float, y: float, words: str) -> Text:
    return (x, y, 10, "F2", words)


def report() -> list[Text]:
    return [
        (50, 750, 16, "F2", "Incident report"),
        bold(50, 710, "Description of the incident, with the time at which it began and who was there to"),
        bold(50, 698, "see it:"),
        *lines(50, 686, *PROSE),
        bold(50, 610, "Names of all who were near:"),
        *lines(50, 598, "N/A"),
        bold(50, 574, "Training:"),
        (98, 574, 10, "F1", "Including the kind of training, its length and a summary of all that"),
        *lines(50, 562, "was taught in it to the crew or to those who lead the crew.", "N/A"),
        bold(50, 526, "Actions taken by the crew after it:"),
        (222, 526, 10, "F1", "\\(Check all that apply.\\)"),
        *lines(50, 514, "None"),
        *lines(50, 490, "Complete part A or part B below, as told above."),
        bold(50, 478, "A. Plants with a crew of their own:"),
        bold(70, 454, "Name of the plant:"),
        *lines(70, 442, "Nordholm"),
        bold(50, 418, "Date:"),
        (90, 418, 10, "F1", "01/09/2015"),
        bold(50, 394, "B. Plants without one:"),
        *lines(50, 382, "N/A"),
    ]


def test_labels_that_stand_alike_are_headings_alike(reads: Reads) -> None:
    parsed = reads("a.pdf", pdf(report()))
    assert [(block.level, block.text) for block in parsed.blocks if block.kind == "heading"][1:] == [
        (
            2,
            "Description of the incident, with the time at which it began and who was there to see it:",
        ),
        (2, "Names of all who were near:"),
        (2, "Training:"),
        (2, "Actions taken by the crew after it:"),
        (2, "A. Plants with a crew of their own:"),
        (3, "Name of the plant:"),
        (2, "B. Plants without one:"),
    ]
    contents = [block.text for block in parsed.blocks]
    assert contents[contents.index("Training:") + 1].startswith("Including the kind of training")
    assert contents[contents.index("Actions taken by the crew after it:") + 1].startswith(
        "(Check all that apply.)"
    )
    assert "Date: 01/09/2015" in contents  # a value on the line of its label stays there
    assert not any("N/A" in text and "Training" in text for text in contents)


def test_one_bold_word_with_a_colon_is_no_way_of_heading(reads: Reads) -> None:
    page = [
        (50, 750, 16, "F2", "Etch manual"),
        *lines(50, 700, *PROSE),
        bold(50, 652, "Note:"),
        (82, 652, 10, "F1", "The pressure is read at the throttle valve and not at the chamber, so it"),
        *lines(50, 640, "is lower than the true one by a tenth of it."),
    ]
    assert texts(reads("a.pdf", pdf(page)), "heading") == ["Etch manual"]


def test_fields_without_rulings_are_one_form(reads: Reads) -> None:
    page = [
        (50, 750, 16, "F2", "Incident report"),
        *lines(50, 710, "Case: 17-505"),
        (260, 710, 10, "F1", "Agency: Harbour office"),
        *lines(50, 690, *PROSE),
        *lines(50, 630, "Age: 1 year"),
        (200, 630, 10, "F1", "Sex: male"),
        *lines(50, 612, "Place: Nordholm"),
        *lines(50, 594, "Date: 01/09/2015"),
        *lines(50, 560, *PROSE),
        *lines(50, 500, "He said: this is how the pump ran."),
    ]
    parsed = reads("a.pdf", pdf(page))
    assert [list(table.rows) for table in parsed.tables] == [
        [("Case:", "17-505"), ("Agency:", "Harbour office")],
        [("Age:", "1 year"), ("Sex:", "male"), ("Place:", "Nordholm"), ("Date:", "01/09/2015")],
    ]
    assert any(text.endswith("He said: this is how the pump ran.") for text in texts(parsed, "paragraph"))
