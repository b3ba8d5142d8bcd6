"""Pictures inside documents of every family: figures with their caption, their words and what they show."""

import base64
import io
from pathlib import Path

import pytest
from docx import Document
from PIL import Image

from core.domain import Block, Parsed
from core.ingest.picture_descriptions import Describer
from core.llm.ollama.client import OllamaLLM
from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.illustrated import MADE, mail, odt, opendocument, picture, saved, word, zipped
from tests.ollama_double import OllamaDouble
from tests.ollama_protocol import Asked, Model

SAW = "A dry pump beside a valve."


def described(parsed: Parsed, text: str = SAW) -> tuple[Parsed, list[Asked]]:
    seen: list[Asked] = []

    def look(asked: Asked) -> str:
        seen.append(asked)
        return f'{{"text": "{text}"}}'

    with OllamaDouble(brain=look) as double:
        return Describer(OllamaLLM(double.host, models={}, pause=0.01)).describe(parsed), seen


def place(blocks: tuple[Block, ...], text: str) -> int:
    return next(at for at, block in enumerate(blocks) if text in block.text)


@pytest.mark.parametrize("name", MADE)
def test_the_words_in_a_picture_are_a_figure_of_the_document(reads: Reads, name: str) -> None:
    parsed = reads(name, MADE[name](picture("VALVE V-77")))
    assert any("V-77" in text for text in texts(parsed, "figure") or texts(parsed, "paragraph"))
    assert parsed.pictures == ()


@pytest.mark.parametrize("name", [name for name in MADE if name != "a.eml"])
def test_what_a_picture_shows_stands_where_the_picture_stands(reads: Reads, name: str) -> None:
    parsed = reads(name, MADE[name](picture("VALVE V-77")), pictures=3)
    descriptions, seen = described(parsed)
    figures = texts(descriptions, "figure")
    assert len(figures) == len([asked for asked in seen if asked.images]) == 1
    assert "V-77" in figures[0]
    assert figures[0].endswith(f"\nWhat it shows: {SAW}")
    assert (
        place(descriptions.blocks, "Before it.")
        < place(descriptions.blocks, SAW)
        < place(descriptions.blocks, "After it.")
    )


@pytest.mark.parametrize("name", [name for name in MADE if name != "a.eml"])
def test_a_picture_without_words_is_a_figure_once_a_model_has_seen_it(reads: Reads, name: str) -> None:
    plain = MADE[name](picture())
    assert texts(reads(name, plain), "figure") == []
    assert len(reads(name, plain).skipped) == 1
    descriptions, _ = described(reads(name, plain, pictures=3))
    assert [text.split("\n")[-1] for text in texts(descriptions, "figure")] == [f"What it shows: {SAW}"]


@pytest.mark.parametrize("name", ["a.docx", "a.odt"])
def test_a_model_that_cannot_be_had_leaves_no_empty_figure(reads: Reads, name: str) -> None:
    parsed = reads(name, MADE[name](picture()), pictures=3)
    with OllamaDouble(models=(Model("qwen3:4b"),)) as double:
        reply = Describer(OllamaLLM(double.host, models={}, pause=0.01)).describe(parsed)
    assert texts(reply, "figure") == []
    assert reply.skipped[-1].startswith("Pictures not described: 1 of 1 (")
    assert place(reply.blocks, "Before it.") < place(reply.blocks, "After it.")


def test_a_picture_inside_a_mail_is_read_once_and_handed_on(reads: Reads) -> None:
    parsed = reads("a.eml", mail(picture("VALVE V-77")), pictures=3)
    assert sum("V-77" in block.text for block in parsed.blocks) == 1
    descriptions, seen = described(parsed)
    assert len(seen) == 1
    assert place(descriptions.blocks, "V-77") < place(descriptions.blocks, SAW)


def test_pictures_in_an_archive_are_handed_on_each_with_its_own_figure(reads: Reads) -> None:
    both = zipped({"one.docx": word(picture("VALVE V-11")), "two.docx": word(picture("VALVE V-22"))})
    parsed = reads("a.zip", both, pictures=8)
    assert [parsed.blocks[p.block or 0].text[-4:] for p in parsed.pictures] == ["V-11", "V-22"]
    assert len(reads("a.zip", both, pictures=1).pictures) == 1


def test_no_more_pictures_are_described_than_asked_for_and_equal_ones_once(reads: Reads) -> None:
    document = Document()
    for shade in ("red", "red", "green", "blue"):
        document.add_picture(io.BytesIO(picture(shade=shade)))
    content = saved(document.save)
    assert len(reads("a.docx", content, pictures=8).pictures) == 3
    assert len(reads("a.docx", content, pictures=2).pictures) == 2


def test_a_caption_below_names_the_picture_the_model_is_shown(reads: Reads) -> None:
    document = Document()
    document.add_picture(io.BytesIO(picture()))
    document.add_paragraph("Figure 1: The spare pump", style="Caption")
    descriptions, seen = described(reads("a.docx", saved(document.save), pictures=2))
    assert "The spare pump" in seen[0].user
    assert texts(descriptions, "figure") == [f"Figure 1: The spare pump\nWhat it shows: {SAW}"]


def test_an_open_document_picture_keeps_its_description_out_of_the_text(reads: Reads) -> None:
    frame = (
        '<svg:title>The panel</svg:title><draw:image xlink:href="Pictures/a.svg"/>'
        '<draw:image xlink:href="./Pictures/a.png"/><svg:desc>A photograph</svg:desc>'
    )
    parsed = reads("a.odt", odt(picture("VALVE V-77"), frame))
    assert texts(parsed, "paragraph") == ["Before it.", "After it."]
    assert texts(parsed, "figure")[0].split("\n")[:2] == ["The panel", "A photograph"]


def test_what_is_said_of_an_open_document_shape_stays_in_the_text(reads: Reads) -> None:
    shape = "<text:p><draw:rect><svg:title>A box</svg:title><text:p>of words</text:p></draw:rect></text:p>"
    parsed = reads("a.odt", opendocument("text", f"<office:text>{shape}</office:text>", b""))
    assert "A box" in " ".join(texts(parsed, "paragraph"))


def test_a_picture_that_lies_elsewhere_is_never_fetched(reads: Reads) -> None:
    frame = '<draw:image xlink:href="http://127.0.0.1:9/a.png"/><svg:title>Far away</svg:title>'
    assert texts(reads("a.odt", odt(picture("VALVE V-77"), frame)), "figure") == ["Far away"]
    html = '<p>Text.</p><figure><img src="http://127.0.0.1:9/a.png" alt="Pump"></figure>'
    assert texts(reads("a.html", html), "figure") == ["Pump"]


def test_the_caption_of_an_html_figure_stands_above_the_words_in_it(reads: Reads) -> None:
    source = f"data:image/png;base64,{base64.b64encode(picture('VALVE V-77')).decode()}"
    html = f'<figure><img src="{source}" alt="Valve"><figcaption>Fig. 1: V</figcaption></figure>'
    figure = texts(reads("a.html", html), "figure")
    assert len(figure) == 1
    assert figure[0].split("\n")[:2] == ["Fig. 1: V", "Valve"]
    assert "V-77" in figure[0]


def test_an_icon_among_words_stays_a_word(reads: Reads) -> None:
    icon = io.BytesIO()
    Image.new("RGB", (12, 12), "red").save(icon, "PNG")
    source = f"data:image/png;base64,{base64.b64encode(icon.getvalue()).decode()}"
    parsed = reads("a.html", f'<p>Press <img src="{source}" alt="Start"> now.</p><p><img src="{source}"></p>')
    assert [(block.kind, block.text) for block in parsed.blocks] == [("paragraph", "Press Start now.")]
    assert parsed.skipped == ()


def test_a_readable_picture_among_words_leaves_the_words_whole(reads: Reads) -> None:
    source = f"data:image/png;base64,{base64.b64encode(picture('VALVE V-77')).decode()}"
    parsed = reads("a.html", f'<p>See <img src="{source}" alt="the valve"> first.</p>')
    assert texts(parsed, "paragraph") == ["See the valve first."]
    assert [("V-77" in text, "the valve" in text) for text in texts(parsed, "figure")] == [(True, False)]


def test_pictures_in_markdown_stay_with_their_words_and_out_of_the_links(reads: Reads) -> None:
    source = f"data:image/png;base64,{base64.b64encode(picture('VALVE V-77')).decode()}"
    text = (
        f"# The ![valve]({source})\n\nSee ![it]({source}) and ![that](far.png).\n\n"
        f"![Fig. 1][one]\n\n| Part | View |\n|---|---|\n| V-77 | ![front]({source}) |\n\n"
        f'<p align="center"><img src="{source}" width="40"></p>\n\nIn <img src="{source}"> a line.\n\n'
        f"[one]: {source}\n"
    )
    parsed = reads("a.md", text)
    kinds = [block.kind for block in parsed.blocks]
    assert kinds == [
        *("heading", "figure", "paragraph", "figure", "figure"),
        *("table", "figure", "figure", "paragraph", "figure"),
    ]
    figures = texts(parsed, "figure")
    assert all("V-77" in figure for figure in figures)
    assert [figure.split("\n")[0] for figure in figures if "Fig" in figure] == ["Fig. 1"]
    assert [link for block in parsed.blocks for link in block.links] == ["far.png"]
    assert parsed.blocks[4].location.lines == (4, 4)


@pytest.mark.parametrize("source", ["data:image/png;base64,AAA", "data:image/png;base64,====", "data:,x"])
def test_a_damaged_picture_does_not_cost_the_page_its_text(reads: Reads, source: str) -> None:
    parsed = reads("a.html", f'<p>The text.</p><img src="{source}" alt="A pump"><p>The end.</p>')
    assert texts(parsed, "paragraph") == ["The text.", "The end."]
    assert texts(parsed, "figure") == ["A pump"]
    parsed = reads("a.md", f"The text.\n\n![A pump]({source})\n\nThe end.")
    assert [texts(parsed, "paragraph")[at] for at in (0, -1)] == ["The text.", "The end."]
    assert "A pump" in parsed.blocks[1].text


def test_a_cut_off_picture_does_not_cost_a_document_its_text(reads: Reads) -> None:
    whole = picture("VALVE V-77", "JPEG")
    parsed = reads("a.odt", odt(whole[: len(whole) // 2]))
    assert texts(parsed, "paragraph") == ["Before it.", "After it."]
    assert parsed.skipped == ("Pictures without a description or text that could be read: 1 of 1.",)


def test_a_huge_picture_inside_a_document_is_left_out(reads: Reads, tmp_path: Path) -> None:
    big = io.BytesIO()
    Image.new("1", (3000, 3000)).save(big, "PNG")
    parsed = reads("a.odt", odt(big.getvalue()), pixels=1_000_000, pictures=2)
    assert texts(parsed, "paragraph") == ["Before it.", "After it."]
    assert parsed.pictures == ()
