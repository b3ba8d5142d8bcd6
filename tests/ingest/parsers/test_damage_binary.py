"""Damage to an Office file of 1997 to 2003 or to an animation; objects put into a workbook."""

import base64
import io
import re
import zipfile
import zlib
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from PIL import Image, ImageDraw

from bench.data import data_folder
from core.domain import Parsed
from core.ingest.limits import Limits
from tests.ingest.parsers.conftest import Reads
from tests.ingest.parsers.illustrated import saved
from tests.ingest.parsers.test_damage import MARKS, outcome
from tests.ingest.parsers.test_damage_elsewhere import noise, words

QUICK = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
# three sheets of pumps and hours, a mark of MARKS on each
OLD = """
eNrtWE1oE0EU/mbyH9I2qanQCiEWrBqLmHjxUlcF7ckS9aCIYFMbUFuTGO1BD1qtOQqCJ8VLoQheql78QQ968yBU9CAIQlKPngQF
D23WNy+zmGoOjdRay3zLfPPmzZudt/vezP68mYmUJx92VfALdsKFqh2At04nqAScRhjUb9tKdGo/Fdvgv0LAT4H0evCs5bVPxVDF
uwKJB+6XxMAslWMoYCCfy8aXEXvYh4xQPvQJL+WepIy8Q9yKTvasnfkE8xrm+2z9nHkXa64z95FtWRzFjDWQ2KEz+Yjs5r5WYoHH
POYDa5LowCuVyZdviJqtB7uLpzKjK7Mj5g5hChS7/mwuW8yMlhGlIE7hmx0Hvjqr9UXc6JdXL0D67wv1vgb6m9INjMMeFCoRSwhi
1qV6JA5tU627Ht1KqtZpn26l5rAeIZLdtVIYO1Mgy5P5seI5yuJ0UlEqqHZsXuHhBSu8hbM+RDyMNpYjnPth2sPn7n15u38obR1n
zTjv6rW9f4NyFTauqBE0uJV72Fu2TTBvYb7KZ13HchdzlDKW6p50hxb2TbDNNe7toXm2M95ZG+vkTSSXPh94Eit9sjaTPN1fuRid
fm9NopueRcM0Xh0T6BW94vYthaeWUwu9R3xk7vxtv/DLsPbd1g+4NswjyGKEudZSd0doe9HAXrC9OuMlGWR/IkiclWwvG9hLtndp
+9rdj6lnrmzHI9VJu9dPmBj+qxhu/dMYwsRwpcQwtaQxNDAwMDAwWB0Q+p3BpT8lPPrNxKf/68xTqZrfJKsWB5Gn4zx9lO5Fjuoi
LjSVP2vhEc65xCLHOP8LFQ7T7EWMYIj9GGk6f+nNUtRfz6IHhpduCTU7f7UZP//y/D8AKLArrg==
"""
SHEETS = (994, 1446, 1898, 2350)  # where each begins in its stream, and where the last ends
STREAM = 512
FRAMES = ("ALPHA 1", "BRAVO 2", "CHARLIE 3")


@settings(QUICK, max_examples=40)
@given(at=st.integers(STREAM, 5631), fill=st.integers(0, 255), long=st.integers(4, 60))
def test_damage_anywhere_in_an_old_workbook_costs_the_sheets_it_lies_in(
    at: int, fill: int, long: int
) -> None:
    data = zlib.decompress(base64.b64decode(OLD))
    found = outcome("a.xls", noise(data, at, long, fill))
    text = words(found)
    for mark, (begin, end) in zip(MARKS, pairwise(SHEETS), strict=False):
        hit = STREAM + begin - 4 < at + long and at < STREAM + end + 4
        assert hit or str(mark) in text, found


OLD_FILES = ("testWORD.doc", "testPPT.ppt")


@pytest.mark.parametrize("name", OLD_FILES)
@settings(QUICK, max_examples=20)
@given(where=st.floats(0, 1), fill=st.integers(0, 255), long=st.integers(20, 300))
def test_damage_anywhere_in_an_old_office_file_costs_the_words_it_lies_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, where: float, fill: int, long: int
) -> None:
    real = data_folder() / "docs" / "office_misc" / name
    if not real.exists():
        pytest.skip("the public documents are not here (STRATA_BENCH_DATA)")
    unable = tmp_path / "soffice"  # a LibreOffice that opens nothing, as it does where much is damaged
    unable.write_text("#!/bin/sh\nexit 1\n")
    unable.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    data = real.read_bytes()
    whole = outcome(name, data)
    assert isinstance(whole, Parsed)
    begin = 512 + 32  # the header says what the file is, and whether it is encrypted
    at = begin + int(where * (len(data) - begin - 1))
    found = outcome(name, noise(data, at, long, fill))
    text = words(found)
    for block in whole.blocks:
        coded = [block.text.encode(coding, "replace") for coding in ("cp1252", "utf-16-le")]
        starts = [start.start() for each in coded for start in re.finditer(re.escape(each), data)]
        near = any(start - 16 < at + long and at < start + 2 * len(block.text) + 16 for start in starts)
        assert not starts or near or block.text in text, (block.text, found)
    assert isinstance(found, Parsed)
    assert any("without their form" in sentence for sentence in found.skipped)


@cache
def animation() -> bytes:
    frames = []
    for word in FRAMES:
        frames.append(Image.new("RGB", (480, 160), "white"))
        ImageDraw.Draw(frames[-1]).text((30, 40), word, fill="black", font_size=64)
    buffer = io.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:], duration=100)
    return buffer.getvalue()


@settings(QUICK, max_examples=8)
@given(where=st.floats(0.01, 0.99), fill=st.integers(0, 255), long=st.integers(20, 400), cut=st.booleans())
def test_a_damaged_animation_keeps_the_pictures_before_the_damage(
    where: float, fill: int, long: int, cut: bool
) -> None:
    data = animation()
    ends = [found.start() for found in re.finditer(rb"\x00\x21\xf9\x04", data)][1:]  # where the next begins
    at = 800 + int(where * (len(data) - 800))
    found = outcome("a.gif", data[:at] if cut else noise(data, at, long, fill), Limits())
    text = words(found)
    assert all(word in text for word, end in zip(FRAMES, ends, strict=False) if end < at), found


def test_objects_of_other_programs_in_a_workbook_are_named(reads: Reads) -> None:
    book = Workbook()
    book.active.title = "Pumps"
    book.active.append(["pump", "hours"])
    book.active.append(["P1", 7])
    buffer = io.BytesIO()
    twice = '<oleObject progId="Word.Document.12" shapeId="1025"/>' * 2
    with zipfile.ZipFile(io.BytesIO(saved(book.save))) as old, zipfile.ZipFile(buffer, "w") as new:
        for each in old.infolist():
            data = old.read(each)
            if each.filename == "xl/worksheets/sheet1.xml":
                data = data.replace(b"</worksheet>", f"<oleObjects>{twice}</oleObjects></worksheet>".encode())
            new.writestr(each.filename, data)
        new.writestr("xl/embeddings/Microsoft_Word_Document.docx", b"PK")
        new.writestr("xl/embeddings/oleObject2.bin", b"0")
    parsed = reads("a.xlsx", buffer.getvalue())
    assert isinstance(parsed, Parsed)
    assert parsed.skipped == (
        "Sheet Pumps: the embedded object “Word.Document.12” was left out.",
        "The embedded object “oleObject2.bin” was left out.",
    )
    assert parsed.tables[0].rows == (("P1", 7),)


@cache
def moving(**how: int) -> tuple[bytes, list[int]]:
    """Return an animated WebP of FRAMES, and where each begins and the last ends."""
    drawn = [Image.new("RGB", (480, 160), "white") for _ in FRAMES]
    for frame, word in zip(drawn, FRAMES, strict=True):
        ImageDraw.Draw(frame).text((30, 40), word, fill="black", font_size=64)
    buffer = io.BytesIO()
    drawn[0].save(buffer, "WEBP", save_all=True, append_images=drawn[1:], duration=100, **how)
    data = buffer.getvalue()
    return data, [*(found.start() for found in re.finditer(b"ANMF", data)), len(data)]


@pytest.mark.parametrize("what", ["picture", "size", "name", "cut"])
@pytest.mark.parametrize("which", range(len(FRAMES)))
def test_a_damaged_frame_of_a_webp_costs_no_other_that_is_drawn_whole(which: int, what: str) -> None:
    data, at = moving(kmax=1)
    begin, end = at[which], at[which + 1]
    torn = {
        "picture": noise(data, begin + 44, end - begin - 44, 0x5A),
        "size": noise(data, begin + 4, 4, 0x7F),
        "name": noise(data, begin, 4, 0x5A),
        "cut": data[: end - 400],
    }[what]
    found = outcome("a.webp", torn, Limits())
    kept = FRAMES if what in ("size", "name") else FRAMES[:which] + FRAMES[which + 1 :] * (what != "cut")
    if not kept:
        assert isinstance(found, str)
        return
    assert isinstance(found, Parsed), found
    assert tuple(block.text for block in found.blocks) == kept
    assert (kept == FRAMES) != any(f"Picture {which + 1} is damaged" in message for message in found.skipped)


def test_a_frame_that_changes_a_damaged_one_is_left_out_with_it() -> None:
    data, at = moving()
    found = outcome("a.webp", noise(data, at[1] + 44, at[2] - at[1] - 44, 0x5A), Limits())
    assert isinstance(found, Parsed), found
    assert [block.text for block in found.blocks] == [FRAMES[0]]
    assert [message[:9] for message in found.skipped] == ["Picture 2", "Picture 3"]
