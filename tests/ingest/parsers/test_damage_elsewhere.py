"""Damage to one part of an archive, a message, a scan of many pages, a database or a recording."""

import io
import re
import sqlite3
import tarfile
import tempfile
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from reportlab import rl_config
from reportlab.pdfgen import canvas

from core.domain import Parsed
from core.ingest.limits import Limits
from tests.ingest.parsers.conftest import Reads
from tests.ingest.parsers.illustrated import picture
from tests.ingest.parsers.test_damage import MARKS, Made, damaged, outcome, packed, recording

QUICK = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
FILM = ("ALPHA 1", "BRAVO 2", "CHARLIE 3")
NOTE = "Pump {} was found in order. "


def words(parsed: Parsed | str) -> str:
    assert isinstance(parsed, Parsed), parsed
    return " ".join(block.text for block in parsed.blocks)


def noise(data: bytes, at: int, long: int, fill: int) -> bytes:
    return data[:at] + bytes([fill]) * len(data[at : at + long]) + data[at + long :]


@lru_cache
def tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for mark in MARKS:
            result = (NOTE.format(mark) * 20).encode()
            member = tarfile.TarInfo(f"{mark}.txt")
            member.size = len(result)
            archive.addfile(member, io.BytesIO(result))
    return buffer.getvalue()


@QUICK
@given(which=st.integers(0, len(MARKS) - 1), where=st.floats(0, 0.9), fill=st.integers(0, 255))
def test_a_damaged_member_of_a_tar_costs_no_other(which: int, where: float, fill: int) -> None:
    data = tar()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        member = archive.getmembers()[which]
    torn = noise(data, member.offset_data + int(where * member.size), 60, fill)
    text = words(outcome("a.tar", torn))
    assert all(str(mark) in text for mark in MARKS if f"{mark}.txt" != member.name)


@pytest.mark.parametrize("which", range(1, len(MARKS)))
def test_a_damaged_header_in_a_tar_keeps_the_members_around_it(which: int) -> None:
    data = tar()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        member = archive.getmembers()[which]
    found = outcome("a.tar", noise(data, member.offset, 200, 0xEE))
    text = words(found)
    assert all(str(mark) in text for mark in MARKS if f"{mark}.txt" != member.name), found
    assert isinstance(found, Parsed)
    assert found.skipped


@lru_cache
def mail() -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@example.org", "Pumps"
    message.set_content("The body says that all pumps were looked at.")
    for mark in MARKS:
        result = (NOTE.format(mark) * 20).encode()
        message.add_attachment(result, maintype="application", subtype="octet-stream", filename=f"{mark}.txt")
    message.add_attachment(picture(), maintype="image", subtype="png", filename="p.png")
    return message.as_bytes()


@QUICK
@given(which=st.integers(0, len(MARKS)), where=st.floats(0, 0.9), fill=st.sampled_from([0, 0x21, 0xFF]))
def test_a_damaged_attachment_costs_no_other_and_not_the_body(which: int, where: float, fill: int) -> None:
    data = mail()
    name = [*(f"{mark}.txt" for mark in MARKS), "p.png"][which].encode()
    begin = data.index(b"\n\n", data.index(name)) + 2
    end = data.index(b"\n--", begin)
    text = words(
        outcome("a.eml", noise(data, begin + int(where * (end - begin)), min(40, end - begin), fill))
    )
    assert "all pumps were looked at" in text
    assert all(str(mark) in text for mark in MARKS if f"{mark}.txt".encode() != name)


SPACES = " ".join(
    f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{u}:1.0"'
    for n, u in {"office": "office", "text": "text", "table": "table", "draw": "drawing"}.items()
)
CELLS = "".join(
    "<table:table-row>"
    + "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in row)
    + "</table:table-row>"
    for row in (("pump", "hours"), ("P1", "{0}"), ("P2", "7"))
)
ODF = {
    "odt": ("text", "<text:h>Pump {0}</text:h><text:p>It was found in order.</text:p>"),
    "ods": ("spreadsheet", f"<table:table table:name='S{{0}}'>{CELLS}</table:table>"),
    "odp": (
        "presentation",
        "<draw:page><draw:frame><draw:text-box><text:p>Pump {0}</text:p></draw:text-box>"
        "</draw:frame></draw:page>",
    ),
}


@lru_cache
def open_document(suffix: str) -> Made:
    kind, part = ODF[suffix]
    text = "".join(part.format(mark) for mark in MARKS)
    members = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": f"<office:document-content {SPACES}><office:body><office:{kind}>{text}</office:{kind}>"
        "</office:body></office:document-content>",
        "meta.xml": f"<office:document-meta {SPACES}><office:meta/></office:document-meta>{' ' * 300}",
        "styles.xml": f"<office:document-styles {SPACES}/>" + "<!-- a style -->" * 40,
    }
    return packed(f"a.{suffix}", members, lambda mark: "content.xml")


@pytest.mark.parametrize("suffix", ODF)
@QUICK
@given(member=st.sampled_from(["meta.xml", "styles.xml"]), where=st.floats(0, 1), fill=st.integers(0, 255))
def test_a_damaged_member_of_an_open_document_costs_no_text(
    suffix: str, member: str, where: float, fill: int
) -> None:
    made = open_document(suffix)
    text = words(outcome(made.name, damaged(made, member, where, 30, fill)))
    assert all(str(mark) in text for mark in MARKS)


@pytest.mark.parametrize("suffix", ODF)
def test_a_damaged_text_of_an_open_document_is_read_up_to_the_damage(suffix: str) -> None:
    made = open_document(suffix)
    found = outcome(made.name, damaged(made, "content.xml", 0.97, 30, 0))
    assert str(MARKS[0]) in words(found)
    assert isinstance(found, Parsed)
    assert any("content.xml" in sentence for sentence in found.skipped)


@lru_cache
def scan() -> bytes:
    pages = []
    for mark in MARKS[:3]:
        pages.append(Image.new("RGB", (700, 200), "white"))
        ImageDraw.Draw(pages[-1]).text((30, 60), f"Pump {mark}", fill="black", font_size=60)
    buffer = io.BytesIO()
    pages[0].save(buffer, "TIFF", save_all=True, append_images=pages[1:], compression="tiff_lzw")
    return buffer.getvalue()


@pytest.mark.parametrize("which", range(3))
def test_a_damaged_page_of_a_scan_costs_no_other(reads: Reads, which: int) -> None:
    data = scan()
    with Image.open(io.BytesIO(data)) as picture_of:
        picture_of.seek(which)
        at = picture_of.tag_v2[273][0]  # type: ignore[attr-defined]  # where its first strip stands
    text = words(reads("a.tif", noise(data, at, 600, 0xFF)))
    assert all(str(mark) in text for n, mark in enumerate(MARKS[:3]) if n != which)


@pytest.mark.parametrize("place", range(14, 150, 14))
def test_a_damaged_entry_of_a_scan_costs_its_page(reads: Reads, place: int) -> None:
    data = scan()
    parsed = reads("a.tif", noise(data, second_entry(data) + place, 5, 0x5A))
    text = words(parsed)
    assert text.count(str(MARKS[0])) == 1  # nor is it shown for the page that is damaged
    assert text.count(str(MARKS[2])) == 1 or place == 70  # there what leads to it goes with the entry
    assert str(MARKS[1]) in text or parsed.skipped


def second_entry(data: bytes) -> int:
    """Return where the list of fields of the second page of a TIFF begins (TIFF 6.0, section 2)."""
    first = int.from_bytes(data[4:8], "little")
    count = int.from_bytes(data[first : first + 2], "little")
    return int.from_bytes(data[first + 2 + 12 * count :][:4], "little")


@lru_cache
def paged() -> bytes:
    buffer = io.BytesIO()
    draw = canvas.Canvas(buffer, pageCompression=1)
    for mark in MARKS[:3]:
        for row in range(20):
            draw.drawString(
                60, 640 - 15 * row, f"Pump {mark} {'abcdefg'[row % 7] * 5} ran {mark * row % 997} hours"
            )
        draw.showPage()
    with mock.patch.object(rl_config, "useA85", 0):
        draw.save()
    return buffer.getvalue()


@lru_cache
def undamaged() -> Parsed | str:
    return outcome("a.pdf", paged())


@pytest.mark.parametrize("which", range(3))
@QUICK
@given(where=st.floats(0, 0.8), fill=st.integers(0, 255))
def test_a_damaged_page_of_a_pdf_costs_no_other_and_is_told(which: int, where: float, fill: int) -> None:
    data = paged()
    begins, ends = ([*re.finditer(mark, data)] for mark in (rb">>\s*stream\r?\n", rb"endstream"))
    at, end = begins[which].end(), ends[which].start()
    torn = noise(data, at + int(where * (end - at)), 20, fill)
    found, whole = outcome("a.pdf", torn), undamaged()
    assert isinstance(found, Parsed) and isinstance(whole, Parsed)
    for n, mark in enumerate(MARKS[:3]):
        assert n == which or words(found).count(f"Pump {mark}") == words(whole).count(f"Pump {mark}") == 20
    assert found.blocks == whole.blocks or any(
        "amaged" in message or "blank" in message for message in found.skipped
    )


@pytest.mark.parametrize("which", range(3))
def test_a_damaged_table_of_a_database_costs_no_other(tmp_path: Path, which: int) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        for mark in MARKS[:3]:
            connection.execute(f"CREATE TABLE pump{mark} (name TEXT, hours INTEGER)")
            rows = [(f"pump {mark}", n) for n in range(400)]
            connection.executemany(f"INSERT INTO pump{mark} VALUES (?, ?)", rows)
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (f"pump{MARKS[which]}",)
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    found = outcome("a.db", noise(path.read_bytes(), (root - 1) * size, size, 0x5A))
    text = words(found)
    assert all(f"pump {mark}" in text for n, mark in enumerate(MARKS[:3]) if n != which), found
    assert isinstance(found, Parsed)
    assert any(f"pump{MARKS[which]}" in sentence for sentence in found.skipped)


@lru_cache
def film(suffix: str) -> tuple[bytes, list[int]]:
    """Return a recording of three words, and where the packets of its pictures begin."""
    import av

    with tempfile.TemporaryDirectory() as folder:
        path = recording(Path(folder, f"a.{suffix}"), list(FILM))
        with av.open(str(path)) as container:
            places = [packet.pos for packet in container.demux(video=0) if packet.pos is not None]
        return path.read_bytes(), places


@pytest.mark.parametrize("suffix", ["avi", "mkv", "mp4", "mov"])
@settings(QUICK, max_examples=5)
@given(where=st.floats(0, 1), fill=st.integers(0, 255), long=st.integers(20, 400))
def test_a_damaged_stretch_of_a_recording_keeps_what_comes_before(
    suffix: str, where: float, fill: int, long: int
) -> None:
    data, places = film(suffix)
    at = places[1] + int(where * (places[-1] - places[1]))
    found = outcome(f"a.{suffix}", noise(data, at, long, fill), Limits())
    text = words(found)
    shown = sum(at >= places[20 * scene + 1] for scene in range(len(FILM)))
    assert all(word in text for word in FILM[:shown])


def test_a_recording_goes_on_behind_a_damaged_stretch_and_says_so() -> None:
    data, places = film("mov")
    found = outcome("a.mov", noise(data, places[12], 30, 0x5A), Limits())
    assert all(word in words(found) for word in FILM)
    assert isinstance(found, Parsed)
    assert any("damaged from second" in sentence for sentence in found.skipped)
