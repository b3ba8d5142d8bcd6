"""What a file is, by its bytes."""

import io
import zipfile
from pathlib import Path

import pytest

from core.errors import EmptyFile, EncryptedFile, ParseError, UnsupportedFormat
from core.ingest.sniff import sniff

TEXTS = {
    "text/html": "<!DOCTYPE html><html><body><p>x</p></body></html>",
    "application/xml": '<?xml version="1.0"?><order><line/></order>',
    "application/json": '{"a": [1, 2], "b": null}',
    "application/x-ndjson": '{"id": 1}\n{"id": 2}\n',
    "message/rfc822": "From: a@b.c\nTo: d@e.f\nSubject: Hi\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\nHello",
    "text/csv": "lot,wafer,yield\nA1,3,0.93\nA2,4,0.95\n",
    "text/tab-separated-values": "lot\twafer\nA1\t3\nA2\t4\n",
    "application/sql": "CREATE TABLE t (id INT);\nINSERT INTO t VALUES (1);\n",
    "application/x-klarf": "FileVersion 1 2;\nFileTimestamp 01-02-24 10:00:00;\n",
    "application/x-secs-sml": '2024-01-01 10:00:00 send S1F13 W\n<L [2]\n  <A "TOOL">\n>.\n',
    "text/markdown": "# Title\n\nSome **bold** words and a [link](http://x.y).\n",
    "text/x-rst": "Title\n=====\n\n.. note:: mind the gap\n",
    "application/yaml": "name: etcher\nchamber: 3\nrecipe: R12\n",
    "text/plain": "Just a few words, nothing else.\nAnd more of them.\n",
}
MAGIC = {
    "application/pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "image/png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "image/jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "application/vnd.sqlite3": b"SQLite format 3\x00\x10\x00",
    "application/rtf": rb"{\rtf1\ansi hello}",
    "video/mp4": b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00",
    "video/x-matroska": b"\x1a\x45\xdf\xa3\xa3\x42\x86\x81\x01\x42\x82\x88matroska",
    "application/vnd.apache.parquet": b"PAR1\x15\x04\x15\x10",
    "audio/wav": b"RIFF\x24\x08\x00\x00WAVEfmt ",
    "application/gzip": b"\x1f\x8b\x08\x00\x00\x00",
}


@pytest.mark.parametrize("media_type", TEXTS)
def test_text_is_known_by_its_lines_whatever_it_is_called(media_type: str, tmp_path: Path) -> None:
    path = tmp_path / "upload.bin"
    path.write_text(TEXTS[media_type])
    assert sniff(path, "unknown") == media_type


@pytest.mark.parametrize("media_type", MAGIC)
def test_binary_is_known_by_its_magic_even_under_a_wrong_extension(media_type: str, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(MAGIC[media_type] + b"\x00" * 64)
    assert sniff(path, "x.txt") == media_type


@pytest.mark.parametrize(
    ("lead", "kind"),
    [(b"", "application/pdf"), (b"X-Mailer: a\r\n\r\n", "application/pdf"), (b'head = b"', "text/plain")],
)
def test_a_pdf_begins_a_line_and_a_text_may_speak_of_it(lead: bytes, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(lead + b'%PDF-1.7 broken"\n')
    assert sniff(path, "x.py") == kind


def test_the_extension_decides_only_between_kinds_of_text(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("lot,wafer\nA1,3\nA2,4\n")
    assert sniff(path, "notes.txt") == "text/plain"
    path.write_text('{"a": 1}')
    assert sniff(path, "notes.csv") == "application/json"


def test_an_office_file_is_known_by_its_members(tmp_path: Path) -> None:
    from docx import Document

    path = tmp_path / "upload"
    Document().save(str(path))
    assert sniff(path, "report.zip").endswith("wordprocessingml.document")


def test_a_plain_archive_is_not_taken_for_an_office_file(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/readme.txt", "no office file")
    assert sniff(path, "a.docx") == "application/zip"


@pytest.mark.parametrize("content", [b"", b"\n \r\n\t", b"\x00" * 500])
def test_an_empty_file_is_said_to_be_empty(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(EmptyFile, match=r"report\.pdf"):
        sniff(path, "report.pdf")


def test_unknown_bytes_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(range(256)) * 8)
    with pytest.raises(UnsupportedFormat, match=r"blob\.dat"):
        sniff(path, "blob.dat")


def test_an_archive_with_a_password_is_said_to_have_one(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.txt", "secret")
    data = bytearray(stream.getvalue())
    data[6] |= 1  # the flag of encryption in the local header …
    data[data.find(b"PK\x01\x02") + 8] |= 1  # … and in the directory
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(EncryptedFile, match=r"secret\.zip"):
        sniff(path, "secret.zip")


def test_a_cut_off_office_file_is_a_parse_error(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"PK\x03\x04" + b"\x14\x00" * 40)
    with pytest.raises(ParseError, match=r"broken\.docx"):
        sniff(path, "broken.docx")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "gb18030", "cp1252"])
def test_text_is_found_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    words = (
        "刻蚀机维护记录：更换喷头后漏率恢复正常，真空度达到要求。"
        if encoding == "gb18030"
        else "Größe,Länge\nfünf,6\nsieben,8\n"
    )
    path = tmp_path / "x"
    path.write_bytes((words * 5).encode(encoding))
    assert sniff(path, "x") in ("text/csv", "text/plain")
