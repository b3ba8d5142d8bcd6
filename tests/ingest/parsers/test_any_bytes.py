"""Whatever the bytes: a document that is not silently empty, or a ParseError that names the file."""

import io
import tempfile
import wave
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.pdfgen import canvas

from core.domain import Parsed
from core.errors import MappingError, ParseError
from core.ingest.cim_mappings import EXAMPLE
from core.ingest.limits import Limits
from core.ingest.parsers import read
from core.ingest.parsers.fab import Mapping, load_mapping
from tests.ingest.parsers.compound_files import compound, message
from tests.ingest.parsers.illustrated import notebook
from tests.ingest.parsers.test_data import MYSQL, POSTGRES, zipped
from tests.ingest.parsers.test_fab import KLARF, KLARF18, SML
from tests.ingest.parsers.test_office import odf, saved
from tests.ingest.parsers.test_pdf import lines, pdf, table_texts
from tests.ingest.parsers.test_xml_records import CHANGE, OTHER, RECIPE

LIMITS = Limits(ocr_pages=0, frames=0, pictures=2)
NAMES = st.sampled_from(
    [
        "a",
        "a.txt",
        "a.md",
        "a.csv",
        "a.json",
        "a.ipynb",
        "a.jsonl",
        "a.xml",
        "a.html",
        "a.yaml",
        "a.rst",
        "a.sql",
        "a.eml",
        "a.rtf",
    ]
)
HEADS = [
    b"",
    b"%PDF-1.4\n",
    b"PK\x03\x04",
    b"{\\rtf1 ",
    b"<?xml version='1.0'?><",
    b"<html>",
    b"{",
    b"[",
    b"FileVersion 1 2;\n",
]
HEADS += [
    b"SQLite format 3\x00",
    b"\x89PNG\r\n\x1a\n",
    b"GIF89a",
    b"II*\x00",
    b"BM",
    b"\xff\xd8\xff",
    b"\x1f\x8b\x08",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
]
QUICK = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)


def outcome(data: bytes, name: str, mappings: Sequence[Mapping] = ()) -> Parsed | ParseError:
    """Read bytes under a name; anything but a document or a ParseError fails the test by itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload"
        path.write_bytes(data)
        try:
            parsed = read(path, name, LIMITS, mappings)
        except ParseError as error:
            assert name in str(error)
            return error
    assert parsed.blocks or parsed.skipped
    assert Parsed.model_validate_json(parsed.model_dump_json()) == parsed
    return parsed


@settings(QUICK, max_examples=60)
@given(head=st.sampled_from(HEADS), tail=st.binary(max_size=400), name=NAMES)
def test_random_bytes_are_a_document_or_a_parse_error(head: bytes, tail: bytes, name: str) -> None:
    outcome(head + tail, name)


@settings(QUICK, max_examples=60)
@given(text=st.text(max_size=300), name=NAMES)
def test_random_text_is_a_document_or_a_parse_error(text: str, name: str) -> None:
    outcome(text.encode("utf-8", "surrogatepass"), name)


@cache
def samples() -> dict[str, bytes]:
    from docx import Document
    from openpyxl import Workbook
    from PIL import Image
    from pptx import Presentation

    document, book, show = Document(), Workbook(), Presentation()
    document.add_heading("Head", 1)
    document.add_table(2, 2).cell(0, 0).text = "x"
    sheet = book.active
    assert sheet is not None
    sheet.append(["a", "b"])
    sheet.append([1, 2])
    show.slides.add_slide(show.slide_layouts[5]).shapes.title.text = "Title"
    picture = io.BytesIO()
    Image.new("RGB", (40, 40), "white").save(picture, "PNG")
    sound = io.BytesIO()
    with wave.open(sound, "wb") as recorded:
        recorded.setparams((1, 2, 8000, 0, "NONE", ""))
        recorded.writeframes(bytes(1600))
    form = io.BytesIO()
    page = canvas.Canvas(form)
    page.drawString(80, 750, "Request for a clean")
    page.acroForm.textfield(name="tool", value="ETCH-03", x=80, y=700)
    page.acroForm.checkbox(name="stopped", checked=True, x=80, y=580)
    page.save()
    return {
        "a.docx": saved(document),
        "a.xlsx": saved(book),
        "a.pptx": saved(show),
        "a.pdf": pdf([*lines(50, 760, "Some words"), *table_texts()]),
        "a.odt": odf("text", "<office:text><text:p>words</text:p></office:text>"),
        "a.zip": zipped(**{"a.csv": b"a,b\n1,2\n", "b.txt": b"words"}),
        "a.png": picture.getvalue(),
        "a.klarf": KLARF.encode(),
        "b.klarf": KLARF18.encode(),
        "a.sml": SML.encode(),
        "a.sql": POSTGRES.encode(),
        "b.sql": MYSQL.encode(),
        "a.eml": b"From: a\nTo: b\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nhi\n--x--\n",
        "a.msg": compound(message({0x0037: "Hi", 0x1000: "words"}, {0x0039: 133594632000000000})),
        "a.yaml": b"a: &x [1, 2]\nb: *x\nc: {d: 2024-01-01}\n",
        "a.ipynb": notebook(picture.getvalue()),
        "a.xml": b"<?xml version='1.0'?><a><b c='1'>x</b><b c='2'>y</b><b c='3'>z</b></a>",
        "b.xml": f"<?xml version='1.0'?><recipes>{OTHER}{RECIPE}{CHANGE}</recipes>".encode(),
        "a.wav": sound.getvalue(),
        "b.pdf": form.getvalue(),
    }


@settings(QUICK, max_examples=220)
@given(name=st.deferred(lambda: st.sampled_from(sorted(samples()))), data=st.data())
def test_mutated_files_are_a_document_or_a_parse_error(name: str, data: st.DataObject) -> None:
    mutated = bytearray(samples()[name])
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(mutated) - 1))
        mutated[place] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del mutated[data.draw(st.integers(1, len(mutated))) :]
    outcome(bytes(mutated), name)


@settings(QUICK, max_examples=60)
@given(data=st.data())
def test_a_mutated_mapping_is_a_mapping_or_names_its_error(data: st.DataObject) -> None:
    written = list(EXAMPLE)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(written) - 1))
        written[place] = data.draw(st.characters(exclude_categories=["Cs"]))
    try:
        load_mapping("".join(written), "m.yaml")
    except MappingError as error:
        assert "m.yaml" in str(error)


@settings(QUICK, max_examples=40)
@given(head=st.sampled_from([b"ts,T1,eqp\n", b""]), body=st.binary(max_size=300))
def test_any_bytes_read_by_a_mapping_are_a_document_or_a_parse_error(head: bytes, body: bytes) -> None:
    outcome(head + body, "etch_1.log", [load_mapping(EXAMPLE, "m.yaml")])


@pytest.mark.parametrize(
    "folder", ["malformed", "encrypted", "klarf", "csv", "json", "xml", "docx", "pptx", "xlsx", "html"]
)
def test_every_real_file_is_a_document_or_a_parse_error(folder: str, bench_data: Path) -> None:
    for path in sorted((bench_data / "docs" / folder).iterdir()):
        found = outcome(path.read_bytes(), path.name)
        refused = {"empty.pdf", "testWORD_truncated.docx", "testZIP_corrupted_oom.zip"}
        if folder == "encrypted" and path.name != "testPDF_protected.pdf":
            assert type(found).__name__ == "EncryptedFile"
        elif path.name in refused:
            assert isinstance(found, ParseError)
        else:
            assert isinstance(found, Parsed)
