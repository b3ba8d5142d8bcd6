"""Damage to any one part of a file costs that part: the rest is read, and what is missing is said."""

import datetime as dt
import io
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from docx import Document
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image, ImageDraw
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from core.domain import Parsed
from core.errors import ParseError
from core.ingest.limits import Limits
from core.ingest.parsers import read
from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.illustrated import picture, saved
from tests.ingest.parsers.test_pdf import lines, pdf

LIMITS = Limits(ocr_pages=0)
MARKS = tuple(range(40010, 40016))


class Made(NamedTuple):
    """A file whose parts each hold a mark: what is in a member is lost with it."""

    name: str
    data: bytes
    home: Callable[[int], str]  # mark -> the member it is in


def deck() -> Made:
    show = Presentation()
    for mark in MARKS:
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = f"Pump {mark}"
        slide.placeholders[1].text = "was found in order"
    show.slides[0].shapes.add_picture(io.BytesIO(picture()), 0, 0)
    return Made("a.pptx", saved(show.save), lambda mark: f"ppt/slides/slide{mark - MARKS[0] + 1}.xml")


def workbook() -> Made:
    book = Workbook()
    for number, mark in enumerate(MARKS):
        sheet = book.active if not number else book.create_sheet()
        sheet.title = f"S{number}"
        for row in (["pump", "hours"], ["P1", mark], ["P2", 7]):
            sheet.append(row)
    return Made("a.xlsx", saved(book.save), lambda mark: f"xl/worksheets/sheet{mark - MARKS[0] + 1}.xml")


def text() -> Made:
    document = Document()
    for mark in MARKS:
        document.add_heading(f"Pump {mark}", 1)
        document.add_paragraph("was found in order")
    document.add_picture(io.BytesIO(picture()))
    return Made("a.docx", saved(document.save), lambda mark: "word/document.xml")


def packed(name: str, members: dict[str, str], home: Callable[[int], str]) -> Made:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return Made(name, buffer.getvalue(), home)


def archive_of_notes() -> Made:
    notes = {f"notes/{mark}.txt": f"Pump {mark} was found in order. " * 20 for mark in MARKS}
    return packed("a.zip", notes, lambda mark: f"notes/{mark}.txt")


def book() -> Made:
    chapters = {
        f"c{mark}.xhtml": f"<html><body><h1>Pump {mark}</h1><p>{'It runs. ' * 30}</p></body></html>"
        for mark in MARKS
    }
    items = "".join(f'<item id="i{n}" href="{n}" media-type="application/xhtml+xml"/>' for n in chapters)
    spine = "".join(f'<itemref idref="i{n}"/>' for n in chapters)
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    first = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "book.opf": opf}
    return packed("a.epub", first | chapters, lambda mark: f"c{mark}.xhtml")


FILES = (deck(), workbook(), text(), archive_of_notes(), book())
CORE = re.compile(
    r"xl/workbook\.xml|xl/_rels/.*|.*presentation\.xml(\.rels)?|mimetype|META-INF/container\.xml|book\.opf"
)  # holds parts together


def damaged(made: Made, member: str, where: float, long: int, fill: int) -> bytes:
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
        entry = archive.getinfo(member)
    data = bytearray(made.data)
    begin = entry.header_offset + 30 + len(member.encode())
    at = begin + int(where * max(0, entry.compress_size - 1))
    for place in range(at, min(at + long, begin + entry.compress_size)):
        data[place] = fill if data[place] != fill else fill ^ 0xFF
    return bytes(data)


def sound(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.testzip() is None
    except (zlib.error, ValueError, OSError):
        return False


def outcome(name: str, data: bytes, limits: Limits = LIMITS) -> Parsed | str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(data)
        try:
            return read(path, name, limits)
        except ParseError as error:
            return str(error)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damage_to_one_member_keeps_what_stands_in_the_others(data: st.DataObject) -> None:
    made = FILES[data.draw(st.integers(0, len(FILES) - 1))]
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
        names = [each.filename for each in archive.infolist() if each.compress_size]
    member = data.draw(st.sampled_from(names))
    where, long, fill = data.draw(st.tuples(st.floats(0, 1), st.integers(1, 400), st.integers(0, 255)))
    torn = damaged(made, member, where, long, fill)
    assume(not sound(torn))  # the last bits of a packed member may mean nothing
    found = outcome(made.name, torn)
    alone = all(made.home(mark) == member for mark in MARKS)
    if isinstance(found, str):
        assert alone or CORE.fullmatch(member), found
        assert made.name in found
        return
    content = " ".join(block.text for block in found.blocks)
    kept = [mark for mark in MARKS if made.home(mark) != member]
    assert all(str(mark) in content for mark in kept), (member, found.skipped)
    assert member in " ".join(found.skipped)


def test_a_damaged_picture_costs_a_workbook_neither_sheets_nor_columns() -> None:
    book = Workbook()
    for row in (["pump", "hours"], ["P1", 40010], ["P2", 7]):
        book.active.append(row)
    book.active.add_image(SheetImage(io.BytesIO(picture())), "D2")
    made = Made("a.xlsx", saved(book.save), lambda mark: "xl/worksheets/sheet1.xml")
    found = outcome(made.name, damaged(made, "xl/media/image1.png", 0, 60, 0))
    assert isinstance(found, Parsed), found
    assert [column.name for column in found.tables[0].columns] == ["pump", "hours"]
    assert any("image1.png" in sentence for sentence in found.skipped)


def test_a_file_cut_off_keeps_the_slides_before_the_cut() -> None:
    made = FILES[0]
    found = outcome(made.name, made.data[: int(0.9 * len(made.data))])
    assert isinstance(found, Parsed), found
    assert any("cut off" in sentence for sentence in found.skipped)
    assert "Pump 40010" in " ".join(block.text for block in found.blocks)


def test_a_chart_of_any_kind_gives_the_values_it_was_drawn_from(reads: Reads) -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Output"
    data = CategoryChartData()
    data.categories = ["2023", "2024"]
    data.add_series("Wafers", (1200, 1350))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(4), Inches(3), data)
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(show.save))) as source, zipfile.ZipFile(buffer, "w") as target:
        for each in source.infolist():
            changed = source.read(each).replace(b"c:barChart", b"c:bar3DChart")  # a kind python-pptx refuses
            target.writestr(each.filename, changed)
    (table,) = reads("a.pptx", buffer.getvalue()).tables
    assert [column.name for column in table.columns] == ["category", "Wafers"]
    assert table.rows == ((2023, 1200), (2024, 1350))


@pytest.mark.parametrize(("old", "first"), [(0, "2002-01-05"), (1, "2006-01-06")])
def test_the_days_of_a_chart_are_days(reads: Reads, old: int, first: str) -> None:
    show = Presentation()
    data = CategoryChartData()
    data.categories = [dt.date(2002, 1, 5), dt.date(2002, 1, 6)]
    data.add_series("Wafers", (1200, 37261))
    shape = show.slides.add_slide(show.slide_layouts[6]).shapes.add_chart(
        XL_CHART_TYPE.LINE, 0, 0, Inches(4), Inches(3), data
    )
    for counted in shape.chart_part._element.iter("{*}date1904"):
        counted.set("val", str(old))
    (table,) = reads("a.pptx", saved(show.save)).tables
    assert [row[1] for row in table.rows] == [1200, 37261]
    assert table.rows[0][0] == first


def test_a_linked_picture_costs_no_slide(reads: Reads) -> None:
    show = Presentation()
    for content in ("Before it", "After it"):
        slide = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = content
        blip = slide.shapes.add_picture(io.BytesIO(picture()), 0, 0)._element.blipFill.find(
            "{http://schemas.openxmlformats.org/drawingml/2006/main}blip"
        )
        blip.attrib.clear()
    parsed = reads("a.pptx", saved(show.save))
    assert texts(parsed, "heading") == ["Before it", "After it"]
    assert sum("Picture" in sentence and "left out" in sentence for sentence in parsed.skipped) == 2


def test_a_truncated_picture_is_read_as_far_as_it_goes(reads: Reads) -> None:
    drawn, held = Image.new("RGB", (900, 900), "white"), io.BytesIO()
    ImageDraw.Draw(drawn).text((40, 40), "Lot 4711 was held", fill="black", font_size=60)
    drawn.save(held, "JPEG")
    parsed = reads("a.jpg", held.getvalue()[: int(0.8 * held.tell())])
    assert "Lot 4711 was held" in " ".join(block.text for block in parsed.blocks)
    assert any("cut off" in sentence for sentence in parsed.skipped)


def test_a_page_that_cannot_be_opened_costs_no_other(reads: Reads) -> None:
    whole = pdf(lines(50, 700, "The first page stays."), [], lines(50, 700, "The third page stays."))
    second = whole.index(b"/Type/Page/", whole.index(b"/Type/Page/") + 1)
    torn = whole[:second] + b"/Type/Paje/" + whole[second + 11 :]
    content = " ".join(block.text for block in reads("a.pdf", torn).blocks)
    assert "The first page stays." in content
    assert "The third page stays." in content


@pytest.mark.parametrize("cut", [0.8, 0.95])
def test_a_truncated_recording_is_read_as_far_as_it_goes(reads: Reads, tmp_path: Path, cut: float) -> None:
    path = recording(tmp_path / "a.avi", ["ALPHA 1", "BRAVO 2", "CHARLIE 3"])
    parsed = reads("a.avi", path.read_bytes()[: int(cut * path.stat().st_size)])
    assert "ALPHA 1" in " ".join(block.text for block in parsed.blocks)


def recording(path: Path, words: list[str], codec: str = "mpeg4") -> Path:
    """Write a film in which each word is shown for two seconds; only the first picture is a key frame."""
    import av

    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=10, options={"g": "600", "sc_threshold": "1000000000"})
        stream.width, stream.height, stream.pix_fmt = 480, 160, "yuv420p"
        for word in words:
            drawn = Image.new("RGB", (480, 160), "white")
            ImageDraw.Draw(drawn).text((30, 40), word, fill="black", font_size=64)
            for _ in range(20):
                container.mux(stream.encode(av.VideoFrame.from_image(drawn)))
        container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize("words", [["ALPHA 1", "BRAVO 2", "CHARLIE 3"], ["SCENE 1", "SCENE 2", "SCENE 3"]])
def test_scenes_of_a_recording_with_one_key_frame_are_told_apart(
    reads: Reads, tmp_path: Path, words: list[str]
) -> None:
    path = recording(tmp_path / "a.avi", words)
    assert texts(reads("a.avi", path.read_bytes()), "media")[1:] == words


def test_few_scenes_are_spread_over_the_length(tmp_path: Path) -> None:
    path = recording(tmp_path / "a.avi", ["ALPHA", "BRAVO", "DELTA", "GOLF", "HOTEL", "LIMA", "MIKE", "ZULU"])
    found = read(path, path.name, Limits(frames=4))
    begun = [block.location.seconds[0] for block in found.blocks if block.location.seconds][1:]
    assert len(begun) == 4
    assert max(b - a for a, b in pairwise([*begun, 16.0])) <= 8


def test_an_animation_is_read_where_something_new_is_seen(reads: Reads) -> None:
    frames = []
    for word in ("ALPHA 1", "BRAVO 2", "CHARLIE 3"):
        drawn = Image.new("RGB", (480, 160), "white")
        ImageDraw.Draw(drawn).text((30, 40), word, fill="black", font_size=64)
        frames += [drawn.copy() for _ in range(3)]
        frames[-1].putpixel((0, 0), (0, 0, 0))
        frames[-2].putpixel((1, 0), (0, 0, 0))
    buffer = io.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:], duration=100)
    parsed = reads("a.gif", buffer.getvalue())
    assert [block.text for block in parsed.blocks] == ["ALPHA 1", "BRAVO 2", "CHARLIE 3"]
