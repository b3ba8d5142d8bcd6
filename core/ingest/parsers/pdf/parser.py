"""The PDF parser: opens the file, reads its pages, falls back to OCR where a page is only a picture."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import Location, Parsed
from core.errors import DamagedFile, EncryptedFile, LimitExceeded
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.media.legibility import note_illegible
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.media.ocr_page import page_of
from core.ingest.parsers.media.rulings import rulings_of
from core.ingest.parsers.pdf import forms
from core.ingest.parsers.pdf.figures import Figure, pictures_of, uncaptioned
from core.ingest.parsers.pdf.headings import folded
from core.ingest.parsers.pdf.line_numbers import line_numbers
from core.ingest.parsers.pdf.lines import box_of
from core.ingest.parsers.pdf.notes import notes_of
from core.ingest.parsers.pdf.page import Page
from core.ingest.parsers.pdf.page_assembly import PageAssembly
from core.ingest.parsers.pdf.regions import Regions
from core.ingest.parsers.pdf.torn_streams import torn_streams
from core.ingest.parsers.pdf.words import read_page
from core.ingest.parsers.skipped_parts import Part

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

_PASSWORD_ERROR = 4  # pdfium's error code
_MIN_PAGE_LETTERS = 12  # letters; a page with fewer is looked at as a picture
_MIN_WITHOUT_UNICODE = 3  # letters that are said to be left out; fewer are signs
_MAX_SHARE_WITHOUT_UNICODE = 0.1  # of a page's letters; a page with more is looked at as a picture
_MAX_MESSAGE_CHARACTERS = 80  # characters
_PIXELS_PER_POINT = 200 / 72  # pixels a point for OCR
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_NO_TITLE = re.compile(
    r"\.(docx?|pdf|indd|pptx?|xlsx?|tex|jpe?g|png|tiff?|exe|qxd)$|^(microsoft|untitled|\()", re.I
)


@dataclass(frozen=True)
class PdfParser:
    """Reads .pdf. Tables are sought where lines are drawn or words line up; OCR is for pages without text."""

    pages: int = 3000
    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    media_types: tuple[str, ...] = ("application/pdf",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        picture_ocr = PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds)
        with opened(path, name) as document:
            if len(document) > self.pages:
                raise LimitExceeded(f"{name} has {len(document):,} pages, more than {self.pages:,}.")
            is_form = forms.prepare(document)
            draft.pages = len(document)
            _about(draft, document)
            torn = torn_streams(path)
            composition = PageAssembly(draft)
            regions = Regions(PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds))
            for number in range(len(document)):
                page = Page(number, 1.0, 1.0, (), (), (), 0)
                with Part(draft, f"Page {number + 1}"):
                    page = _page(draft, document, number, picture_ocr, regions, torn.fonts)
                composition.take(page)
            if regions.passed:
                draft.skipped.append(f"Pictures inside pages that were not read by OCR: {regions.passed}.")
            note_illegible(draft, picture_ocr.illegible + regions.picture_ocr.illegible)
            if torn.parts:
                draft.skipped.append(f"Damaged parts that could not be unpacked whole: {torn.parts}.")
            bookmarks: dict[tuple[int, str], int] = {}
            with Part(draft, "Its outline"):
                bookmarks = _bookmarks(document)
            composition.write(bookmarks)
            _comments(draft, composition.pages)
            with Part(draft, "Its pictures"):
                _pictures(draft, document, composition, self.pictures)
            with Part(draft, "What was filled into its form"):
                if is_form:
                    forms.write(draft, document)
        return draft.parsed()


@contextmanager
def opened(path: Path, name: str) -> "Iterator[PdfDocument]":
    """Open a PDF. Raises EncryptedFile or ParseError."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_ERROR or "password" in str(error).lower():
            raise EncryptedFile(f"{name} is protected by a password.") from error
        why = str(error).rstrip(".")
        raise DamagedFile(f"{name} is a damaged PDF ({why}).") from error
    try:
        yield document
    finally:
        document.close()


def _page(
    draft: Draft,
    document: "PdfDocument",
    number: int,
    picture_ocr: PictureOcr,
    regions: Regions,
    mute: Collection[str],
) -> Page:
    page = document[number]
    read = read_page(page, number, mute)
    if read.hidden:
        hidden_text = " ".join(word.text for word in read.hidden)[:_MAX_MESSAGE_CHARACTERS]
        draft.skipped.append(f"Page {number + 1}: text that is not to be seen was left out: “{hidden_text}”.")
    letters = sum(len(word.text) for word in read.words)
    if letters < _MIN_PAGE_LETTERS or read.without_unicode > _MAX_SHARE_WITHOUT_UNICODE * (
        letters + read.without_unicode
    ):
        read = _read_by_ocr(draft, page, read, picture_ocr)
    else:
        read = _without_line_numbers(draft, read)
        notes = list(notes_of(page))
        stamps = [note.area for note in notes if note.shown and not note.text]
        written = [note.region() for note in notes if note.shown and note.text]
        read = replace(read, regions=(*written, *regions.read(page, read, stamps)))
        comments = [note for note in notes if not note.shown]
        read = replace(read, comments=tuple((note.text, note.area) for note in comments))
    page.close()
    if read.without_unicode >= _MIN_WITHOUT_UNICODE:
        draft.skipped.append(
            f"Page {number + 1}: what is set in a font that does not tell its letters was left out."
        )
    return read


def _without_line_numbers(draft: Draft, page: Page) -> Page:
    numbers = line_numbers(page.words)
    if not numbers:
        return page
    draft.skipped.append(f"Page {page.number + 1}: the numbers of its lines were left out.")
    return replace(page, words=tuple(word for word in page.words if word not in numbers))


def _read_by_ocr(draft: Draft, page: "PdfPage", read: Page, picture_ocr: PictureOcr) -> Page:
    """Read a page without text by OCR, and say so."""
    if not read.images and not read.rulings and not read.words and not read.without_unicode:
        draft.skipped.append(f"Page {read.number + 1} is blank.")
        return read
    if picture_ocr.left <= 0:
        draft.skipped.append(
            f"Page {read.number + 1} has no text and was not read by OCR: the limit was reached."
        )
        return read
    scale = min(_PIXELS_PER_POINT, 2400 / max(read.width, read.height, 1))
    drawn = page.render(scale=scale).to_pil()
    seen = picture_ocr.lines_of(drawn)
    if not seen:
        draft.skipped.append(f"Page {read.number + 1} is a picture without text.")
        return read
    draft.metadata["ocr"] = "yes"
    rulings = rulings_of(drawn, read.width, read.height)
    return page_of(seen, read.number, read.width, read.height, rulings)


def _comments(draft: Draft, pages: Sequence[Page]) -> None:
    """Add what readers have noted on the pages."""
    for page in pages:
        for text, area in page.comments:
            place = Location(page=page.number, boxes=(box_of(area, page),))
            draft.add("footnote", f"Comment: {text}", place)


def _pictures(draft: Draft, document: "PdfDocument", read: PageAssembly, most: int) -> None:
    """Hand figures to a model that sees, those with a caption first; say how many nothing is known of."""
    loose = uncaptioned(read.pages, read.figures)
    if most:
        figures = [*read.figures, *loose][: 2 * most]
        draft.pictures.extend(pictures_of(document, read.pages, figures, most))
    seen = sum(picture.block is None for picture in draft.pictures)
    among_words = sum(_is_silent(read.pages[figure.page], figure) for figure in loose)
    if among_words > seen and len(draft.pictures) >= most:
        draft.skipped.append(f"Pictures without a caption that were not read: {among_words - seen}.")


def _is_silent(page: Page, figure: Figure) -> bool:
    """Say whether a picture stands among words and none were read in it."""
    return bool(page.words) and not any(region.area.is_near(figure.area) for region in page.regions)


def _about(draft: Draft, document: "PdfDocument") -> None:
    about = document.get_metadata_dict(skip_empty=True)
    title = about.get("Title", "").strip()
    draft.title = title if len(title) > 3 and not _NO_TITLE.search(title) and " " in title else ""
    draft.metadata.update(author=about.get("Author", ""), subject=about.get("Subject", ""))
    if match := _DATE.search(about.get("CreationDate", "")):
        draft.date = "-".join(part for part in match.groups() if part)


def _bookmarks(document: "PdfDocument") -> dict[tuple[int, str], int]:
    """Return the outline: (page, folded title) to depth."""
    marks: dict[tuple[int, str], int] = {}
    for mark in document.get_toc(max_depth=6):
        target, title = mark.get_dest(), mark.get_title()
        number = target.get_index() if target is not None else None
        if number is not None and title:
            marks[number, folded(title)] = mark.level + 1
    return marks
