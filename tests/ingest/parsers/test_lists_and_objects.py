"""Marks of lists on slides and in OpenDocument texts, what is embedded in these, and code in PDFs."""

import io
import zipfile

from tests.ingest.parsers.conftest import Reads
from tests.ingest.parsers.test_office import cell, odf, row, saved
from tests.ingest.parsers.test_pdf import pdf

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def test_items_of_a_slide_keep_their_marks_however_these_are_handed_down(reads: Reads) -> None:
    from pptx import Presentation
    from pptx.util import Inches

    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Wet clean"
    body = slide.placeholders[1].text_frame  # its marks come from the master
    body.text = "Vent the chamber"
    body.add_paragraph().text = "Wipe the wall"
    box = slide.shapes.add_textbox(0, Inches(6), Inches(4), Inches(1)).text_frame
    box.text = "Then"
    for text in ("Pump down", "Run CLEAN-O2"):
        paragraph = box.add_paragraph()
        paragraph.text = text
        paragraph._p.get_or_add_pPr().insert(
            0, paragraph._p.makeelement(f"{A}buAutoNum", {"type": "arabicPeriod"})
        )
    blocks = reads("a.pptx", saved(show)).blocks
    assert [(block.kind, block.text) for block in blocks] == [
        ("heading", "Wet clean"),
        ("list_item", "- Vent the chamber"),
        ("list_item", "- Wipe the wall"),
        ("paragraph", "Then"),
        ("list_item", "1. Pump down"),
        ("list_item", "2. Run CLEAN-O2"),
    ]


def embedded(body: str, objects: dict[str, str]) -> bytes:
    """Return an OpenDocument text with documents of its own inside."""
    stream = io.BytesIO(odf("text", f"<office:text>{body}</office:text>"))
    with zipfile.ZipFile(stream, "a") as archive:
        for name, content in objects.items():
            archive.writestr(f"{name}/content.xml", content)
    return stream.getvalue()


def frame(name: str) -> str:
    link = f"<draw:object xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='./{name}'/>"
    return f"<text:p><draw:frame draw:name='{name}'>{link}</draw:frame></text:p>"


def test_tables_and_formulas_inside_an_opendocument_text_are_read_and_shapes_part_words(reads: Reads) -> None:
    rows = row(cell("Number"), cell("Name")) + row(cell("1"), cell("one")) + row(cell("2"), cell("two"))
    stream = io.BytesIO(
        odf("spreadsheet", f"<office:spreadsheet><table:table>{rows}</table:table></office:spreadsheet>")
    )
    sheet = zipfile.ZipFile(stream).read("content.xml").decode()
    math = (
        "<math xmlns='http://www.w3.org/1998/Math/MathML'><semantics><mi>a</mi>"
        "<annotation encoding='StarMath 5.0'>a^2 + b^2</annotation></semantics></math>"
    )
    shape = "<text:p>Before<draw:rect><svg:title>Pump</svg:title><text:p>P-1</text:p></draw:rect></text:p>"
    parsed = reads(
        "a.odt",
        embedded(shape + frame("Object 1") + frame("Object 2"), {"Object 1": sheet, "Object 2": math}),
    )
    assert parsed.tables[0].rows == ((1, "one"), (2, "two"))
    assert [(b.kind, b.text) for b in parsed.blocks if b.kind != "table"] == [
        ("paragraph", "Before"),
        ("paragraph", "Pump"),
        ("paragraph", "P-1"),
        ("formula", "a^2 + b^2"),
    ]


def test_numbered_items_of_an_opendocument_text_are_numbered(reads: Reads) -> None:
    items = "".join(f"<text:list-item><text:p>{text}</text:p></text:list-item>" for text in ("Vent", "Wipe"))
    body = "".join(f"<text:list text:style-name='{name}'>{items}</text:list>" for name in ("L1", "L2"))
    content = odf("text", f"<office:text>{body}</office:text>")
    style = (
        "<office:automatic-styles>"
        "<text:list-style style:name='L1'><text:list-level-style-number text:level='1'/></text:list-style>"
        "<text:list-style style:name='L2'><text:list-level-style-bullet text:level='1'/></text:list-style>"
        "</office:automatic-styles><office:body>"
    )
    stream, made = io.BytesIO(content), io.BytesIO()
    with zipfile.ZipFile(stream) as held, zipfile.ZipFile(made, "w") as archive:
        for member in held.namelist():
            archive.writestr(member, held.read(member).decode().replace("<office:body>", style))
    blocks = reads("a.odt", made.getvalue()).blocks
    assert [block.text for block in blocks] == ["1. Vent", "2. Wipe", "- Vent", "- Wipe"]


def test_lines_of_code_in_a_pdf_stay_lines_as_far_in_as_they_stand(reads: Reads) -> None:
    code = [
        "pxc 1 create",
        "    port 1/x1",
        "    no shutdown",
        "exit",
        "pxc 2 create",
        "    shutdown",
        "exit",
    ]
    lines = [
        (50 + 24 * (len(text) - len(text.lstrip())) / 4, 700 - 12 * at, 10, "F1", text.strip())
        for at, text in enumerate(code)
    ]
    prose = "The recommendation is that the unit of transfer is set to the highest value the port allows"
    around = [(50, 760 - 12 * at, 10, "F1", f"{prose} {at}") for at in range(3)]
    blocks = reads("a.pdf", pdf([*around, *lines])).blocks
    (block,) = [block for block in blocks if block.kind == "code"]
    assert [line.strip() for line in block.text.split("\n")] == [line.strip() for line in code]
    assert [line.startswith("  ") for line in block.text.split("\n")] == [
        line.startswith(" ") for line in code
    ]
