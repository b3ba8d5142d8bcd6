"""Text, Markdown, HTML, reStructuredText, delimited text, JSON, XML, YAML, mail."""

import pytest

from core.domain import Location
from core.errors import EmptyFile, LimitExceeded, ParseError
from tests.ingest.parsers.conftest import Reads, texts


def test_plain_text_keeps_headings_paragraphs_and_lines(reads: Reads) -> None:
    parsed = reads(
        "a.txt", "1 Scope\n\nThis procedure covers\nthe etcher.\n\n- first\n- second\n\n2.1 Limits\n\nNone.\n"
    )
    assert [(b.kind, b.level, b.location.lines) for b in parsed.blocks] == [
        ("heading", 1, (0, 0)),
        ("paragraph", 0, (2, 3)),
        ("list_item", 0, (5, 5)),
        ("list_item", 0, (6, 6)),
        ("heading", 2, (8, 8)),
        ("paragraph", 0, (10, 10)),
    ]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# 1 Introduction\n\nText.\n\n# 2 Method\n\nText.\n", "guide"),
        ("# 5.1 Results\n\nText.\n", "guide"),
        (f"# {'Headphones 1 @ 349.99 ' * 10}\n\nText.\n", "guide"),
        ("# 7 habits of operators\n\nText.\n\n# Order\n\nText.\n", "7 habits of operators"),
    ],
)
def test_the_heading_of_a_part_is_no_title(reads: Reads, source: str, title: str) -> None:
    assert reads("guide.md", source).title == title


def test_chinese_text_is_read_in_its_own_encoding(reads: Reads) -> None:
    parsed = reads("a.txt", "第一章 总则\n\n为了保证设备安全运行，特制定本规程。\n".encode("gb18030"))
    assert parsed.language == "zh"
    assert parsed.title == "第一章 总则"


def test_a_log_keeps_every_line_with_its_number(reads: Reads) -> None:
    lines = "\n".join(f"2024-01-01 10:00:{i:02d} ALARM {i}" for i in range(30))
    parsed = reads("tool.log", lines)
    assert "\n".join(block.text for block in parsed.blocks) == lines
    assert parsed.blocks[1].location.lines == (12, 23)


def test_markdown_gives_headings_lists_tables_code_and_links(reads: Reads) -> None:
    source = (
        "---\ntitle: Etch SOP\ndate: 2024-05-01\n---\n# Purpose\n\nSee [the manual](manual.pdf).\n\n"
        "1. Vent\n2. Open\n\n| Gas | Flow (sccm) |\n|---|---|\n| CF4 | 40 |\n\n```\nrun()\n```\n"
    )
    parsed = reads("a.md", source)
    assert (parsed.title, parsed.date) == ("Etch SOP", "2024-05-01")
    assert texts(parsed, "list_item") == ["1. Vent", "2. Open"]
    assert texts(parsed, "code") == ["run()"]
    assert next(b.links for b in parsed.blocks if b.kind == "paragraph") == ("manual.pdf",)
    assert (parsed.tables[0].columns[1].unit, parsed.tables[0].rows) == ("sccm", (("CF4", 40),))
    assert parsed.blocks[0].location.lines == (4, 4)


def test_html_drops_scripts_and_navigation_and_keeps_links_as_data(reads: Reads) -> None:
    source = (
        "<html><head><title>Report</title><script>alert(1)</script></head><body><nav>Home</nav><h1>Yield</h1>"
        "<p>Up by <b>3 %</b>, see <a href='http://x.y/z'>there</a>.</p><ul><li>one</li><li>two</li></ul>"
        "<table><tr><th>Lot</th><th colspan=2>Yield</th></tr>"
        "<tr><td rowspan=2>A</td><td>1</td><td>2</td></tr>"
        "<tr><td>3</td><td>4</td></tr></table><style>p{}</style></body></html>"
    )
    parsed = reads("a.html", source)
    words = " ".join(block.text for block in parsed.blocks)
    assert "alert" not in words
    assert "Home" not in words
    assert texts(parsed, "paragraph") == ["Up by 3 %, see there."]
    assert [b.links for b in parsed.blocks if b.kind == "paragraph"] == [("http://x.y/z",)]
    assert parsed.tables[0].rows == (("A", 1, 2), ("A", 3, 4))


def test_rst_reads_structure_but_never_another_file(reads: Reads) -> None:
    source = (
        "Title\n=====\n\n.. include:: /etc/passwd\n\nPart\n----\n\n#. one\n#. two\n\n"
        "====  ====\na     b\n====  ====\n1     2\n====  ====\n"
    )
    parsed = reads("a.rst", source)
    assert [(b.text, b.level) for b in parsed.blocks if b.kind == "heading"] == [("Title", 1), ("Part", 2)]
    assert texts(parsed, "list_item") == ["1. one", "2. two"]
    assert parsed.tables[0].rows == ((1, 2),)
    assert "root:" not in " ".join(block.text for block in parsed.blocks)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_of_a_table_is_found(delimiter: str, reads: Reads) -> None:
    rows = [["lot", "note", "yield (%)"], ["A1", "ok, fine", "93.5"], ["A2", "bad", "80"]]
    source = "\n".join(delimiter.join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows)
    table = reads("a.csv", source).tables[0]
    assert table.rows == (("A1", "ok, fine", 93.5), ("A2", "bad", 80.0))
    assert table.columns[2].unit == "%"


def test_a_ragged_row_is_kept_and_said(reads: Reads) -> None:
    parsed = reads("a.csv", "a,b\n1,2\n3,4,5\n")
    assert parsed.tables[0].rows[1] == (3, 4, 5)
    assert "Row 3" in parsed.skipped[0]


def test_passages_in_json_lines_become_sections_located_by_their_line(reads: Reads) -> None:
    source = '{"id": 1, "title": "Ada", "text": "A mathematician."}\n'
    source += '{"id": 2, "title": "Bob", "text": "A builder."}\n'
    parsed = reads("corpus.jsonl", source)
    assert not parsed.tables
    assert parsed.title == "corpus"  # and not "Ada": the first passage is not what all of them are called
    assert reads("one.jsonl", source.splitlines()[0]).title == "Ada"
    assert [(b.kind, b.text, b.location) for b in parsed.blocks] == [
        ("heading", "Ada", Location(lines=(0, 0))),
        ("paragraph", "A mathematician.", Location(lines=(0, 0))),
        ("heading", "Bob", Location(lines=(1, 1))),
        ("paragraph", "A builder.", Location(lines=(1, 1))),
    ]


def test_records_in_json_become_a_table_and_a_broken_line_is_said(reads: Reads) -> None:
    parsed = reads("a.jsonl", '{"lot": "A", "x": {"y": 1}}\n{"lot": "B", "x": {"y": 2}}\nnonsense\n')
    assert [column.name for column in parsed.tables[0].columns] == ["lot", "x.y"]
    assert parsed.tables[0].rows == (("A", 1), ("B", 2))
    assert parsed.skipped == ("Line 3 is not a JSON record.",)


def test_broken_json_of_which_nothing_parses_names_the_place(reads: Reads) -> None:
    with pytest.raises(ParseError, match=r"a\.json is not valid JSON.*line 2"):
        reads("a.json", '{"a":\n: 1}')


def test_xml_entities_are_never_expanded(reads: Reads) -> None:
    source = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    source += "<a><p>before &x; after</p></a>"
    assert "root:" not in " ".join(block.text for block in reads("a.xml", source).blocks)


def test_xml_records_become_a_table(reads: Reads) -> None:
    rows = "".join(f'<lot id="{i}"><yield unit="%">{90 + i}</yield></lot>' for i in range(4))
    table = reads("a.xml", f"<lots>{rows}</lots>").tables[0]
    assert [(column.name, column.unit) for column in table.columns] == [("id", ""), ("yield", "%")]
    assert table.rows[3] == (3, 93)


def test_a_feed_gives_a_section_an_entry(reads: Reads) -> None:
    items = "".join(
        f"<item><title>T{i}</title><link>http://a/{i}</link><description>&lt;p&gt;D{i}&lt;/p&gt;</description></item>"
        for i in range(2)
    )
    parsed = reads(
        "feed.xml", f'<?xml version="1.0"?><rss><channel><title>News</title>{items}</channel></rss>'
    )
    assert texts(parsed, "heading") == ["T0", "T1"]
    assert texts(parsed, "paragraph") == ["D0", "D1"]
    assert parsed.blocks[0].links == ("http://a/0",)


def test_yaml_is_data_and_never_an_object(reads: Reads) -> None:
    parsed = reads(
        "a.yaml", "tool: !!python/object/apply:os.system [echo]\ndate: 2024-01-02\nlots: [{id: 1}, {id: 2}]\n"
    )
    assert "2024-01-02" in parsed.blocks[0].text
    assert parsed.tables[0].rows == ((1,), (2,))


def test_an_alias_bomb_in_yaml_is_refused(reads: Reads) -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(LimitExceeded, match="aliases"):
        reads("a.yaml", "\n".join(levels))


def test_a_message_is_read_with_its_attachments(reads: Reads) -> None:
    from email.message import EmailMessage

    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Alarm 4711", "a@fab.example", "b@fab.example"
    message["Date"] = "Mon, 06 May 2024 10:00:00 +0000"
    message.set_content("Pump is hot.")
    message.add_attachment("lot,yield\nA,93\nB,95\n", filename="lots.csv", subtype="csv")
    message.add_attachment(
        b"MZ\x00\x00" * 30, maintype="application", subtype="octet-stream", filename="tool.exe"
    )
    parsed = reads("a.eml", message.as_bytes())
    assert (parsed.title, parsed.date) == ("Alarm 4711", "2024-05-06")
    assert "Pump is hot." in texts(parsed, "paragraph")
    assert parsed.tables[0].rows == (("A", 93), ("B", 95))
    assert "tool.exe was not read" in parsed.skipped[0]


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.csv", "a.json", "a.xml"])
def test_nothing_in_it_is_never_silent(name: str, reads: Reads) -> None:
    with pytest.raises(EmptyFile, match=name):
        reads(name, " \n ")


def test_a_page_without_words_is_said_to_hold_no_text(reads: Reads) -> None:
    with pytest.raises(EmptyFile, match=r"a\.html holds no text"):
        reads("a.html", "<html><body><script>x()</script></body></html>")


def test_a_text_that_begins_like_data_is_a_text(reads: Reads) -> None:
    for name, text in (
        ("note.txt", "[1][1] says that the pump is old.\nIt was replaced."),
        ("note.md", "[1, 2] The pump is old."),
        ("note.log", '{"a": 1} was logged, and more.'),
        ("note", "[] is the empty list of pumps."),
    ):
        parsed = reads(name, text.encode())
        assert text.split("\n")[0] in " ".join(block.text for block in parsed.blocks), name
        assert any("read as text" in message for message in parsed.skipped)
    with pytest.raises(ParseError):
        reads("note.json", b"[1][1] says nothing")


def test_values_nested_beyond_reading_are_kept_as_text(reads: Reads) -> None:
    deep = "".join("  " * level + f"k{level}:\n" for level in range(900)) + "  " * 900 + "leaf: pump\n"
    flow = "a: " + "{b: " * 50_000 + "pump" + "}" * 50_000
    for text in (deep, flow, "- " * 60_000 + "pump\n", "? " * 60_000 + "pump\n"):
        parsed = reads("deep.yaml", text.encode())
        assert any("pump" in block.text for block in parsed.blocks)
        assert any("nested too deeply" in message for message in parsed.skipped)
    assert "read as text" not in " ".join(reads("flat.yaml", b"a:\n  b: [1, {c: pump}]\n").skipped)
