"""Rows of a table say who supplies what, and nothing where their cells are no names."""

from core.domain import FIELDS, ROWS, Chunk, Document, Location, Table, TableData
from core.ingest.distilled_assembly import Assembly
from core.ingest.entity_resolution import Resolver
from core.ingest.parsers.raw_tables import rows_of_text
from core.ingest.table_chunks import card_of
from core.ingest.table_relations import relations_of_rows
from core.ingest.tag_names import TagNames

DOCUMENT = Document(
    id="d" * 64, title="Parts", media_type="text/csv", name="parts.csv", language="en", size=1
)
PARTS = [
    ["Part", "Supplier", "Price (EUR)", "Status", "Remarks"],
    ["PN-4410", "Nordvak Ceramics", "12.5", "Open", "Needs care."],
    ["PN-4502", "Silmatec", "7", "Closed", "None."],
    ["PN-4610", "Dichtwerk Jena", "9", "Open", "Order early."],
]


def table_of(rows: list[list[str]], header: int | None = None) -> tuple[Table, TableData]:
    made = rows_of_text("parts", rows, location=Location(rows=(0, len(rows) - 2)), header=header)
    assert made is not None
    return card_of(DOCUMENT, made.table, 0), made.table


def found_relations(rows: list[list[str]]) -> list[tuple[str, str, str]]:
    table, data = table_of(rows)
    return [(each.subject, each.predicate, each.object) for each in relations_of_rows(table, data.rows)]


def test_columns_of_names_relate_the_thing_of_the_row_and_others_do_not() -> None:
    assert found_relations(PARTS) == [
        ("PN-4410", "supplier", "Nordvak Ceramics"),
        ("PN-4502", "supplier", "Silmatec"),
        ("PN-4610", "supplier", "Dichtwerk Jena"),
    ]


def test_a_table_whose_first_column_does_not_name_each_row_once_relates_nothing() -> None:
    twice = [PARTS[0], *PARTS[1:], PARTS[1]]
    assert found_relations(twice) == []
    assert (
        found_relations([["Measure", "Unit"], ["pressure of the chamber", "Pa"], ["flow of gas", "sccm"]])
        == []
    )


def test_a_row_taken_for_the_header_relates_nothing() -> None:
    rows = [
        ["Senior tranche", "Loans of banks"],
        ["Mezzanine tranche", "Loans of Banks"],
        ["Equity", "Bonds"],
    ]
    assert found_relations(rows) == []


def test_fields_of_a_form_say_something_of_their_document_and_are_told_apart() -> None:
    form = [
        ["Field", "Value"],
        ["Primary physician:", "Dr. Ann Lee"],
        ["Status:", "Open"],
        ["Special needs:", "None known"],
        ["Born:", "March 15, 1978"],
    ]
    table, data = table_of(form, header=1)
    chunk = Chunk(
        id="c",
        document_id=DOCUMENT.id,
        section_id="s",
        text="Primary physician | Dr. Ann Lee",
        heading_path=(),
        order=0,
        tokens=9,
        kind="table",
        location=Location(rows=(0, 2)),
        table_id=table.id,
    )
    assembly = Assembly(DOCUMENT, (), [chunk], 8, Resolver(), TagNames())
    assembly.add_rows(table, data.rows)
    found = assembly.assembled()
    names = {entity.id: entity.name for entity in found.entities}
    assert [(names[r.subject], r.predicate, names[r.object], r.by) for r in found.relations] == [
        ("parts.csv", "primary physician", "Dr. Ann Lee", FIELDS)
    ]


def test_a_relation_of_a_row_hangs_on_the_chunk_that_shows_it() -> None:
    table, data = table_of(PARTS)
    chunks = [
        Chunk(
            id=f"c{at}",
            document_id=DOCUMENT.id,
            section_id="s",
            text=" | ".join(PARTS[at + 1]),
            heading_path=(),
            order=at,
            tokens=9,
            kind="table",
            location=Location(rows=(at, at)),
            table_id=table.id,
        )
        for at in range(3)
    ]
    assembly = Assembly(DOCUMENT, (), chunks, 8, Resolver(), TagNames())
    assembly.add_rows(table, data.rows)
    found = assembly.assembled()
    assert {each.by for each in found.relations} == {ROWS}
    assert [(each.predicate, each.chunk_id) for each in found.relations] == [
        ("supplier", "c0"),
        ("supplier", "c1"),
        ("supplier", "c2"),
    ]
    kinds = {entity.name: entity.kind for entity in found.entities}
    assert (kinds["PN-4410"], kinds["Silmatec"]) == ("part", "supplier")
