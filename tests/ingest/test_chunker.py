"""Chunks follow the structure of a document and fit the embedder."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain import Block, Column, Document, Parsed, TableData
from core.ingest.chunker import ChunkedDocument, Chunker

_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_]+|[^\w\s]|_")


def count(text: str) -> int:
    """Words, Chinese characters and marks, and two special tokens: like a word-piece model, without one."""
    return len(_TOKEN.findall(text)) + 2


def document(title: str = "Etch manual", name: str = "etch.docx") -> Document:
    return Document(id="d0", title=title, media_type="text/plain", name=name)


def cut(
    *blocks: Block,
    tables: tuple[TableData, ...] = (),
    doc: Document | None = None,
    target: int = 40,
    maximum: int = 60,
) -> ChunkedDocument:
    chunker = Chunker(count, window=256, target=target, maximum=maximum)
    parsed = Parsed(title="", media_type="text/plain", blocks=blocks, tables=tables)
    return chunker.chunk(doc or document(), parsed)


def heading(text: str, level: int = 1) -> Block:
    return Block(kind="heading", text=text, level=level)


def paragraph(text: str, **more: object) -> Block:
    return Block.model_validate({"kind": "paragraph", "text": text, **more})


def words(n: int, word: str = "word") -> str:
    return " ".join(f"{word}{i}" for i in range(n))


def texts(result: ChunkedDocument) -> list[str]:
    return [chunk.text for chunk in result.chunks]


# -- sections ------------------------------------------------------------------------------


def test_sections_nest_by_heading_level_and_chunks_carry_the_path() -> None:
    result = cut(
        heading("Manual"),
        heading("Safety", 2),
        paragraph("Wear gloves."),
        heading("Gas", 3),
        paragraph("Vent first."),
        heading("Start", 2),
        paragraph("Press the button."),
        doc=document("Manual"),
    )
    assert [s.path for s in result.sections] == [
        ("Manual",),
        ("Manual", "Safety"),
        ("Manual", "Safety", "Gas"),
        ("Manual", "Start"),
    ]
    parents = {s.path[-1]: s.parent_id for s in result.sections}
    ids = {s.path[-1]: s.id for s in result.sections}
    assert parents["Gas"] == ids["Safety"]
    assert parents["Start"] == ids["Manual"]
    assert result.chunks[1].passage_text() == "Manual > Safety > Gas\nVent first."


def test_a_title_that_no_heading_says_stands_above_all_headings() -> None:
    result = cut(heading("1 Scope"), paragraph("All tools."), doc=document("SOP-12 Wet clean", "scan01.pdf"))
    assert result.chunks[0].heading_path == ("SOP-12 Wet clean", "1 Scope")


def test_a_file_name_is_no_title_so_passages_of_a_collection_carry_only_their_own() -> None:
    result = cut(heading("Paris"), paragraph("A city."), doc=document("corpus", "corpus.jsonl"))
    assert result.chunks[0].heading_path == ("Paris",)


def test_text_without_any_heading_stands_under_the_title() -> None:
    assert cut(paragraph("Hello.")).chunks[0].heading_path == ("Etch manual",)


def test_two_sections_of_the_same_name_are_two_sections() -> None:
    result = cut(heading("Green"), paragraph("A colour."), heading("Green"), paragraph("A party."))
    assert len({s.id for s in result.sections if s.path[-1] == "Green"}) == 2


def test_empty_headings_are_passed_over_and_a_heading_with_nothing_under_it_is_text() -> None:
    result = cut(heading("  "), heading("Thanks for listening"))
    assert texts(result) == ["Thanks for listening"]
    assert result.chunks[0].heading_path == ("Etch manual",)


# -- size ----------------------------------------------------------------------------------


def test_what_fits_stays_whole_and_what_does_not_is_cut_into_equal_parts() -> None:
    assert len(cut(*[paragraph(words(10)) for _ in range(5)]).chunks) == 1
    sizes = [chunk.tokens for chunk in cut(*[paragraph(words(10)) for _ in range(9)]).chunks]
    assert len(sizes) == 2
    assert max(sizes) - min(sizes) <= 12


def test_a_procedure_step_is_never_cut_in_two() -> None:
    steps = [Block(kind="list_item", text=f"{i}. Turn valve {i}. " + words(20)) for i in range(1, 8)]
    result = cut(*steps)
    assert len(result.chunks) > 2
    for step in steps:
        assert sum(step.text in text for text in texts(result)) == 1


def test_a_clause_keeps_the_paragraphs_under_its_number() -> None:
    clauses = [
        block
        for n in range(1, 7)
        for block in (paragraph(f"4.{n} The tool shall stop."), paragraph(f"Note {n}. " + words(15)))
    ]
    for text in texts(cut(*clauses)):
        assert len(re.findall(r"^4\.\d", text, re.MULTILINE)) == text.count("Note")


def test_a_line_that_announces_a_list_is_not_left_alone() -> None:
    blocks = [paragraph(words(38)), paragraph("Do this:"), Block(kind="list_item", text="1. " + words(12))]
    announced = next(text for text in texts(cut(*blocks)) if "Do this:" in text)
    assert "1. word0" in announced


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    text = " ".join(f"Dr. Smith measured wafer {i} at 3.5 nm." for i in range(20))
    for part in texts(cut(paragraph(text))):
        assert part.startswith("Dr. Smith")
        assert part.endswith("nm.")


def test_chinese_is_cut_at_its_own_full_stops_and_counted_by_character() -> None:
    result = cut(paragraph("静电吸盘的温度必须稳定。更换前请关闭氦气！" * 8))
    assert len(result.chunks) > 3
    assert all(text[-1] in "。！" for text in texts(result))
    assert {chunk.language for chunk in result.chunks} == {"zh"}


@pytest.mark.parametrize(
    "text",
    ["x" * 300_000, "word " * 60_000, "字" * 100_000, "a,b\n" * 50_000, "😀" * 20_000, "_-_" * 30_000],
    ids=["one word", "no stop", "chinese", "lines", "emoji", "marks"],
)
def test_monstrous_lines_are_cut_fast_and_nothing_is_lost(text: str) -> None:
    start = time.perf_counter()
    result = cut(paragraph(text), maximum=250, target=160)
    assert time.perf_counter() - start < 10
    assert max(count(chunk.passage_text()) for chunk in result.chunks) <= 250
    assert "".join("".join(texts(result)).split()) == "".join(text.split())


def test_a_heading_longer_than_a_chunk_is_shortened_in_the_path() -> None:
    result = cut(heading(words(500, "long")), paragraph("Text."))
    assert result.chunks[0].tokens <= 60
    assert result.chunks[0].heading_path[-1].endswith("…")
    assert result.sections[-1].path[-1] == words(500, "long")


def test_a_count_that_grows_when_texts_are_joined_is_checked_on_the_whole() -> None:
    chunker = Chunker(lambda text: count(text) + text.count("\n"), window=60, target=40, maximum=60)
    blocks = tuple(Block(kind="list_item", text=words(1)) for _ in range(90))
    parsed = Parsed(title="", media_type="text/plain", blocks=blocks)
    result = chunker.chunk(document(), parsed)
    assert max(chunker.count(chunk.passage_text()) for chunk in result.chunks) <= 60


def test_a_maximum_too_small_for_anything_is_refused() -> None:
    with pytest.raises(ValueError, match="32 tokens"):
        Chunker(count, window=256, maximum=10)


def test_nine_thousand_passages_are_cut_in_a_few_seconds() -> None:
    blocks = [b for i in range(9000) for b in (heading(f"Title {i}"), paragraph(words(90)))]
    start = time.perf_counter()
    result = cut(*blocks, doc=document("c", "c.jsonl"), target=160, maximum=250)
    assert len(result.chunks) == 9000
    assert time.perf_counter() - start < 8


_BLOCKS = st.lists(
    st.builds(
        Block,
        kind=st.sampled_from(
            ["heading", "paragraph", "list_item", "caption", "figure", "code", "footnote", "media"]
        ),
        text=st.text(max_size=400) | st.integers(0, 120).map(words),
        level=st.integers(0, 4),
    ),
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(_BLOCKS)
def test_whatever_the_blocks_every_letter_is_kept_and_no_chunk_is_too_long(blocks: list[Block]) -> None:
    result = cut(*blocks)
    kept = "".join("".join(c.text.split()) for c in result.chunks)
    for block in blocks:
        if block.kind not in ("heading", "caption", "figure"):
            for word in block.text.split()[:3]:
                assert word[:20] in kept
    assert all(count(chunk.passage_text()) <= 60 for chunk in result.chunks)
    assert all(chunk.text.strip() for chunk in result.chunks)
    assert len({chunk.id for chunk in result.chunks}) == len(result.chunks)
    assert {chunk.section_id for chunk in result.chunks} <= {section.id for section in result.sections}


def test_the_same_file_gives_the_same_ids_and_repeated_text_gives_different_ones() -> None:
    blocks = [heading("A"), paragraph(words(50)), paragraph(words(50))]
    first, second = cut(*blocks), cut(*blocks)
    assert [c.id for c in first.chunks] == [c.id for c in second.chunks]
    assert len({c.id for c in first.chunks}) == 2


def test_numbered_lines_of_a_chinese_document_without_headings_are_its_chapters() -> None:
    made = cut(
        Block(kind="paragraph", text="周会纪要\n主持：林梅"),
        Block(kind="paragraph", text="一、良率\n良率回升到 91.6%。"),
        Block(kind="paragraph", text="二、决定"),
        Block(kind="list_item", text="1. 更换静电吸盘。"),
        doc=document("周会纪要", "周会.txt"),
    )
    found = [(chunk.heading_path, chunk.text) for chunk in made.chunks]
    assert found == [
        (("周会纪要",), "周会纪要\n主持：林梅"),
        (("周会纪要", "一、良率"), "良率回升到 91.6%。"),
        (("周会纪要", "二、决定"), "1. 更换静电吸盘。"),
    ]


def test_a_numbered_line_in_a_document_with_headings_stays_text() -> None:
    made = cut(
        Block(kind="heading", text="清单", level=1),
        Block(kind="paragraph", text="一、关阀门"),
        Block(kind="paragraph", text="二、开盖"),
    )
    assert {chunk.heading_path[-1] for chunk in made.chunks} == {"清单"}


# -- order ---------------------------------------------------------------------------------


def kinds(*blocks: Block) -> list[str]:
    table = TableData(name="T", columns=(Column(name="a"),), rows=(("1",), ("2",)))
    chunks = cut(heading("Part"), *blocks, tables=(table,) if ROWS in blocks else ()).chunks
    return [chunk.text.split("\n")[0] if chunk.kind == "text" else chunk.kind for chunk in chunks]


SEES = Block(kind="figure", text="A pump")
ROWS = Block(kind="table", text="a", table=0)


def test_where_a_document_flows_chunks_keep_the_order_of_text_tables_and_figures() -> None:
    assert kinds(paragraph("First."), ROWS, paragraph("Then."), SEES, paragraph("Last.")) == [
        "First.",
        "table",
        "Then.",
        "figure",
        "Last.",
    ]


def test_on_a_page_with_places_text_goes_on_around_a_figure_unless_it_announces_one() -> None:
    place = {"location": {"page": 0, "boxes": [{"page": 0, "x0": 0, "y0": 0, "x1": 1, "y1": 0.1}]}}
    figure = Block.model_validate({"kind": "figure", "text": "A pump", **place})
    flowing = (paragraph("First.", **place), figure, paragraph("Then.", **place))
    assert kinds(*flowing) == ["First.", "figure"]
    announced = (paragraph("First.", **place), figure, paragraph("The worn pump:", **place), figure)
    assert kinds(*announced) == ["First.", "figure", "The worn pump:", "figure"]
