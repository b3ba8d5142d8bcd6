"""Real files, each part damaged in turn: what is in the other parts is read, and the damage is named."""

import io
import re
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bench.data import data_folder
from core.domain import Parsed, TableData
from tests.ingest.parsers.test_damage import Made, damaged, outcome, sound
from tests.ingest.parsers.test_damage_elsewhere import open_document

FAB = Path(__file__).parents[3] / "examples" / "fab"
OPEN = {
    "docx": ("contains-pictures.docx", "docx_comments.docx"),
    "xlsx": ("vodafone.xlsx", "xlsx_03_chartsheet.xlsx"),
    "pptx": ("test.pptx", "powerpoint_comments.pptx"),
    "office_misc": ("testODFwithOOo3.odt", "testEPUB.epub"),
}
WORD = re.compile(r"[^\W\d]\w{2,}")  # numbers depend on styles, numbers of lists on what numbers them
# Written by the parsers.
LABELS = {"Notes", "Slide", "column", "category", "Comment", "notes", "its", "records", "Field", "Value"}
HEART = re.compile(r"word/document\.xml|content\.xml")  # the one part of these that holds their text
STRINGS = "xl/sharedStrings.xml"
NOTES = (".md", ".txt", ".html", ".xml", ".json")
READ = re.compile(r"word/document\.xml|content\.xml|xl/worksheets/.*|ppt/slides/slide.*\.xml|.*\.xhtml")
HARMS = ("torn", "cut", "noise", "gone")


class Real(NamedTuple):
    name: str
    data: bytes
    whole: Parsed | str
    words: frozenset[str]
    members: tuple[str, ...]

    def __repr__(self) -> str:
        return self.name


@lru_cache(maxsize=1)
def real_files() -> tuple[Real, ...]:
    """Return real files of every container format, an archive of such, and OpenDocument files."""
    docs = data_folder() / "docs"
    paths = [*FAB.glob("*.docx"), *FAB.glob("*.xlsx"), *FAB.glob("*.pptx")]
    paths += [path for path in (docs / kind / name for kind in OPEN for name in OPEN[kind]) if path.exists()]
    files = [(path.name, path.read_bytes()) for path in sorted(paths)]
    files += [(made.name, made.data) for made in map(open_document, ("odt", "ods", "odp"))]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in FAB.iterdir() if path.suffix in NOTES):
            archive.writestr(f"notes/{path.name}", path.read_bytes())
    files.append(("notes.zip", buffer.getvalue()))
    return tuple(read_whole(name, data) for name, data in files)


def read_whole(name: str, data: bytes) -> Real:
    whole = outcome(name, data)
    return Real(name, data, whole, words(whole), tuple(parts(data)))


def words(found: Parsed | str) -> frozenset[str]:
    assert isinstance(found, Parsed), found
    return frozenset(WORD.findall(" ".join(block.text for block in found.blocks)))


def parts(data: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield from (each.filename for each in archive.infolist() if each.compress_size and not each.is_dir())


def hurt(real: Real, member: str, harm: str, where: float, long: int) -> bytes:
    """Damage a part: its packed bytes, or what it says in a file whose sums are right."""
    if harm == "torn":
        return damaged(Made(real.name, real.data, lambda mark: ""), member, where, long, 0x5A)
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(real.data)) as source, zipfile.ZipFile(buffer, "w") as target:
        for each in source.infolist():
            data, at = source.read(each), int(where * each.file_size)
            if each.filename != member:
                target.writestr(each.filename, data)
            elif harm != "gone":
                target.writestr(
                    each.filename, data[:at] + (b"<<x& <" + data[at + long :]) * (harm == "noise")
                )
    return buffer.getvalue()


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_part_of_a_real_file_costs_what_stands_in_it(data: st.DataObject) -> None:
    real = data.draw(st.sampled_from(real_files()))
    member = data.draw(st.sampled_from(real.members))
    harm, where, long = data.draw(st.tuples(st.sampled_from(HARMS), st.floats(0, 0.98), st.integers(20, 300)))
    torn = hurt(real, member, harm, where, long)
    assume(harm != "torn" or not sound(torn))
    found = outcome(real.name, torn)
    if isinstance(found, str):
        assert HEART.fullmatch(member), found
        assert real.name in found
        return
    with zipfile.ZipFile(io.BytesIO(real.data)) as archive:
        inside = archive.read(member).decode("utf-8", "replace")
        if member.startswith(("xl/worksheets/", "xl/charts/")):
            inside += archive.read("xl/workbook.xml").decode()  # a sheet's name, where nothing is left of it
        if member.startswith("xl/worksheets/"):
            inside += archive.read(STRINGS).decode() if STRINGS in archive.NameToInfo else ""
            assert sum(found_of != whole_of for found_of, whole_of in pairs_of_sheets(real, found)) <= 1
    assert found.skipped or not READ.fullmatch(member) or harm == "gone", (real.name, member, harm)
    its_own = {*WORD.findall(member), *WORD.findall(inside), *WORD.findall(re.sub(r"<[^>]+>", " ", inside))}
    its_own |= {*WORD.findall(re.sub(r"<[^>]+>", "", inside))}  # a word may be set in two styles
    if "/media/" in member or member == "ppt/presentation.xml":  # without it slides are read for words only
        its_own |= written_in_pictures(real)
    lost = real.words - words(found) - its_own - LABELS
    assert not lost or _leads(member), (real.name, member, harm, sorted(lost), found.skipped)
    if harm == "torn" and found != real.whole:  # all may be there but the packing's end
        assert member in " ".join(found.skipped)


def written_in_pictures(real: Real) -> frozenset[str]:
    assert isinstance(real.whole, Parsed)
    return frozenset(
        WORD.findall(" ".join(block.text for block in real.whole.blocks if block.kind == "figure"))
    )


def pairs_of_sheets(real: Real, found: Parsed) -> list[tuple[list[TableData], list[TableData]]]:
    assert isinstance(real.whole, Parsed)
    names = {table.location.sheet for table in real.whole.tables}
    return [(tables_of(found, name), tables_of(real.whole, name)) for name in names]


def tables_of(parsed: Parsed, sheet: str | None) -> list[TableData]:
    return [table for table in parsed.tables if table.location.sheet == sheet]


def _leads(member: str) -> bool:
    """Say whether other parts are found, or named, by this one: without it nothing leads to their words."""
    return member.endswith((".rels", ".opf", "xl/workbook.xml", "word/document.xml"))


def test_a_part_that_is_not_in_the_file_is_named() -> None:
    book = next(real for real in real_files() if real.name.startswith("yield"))
    found = outcome(book.name, hurt(book, "xl/worksheets/sheet2.xml", "gone", 0, 0))
    assert isinstance(found, Parsed)
    assert "Sheet Scrap by cause is not in the file." in found.skipped
    found = outcome(book.name, hurt(book, "xl/styles.xml", "gone", 0, 0))
    assert isinstance(found, Parsed)
    assert any("dates" in sentence for sentence in found.skipped)


def test_damage_in_the_middle_of_an_open_document_keeps_both_sides() -> None:
    for suffix in ("odt", "ods", "odp"):
        made = open_document(suffix)
        found = outcome(made.name, hurt(read_whole(made.name, made.data), "content.xml", "noise", 0.6, 20))
        assert isinstance(found, Parsed), found
        text = " ".join(block.text for block in found.blocks)
        assert "40010" in text
        assert "40015" in text
        assert any("content.xml" in sentence for sentence in found.skipped)


def test_a_lost_slide_keeps_the_tables_and_notes_of_the_others() -> None:
    deck = next(real for real in real_files() if real.name == "etch-training.pptx")
    whole, found = (
        outcome(deck.name, each) for each in (deck.data, hurt(deck, "ppt/slides/slide2.xml", "torn", 0, 300))
    )
    assert isinstance(whole, Parsed)
    assert isinstance(found, Parsed)
    assert found.pages == whole.pages
    assert [table.name for table in found.tables] == [
        table.name for table in whole.tables if table.location.page != 1
    ]
    assert any("ppt/slides/slide2.xml" in sentence for sentence in found.skipped)


def test_an_archive_without_its_list_gives_its_files() -> None:
    real = next(each for each in real_files() if each.name == "notes.zip")
    at = real.data.rindex(b"PK\x01\x02")
    found = outcome(real.name, real.data[: real.data.index(b"PK\x01\x02")] + b"?" * 40 + real.data[at:])
    assert words(found) >= real.words
    assert isinstance(found, Parsed)
    assert any("cut off" in sentence for sentence in found.skipped)
