"""XML whose fields an attribute tells apart: fields by their names, one language a value, no element lost."""

from tests.ingest.parsers.conftest import Reads, texts

NAMESPACES = 'xmlns="urn:cml" xmlns:bo="urn:bo" xmlns:u="urn:units"'


def _atom(key: str, name: str, mass: str, origin: str, german: str) -> str:
    return (
        f'<atom id="{key}"><label dictRef="bo:name" xml:lang="en" value="{name}"/>'
        f'<label dictRef="bo:name" xml:lang="de" value="{german}"/><label dictRef="bo:symbol" value="{key}"/>'
        f'<scalar dictRef="bo:mass" dataType="xsd:float" units="u:dalton">{mass}</scalar>'
        f'<scalar dictRef="bo:origin">{origin}</scalar></atom>'
    )


ATOMS = f"""<list {NAMESPACES} title="elements">
{_atom("H", "Hydrogen", "1.008", "Greek", "Wasserstoff")}
{_atom("He", "Helium", "4.0026", "the sun", "Helium-Gas")}
{_atom("Li", "Lithium", "6.94", "stone", "Lithium-Metall")}</list>"""


def test_values_are_found_by_the_attribute_that_names_them(reads: Reads) -> None:
    table = reads("elements.xml", ATOMS).tables[0]
    assert (table.name, table.caption) == ("atom", "list title elements")
    assert [column.name for column in table.columns] == [
        "id", "name", "name in other languages", "symbol", "mass (dalton)", "origin",
    ]  # fmt: skip
    assert table.rows[0] == ("H", "Hydrogen", "de Wasserstoff", "H", 1.008, "Greek")


def test_records_with_few_fields_in_common_are_passages_under_their_names(reads: Reads) -> None:
    nodes = "".join(
        f'<node><tag k="name" v="Place {n}"/>'
        + "".join(f'<tag k="kind {n}{i}" v="{i}"/>' for i in range(4))
        + "</node>"
        + f'<node><tag k="name" v="Post {n}"/>'
        + "".join(f'<tag k="kind {n}{i}" v="{i}"/>' for i in range(4))
        + "</node>"
        for n in "abcdef"
    )
    parsed = reads("map.xml", f"<osm>{nodes}</osm>")
    assert texts(parsed, "heading")[:2] == ["node Place a", "node Post a"]
    assert texts(parsed, "paragraph")[0] == "name: Place a\nkind a0: 0\nkind a1: 1\nkind a2: 2\nkind a3: 3"


def test_of_values_of_one_kind_the_tag_is_said_too(reads: Reads) -> None:
    people = "".join(
        f'<person id="p{n}"><phone type="home">555-{n}</phone><phone type="work">777-{n}</phone></person>'
        for n in range(3)
    )
    table = reads("a.xml", f"<people>{people}</people>").tables[0]
    assert [column.name for column in table.columns] == ["id", "phone home", "phone work"]


def test_an_amount_whose_attribute_says_what_it_is_stays_a_row(reads: Reads) -> None:
    layers = '<layer material="SiO2" thickness="5"/><layer material="Si" thickness="7"/>'
    stacks = "".join(f'<stack id="{n}">{layers}</stack>' for n in "ABC")
    table = reads("a.xml", f"<stacks>{stacks}</stacks>").tables[0]
    assert [column.name for column in table.columns] == ["stack id", "material", "thickness"]


def test_rows_within_a_record_know_its_name_in_one_language_and_its_lists(reads: Reads) -> None:
    lenses = "".join(
        f'<lens><model>Mir-{n} 3.5</model><model lang="ru">Мир-{n}</model><mount>M42</mount>'
        f'<mount>Nikon F</mount><tca focal="{n}" vr="1"/><tca focal="9{n}" vr="2"/></lens>'
        for n in range(3)
    )
    parsed = reads("a.xml", f"<lenses>{lenses}</lenses>")
    assert parsed.tables[0].rows[0] == ("Mir-0 3.5", "M42, Nikon F", 0, 1)
    assert texts(parsed, "heading")[0] == "lens Mir-0 3.5"
    assert "model in other languages: ru Мир-0\nmount: M42, Nikon F" in texts(parsed, "paragraph")[0]


def test_what_has_the_name_of_a_part_of_articles_and_is_none_is_read(reads: Reads) -> None:
    data = "<front><tyre>185/65</tyre></front><style><name>Stout</name></style>"
    text = "\n".join(texts(reads("a.xml", f"<list><car id='1'>{data}</car></list>"), "paragraph"))
    assert all(value in text for value in ("id: 1", "tyre: 185/65", "name: Stout"))


def test_rows_know_the_name_in_the_first_part_of_what_holds_them(reads: Reads) -> None:
    layouts = "".join(
        f"<layout><item><name>layout {n}</name><spoken><id>a</id><id>b</id></spoken></item><variants>"
        + "".join(f"<variant><name>{v}{n}</name><use>{v}</use></variant>" for v in ("dead", "nodead"))
        + "</variants></layout>"
        for n in range(3)
    )
    variants = reads("a.xml", f"<keyboards>{layouts}</keyboards>").tables[-1]
    assert variants.rows[5] == ("layout 2", "nodead2", "nodead")


def test_a_long_name_stands_in_every_row_and_many_languages_in_none(reads: Reads) -> None:
    name = "application/vnd.amazon.mobi8-ebook-of-kind-"
    text = "".join(f'<note xml:lang="a{code}">{code * 40}</note>' for code in "bcdefghij")
    globs = '<glob p="*.a" w="1"/><glob p="*.b" w="2"/>'
    kinds = "".join(f'<kind type="{name}{n}"><note>plain</note>{text}{globs}</kind>' for n in range(3))
    parsed = reads("a.xml", f"<kinds>{kinds}</kinds>")
    assert parsed.tables[0].rows[1] == (f"{name}0", "plain", "*.b", 2)
    assert texts(parsed, "heading")[0] == f"kind {name}0"
    assert texts(parsed, "paragraph")[1].startswith(f"note in other languages: ab {'b' * 40}; ac")


def test_attributes_in_words_are_read_in_a_text_and_its_marks_are_not(reads: Reads) -> None:
    topics = "".join(
        f'<node TEXT="The {t} of a pump" STYLE="round fork"><note><p>Some prose.</p></note></node>'
        for t in ("seal", "rotor", "inlet valve")
    )
    contents = texts(reads("a.xml", f"<map>{topics}</map>"), "paragraph")
    assert contents[:2] == ["TEXT: The seal of a pump", "Some prose."]
    assert not any("fork" in each for each in contents)
