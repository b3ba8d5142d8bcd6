"""EPUB: the chapters of the spine, in order, each read as a page of HTML with its pictures."""

import posixpath
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from core.domain import Location, Parsed
from core.errors import LimitExceeded
from core.ingest.limits import MEBIBYTE
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.markup.html import decoded, read_html
from core.ingest.parsers.media.document_pictures import Pictures
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.trees.safe_xml import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

_BEGIN, _END = "<html", "</html"


@dataclass(frozen=True)
class BookParser:
    """Reads .epub without copy protection; pictures by OCR, `ocr_pages` of them at most."""

    unpacked_mb: int = 1024
    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    media_types: tuple[str, ...] = ("application/epub+zip",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > self.unpacked_mb * MEBIBYTE:
                raise LimitExceeded(f"{name} unpacks to more than {self.unpacked_mb:,} MB.")
            package_path, package = _package(draft, archive)
            if package is not None:
                _about(draft, package)
                chapters = _spine(package, posixpath.dirname(package_path), archive.namelist())
            else:
                chapters = [*filter(_is_chapter, archive.namelist())]
            picture_ocr = PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds, self.pictures)
            gallery = Pictures(draft, picture_ocr)
            for number, member in enumerate(chapters):
                if member in archive.NameToInfo:
                    gallery.member = partial(_beside, archive, posixpath.dirname(member))
                    with Part(draft, f"Chapter {number + 1} ({member})"):
                        page = decoded(archive.read(member), member)
                        read_html(draft, page, Location(page=number), gallery)
                        if _BEGIN in page.lower() and _END not in page.lower():
                            draft.skipped.append(f"Chapter {number + 1} ({member}) is cut off.")
                    draft.pages = number + 1
                else:
                    draft.skipped.append(f"Chapter {number + 1} ({member}) is missing from the file.")
            gallery.close()
        return draft.parsed()


def _beside(archive: zipfile.ZipFile, folder: str, source: str) -> bytes | None:
    """Return the picture a chapter in `folder` names, None where the book does not hold it."""
    member = posixpath.normpath(posixpath.join(folder, unquote(source)))
    return archive.read(member) if member in archive.NameToInfo else None


def _package(draft: Draft, archive: zipfile.ZipFile) -> tuple[str, "_Element | None"]:
    """Return where the book says what it is made of, and that; None where it is lost."""
    path = next((member for member in archive.namelist() if member.endswith(".opf")), "")
    with Part(draft, "The way to its chapters"):
        root = parse_xml(archive.read("META-INF/container.xml")).find(".//{*}rootfile")
        path = str(root.get("full-path")) if root is not None else path
    package = None
    with Part(draft, "The order of its chapters"):
        package = parse_xml(archive.read(path))
    return path, package


def _about(draft: Draft, package: "_Element") -> None:
    for key in ("title", "creator", "date", "identifier", "publisher"):
        found = package.find(f".//{{*}}metadata/{{*}}{key}")
        text = (found.text or "").strip() if found is not None else ""
        if key == "title":
            draft.title = text
        elif key == "date":
            draft.date = text[:10]
        elif key == "creator":
            people = [(each.text or "").strip() for each in package.iterfind(".//{*}metadata/{*}creator")]
            draft.metadata["author"] = "; ".join(filter(None, people))
        else:
            draft.metadata[key] = text


def _is_chapter(member: str) -> bool:
    return member.endswith((".xhtml", ".html"))


def _spine(package: "_Element", folder: str, members: Sequence[str]) -> list[str]:
    """Return the members of the chapters in reading order, then those that a damaged list leaves out."""
    items = {
        item.get("id"): str(item.get("href") or "") for item in package.findall(".//{*}manifest/{*}item")
    }
    order = [items.get(ref.get("idref"), "") for ref in package.findall(".//{*}spine/{*}itemref")]
    chapters = [posixpath.normpath(posixpath.join(folder, unquote(href))) for href in order if href]
    contents = [
        posixpath.normpath(posixpath.join(folder, unquote(str(item.get("href") or ""))))
        for item in package.findall(".//{*}manifest/{*}item")
        if "nav" in str(item.get("properties") or "").split()
    ]
    return [
        *chapters,
        *(each for each in members if _is_chapter(each) and each not in {*contents, *chapters}),
    ]
