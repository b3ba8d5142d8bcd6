"""Where chunks stand, and tables, figures and captions as chunks of their own."""

import re

from core.domain import Block, Box, Chunk, Column, Location, TableData
from tests.ingest.test_chunker import cut, document, paragraph, texts

# -- place ---------------------------------------------------------------------------------


def box(page: int, x0: float, y0: float, x1: float, y1: float) -> Box:
    return Box(page=page, x0=x0, y0=y0, x1=x1, y1=y1)


def test_a_chunk_has_one_box_for_each_page_and_column() -> None:
    places = [
        Location(page=0, boxes=(box(0, 0.1, 0.7, 0.45, 0.8),)),
        Location(page=0, boxes=(box(0, 0.1, 0.8, 0.45, 0.9),)),
        Location(page=0, boxes=(box(0, 0.55, 0.1, 0.9, 0.2),)),
        Location(page=1, boxes=(box(1, 0.1, 0.1, 0.45, 0.2),)),
    ]
    place = cut(*[paragraph("Short.", location=place) for place in places]).chunks[0].location
    assert place.page == 0
    assert place.boxes == (box(0, 0.1, 0.7, 0.45, 0.9), places[2].boxes[0], places[3].boxes[0])


def test_lines_and_seconds_are_joined_and_a_part_of_a_log_knows_its_own_lines() -> None:
    media = [Block(kind="media", text=f"Frame {i}", location=Location(seconds=(i, i + 2.0))) for i in (0, 5)]
    assert cut(*media).chunks[0].location.seconds == (0, 7.0)
    assert cut(*media).chunks[0].kind == "media"
    log = Block(
        kind="code", text="\n".join(f"alarm {i} raised" for i in range(60)), location=Location(lines=(10, 69))
    )
    parts = cut(log).chunks
    assert parts[0].location.lines is not None
    assert parts[0].location.lines[0] == 10
    for part in parts:
        first, last = part.location.lines or (0, 0)
        assert part.text.startswith(f"alarm {first - 10} ")
        assert last - first == part.text.count("\n")
    assert parts[0].kind == "code"


def test_links_of_blocks_go_to_their_chunk() -> None:
    result = cut(paragraph("See the SOP.", links=("SOP-12.docx",)))
    assert result.links == {result.chunks[0].id: ("SOP-12.docx",)}


# -- tables and figures --------------------------------------------------------------------


def table(rows: int, name: str = "yield 2024", text: bool = True, columns: int = 2) -> TableData:
    kinds = [Column(name="lot")] if text else [Column(name="n", type="integer")]
    kinds += [Column(name=f"value {i}", type="real", unit="%") for i in range(columns - 1)]
    data = tuple(((f"LOT-{i}" if text else i), *[90.5] * (columns - 1)) for i in range(rows))
    return TableData(
        name=name, columns=tuple(kinds), rows=data, location=Location(sheet="S", rows=(0, rows - 1))
    )


def found_rows(chunks: tuple[Chunk, ...]) -> list[int]:
    return [i for c in chunks if c.location.rows for i in range(c.location.rows[0], c.location.rows[1] + 1)]


def test_a_table_becomes_its_card_and_every_row_once_under_a_repeated_header() -> None:
    result = cut(Block(kind="table", text="x", table=0), tables=(table(50),))
    assert result.chunks[0].text.startswith("Table yield 2024. 50 rows.")
    assert all("lot | value 0 [%]" in text for text in texts(result))
    assert found_rows(result.chunks) == list(range(50))
    assert "\n".join(texts(result)).count("LOT-31 ") == 1
    card, _ = result.tables[0]
    assert {chunk.table_id for chunk in result.chunks} == {card.id}
    assert card.row_count == 50


def test_a_table_too_wide_for_its_header_is_written_row_by_row() -> None:
    result = cut(tables=(table(3, columns=60),))
    assert all(chunk.tokens <= 60 for chunk in result.chunks)
    assert "value 58: 90.5" in " ".join(texts(result))


def test_tables_of_numbers_only_are_read_in_part_and_that_is_said() -> None:
    result = cut(tables=(table(3000, text=False),))
    assert len(result.chunks) <= 21
    assert "of 3,000 are searched as text" in result.notes[0]


def test_sql_names_are_safe_unique_and_tell_what_the_table_is() -> None:
    tables = (
        table(1),
        table(1),
        table(1, name="Sheet1"),
        table(1, name="2021年良率"),
        table(1, name='a"; DROP'),
    )
    names = [card.sql_name for card, _ in cut(tables=tables, doc=document("t", "fab yield.xlsx")).tables]
    assert len(set(names)) == 5
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in names)
    assert names[0].startswith("yield_2024_")
    assert names[2].startswith("fab_yield_sheet1_")


def test_a_table_that_no_block_shows_is_found_all_the_same() -> None:
    assert len(cut(paragraph("Text."), tables=(table(2),)).chunks) == 2


def test_captions_go_to_the_figure_or_table_they_name() -> None:
    blocks = [
        Block(kind="figure", text="axis 5 mm", location=Location(page=2, boxes=(box(2, 0, 0, 1, 0.5),))),
        Block(
            kind="caption", text="Figure 3: Wear.", location=Location(page=2, boxes=(box(2, 0, 0.5, 1, 0.6),))
        ),
        Block(kind="caption", text="Table 1: Yields"),
        Block(kind="table", text="x", table=0),
        paragraph("Body."),
    ]
    result = cut(*blocks, tables=(table(2),))
    figure = next(chunk for chunk in result.chunks if chunk.kind == "figure")
    assert figure.text == "Figure 3: Wear.\naxis 5 mm"
    assert figure.location.page == 2
    assert len(figure.location.boxes) == 1
    assert "Table 1: Yields" in next(chunk.text for chunk in result.chunks if chunk.kind == "table")
    assert result.tables[0][0].caption == "Table 1: Yields"
    assert [chunk.text for chunk in result.chunks if chunk.kind == "text"] == ["Body."]
