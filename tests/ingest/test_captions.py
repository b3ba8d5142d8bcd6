"""Captions find what they name, in formats that have captions and in those that do not."""

from core.domain import Block, BlockKind, Parsed, TableData
from core.ingest.captions import attach


def made(*parts: str) -> Parsed:
    """Return a document: "[table]", "[figure]", "> a caption", or a paragraph."""
    blocks: list[Block] = []
    tables: list[TableData] = []
    for part in parts:
        if part == "[table]":
            blocks.append(Block(kind="table", text="a | b", table=len(tables)))
            tables.append(TableData(name=f"Table {len(tables) + 1}", columns=(), rows=()))
            continue
        kind: BlockKind = "figure" if part == "[figure]" else "caption" if part[0] == ">" else "paragraph"
        blocks.append(Block(kind=kind, text=part.removeprefix("> ")))
    return Parsed(title="t", media_type="text/plain", blocks=tuple(blocks), tables=tuple(tables))


def captions(*parts: str) -> list[str]:
    return [table.caption for table in attach(made(*parts))[1]]


def test_a_caption_above_and_one_below_go_to_their_tables() -> None:
    assert captions("> Table 1: Rates", "[table]", "text") == ["Table 1: Rates"]
    assert captions("text", "[table]", "> Table 1: Rates") == ["Table 1: Rates"]
    assert captions("text", "[table]", "[표 1] 개정 전후 비교") == ["[표 1] 개정 전후 비교"]


def test_between_two_tables_the_number_decides() -> None:
    assert captions("[table]", "> Table 1: Limits", "[table]") == ["Table 1: Limits", ""]
    assert captions("[table]", "> Table 2: Limits", "[table]") == ["", "Table 2: Limits"]


def test_without_a_number_that_fits_the_side_of_the_other_captions_decides() -> None:
    below = ["[table]", "> Table A. One", "text", "[table]", "> Table B. Two", "[table]", "text"]
    assert captions(*below) == ["Table A. One", "Table B. Two", ""]


def test_a_paragraph_that_begins_like_a_caption_is_one_only_beside_what_it_names() -> None:
    blocks, tables = attach(made("[table]", "Table 2: rates", "Table 9: nothing near", "text"))
    assert tables[0].caption == "Table 2: rates"
    assert [block.text for block in blocks[1:]] == ["Table 9: nothing near", "text"]


def test_a_sentence_about_a_table_is_no_caption() -> None:
    assert captions("[table]", "Table rows are sorted by tool.") == [""]
    assert captions("[table]", "Table 1" + " and so on" * 40) == [""]


def test_a_table_that_is_only_numbered_is_called_by_its_caption() -> None:
    assert attach(made("> Table 7: Leak rates", "[table]"))[1][0].name == "Table 7: Leak rates"


def test_a_caption_of_a_figure_is_no_tables() -> None:
    blocks, tables = attach(made("[table]", "> Figure 1: The pump", "[figure]"))
    assert tables[0].caption == ""
    assert blocks[1].text == "Figure 1: The pump\n[figure]"


def test_a_line_that_stands_over_a_table_as_its_label_is_its_caption() -> None:
    blocks, tables = attach(made("Rates of the chamber:", "[table]", "The worn pump", "[figure]", "After it"))
    assert (tables[0].caption, tables[0].name) == ("Rates of the chamber", "Rates of the chamber")
    assert [block.text for block in blocks] == ["a | b", "The worn pump\n[figure]", "After it"]
    assert captions("The rates are told here.", "[table]") == [""]  # a sentence
    assert captions("B", "[table]") == [""]
    assert captions("Reference to it: the pump log", "[table]") == [""]  # a label with its value
    assert captions("Rates of the chamber", "[table]", "> Table 1: Limits") == ["Table 1: Limits"]
