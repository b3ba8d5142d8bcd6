"""What points to what: identifiers, files, citations, and the titles and headings texts mention."""

import time

from core.domain import Chunk, Document
from core.ingest.entity_resolution import Resolver, entity_id, normal, pairs_in
from core.ingest.references import own_codes, references_of
from core.text.codes import codes_in
from core.text.title_names import Target, TitleNames, spellings


def chunk(text: str, n: int = 0) -> Chunk:
    return Chunk(
        id=f"c{n}",
        document_id="d0",
        section_id="s0",
        text=text,
        heading_path=(),
        order=n,
        tokens=len(text) // 4,
    )


def document(name: str = "report.pdf", title: str = "Report") -> Document:
    return Document(id="d0", title=title, media_type="x", name=name)


def pointed(text: str, *links: str, doc: Document | None = None) -> list[tuple[str, str]]:
    found = references_of(doc or document(), [chunk(text)], {"c0": links})
    return [(reference.kind, reference.text) for reference in found]


# -- references ----------------------------------------------------------------------------


def test_identifiers_files_dois_and_links_are_references() -> None:
    assert pointed(
        "As SOP-ETCH-012 and 8D-2025-003 say, see yield.xlsx and doi 10.1000/xyz123.", "manual.pdf#page=2"
    ) == [
        ("link", "manual.pdf#page=2"),
        ("file", "yield.xlsx"),
        ("citation", "10.1000/xyz123"),
        ("identifier", "SOP-ETCH-012"),
        ("identifier", "8D-2025-003"),
    ]


def test_a_numbered_citation_refers_to_its_entry_in_the_list() -> None:
    body = "Plasma damage is known [2, 7-8].\n\n[2] Smith, J. Charging damage in oxide etch. 1999."
    assert ("citation", "Smith, J. Charging damage in oxide etch. 1999.") in pointed(body)


def test_a_doi_on_a_line_of_its_own_is_the_documents_and_one_in_a_sentence_is_another_ones() -> None:
    own = [chunk("Pad wear in CMP\nDOI: 10.1109/TSM.2019.291\nAs 10.1000/xyz shows, pads wear.")]
    assert own_codes(document(), own)[0] == ("10.1109/TSM.2019.291",)
    assert own_codes(document(), [chunk("As shown in doi:10.1109/TSM.2019.291, pads wear.")])[0] == ()
    assert own_codes(document(), [chunk("https://doi.org/10.1109/TSM.2019.291")])[0] == (
        "10.1109/TSM.2019.291",
    )


def test_a_document_does_not_refer_to_itself_nor_twice_to_the_same() -> None:
    doc = document("SOP-ETCH-012.docx", "SOP-ETCH-012 Wet clean")
    codes, _ = own_codes(doc, [])
    text = "SOP-ETCH-012 replaces SOP-ETCH-011. SOP-ETCH-011 is void. SOP-ETCH-012.docx"
    found = references_of(doc, [chunk(text)], {}, codes)
    assert [reference.text for reference in found] == ["SOP-ETCH-011"]


def test_dates_versions_and_words_are_no_identifiers() -> None:
    assert codes_in("On 2025-03-14 we used v1.2 of the two-step X-Ray and 300-500 W.") == []
    assert codes_in("Lot LOT-2231, tool ETCH-03, alarm ALM3042") == ["LOT-2231", "ETCH-03", "ALM3042"]


def test_a_document_goes_by_what_its_name_begins_with_and_is_about_the_rest() -> None:
    assert own_codes(document("recipes-PE-300.xml", "recipes"), []) == ((), ("PE-300",))
    assert own_codes(document("DR-2025-041-defect-report.pdf", "Defect report DR-2025-041"), [])[0] == (
        "DR-2025-041",
    )
    first = [chunk("Document No.: EM-PE300\nPlasma etcher")]
    assert own_codes(document("scan.pdf", "Manual"), first)[0] == ("EM-PE300",)
    assert own_codes(document("meeting-notes-2025-03-18.md", "Notes"), []) == ((), ())


# -- names ---------------------------------------------------------------------------------


def found_in(text: str, *titles: str) -> list[str]:
    names = TitleNames()
    for n, title in enumerate(titles):
        names.add(title, Target("d", f"s{n}"))
    return [found.name for _, all_found in names.find([("c", text)]) for found in all_found]


def test_the_longest_title_at_a_place_is_found() -> None:
    assert found_in("The New York Times Company said", "New York", "The New York Times") == [
        "The New York Times"
    ]


def test_a_title_is_found_without_its_number_or_its_qualifier() -> None:
    assert spellings("4.2 Chamber wet clean") == ["Chamber wet clean"]
    assert found_in("in Blade Runner the city", "Blade Runner (film)") == ["Blade Runner"]
    assert found_in("do the chamber wet clean weekly", "4.2 Chamber wet clean") == ["Chamber wet clean"]


def test_a_word_that_the_texts_use_in_lower_case_is_no_title() -> None:
    assert found_in("Home is a film. We went home, home, home.", "Home") == []
    assert found_in("He drove to Lyon in May.", "Lyon") == ["Lyon"]


def test_a_single_word_inside_a_longer_name_is_not_that_title() -> None:
    assert found_in("Jennifer Victoria Smith left", "Victoria") == []
    assert found_in("King Mongkut ruled", "Mongkut") == ["Mongkut"]


def test_generic_headings_and_headings_of_many_sections_are_not_names() -> None:
    assert found_in("See Introduction and Results", "Introduction", "Results") == []
    many = ["Daily check"] * 30
    assert found_in("the Daily check of it", *many) == []


def test_chinese_titles_are_found_in_running_text() -> None:
    assert found_in("请按静电吸盘更换规程操作", "静电吸盘更换规程") == ["静电吸盘更换规程"]


def test_removed_documents_are_no_longer_found() -> None:
    names = TitleNames()
    names.add("Blade Runner", Target("d1"))
    names.drop({"d1"})
    assert list(names.find([("c", "Blade Runner")])) == []


def test_ten_thousand_titles_are_found_in_ten_thousand_passages_in_seconds() -> None:
    names = TitleNames()
    for n in range(10_000):
        names.add(f"Person Number{n} Smith", Target("d", f"s{n}"))
    texts = [
        (str(n), f"It was Person Number{n} Smith who met the others in a room. " * 8) for n in range(10_000)
    ]
    start = time.perf_counter()
    assert sum(1 for _ in names.find(texts)) == 10_000
    assert time.perf_counter() - start < 12


# -- entities ------------------------------------------------------------------------------


def test_case_plural_article_and_hyphens_do_not_make_another_thing() -> None:
    assert entity_id("Electrostatic Chucks") == entity_id("the electrostatic chuck")
    assert entity_id("ETCH-03") == entity_id("etch 03")
    assert normal("glass") == "glass"
    assert normal("batteries") == "battery"
    assert entity_id("ETCH-03") != entity_id("ETCH-04")


def test_short_forms_and_chinese_pairs_given_in_the_text_are_read() -> None:
    assert pairs_in("replace the electrostatic chuck (ESC) now") == [("electrostatic chuck", "ESC")]
    assert pairs_in("the mean time between failures (MTBF) rose") == [("mean time between failures", "MTBF")]
    assert pairs_in("MTBF (mean time between failures) rose") == [("mean time between failures", "MTBF")]
    assert pairs_in("更换静电吸盘（ESC）后") == [("静电吸盘", "ESC")]
    assert pairs_in("新的静电吸盘 (ESC) 后") == [("静电吸盘", "ESC")]
    assert pairs_in("静电吸盘（electrostatic chuck, ESC）由") == [
        ("electrostatic chuck", "ESC"),
        ("静电吸盘", "electrostatic chuck"),
    ]
    assert pairs_in("pump P7 (a dry one)") == []
    assert pairs_in("run tar -x -f archives (TAR) and Ring2 repeats (RIng)") == []  # no name explains itself
    assert pairs_in("the ring (see page 3) and the pump (old)") == []


def test_a_short_form_and_its_long_form_are_one_entity_with_both_names() -> None:
    resolver = Resolver()
    resolver.explain("electrostatic chuck", "ESC")
    forms = [resolver.add_name("ESC", "acronym"), resolver.add_name("Electrostatic chucks", "equipment")]
    entities = resolver.entities(forms)
    assert len(entities) == 1
    assert entities[0].id == entity_id("electrostatic chuck") == resolver.id_of("esc")
    assert "ESC" in entities[0].aliases


def test_an_acronym_with_two_meanings_in_the_library_stays_on_its_own() -> None:
    from core.domain import Entity

    def known(names: object) -> list[Entity]:
        return [
            Entity(id="1", name="mass flow controller", aliases=("MFC",)),
            Entity(id="2", name="multi function cart", aliases=("MFC",)),
        ]

    resolver = Resolver(known)
    form = resolver.add_name("MFC", "acronym")
    resolver.consult()
    assert resolver.entities([form])[0].name == "MFC"
    one = Resolver(lambda names: known(names)[:1])
    form = one.add_name("MFC", "acronym")
    one.consult()
    assert one.entities([form])[0].id == entity_id("mass flow controller")
