"""Damage to one sheet of an old workbook or one picture of an animation; objects put into a workbook."""

import base64
import io
import zipfile
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from PIL import Image, ImageDraw

from core.domain import Parsed
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


@QUICK
@given(which=st.integers(0, 2), where=st.floats(0, 0.9), fill=st.integers(0, 255), long=st.integers(4, 60))
def test_a_damaged_sheet_of_an_old_workbook_costs_no_other(
    which: int, where: float, fill: int, long: int
) -> None:
    begin, end = (STREAM + SHEETS[at] for at in (which, which + 1))
    at = begin + int(where * (end - begin))
    data = noise(zlib.decompress(base64.b64decode(OLD)), at, min(long, end - at), fill)
    said = words(outcome("a.xls", data))
    assert all(str(mark) in said for n, mark in enumerate(MARKS[:3]) if n != which)


def animation() -> bytes:
    frames = []
    for word in FRAMES:
        frames.append(Image.new("RGB", (480, 160), "white"))
        ImageDraw.Draw(frames[-1]).text((30, 40), word, fill="black", font_size=64)
    held = io.BytesIO()
    frames[0].save(held, "GIF", save_all=True, append_images=frames[1:], duration=100)
    return held.getvalue()


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_a_damaged_animation_keeps_the_pictures_before_the_damage(reads: Reads, share: float) -> None:
    data = animation()
    for torn in (data[: int(share * len(data))], noise(data, int(share * len(data)), 200, 0xFF)):
        found = reads("a.gif", torn)
        said = words(found)
        assert FRAMES[0] in said
        assert FRAMES[1] in said or share < 0.7
        assert found.skipped


def test_objects_of_other_programs_in_a_workbook_are_named(reads: Reads) -> None:
    book = Workbook()
    book.active.title = "Pumps"
    book.active.append(["pump", "hours"])
    book.active.append(["P1", 7])
    held = io.BytesIO()
    twice = '<oleObject progId="Word.Document.12" shapeId="1025"/>' * 2
    with zipfile.ZipFile(io.BytesIO(saved(book.save))) as old, zipfile.ZipFile(held, "w") as new:
        for each in old.infolist():
            data = old.read(each)
            if each.filename == "xl/worksheets/sheet1.xml":
                data = data.replace(b"</worksheet>", f"<oleObjects>{twice}</oleObjects></worksheet>".encode())
            new.writestr(each.filename, data)
        new.writestr("xl/embeddings/Microsoft_Word_Document.docx", b"PK")
        new.writestr("xl/embeddings/oleObject2.bin", b"0")
    parsed = reads("a.xlsx", held.getvalue())
    assert isinstance(parsed, Parsed)
    assert parsed.skipped == (
        "Sheet Pumps: the embedded object “Word.Document.12” was left out.",
        "The embedded object “oleObject2.bin” was left out.",
    )
    assert parsed.tables[0].rows == (("P1", 7),)
