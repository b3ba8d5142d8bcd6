"""What was left out of a document is listed with it; what stood at the margins a click puts back."""

from pathlib import Path

from openpyxl import Workbook

from core.assistant import Assistant
from core.ui.shared import session
from tests.ingest.parsers.test_pdf import PROSE, lines, pdf
from tests.ui.conftest import Open, page_text, settle

HEADER = "Holmgaard quality handbook, revision"


def page(number: int, page_text: str) -> list[object]:
    return [
        *lines(50, 800, f"{HEADER} {number}"),
        *lines(50, 700, f"The {page_text} is tested every morning.", *PROSE, *PROSE),
    ]


def test_a_line_left_out_at_the_margins_is_listed_and_put_back(
    assistant: Assistant, open_page: Open, tmp_path: Path
) -> None:
    path = tmp_path / "handbook.pdf"
    path.write_bytes(pdf(page(1, "oven"), page(2, "press"), page(3, "mill")))
    assistant.library.ingest([path])
    settle(assistant)
    contents = assistant.library.contents
    document = next(each for each in contents.documents() if each.name == "handbook.pdf")
    texts = [chunk.text for chunk in contents.chunks(document_id=document.id)]
    assert not any(HEADER in text for text in texts)
    ((margin, back),) = assistant.library.margins(document.id)
    assert (margin.text, sorted(margin.lines), back) == (f"{HEADER} 1", [0, 1, 2], False)
    at = open_page(session.KNOWLEDGE, document=document.id)
    at.button(key=f"margin_{document.id}_0").click().run()
    assert not at.exception, at.exception
    chunks = contents.chunks(document_id=document.id)
    for number in range(3):
        (held,) = [chunk for chunk in chunks if f"{HEADER} {number + 1}" in chunk.text]
        assert number in {box.page for box in held.location.boxes}
    assert assistant.library.margins(document.id)[0][1]
    assert "Back in the text" in [caption.value for caption in at.caption]
    found = assistant.library.search("Holmgaard quality handbook", 5, legs=["keyword"]).leg("keyword")
    assert document.id in [passage.chunk.document_id for passage in found]


def test_a_document_says_what_it_holds_and_how_it_was_read(
    assistant: Assistant, open_page: Open, tmp_path: Path
) -> None:
    book, path = Workbook(), tmp_path / "log.xlsx"
    for row in (("Week", "Yield"), (1, 91), (2, "=B2+1")):
        book.active.append(row)
    book.create_sheet("Empty")
    book.save(path)
    assistant.library.ingest([path])
    settle(assistant)
    contents = assistant.library.contents
    document = next(each for each in contents.documents() if each.name == "log.xlsx")
    shown = page_text(open_page(session.KNOWLEDGE, document=document.id))
    assert "2 sheets" in shown
    assert "Formulas without a stored value: 1." in shown


def test_what_was_damaged_in_a_file_is_said_with_its_document(
    assistant: Assistant, open_page: Open, tmp_path: Path
) -> None:
    path = tmp_path / "shift.txt"
    path.write_bytes(b"The oven was cleaned in the morning.\n\nThe press was " + bytes(40) + b" and runs.\n")
    assistant.library.ingest([path])
    settle(assistant)
    document = next(each for each in assistant.library.contents.documents() if each.name == "shift.txt")
    assert "damaged in line 3" in page_text(open_page(session.KNOWLEDGE, document=document.id))
