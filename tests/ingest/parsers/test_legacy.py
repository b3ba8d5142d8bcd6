"""Word and PowerPoint of 1997 to 2003, made and read by a real LibreOffice."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import psutil
import pytest
from docx import Document
from pptx import Presentation

from core.errors import ParseError, UnsupportedFormat
from core.ingest.parsers.office_97.doc_ppt import LegacyParser
from core.ingest.sandbox import parse_in_worker

office = pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")


def saved_as(kind: str, source: Path, *options: str) -> Path:
    """Return the file LibreOffice makes of another one; its first start, for all tests, makes the profile."""
    profile = f"-env:UserInstallation=file://{source.parent.parent}/office-profile"
    command = ["soffice", "--headless", profile, *options, "--convert-to", kind, "--outdir"]
    subprocess.run([*command, str(source.parent), str(source)], capture_output=True, check=True, timeout=60)
    return source.with_suffix(f".{kind.partition(':')[0]}")


@office
def test_an_old_word_file_keeps_its_headings_and_tables(tmp_path: Path) -> None:
    document = Document()
    document.add_heading("Venting the chamber", level=1)
    document.add_paragraph("Close valve V-12 before the pump is stopped.")
    table = document.add_table(rows=3, cols=2)
    for cell, text in zip(table._cells, ("Gas", "Flow", "N2", "4.0", "Ar", "12.5"), strict=True):
        cell.text = text
    document.add_paragraph("Word itself ends every document with a paragraph.")
    document.save(str(tmp_path / "vent.docx"))
    old = saved_as("doc", tmp_path / "vent.docx")
    parsed = parse_in_worker(old, old.name)
    assert parsed.media_type == "application/msword"
    assert "Venting the chamber" in [parsed.title, *(b.text for b in parsed.blocks if b.kind == "heading")]
    assert "Close valve V-12 before the pump is stopped." in [block.text for block in parsed.blocks]
    assert [column.name for column in parsed.tables[0].columns] == ["Gas", "Flow"]


@office
def test_an_old_presentation_keeps_its_slides_and_notes(tmp_path: Path) -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Yield in week 12"
    slide.placeholders[1].text = "Lot A7 lost 3 %."
    slide.notes_slide.notes_text_frame.text = "Ask the etch team."
    show.save(str(tmp_path / "yield.pptx"))
    old = saved_as("ppt", tmp_path / "yield.pptx")
    parsed = parse_in_worker(old, old.name)
    assert parsed.media_type == "application/vnd.ms-powerpoint"
    text = "\n".join([parsed.title, *(block.text for block in parsed.blocks)])
    assert "Yield in week 12" in text
    assert "Lot A7 lost 3 %." in text
    assert "Ask the etch team." in text


@contextmanager
def listening() -> Iterator[tuple[int, list[str]]]:
    """The port of a server, and what it was asked for."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        timeout = 0.5  # who speaks another protocol waits for a word

        def setup(self) -> None:
            paths.append("a connection")
            super().setup()

        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(404)
            self.end_headers()

        do_HEAD = do_OPTIONS = do_PROPFIND = do_GET

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port, paths
        server.shutdown()


@pytest.fixture
def asked() -> Iterator[tuple[int, list[str]]]:
    with listening() as held:
        yield held


@office
def test_what_an_old_word_file_links_to_is_not_fetched(tmp_path: Path) -> None:
    page = tmp_path / "spy.html"
    with listening() as (web, by_http), listening() as (files, by_ftp):
        addresses = (f"http://127.0.0.1:{web}/pixel.png", f"ftp://127.0.0.1:{files}/pixel.png")
        drawn = "".join(f'<img src="{address}" width="50" height="50">' for address in addresses)
        page.write_text(f"<p>Read me</p>{drawn}")
        old = saved_as("doc:MS Word 97", page, "--infilter=HTML (StarWriter)")
        assert by_http and by_ftp  # LibreOffice by itself follows them
        assert all(address.encode("utf-16-le") in old.read_bytes() for address in addresses)
        by_http.clear()
        by_ftp.clear()
        parsed = parse_in_worker(old, old.name)
        assert "Read me" in "\n".join(block.text for block in parsed.blocks)
        assert by_http == by_ftp == []


@office
def test_a_conversion_that_is_given_up_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    long = tmp_path / "long.doc"
    long.write_text("{\\rtf1 " + "Read me\\par " * 400_000 + "}")
    parser = LegacyParser(lambda path, name: pytest.fail("not reached"), seconds=2)
    assert "longer than 2 seconds" in str(parser.parse(long, long.name, "application/msword").skipped)
    commands = (each.info["cmdline"] or () for each in psutil.process_iter(["cmdline"]))
    assert not [command for command in commands if str(tmp_path) in " ".join(command)]


@office
def test_a_field_of_an_old_word_file_brings_nothing_in(tmp_path: Path, asked: tuple[int, list[str]]) -> None:
    port, paths = asked
    secret = tmp_path / "secret.txt"
    secret.write_text("What this machine keeps.")
    fields = (
        f'INCLUDETEXT "http://127.0.0.1:{port}/inc.html" \\\\c HTML',
        f'INCLUDETEXT "{secret}"',
        f'DDEAUTO soffice "http://127.0.0.1:{port}/x.ods" A1',
    )
    page = tmp_path / "a.rtf"
    statement = "\\par ".join(
        f"Read me {{\\field{{\\*\\fldinst {each}}}{{\\fldrslt old}}}}" for each in fields
    )
    page.write_text(f"{{\\rtf1 {statement}}}")
    old = saved_as("doc:MS Word 97", page)
    written = old.read_bytes()
    for word in ("inc.html", "secret.txt", "DDEAUTO"):  # the fields are in the file
        assert word.encode() in written or word.encode("utf-16-le") in written, word
    paths.clear()
    text = "\n".join(block.text for block in parse_in_worker(old, old.name).blocks)
    assert text.count("Read me") == len(fields)
    assert "keeps" not in text
    assert paths == []


@office
def test_an_old_word_file_that_is_damaged_is_one_clear_error(tmp_path: Path) -> None:
    damaged = tmp_path / "a.doc"
    damaged.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000))
    with pytest.raises(ParseError, match=r"a\.doc"):
        parse_in_worker(damaged, damaged.name)


def test_an_old_word_file_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UnsupportedFormat, match=r"a\.doc is a Word document") as caught:
        LegacyParser(lambda path, name: pytest.fail("not reached")).parse(
            Path("a.doc"), "a.doc", "application/msword"
        )
    assert "Install LibreOffice" in caught.value.hint
