"""Figures, notes and tables of HTML, Markdown and reStructuredText; what YAML and XML may not do."""

import pytest

from core.errors import ParseError
from tests.ingest.parsers.conftest import Reads, texts

LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1 or str()};" * 10}">' for n in range(1, 10))
    + "]><l>&a9;</l>"
)


def test_a_figure_of_a_page_holds_its_caption_and_points_to_its_picture(reads: Reads) -> None:
    page = (
        "<p>Text.</p><figure><img src='pad.png' alt='A pad'><figcaption>Figure 2: Worn</figcaption></figure>"
    )
    figure = reads("a.html", page).blocks[-1]
    assert (figure.kind, figure.text, figure.links) == ("figure", "Figure 2: Worn\nA pad", ("pad.png",))


def test_a_raised_figure_is_no_digit_of_its_number(reads: Reads) -> None:
    page = (
        "<p>10<sup>-6</sup> Torr of CO<sub>2</sub> on the 25<sup>th</sup>.</p><table><tr><th>Dose</th>"
        "<th>Cells</th></tr><tr><td>low</td><td>2 × 10<sup>7</sup></td></tr></table>"
    )
    parsed = reads("a.html", page)
    assert texts(parsed, "paragraph") == ["10⁻⁶ Torr of CO₂ on the 25th."]
    assert parsed.tables[0].rows == (("low", "2 × 10⁷"),)


def test_the_doctype_of_a_page_is_not_its_text(reads: Reads) -> None:
    head = '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://x.org/x.dtd">'
    page = f"{head}<html><body><!-- a note --><p>Vent it.</p></body></html>"
    assert [block.text for block in reads("a.html", page).blocks] == ["Vent it."]


def test_a_picture_alone_in_its_paragraph_is_a_figure_and_one_among_words_is_not(reads: Reads) -> None:
    parsed = reads("a.html", "<p><img src='p.png' alt='A pump'></p><p>Press <img alt='Start'> now.</p>")
    assert texts(parsed, "figure") == ["A pump"]
    assert texts(parsed, "paragraph") == ["Press Start now."]


def test_a_label_over_several_columns_gives_them_its_unit(reads: Reads) -> None:
    table = (
        "<table><tr><th rowspan=2>Pad</th><th colspan=2>Life (h)</th></tr><tr><th>min</th><th>max</th></tr>"
        "<tr><td rowspan=2>IC1000</td><td>20</td><td>40</td></tr><tr><td>22</td><td>44</td></tr></table>"
    )
    found = reads("a.html", table).tables[0]
    assert [(c.name, c.unit) for c in found.columns] == [("Pad", ""), ("Life min", "h"), ("Life max", "h")]
    assert found.rows == (("IC1000", 20, 40), ("IC1000", 22, 44))


def test_the_links_of_a_markdown_table_and_its_notes_are_kept(reads: Reads) -> None:
    parsed = reads("a.md", "Text.[^1]\n\n| a | b |\n|---|---|\n| [x](y.pdf) | 2 |\n\n[^1]: The note.\n")
    assert next(block.links for block in parsed.blocks if block.kind == "table") == ("y.pdf",)
    assert texts(parsed, "footnote") == ["[^1]: The note."]


def test_a_figure_of_restructured_text_is_one(reads: Reads) -> None:
    parsed = reads("a.rst", "Pumps\n=====\n\n.. figure:: p.png\n   :alt: A pump\n\n   Its panel\n\nText.\n")
    assert texts(parsed, "figure") == ["Its panel\nA pump"]
    assert next(block.links for block in parsed.blocks if block.kind == "figure") == ("p.png",)


def test_words_of_yaml_stay_words(reads: Reads) -> None:
    parsed = reads("a.yaml", "interlock: off\nsign: yes\nshift: 12:30\ncode: 0755\nlimit: 1.5\non: true\n")
    contents = texts(parsed, "paragraph")[0].split("\n")
    assert contents == ["interlock: off", "sign: yes", "shift: 12:30", "code: 0755", "limit: 1.5", "on: true"]


def test_objects_of_yaml_are_never_made(reads: Reads) -> None:
    parsed = reads("a.yaml", "run: !!python/object/apply:os.system ['exit 1']\nname: x\n")
    assert "exit 1" in " ".join(block.text for block in parsed.blocks)


@pytest.mark.parametrize("source", [LAUGHS, "<a>" * 5000 + "</a>" * 5000], ids=["laughs", "deep"])
def test_xml_of_which_nothing_can_be_read_is_an_error_and_no_empty_document(
    reads: Reads, source: str
) -> None:
    with pytest.raises(ParseError, match="nothing in it can be read"):
        reads("a.xml", source)


def test_an_entity_that_is_not_resolved_is_said(reads: Reads) -> None:
    source = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r><a>before &x; after</a></r>'
    parsed = reads("a.xml", source)
    assert texts(parsed, "paragraph") == ["before after"]
    assert parsed.skipped == ("What stands for &x; was left out: entities of a file are not resolved.",)


ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Alerts</title><entry>
<title type="html">Alarm &lt;b&gt;E-217&lt;/b&gt;</title><link href="http://a/1"/><author><name>Kim</name></author>
<category term="etch"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><h1>Cause</h1>
<ul><li>Ring R1</li><li>Seal S2</li></ul></div></content></entry><entry><title>Next</title>
<summary>Plain.</summary></entry></feed>"""


def test_an_entry_of_a_feed_is_a_section_whatever_headings_are_in_it(reads: Reads) -> None:
    blocks = reads("a.xml", ATOM).blocks
    assert [(b.text, b.level) for b in blocks if b.kind == "heading"] == [
        ("Alarm E-217", 1),
        ("Cause", 2),
        ("Next", 1),
    ]
    assert blocks[1].text == "Author: Kim\nCategories: etch"
    assert [b.text for b in blocks if b.kind == "list_item"] == ["- Ring R1", "- Seal S2"]


def test_names_of_characters_are_these_characters(reads: Reads) -> None:
    source = "<!DOCTYPE r SYSTEM 'x.dtd'><r><a>&ldquo;On&rdquo; at 5 &deg;C</a></r>"
    parsed = reads("a.xml", source)
    assert (texts(parsed, "paragraph"), parsed.skipped) == (["“On” at 5 °C"], ())


def test_a_label_beside_its_value_is_a_table_of_one_row(reads: Reads) -> None:
    parsed = reads("a.html", "<table><tr><th>Lead time</th><td>14 weeks</td></tr></table><p>Text.</p>")
    assert [column.name for column in parsed.tables[0].columns] == ["Field", "Value"]
    assert parsed.tables[0].rows == (("Lead time", "14 weeks"),)
    layout = reads("a.html", "<table><tr><td>Menu</td><td>Search</td></tr></table><p>Text.</p>")
    assert not layout.tables


def test_tables_of_markdown_right_under_each_other_or_over_text_are_parted(reads: Reads) -> None:
    parsed = reads(
        "a.md",
        "Order\n| Tool: | E1 |\n| --- | --- |\n| Lot: | 4711 |\nHeld at noon.\n"
        "| Step | Gas | Flow |\n|:--|--|--:|\n| 1 | Ar | 40 |\n"
        "| Part | Price | In stock | Made by |\n|---|---|---|---|\n| Seal | 12 | 3 | Acme |\n\n"
        "```\n| a |\n|---|\nb\n```\n",
    )
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        ("paragraph", "Order"),
        ("table", "Field | Value\nTool: | E1\nLot: | 4711"),
        ("paragraph", "Held at noon."),
        ("table", "Step | Gas | Flow\n1 | Ar | 40"),
        ("table", "Part | Price | In stock | Made by\nSeal | 12 | 3 | Acme"),
        ("code", "| a |\n|---|\nb"),
    ]
    assert [block.location.lines for block in parsed.blocks] == [
        (0, 0),
        (1, 3),
        (4, 4),
        (5, 7),
        (8, 10),
        (12, 16),
    ]


def test_dashes_under_several_lines_part_them_and_head_nothing(reads: Reads) -> None:
    parsed = reads("a.md", "Receipt\n---\nSeal 12\nPump 40\nRing 3\n---\nTotal 55\n")
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        ("heading", "Receipt"),
        ("paragraph", "Seal 12\nPump 40\nRing 3"),
        ("paragraph", "Total 55"),
    ]


def test_a_patent_in_codes_says_what_its_fields_are(reads: Reads) -> None:
    found = reads(
        "patent.xml",
        "<PATDOC><SDOBI><B100><B110><DNUM><PDAT>07123456</PDAT></DNUM></B110>"
        "<B140><DATE><PDAT>20030715</PDAT></DATE></B140><B190><PDAT>US</PDAT></B190></B100>"
        "<B500><B540><STEXT><PDAT>Valve with two seats</PDAT></STEXT></B540>"
        "<B560><B561><PCIT><DOC><DNUM><PDAT>4394642</PDAT></DNUM><DATE><PDAT>19830700</PDAT></DATE></DOC>"
        "</PCIT></B561></B560></B500>"
        "<B700><B721><PARTY-US><NAM><FNM><PDAT>Ada</PDAT></FNM><SNM><STEXT><PDAT>Moen</PDAT></STEXT></SNM></NAM>"
        "<ADR><CITY><PDAT>Oslo</PDAT></CITY></ADR></PARTY-US></B721></B700></SDOBI>"
        "<SDODE><BTEXT><H><STEXT><PDAT>BACKGROUND</PDAT></STEXT></H>"
        "<PARA><PTEXT><PDAT>A seat of type N</PDAT><HIL><SB><PDAT>1</PDAT></SB></HIL><PDAT> wears.</PDAT>"
        "</PTEXT></PARA></BTEXT></SDODE></PATDOC>",
    )
    assert found.title == "Valve with two seats (US 7123456)"
    text = "\n".join(block.text for block in found.blocks)
    for line in (
        "Number of the patent: 07123456",
        "Date of publication: 2003-07-15",
        "Cited patent: 4394642, 1983-07",
        "Inventor: Ada Moen, Oslo",
        "A seat of type N1 wears.",
    ):
        assert line in text
    assert [b.text for b in found.blocks if b.kind == "heading"] == ["Description", "BACKGROUND"]
    assert "PDAT" not in text
