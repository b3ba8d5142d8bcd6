"""Every format Strata reads, a folder a family. Libraries are loaded by the first file that needs them."""

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from core.domain import Parsed
from core.errors import DamagedFile, EmptyFile, EncryptedFile, LimitExceeded, ParseError, UnsupportedFormat
from core.ingest.column_notes import with_column_notes
from core.ingest.limits import MEBIBYTE, USUAL, Limits
from core.ingest.parsers.archive import ArchiveParser
from core.ingest.parsers.delimited import DelimitedParser
from core.ingest.parsers.fab import KlarfParser, MappedParser, Mapping, SmlParser
from core.ingest.parsers.foreign_errors import ForeignErrors
from core.ingest.parsers.mail.internet_message import MailParser
from core.ingest.parsers.mail.outlook_message import OutlookParser
from core.ingest.parsers.markup.book import BookParser
from core.ingest.parsers.markup.html import HtmlParser
from core.ingest.parsers.markup.markdown import MarkdownParser
from core.ingest.parsers.markup.notebook import NotebookParser
from core.ingest.parsers.markup.restructured import RstParser
from core.ingest.parsers.media.image import ImageParser
from core.ingest.parsers.media.video import VideoParser
from core.ingest.parsers.office.office_plain_text import plain_words, with_unread_words
from core.ingest.parsers.office.repaired_package import Copy, copies
from core.ingest.parsers.office.sheets import WorkbookParser
from core.ingest.parsers.office.slides import SlidesParser
from core.ingest.parsers.office.word import WordParser
from core.ingest.parsers.office_97.doc_ppt import LegacyParser
from core.ingest.parsers.office_97.richtext import RichTextParser
from core.ingest.parsers.office_97.xls import OldWorkbookParser
from core.ingest.parsers.opendocument.opendocument import OpenDocumentParser
from core.ingest.parsers.pdf.parser import PdfParser
from core.ingest.parsers.sql import DatabaseParser, DumpParser
from core.ingest.parsers.text import TextParser
from core.ingest.parsers.trees.json_records import JsonParser
from core.ingest.parsers.trees.xmltree import XmlParser
from core.ingest.parsers.trees.yamltree import YamlParser
from core.ingest.sniff import sniff

if TYPE_CHECKING:  # what a model is asked for is not loaded where files are read
    from core.ports import Parser

_UNREAD = {
    "application/x-msdownload": "Windows programs",
    "application/x-executable": "programs",
    "application/x-7z-compressed": "7z archives",
    "application/vnd.rar": "RAR archives",
    "application/vnd.apache.parquet": "Parquet files",
    "image/heic": "HEIC pictures",
    "image/vnd.adobe.photoshop": "Photoshop pictures",
    "image/vnd.dwg": "AutoCAD drawings",
    "application/dicom": "DICOM pictures",
    "application/zstd": "Zstandard archives",
    "application/postscript": "PostScript files",
    "image/avif": "AVIF pictures",
}


_TREES = (
    "application/json",
    "application/x-ndjson",
    "application/x-ipynb+json",
    "application/xml",
    "application/yaml",
)
_PROSE_NAMES = ("", ".txt", ".text", ".log", ".md", ".markdown", ".rst")


@lru_cache(maxsize=16)
def parsers(limits: Limits, mappings: tuple[Mapping, ...] = ()) -> "dict[str, Parser]":
    """Return every parser by the media types it reads; files within files are read by `mappings` as well."""
    inner = partial(read, limits=limits.deeper(), mappings=mappings)
    same = partial(read, limits=limits)
    seconds = limits.seconds / 2
    every: tuple[Parser, ...] = (
        TextParser(),
        MarkdownParser(limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        HtmlParser(limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        NotebookParser(limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        RstParser(),
        RichTextParser(),
        DelimitedParser(),
        JsonParser(),
        YamlParser(),
        XmlParser(),
        WordParser(limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        SlidesParser(limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        WorkbookParser(limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        OldWorkbookParser(),
        OpenDocumentParser(limits.unpacked_mb, limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        LegacyParser(same, seconds, limits.unpacked_mb),
        BookParser(limits.unpacked_mb, limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        PdfParser(limits.pages, limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        ImageParser(limits.ocr_pages, seconds, limits.pixels, limits.pictures),
        VideoParser(limits.frames, seconds, limits.pixels, limits.pictures, limits.audio_model),
        MailParser(inner, limits.nesting),
        OutlookParser(inner, limits.nesting),
        ArchiveParser(inner, limits.unpacked_mb, limits.nesting),
        DumpParser(),
        DatabaseParser(),
        KlarfParser(),
        SmlParser(),
    )
    return {media_type: parser for parser in every for media_type in parser.media_types}


def parser_for(media_type: str, limits: Limits = USUAL, mappings: Sequence[Mapping] = ()) -> "Parser":
    """Return the parser of a media type. Raises UnsupportedFormat."""
    parser = parsers(limits, tuple(mappings)).get(media_type)
    if parser is None:
        raise UnsupportedFormat(f"Strata does not read {_UNREAD.get(media_type, media_type)}.")
    return parser


def read(path: Path, name: str, limits: Limits = USUAL, mappings: Sequence[Mapping] = ()) -> Parsed:
    """Return the document in the file at `path`, called `name`; in this process, see `sandbox` for another.

    The first CIM mapping that fits the name is used. Raises ParseError only, always naming the file.
    """
    with ForeignErrors(name):
        size = path.stat().st_size
        if size > limits.file_mb * MEBIBYTE:
            raise LimitExceeded(f"{name} has {size // MEBIBYTE:,} MB, more than {limits.file_mb:,}.")
        tried: list[Copy] = []
        failures: list[ParseError] = []
        with TemporaryDirectory() as folder:
            for copy in copies(path, Path(folder)):
                try:
                    return _read_copy(copy, name, limits, mappings)
                except (LimitExceeded, EncryptedFile, UnsupportedFormat):
                    raise
                except ParseError as error:
                    tried.append(copy)
                    failures.append(error)
            for copy in tried:
                if words := plain_words(copy.path, name, str(failures[0])):
                    return _with_notes(words, copy, limits)
        if missing := [note for copy in tried for note in copy.missing]:
            damage = missing[0].partition(";")[0].rstrip(".")  # nothing was kept, whatever it says of that
            raise DamagedFile(f"{name} is damaged, and nothing in it can be read. {damage}.")
        raise failures[0]


def _read_copy(copy: Copy, name: str, limits: Limits, mappings: Sequence[Mapping]) -> Parsed:
    media_type = sniff(copy.path, name)
    if copy.package and media_type == "application/zip":
        raise DamagedFile(f"{name} is cut off before its text.")
    mapping = next((mapping for mapping in mappings if mapping.fits(name)), None)
    if mapping is not None:
        return MappedParser(mapping).parse(copy.path, name, media_type)
    parsed = _parsed(copy.path, name, media_type, parser_for(media_type, limits, mappings))
    if copy.missing and not parsed.blocks:
        raise DamagedFile(f"{name} is damaged, and nothing in it can be read.")
    whole = with_unread_words(copy, parsed) if copy.package else parsed
    return with_column_notes(_with_notes(whole, copy, limits))


def _with_notes(parsed: Parsed, copy: Copy, limits: Limits) -> Parsed:
    """Return the document with what its copy lacks, and no more pictures than are wanted."""
    skipped = tuple(dict.fromkeys((*copy.missing, *parsed.skipped)))
    return parsed.model_copy(update={"pictures": parsed.pictures[: limits.pictures], "skipped": skipped})


def _parsed(path: Path, name: str, media_type: str, parser: "Parser") -> Parsed:
    """Return the document; of what only begins like data, its text."""
    try:
        with ForeignErrors(name):
            try:
                return parser.parse(path, name, media_type)
            except RecursionError:
                if media_type not in _TREES:
                    raise
                return _as_text(path, name, "It is nested too deeply to be read as data.")
    except (LimitExceeded, EncryptedFile, EmptyFile):
        raise
    except ParseError:
        if _only_begins_like(media_type, name):
            return _as_text(path, name, "It begins like data and is none.")
        raise


def _only_begins_like(media_type: str, name: str) -> bool:
    """Say whether a file's beginning alone says that it is data: "[1][1] says ..." is prose."""
    return media_type in _TREES and Path(name).suffix.lower() in _PROSE_NAMES


def _as_text(path: Path, name: str, why: str) -> Parsed:
    parsed = TextParser().parse(path, name, "text/plain")
    return parsed.model_copy(update={"skipped": (*parsed.skipped, f"{why} It was read as text.")})
