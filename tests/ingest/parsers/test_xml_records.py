"""Records in XML: rows with what stands above them, lists where an element repeats, nothing dropped."""

from tests.ingest.parsers.conftest import Reads, texts

GASES = '<gas name="HBr" unit="sccm">150</gas><gas name="O2" unit="sccm">4</gas>'
STEPS = (
    f'<step number="1" name="Main etch"><time unit="s">55</time>{GASES}</step>'
    '<step number="2" name="Over etch"><time unit="s">30</time><gas name="HBr" unit="sccm">180</gas></step>'
)
OTHER = (
    '<recipe id="OX-22" product="A77">'
    '<step number="1" name="Stabilise"><time unit="s">15</time></step></recipe>'
)
RECIPE = f'<recipe id="POLY-09" product="B12"><purpose>Gate etch.</purpose>{STEPS}'
CHANGE = '<change date="2024-09-19" by="Jonas Weber">Cl2 flow lowered from 36 to 30 sccm.</change></recipe>'


def test_a_repeated_child_is_a_list_and_no_name_of_it_is_lost(reads: Reads) -> None:
    table = reads("a.xml", f'<recipes tool="PE-300">{OTHER}{RECIPE}{CHANGE}</recipes>').tables[0]
    gas = [column.name for column in table.columns].index("gas")
    assert [row[gas] for row in table.rows] == [None, "HBr 150 sccm, O2 4 sccm", "HBr 180 sccm"]


def test_the_attributes_of_what_holds_a_record_are_columns_of_its_row(reads: Reads) -> None:
    table = reads("a.xml", f'<recipes tool="PE-300">{OTHER}{RECIPE}{CHANGE}</recipes>').tables[0]
    names = [column.name for column in table.columns]
    assert names[:4] == ["recipe id", "recipe product", "recipe purpose", "number"]
    found = {row[names.index("recipe id")]: row[names.index("recipe product")] for row in table.rows}
    assert found == {"OX-22": "A77", "POLY-09": "B12"}
    assert table.name == "recipe step"
    assert "tool PE-300" in table.caption


def test_a_single_holder_is_in_every_row_too(reads: Reads) -> None:
    third = '<step number="3" name="Dechuck"><time unit="s">20</time></step>'
    parsed = reads("a.xml", f'<recipe id="B12" product="Gate">{STEPS}{third}</recipe>')
    names = [column.name for column in parsed.tables[0].columns]
    assert names == ["recipe id", "recipe product", "number", "name", "time", "gas"]
    assert {row[:2] for row in parsed.tables[0].rows} == {("B12", "Gate")}
    assert parsed.tables[0].columns[4].unit == "s"


def test_what_no_row_takes_stands_under_its_holders_name(reads: Reads) -> None:
    parsed = reads("a.xml", f'<recipes tool="PE-300">{OTHER}{RECIPE}{CHANGE}</recipes>')
    assert texts(parsed, "heading") == ["recipe OX-22", "recipe POLY-09"]
    text = "\n".join(texts(parsed, "paragraph"))
    assert "tool: PE-300" in text
    assert "purpose: Gate etch." in text
    assert "gas in its step records: HBr, O2" in text
    assert "change: date 2024-09-19, by Jonas Weber\nCl2 flow lowered from 36 to 30 sccm." in text
    assert parsed.title == "a"


def test_records_three_deep_know_everything_above_them(reads: Reads) -> None:
    lots = "".join(
        f'<lot id="L{i}"><wafer slot="{j}"><site x="1" cd="45.{i}"/><site x="2" cd="45.{j}"/></wafer></lot>'
        for i in range(2)
        for j in range(1, 3)
    )
    table = reads("a.xml", f"<lots>{lots}</lots>").tables[0]
    assert [column.name for column in table.columns] == ["lot id", "wafer slot", "x", "cd"]
    assert table.rows[3] == ("L0", 2, 2, 45.2)


def test_a_record_within_a_record_gives_columns_with_both_names(reads: Reads) -> None:
    lots = "".join(
        f'<lot id="{i}"><result><cd unit="nm">45.{i}</cd><by>Lin</by></result></lot>' for i in range(3)
    )
    table = reads("a.xml", f"<lots>{lots}</lots>").tables[0]
    assert [(column.name, column.unit) for column in table.columns] == [
        ("id", ""),
        ("result cd", "nm"),
        ("result by", ""),
    ]


def test_units_that_differ_stay_beside_their_values(reads: Reads) -> None:
    rows = "".join(
        f'<run id="{i}"><flow unit="{u}">{i}</flow></run>' for i, u in enumerate(["sccm", "slm", "slm"])
    )
    table = reads("a.xml", f"<runs>{rows}</runs>").tables[0]
    assert table.rows == ((0, 0, "sccm"), (1, 1, "slm"), (2, 2, "slm"))


def test_the_attributes_of_prose_are_marks_not_facts(reads: Reads) -> None:
    sections = "".join(
        f'<sec id="s{i}" sec-type="x"><title>T{i}</title><p>Some prose.</p><p>More.</p></sec>'
        for i in range(3)
    )
    parsed = reads("a.xml", f'<?xml version="1.0"?><article><body>{sections}</body></article>')
    assert texts(parsed, "heading") == ["T0", "T1", "T2"]
    assert texts(parsed, "paragraph") == ["Some prose.", "More."] * 3


def test_marks_within_a_paragraph_do_not_tear_it_apart(reads: Reads) -> None:
    marks = "".join(
        f"<PDAT>word {i} </PDAT><HIL><BOLD><PDAT>{i}</PDAT></BOLD><SB><PDAT>b</PDAT></SB></HIL>"
        for i in range(3)
    )
    parsed = reads("a.xml", f"<PATDOC><PARA><PTEXT>{marks}</PTEXT></PARA></PATDOC>")
    assert texts(parsed, "paragraph") == ["word 0 0bword 1 1bword 2 2b"]


ARTICLE = (
    "<?xml version='1.0'?><article><front><article-meta><title-group><article-title>Mice</article-title>"
    "</title-group></article-meta></front><body><sec><title>Results</title>"
    "<p>Per 10<sup>7</sup> cells of CO<sub>2</sub> and <bold><italic>Mus</italic></bold> here.</p>"
    "<fig><label>Figure 1.</label><caption><title>Heat.</title>"
    "<p>(A) Map.</p></caption></fig></sec></body><back><sec><title>More</title>"
    + "".join(
        f'<fn-group><title>Note {n}</title><fn id="f{n}"><p>Fact {n}.</p></fn></fn-group>' for n in "abc"
    )
    + '<supplementary-material id="s1"><label>File 1.</label><caption><title>Primers.</title></caption>'
    '<media mimetype="xlsx"/></supplementary-material>'
    "</sec><ref-list><ref><element-citation><person-group><name><surname>Lee</surname><given-names>A"
    "</given-names></name><name><surname>Ho</surname><given-names>B</given-names></name></person-group>"
    "<year>2009</year><source>Cell</source><fpage>1</fpage><lpage>8</lpage></element-citation></ref></ref-list>"
    "</back><sub-article><front-stub><article-id>10.1/x</article-id><title-group><article-title>Reply"
    "</article-title></title-group></front-stub><body>"
    + "".join(f"<disp-quote><p>Ask {n}?</p></disp-quote><p>Yes, {n}.</p>" for n in "123")
    + "</body></sub-article></article>"
)


def test_an_article_keeps_its_order_its_exponents_and_the_gaps_between_its_parts(reads: Reads) -> None:
    parsed = reads("a.xml", ARTICLE)
    assert not parsed.tables  # notes and quotes that repeat are no records
    assert [block.text for block in parsed.blocks if block.text != "Mice"] == [
        "Results",
        "Per 10⁷ cells of CO₂ and Mus here.",
        "Figure 1. Heat. (A) Map.",
        "More",
        *(text for n in "abc" for text in (f"Note {n}", f"Fact {n}.")),
        "File 1. Primers.",
        "References",
        "Lee A, Ho B, 2009, Cell, 1–8",
        "Reply",
        "article id: 10.1/x",
        *(text for n in "123" for text in (f"Ask {n}?", f"Yes, {n}.")),
    ]


def test_names_written_as_one_word_are_read_as_words(reads: Reads) -> None:
    parts = "".join(f'<partEntry lotID="{n}"><partNumber>{n}</partNumber></partEntry>' for n in range(3))
    parsed = reads("a.xml", f"<partsList><orderDate>3 May</orderDate>{parts}</partsList>")
    assert [column.name for column in parsed.tables[0].columns][-2:] == ["lot ID", "part number"]
    assert parsed.tables[0].name == "part entry"
    assert "order date: 3 May" in "\n".join(texts(parsed, "paragraph"))


def test_values_side_by_side_in_a_text_stay_apart_and_parts_of_a_word_together(reads: Reads) -> None:
    statement = (
        "<p>See <ref>1</ref><ref>2</ref>.</p><p><name>Lee</name><role>chair</role></p>"
        "<p><b>H</b><sub>2</sub></p>"
    )
    parsed = reads("a.xml", f"<?xml version='1.0'?><article><title>T</title>{statement * 2}</article>")
    assert texts(parsed, "paragraph")[:3] == ["See 1 2.", "Lee chair", "H₂"]


def test_a_value_within_a_text_does_not_run_on_into_its_words_and_a_mark_may(reads: Reads) -> None:
    statement = (
        "<p>Torque<value>4711</value>Nm, then<part>M6</part>.</p>"
        "<p>A <b>bold</b>er wafer<sup>2</sup></p><p>扭<term>矩</term>值</p>"
    )
    parsed = reads("a.xml", f"<?xml version='1.0'?><article><title>T</title>{statement * 2}</article>")
    assert texts(parsed, "paragraph")[:3] == ["Torque 4711 Nm, then M6.", "A bolder wafer²", "扭矩值"]


def test_the_mark_of_a_note_is_no_part_of_a_figure(reads: Reads) -> None:
    mark = '<xref ref-type="table-fn" rid="n1"><sup>c</sup></xref>'
    found = reads(
        "a.xml",
        "<?xml version='1.0'?><!DOCTYPE article><article><body><sec><p>Sheep were sampled.</p><table-wrap>"
        "<label>Table 1</label><table><thead><tr><th>Place</th><th>Share</th></tr></thead><tbody>"
        f"<tr><td>Hill{mark}</td><td>93.3{mark}</td></tr><tr><td>Dale</td><td>13.8</td></tr></tbody></table>"
        "</table-wrap></sec></body></article>",
    )
    assert found.tables[0].rows == (("Hillc", 93.3), ("Dale", 13.8))
