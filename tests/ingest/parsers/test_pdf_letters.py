"""Letters as a page shows them: accents drawn apart, hyphens at line ends, the names under a title."""

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.test_pdf import PROSE, Text, lines, pdf

ACCENTS = {
    "ğ": ("g", "\\306"),
    "é": ("e", "\\302"),
    "ö": ("o", "\\310"),
    "č": ("c", "\\317"),
    "ç": ("c", "\\313"),
}


def typeset(x: float, y: float, words: str, first: bool) -> list[Text]:
    """Return a line whose accents are drawn apart, as TeX's older fonts do, before the words or after."""
    plain = "".join(ACCENTS.get(letter, (letter, ""))[0] for letter in words)
    marks: list[Text] = []
    for at, letter in enumerate(words):
        if letter in ACCENTS:
            base, code = ACCENTS[letter]
            left = x + stringWidth(plain[:at], "Helvetica", 10)
            middle = left + (stringWidth(base, "Helvetica", 10) - 3.33) / 2
            marks.append((middle, y, 10, "F1", code))
    return [*marks, (x, y, 10, "F1", plain)] if first else [(x, y, 10, "F1", plain), *marks]


@pytest.mark.parametrize("first", [True, False])
def test_an_accent_drawn_apart_is_that_of_its_letter(reads: Reads, first: bool) -> None:
    statement = "The figures of Oğuz Böhm, François Pérez and Ančerl were read again."
    (block,) = reads("a.pdf", pdf(typeset(50, 700, statement, first))).blocks
    assert block.text == statement


def test_an_accent_over_nothing_stays_as_it_is(reads: Reads) -> None:
    (block,) = reads(
        "a.pdf", pdf(lines(50, 700, "The sign \\306 is a breve and o \\310 is two signs."))
    ).blocks
    assert block.text == "The sign ˘ is a breve and o ¨ is two signs."


def hyphened(*pairs: tuple[str, str]) -> list[str]:
    return [
        line
        for head, tail in pairs
        for line in (
            f"The passage tells of what has been seen in the {head}-",
            f"{tail} part of the chamber over the last three weeks.",
        )
    ]


@pytest.mark.parametrize(
    ("head", "tail", "content"),
    [
        ("high", "dimensional", "high-dimensional"),
        ("long", "wavelength", "long-wavelength"),
        ("how", "ever", "however"),
        ("under", "standing", "understanding"),
        ("frame", "works", "frameworks"),  # known by its stem
        ("compart", "ment", "compartment"),
    ],
)
def test_a_hyphen_at_a_lines_end_stays_where_only_its_parts_are_words(
    reads: Reads, head: str, tail: str, content: str
) -> None:
    text = texts(reads("a.pdf", pdf(lines(50, 700, *hyphened((head, tail)), *PROSE))), "paragraph")[0]
    assert f"seen in the {content} part" in text


def test_the_documents_own_word_tells_how_it_is_written(reads: Reads) -> None:
    rows = [
        *hyphened(("set", "point")),
        "Each setpoint is told in the recipe of the chamber as it was when it began.",
    ]
    assert "in the setpoint part" in texts(reads("a.pdf", pdf(lines(50, 700, *rows))), "paragraph")[0]


def test_names_under_a_title_are_no_headings(reads: Reads) -> None:
    def centred(y: float, size: float, font: str, words: str) -> Text:
        name = "Helvetica-Bold" if font == "F2" else "Helvetica"
        return (300 - stringWidth(words, name, size) / 2, y, size, font, words)

    page = [
        centred(750, 18, "F2", "Passage Retrieval at Scale"),
        centred(715, 13, "F2", "Vladimir K. Petrov, Maria de la Cruz and Wen-tau Yih"),
        centred(690, 13, "F2", "Ledell Wu, Jean-Luc O'Neill"),
        (50, 650, 13, "F2", "Abstract"),
        *lines(50, 630, *PROSE),
        (50, 570, 13, "F2", "Silicon Carbide, Gallium Nitride"),
        *lines(50, 550, *PROSE),
    ]
    parsed = reads("a.pdf", pdf(page))
    assert texts(parsed, "heading") == [
        "Passage Retrieval at Scale",
        "Abstract",
        "Silicon Carbide, Gallium Nitride",
    ]
    assert "Maria de la Cruz" in " ".join(texts(parsed, "paragraph"))


def test_a_centred_line_in_parts_is_read_from_left_to_right(reads: Reads) -> None:
    left = [(50, 600 - 12 * row, 10, "F1", line[:40]) for row, line in enumerate(PROSE * 2)]
    right = [(310, 600 - 12 * row, 10, "F1", line[:40]) for row, line in enumerate(PROSE * 2)]
    parts = [
        (100, 700, 10, "F1", "Nordholm AI"),
        (225, 701, 10, "F1", "University of North Oslo"),
        (400, 700, 10, "F1", "Bergen College"),
    ]
    text = " ".join(block.text for block in reads("a.pdf", pdf([*parts, *left, *right])).blocks)
    assert text.startswith("Nordholm AI University of North Oslo Bergen College")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (
            "the e\\033ect of the \\034rst \\035ow is su\\036cient",
            "the effect of the first flow is sufficient",
        ),
        ("the \\020tickets\\021 won", "the “tickets” won"),
        ("so \\033 stands alone", "so  stands alone"),
    ],
)
def test_ligatures_of_fonts_that_do_not_say_them_are_letters(reads: Reads, written: str, text: str) -> None:
    (block,) = reads("a.pdf", pdf([(50, 700, 10, "F4", written)])).blocks
    assert block.text.split() == text.split()


def test_what_is_set_in_one_pitch_among_prose_is_kept_as_typed(reads: Reads) -> None:
    typed = (
        "fit <- lm(yield ~ tool)",
        "        coef  se(coef)",
        "tool  -1.072     0.261",
        "wafer  0.177     0.2",
    )
    shown = [
        (60, 600 - 12 * n, 10, "F3", line.replace("(", "\\(").replace(")", "\\)"))
        for n, line in enumerate(typed)
    ]
    parsed = reads("a.pdf", pdf([*lines(50, 700, *PROSE), *shown, *lines(50, 500, *PROSE)]))
    assert texts(parsed, "code") == ["\n".join(typed)]
    assert parsed.tables == ()
    alone = reads("a.pdf", pdf([(x, y, size, font, words) for x, y, size, font, words in shown[1:]]))
    assert texts(alone, "code") == []
