"""Word documents as people write them: notes, captions, pictures, tables in tables, lists in lists."""

import io
import zipfile
from collections.abc import Callable

import pytest
from docx import Document
from docx.document import Document as Made
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import qn
from docx.shared import Pt
from PIL import Image, ImageDraw
from pptx import Presentation
from pydantic import TypeAdapter

from core.domain import MARGINS, Margin, Parsed
from core.ingest.captions import attach
from tests.ingest.parsers.conftest import Reads, texts

Held = TypeAdapter(list[Margin])
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
NOTES = (
    f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="0" w:type="separator"><w:p/></w:footnote>'
    '<w:footnote w:id="1"><w:p><w:r><w:t>Purge with nitrogen.</w:t></w:r></w:p></w:footnote></w:footnotes>'
)


def picture(text: str = "") -> io.BytesIO:
    stream = io.BytesIO()
    drawn = Image.new("RGB", (420, 120), "white")
    if text:
        ImageDraw.Draw(drawn).text((15, 40), text, fill="black", font_size=36)
    drawn.save(stream, "PNG")
    stream.seek(0)
    return stream


@pytest.fixture
def word(reads: Reads) -> Callable[[Made], Parsed]:
    def read(document: Made) -> Parsed:
        stream = io.BytesIO()
        document.save(stream)
        return reads("a.docx", stream.getvalue())

    return read


def test_a_footnote_stands_under_the_paragraph_that_refers_to_it(reads: Reads) -> None:
    document = Document()
    document.add_paragraph("Vent the chamber.")
    document.add_paragraph("Then open it.")
    stream = io.BytesIO()
    document.save(stream)
    out = io.BytesIO()
    with zipfile.ZipFile(stream) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode("utf-8", "surrogateescape")
            text = text.replace("chamber.</w:t></w:r>", 'chamber.</w:t><w:footnoteReference w:id="1"/></w:r>')
            if name == "[Content_Types].xml":
                text = text.replace(
                    "</Types>", f'<Override PartName="/word/footnotes.xml" ContentType="{TYPE}"/></Types>'
                )
            if name == "word/_rels/document.xml.rels":
                link = f'<Relationship Id="rId99" Type="{KIND}" Target="footnotes.xml"/></Relationships>'
                text = text.replace("</Relationships>", link)
            new.writestr(name, text.encode("utf-8", "surrogateescape"))
        new.writestr("word/footnotes.xml", NOTES)
    parsed = reads("a.docx", out.getvalue())
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        ("paragraph", "Vent the chamber.[^1]"),
        ("footnote", "[^1] Purge with nitrogen."),
        ("paragraph", "Then open it."),
    ]


def test_the_title_of_a_document_stands_above_its_headings(word: Callable[[Made], Parsed]) -> None:
    document = Document()
    document.add_heading("Chuck cleaning", 0)
    document.add_heading("Purpose", 1)
    document.add_paragraph("To clean.")
    parsed = word(document)
    assert parsed.title == "Chuck cleaning"
    assert texts(parsed, "heading") == ["Purpose"]


def test_a_table_in_a_cell_is_a_table_of_its_own(word: Callable[[Made], Parsed]) -> None:
    document = Document()
    outer = document.add_table(rows=2, cols=2)
    outer.cell(0, 0).text, outer.cell(0, 1).text, outer.cell(1, 0).text = "Part", "Gaps", "Chuck"
    inner = outer.cell(1, 1).add_table(rows=2, cols=2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "Side", "Gap (mm)"
    inner.cell(1, 0).text, inner.cell(1, 1).text = "left", "4.2"
    parsed = word(document)
    assert parsed.tables[0].rows == (("Chuck", None),)
    assert parsed.tables[1].rows == (("left", 4.2),)
    assert parsed.tables[1].columns[1].unit == "mm"


def test_a_picture_is_a_figure_with_its_caption_and_the_words_in_it(word: Callable[[Made], Parsed]) -> None:
    document = Document()
    document.add_paragraph("See below.")
    document.add_picture(picture("PUMP P-77"))
    document.add_paragraph("Figure 1: The panel", style="Caption")
    blocks, _ = attach(word(document))
    assert blocks[-1].kind == "figure"
    assert blocks[-1].text.startswith("Figure 1: The panel\n")
    assert "P-77" in blocks[-1].text


def test_a_picture_nobody_can_read_is_found_by_its_caption_or_said_to_be_left_out(
    word: Callable[[Made], Parsed],
) -> None:
    document = Document()
    document.add_picture(picture())
    document.add_paragraph("Figure 1: A photograph", style="Caption")
    document.add_picture(picture())
    document.add_paragraph("Unrelated text.")
    parsed = word(document)
    assert texts(parsed, "figure") == ["Figure 1: A photograph"]
    assert parsed.skipped == ("Picture 2 has no description and no text that could be read.",)


def test_lists_in_lists_keep_their_depth(reads: Reads) -> None:
    parsed = reads("a.md", "- one\n  - two\n    1. three\n- four\n")
    assert texts(parsed, "list_item") == ["- one", "  - two", "    1. three", "- four"]
    html = "<ul><li>one<ul><li>two<ol><li>three</li></ol></li></ul></li><li>four</li></ul>"
    assert texts(reads("a.html", html), "list_item") == ["- one", "  - two", "    1. three", "- four"]


def listed(document: Made, depth: int, text: str, *, bold: bool = False, number: int = 90) -> None:
    paragraph = document.add_paragraph()
    paragraph.add_run(text).bold = bold
    within = OxmlElement("w:numPr")
    for name, value in (("w:ilvl", depth), ("w:numId", number)):
        child = OxmlElement(name)
        child.set(qn("w:val"), str(value))
        within.append(child)
    paragraph._p.get_or_add_pPr().append(within)


def test_lists_are_numbered_as_they_are_printed_and_one_in_bold_heads_the_text(
    word: Callable[[Made], Parsed],
) -> None:
    document = Document()
    levels = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{first}"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, first, text) in enumerate(
            [("upperRoman", 3, "%1."), ("upperLetter", 1, "%2)"), ("decimal", 1, "%1.%3")]
        )
    )
    numbering = document.part.numbering_part.element
    numbering.insert(
        0, parse_xml(f'<w:abstractNum xmlns:w="{W}" w:abstractNumId="90">{levels}</w:abstractNum>')
    )
    for number in (90, 91):
        made = f'<w:num xmlns:w="{W}" w:numId="{number}"><w:abstractNumId w:val="90"/></w:num>'
        numbering.append(parse_xml(made))
    listed(document, 0, "POLICY:", bold=True)
    for depth, text in (
        (1, "Patients are seen."),
        (2, "By a nurse."),
        (2, "By a doctor."),
        (1, "They stay."),
    ):
        listed(document, depth, text)
    listed(document, 0, "PURPOSE", bold=True, number=91)  # continues what it is made after
    listed(document, 1, "To be safe.", number=91)
    parsed = word(document)
    assert [(block.kind, block.text.strip()) for block in parsed.blocks] == [
        ("heading", "III. POLICY:"),
        ("list_item", "A) Patients are seen."),
        ("list_item", "III.1 By a nurse."),
        ("list_item", "III.2 By a doctor."),
        ("list_item", "B) They stay."),
        ("heading", "IV. PURPOSE"),
        ("list_item", "A) To be safe."),
    ]


def test_lines_in_bold_over_text_are_headings_where_there_are_several(reads: Reads) -> None:
    notes = (
        "# Changes\n\n**v1.2**\n\n- A pump.\n\n**It leaked.**\n\nAt night.\n\n**Why was it?**\n\n**v1.1**\n\n"
        "A *valve* and **more**."
    )
    html = (
        "<h1>Changes</h1><p><b>Mended</b></p><p>A pump.</p><div><strong>Added</strong></div><p>A valve.</p>"
    )
    document, stream = Document(), io.BytesIO()
    box = parse_xml(
        f'<w:r xmlns:w="{W}"><w:txbxContent><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Inlet</w:t></w:r></w:p>'
        "<w:p><w:r><w:t>To the pump.</w:t></w:r></w:p></w:txbxContent></w:r>"
    )
    document.add_paragraph()._p.append(box)  # of a drawing
    for text, bold in (("Scope", True), ("All pumps.", False), ("Times", True), ("At night.", False)):
        document.add_paragraph().add_run(text).bold = bold
    document.save(stream)
    for name, made, heads in (
        ("a.md", notes, ["v1.2", "v1.1"]),
        ("a.html", html, ["Mended", "Added"]),
        ("a.docx", stream.getvalue(), ["Scope", "Times"]),
    ):
        parsed = reads(name, made)
        assert [text for text in texts(parsed, "heading") if text != "Changes"] == heads, name
        assert parsed.title in ("Changes", "a")
    assert texts(reads("b.md", "One.\n\n**Mind this**\n\nTwo."), "heading") == []


def test_what_stands_on_the_first_page_only_is_read_and_what_comes_again_is_listed(
    word: Callable[[Made], Parsed],
) -> None:
    document = Document()
    section = document.sections[0]
    section.different_first_page_header_footer = True
    section.header.paragraphs[0].text = "Pump manual"
    section.footer.paragraphs[0].text = "In confidence"
    table = section.first_page_header.add_table(rows=2, cols=2, width=document.sections[0].page_width)
    for at, text in enumerate(("Policy: BH-117", "Sponsor: Nursing", "Date: 04/01/12\nReview Date:")):
        table.cell(at // 2, at % 2).text = text
    table.cell(1, 0).merge(table.cell(1, 1))
    document.add_paragraph("Vent the chamber.")
    parsed = word(document)
    assert parsed.blocks[1].text == "Vent the chamber."
    assert parsed.blocks[0].text.split("\n") == [
        "Field | Value",
        "Policy | BH-117",
        "Sponsor | Nursing",
        "Date | 04/01/12",
        "Review Date | ",
    ]
    margins = Held.validate_json(parsed.metadata[MARGINS])
    assert [(margin.text, margin.top) for margin in margins] == [
        ("Pump manual", True),
        ("In confidence", False),
    ]
    assert "The line “Pump manual” at the page margin was left out." in parsed.skipped


def test_lines_in_larger_type_head_the_text_whether_a_style_or_their_words_say_so(
    word: Callable[[Made], Parsed],
) -> None:
    document = Document()
    own = document.styles.add_style("Own", 1)
    own.font.size = Pt(16)
    document.add_paragraph().add_run("Care of pumps").font.size = Pt(22)
    document.add_paragraph("The pump is vented before it is opened." * 3)
    document.add_paragraph("Oil", "Own")
    document.add_paragraph("It is drained into the red can." * 3)
    for warning in ("Hot surface", "Keep your hands off"):  # a placard, which heads nothing
        document.add_paragraph().add_run(warning).font.size = Pt(30)
    document.add_paragraph().add_run("Mind the gap.").font.size = Pt(30)
    document.add_paragraph("A word that is ").add_run("large").font.size = Pt(22)
    parsed = word(document)
    heads = [(block.level, block.text) for block in parsed.blocks if block.kind == "heading"]
    assert heads == [(1, "Care of pumps"), (2, "Oil")]
    assert parsed.title == "Care of pumps"


def test_the_root_of_a_formula_is_a_root(word: Callable[[Made], Parsed]) -> None:
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    inner = "<m:deg/><m:e><m:r><m:t>b-4ac</m:t></m:r></m:e>"
    document = Document()
    root = parse_xml(f"<m:oMath {math}><m:r><m:t>x=</m:t></m:r><m:rad>{inner}</m:rad></m:oMath>")
    document.add_paragraph("Solve ")._p.append(root)
    assert texts(word(document), "paragraph") == ["Solve x=√(b-4ac)"]


def test_a_raised_figure_is_no_digit_of_its_number(word: Callable[[Made], Parsed], reads: Reads) -> None:
    document = Document()
    slides = Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[5]).shapes.title.text_frame.paragraphs[0]
    paragraph = document.add_paragraph()
    for text, offset in (("10", 0), ("-6", 30000), (" Torr of CO", 0), ("2", -25000)):
        if offset:
            setattr(paragraph.add_run(text).font, "superscript" if offset > 0 else "subscript", True)
        else:
            paragraph.add_run(text)
        run = slide.add_run()
        run.text = text
        run._r.get_or_add_rPr().set("baseline", str(offset))
    stream = io.BytesIO()
    slides.save(stream)
    for parsed in (word(document), reads("a.pptx", stream.getvalue())):
        assert [block.text for block in parsed.blocks] == ["10⁻⁶ Torr of CO₂"]


def test_marks_of_lists_typed_by_hand_make_items(word: Callable[[Made], Parsed]) -> None:
    document = Document()
    items = ("• Vent the chamber", "- Close the valve", "- Open the lid", "a) Wipe", "b) Dry", "- one\n- two")
    prose = ("- as told above, the pump stays on.", "The end.", "1. May was warm.", "3. June was not.")
    for text in ("Steps:", *items, "Then", *prose):
        document.add_paragraph(text)
    parsed = word(document)
    assert texts(parsed, "list_item") == [*items]
    assert texts(parsed, "paragraph") == ["Steps:", "Then", *prose]
