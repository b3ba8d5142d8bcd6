"""Korean lines: a word may continue in the next one without a sign, a space at a line's end parts two."""

import io

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from core.ingest.parsers.pdf.hyphens import KnownWords
from tests.ingest.parsers.conftest import Reads, texts

LINES = (
    "보험회사에서 그동안 판매했거나 향후 판매하게 될 상품의 ",
    "입원 및 사망의 인정 여부에 대하여 국내 국내 국내에 확",
    "진자는 모두 구천명이며 보험약관의 현황을 살펴보고 다시 ",
    "개선방안을 제시하고자 하였다.",
)


def page(*rows: str) -> bytes:
    pdfmetrics.registerFont(UnicodeCIDFont("HYSMyeongJo-Medium"))
    buffer = io.BytesIO()
    draw = canvas.Canvas(buffer, pagesize=(600, 800))
    draw.setFont("HYSMyeongJo-Medium", 10)
    for at, row in enumerate(rows):
        draw.drawString(60, 700 - 14 * at, row)
    draw.save()
    return buffer.getvalue()


def test_a_word_goes_on_in_the_next_line_where_no_space_ends_its_line(reads: Reads) -> None:
    text = " ".join(texts(reads("a.pdf", page(*LINES)), "paragraph"))
    assert "상품의 입원" in text
    assert "국내에 확진자는 모두" in text
    assert "다시 개선방안을" in text


def test_a_particle_behind_a_bracket_that_ends_a_line_belongs_to_it(reads: Reads) -> None:
    head = "입원 및 사망의 인정 여부에 대하여 국내 자기공명영상(MRI)"
    glued = " ".join(texts(reads("a.pdf", page(LINES[0], head, f"는 {LINES[2]}", LINES[3])), "paragraph"))
    apart = " ".join(texts(reads("b.pdf", page(LINES[0], f"{head} ", *LINES[2:])), "paragraph"))
    assert "자기공명영상(MRI)는 진자는" in glued
    assert "자기공명영상(MRI) 진자는" in apart


def test_lines_that_never_end_with_a_space_tell_nothing(reads: Reads) -> None:
    text = " ".join(texts(reads("a.pdf", page(*map(str.rstrip, LINES))), "paragraph"))
    assert "확 진자는" in text


def test_a_word_that_stands_whole_elsewhere_is_whole_over_two_lines() -> None:
    known = KnownWords.of(["새 확진자는 없다", "국내 확", "진자는 모두", "국내 당국", "당국 간의 국내당국"])
    assert known.is_cut("국내 확", "진자는 모두")
    assert not known.is_cut("그 국내", "당국 간의")
