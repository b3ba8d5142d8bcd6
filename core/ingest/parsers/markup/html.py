"""HTML: what a reader sees of a page, without scripts, styles and navigation."""

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import Location, Parsed
from core.errors import DamagedFile
from core.ingest.decoding import encoding_of, without_rubble
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.markup.html_tables import is_data, is_labelled, table_rows
from core.ingest.parsers.media.document_pictures import Pictures
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.raised import lowered, raised
from core.ingest.parsers.raw_tables import NO_LOCATION
from core.ingest.parsers.source import report_damage
from core.text.tokens import word_set

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_DROPPED = [
    "script",
    "style",
    "noscript",
    "template",
    "nav",
    "svg",
    "iframe",
    "object",
    "form button",
    "head",
]
_BLOCKS = word_set(
    """address article aside blockquote body center dd details div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section summary table ul"""
)
_CHARSET = re.compile(rb"<meta[^>]+charset=[\"']?\s*([\w-]+)", re.I)
_NOT_A_PICTURE = ["table", "pre", "ul", "ol", "p", "blockquote"]
_MAX_DEPTH = 200


@dataclass(frozen=True)
class HtmlParser:
    """Reads .html; links are kept as data, never followed; pictures held in the page are read by OCR."""

    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    media_types: tuple[str, ...] = ("text/html", "application/xhtml+xml")

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        gallery = Pictures(draft, PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds, self.pictures))
        data = path.read_bytes()
        text = decoded(data, name)
        report_damage(draft, data, text)
        read_html(draft, text, gallery=gallery)
        gallery.close()
        return draft.parsed()


def decoded(data: bytes, name: str) -> str:
    """Return the text of a page in the encoding it declares, or the one found."""
    declared = _CHARSET.search(data[:4096])
    encoding = encoding_of(data)
    if declared and encoding not in ("utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"):
        try:
            return without_rubble(data.decode(declared[1].decode("ascii")))
        except (LookupError, UnicodeDecodeError):
            pass  # a page may lie about its encoding
    if encoding is None:
        raise DamagedFile(f"{name} holds bytes that are not text in any encoding.")
    return without_rubble(data.decode(encoding, errors="replace"))


def read_html(
    draft: Draft, text: str, location: Location = NO_LOCATION, gallery: Pictures | None = None, below: int = 0
) -> None:
    """Put the blocks of a page into the draft; its title and author too, where the draft has none.

    The pictures the gallery holds become figures; of others only what is said of them is kept. Its headings
    stand `below` that many others.
    """
    from bs4 import BeautifulSoup
    from bs4.element import CData, PreformattedString

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # XHTML is read as HTML on purpose
        soup = BeautifulSoup(text, "lxml")
    _about(draft, soup)
    for tag in soup.select(", ".join(_DROPPED)) + soup.select("[hidden], [aria-hidden=true]"):
        tag.decompose()
    for markup in soup.find_all(string=lambda string: isinstance(string, PreformattedString)):
        if not isinstance(markup, CData):
            markup.extract()  # comments, doctypes, processing instructions
    _raise_figures(soup)
    _HtmlConverter(draft, location, gallery, below).visit(soup)


def _raise_figures(soup: "BeautifulSoup") -> None:
    """Write raised and lowered figures as Unicode has them; other raised text stays as it is."""
    for tag in soup.find_all(["sup", "sub"]):
        written = tag.get_text()
        changed = raised(written) if tag.name == "sup" else lowered(written)
        if changed != written:
            tag.replace_with(changed)
    soup.smooth()


def _about(draft: Draft, soup: "BeautifulSoup") -> None:
    if soup.title and soup.title.string and not draft.title:
        draft.title = " ".join(soup.title.string.split())
    for meta in soup.find_all("meta"):
        key = str(meta.get("name") or meta.get("property") or "").lower()
        if key in ("author", "description", "keywords"):
            draft.metadata.setdefault(key, str(meta.get("content") or ""))
        if key in ("date", "article:published_time", "dc.date"):
            draft.date = draft.date or str(meta.get("content") or "")[:10]


class _HtmlConverter:
    """Collects inline words until a block begins or ends."""

    def __init__(self, draft: Draft, location: Location, gallery: Pictures | None, below: int) -> None:
        self.below = below
        self.draft = draft
        self.location = location
        self.gallery = gallery
        self.held: list[tuple[bytes, str]] = []  # pictures since the last block, and what is said of them
        self.words: list[str] = []
        self.bold = 0  # letters of the words that are bold
        self.links: list[str] = []
        self.item = ""  # marker of the list item just entered
        self.lists = 0  # open ones
        self.pictures: list[str] = []  # what those since the last block show

    def visit(self, tag: "Tag", depth: int = 0, ordered: int | None = None) -> None:
        from bs4 import Tag
        from bs4.element import NavigableString

        for child in list(tag.children):
            if isinstance(child, NavigableString):
                self.words.append(re.sub(r"\s+", " ", str(child)))
            elif isinstance(child, Tag):
                ordered = self._tag(child, depth, ordered)
        if depth == 0:
            self.flush()

    def _tag(self, tag: "Tag", depth: int, ordered: int | None) -> int | None:
        if tag.name not in _BLOCKS:
            self._inline(tag, depth)
            return ordered
        self.flush()
        if tag.name == "li":
            self.item = f"{ordered}. " if ordered is not None else "- "
            ordered = None if ordered is None else ordered + 1
        if re.fullmatch("h[1-6]", tag.name):
            level = self.below + int(tag.name[1])
            self.draft.heading(tag.get_text(" ", strip=True), level, self.location, hrefs(tag))
            self._inside(tag)
        elif tag.name == "pre":
            self.draft.add("code", tag.get_text(), self.location, links=hrefs(tag))
        elif tag.name == "table" and is_data(tag):
            self._table(tag)
        elif tag.name == "figure" and tag.find(["img", "picture", "video"]) and not tag.find(_NOT_A_PICTURE):
            self._figure(tag)
        elif depth > _MAX_DEPTH:
            self.draft.paragraph(tag.get_text(" ", strip=True), self.location, hrefs(tag))
        else:
            start = str(tag.get("start") or "1")
            number = (int(start) if start.isdigit() else 1) if tag.name == "ol" else None
            self.lists += tag.name in ("ol", "ul")
            self.visit(tag, depth + 1, number)
            self.flush("caption" if tag.name == "figcaption" else "")
            self.lists -= tag.name in ("ol", "ul")
        return ordered

    def _inline(self, tag: "Tag", depth: int) -> None:
        if tag.name == "br":
            self.words.append("\n")
        elif tag.name == "img":
            self._picture(tag)
        elif tag.name in ("td", "th", "tr", "thead", "tbody", "tfoot"):  # of a table used for layout
            self.visit(tag, depth + 1)
            self.flush()
        elif tag.name not in ("input", "select", "textarea", "button"):
            if tag.name == "a" and tag.get("href"):
                self.links.append(str(tag["href"]))
            before = len(self.words)
            self.visit(tag, depth + 1)
            if tag.name in ("b", "strong") and tag.find_parent(["b", "strong"]) is None:
                self.bold += _letters(self.words[before:])

    def _picture(self, tag: "Tag") -> None:
        """Take what a picture is said to show, and the picture where it is at hand; else it is a link."""
        alt, source = str(tag.get("alt") or "").strip(), str(tag.get("src") or "")
        if not self._hold(source, alt) and source and not source.startswith("data:"):
            self.links.append(source)
        if alt:
            self.words.append(f" {alt} ")
            self.pictures.append(alt)

    def _hold(self, source: str, alt: str) -> bool:
        data = self.gallery.held(source) if self.gallery is not None and source else None
        if data is not None:
            self.held.append((data, alt))
        return data is not None

    def _inside(self, tag: "Tag") -> None:
        """Make the pictures at hand inside a heading or a table figures after it."""
        for picture in tag.find_all("img"):
            self._hold(str(picture.get("src") or ""), str(picture.get("alt") or "").strip())
        self._hang()

    def _hang(self, caption: str = "", links: Sequence[str] = ()) -> None:
        """Make the pictures at hand figures; the first bears the caption of all."""
        pictures, self.held = self.held, []
        for data, alt in pictures:
            assert self.gallery is not None
            text = "\n".join(dict.fromkeys(filter(None, [caption, alt])))
            self.gallery.hang(data, text, self.location, links)
            caption, links = "", ()

    def _figure(self, tag: "Tag") -> None:
        """Add a picture and its caption as a block of their own."""
        for picture in tag.find_all("img"):
            self._picture(picture)
        caption = tag.find("figcaption")
        caption_text = caption.get_text(" ", strip=True) if caption else ""
        links = [*self.links, *hrefs(tag)]
        if self.held:
            alts = [alt for _, alt in self.held]
            self.pictures = [alt for alt in self.pictures if alt not in alts]
            self._hang(caption_text, links)
            caption_text, links = "", []
        text = "\n".join(dict.fromkeys(filter(None, [caption_text, *self.pictures])))
        self.draft.add("figure", text, self.location, links=links)
        self.words, self.links, self.pictures = [], [], []

    def _table(self, tag: "Tag") -> None:
        caption = tag.find("caption")
        title = caption.get_text(" ", strip=True) if caption else ""
        if title:
            self.draft.add("caption", title, self.location)
        rows, header = table_rows(tag)
        if is_labelled(tag.find_all("tr")):
            rows, header = [["Field", "Value"], *rows], 1
        name = title or f"Table {len(self.draft.tables) + 1}"
        self.draft.rows(name, rows, caption=title, location=self.location, header=header)
        self._inside(tag)

    def flush(self, kind: str = "") -> None:
        """End the block whose words were collected."""
        text = "".join(self.words).strip()
        alone = text.split() == " ".join(self.pictures).split()
        if self.held and alone and not kind and len(self.held) >= len(self.pictures):
            text = ""  # the figures say it
        elif self.held:
            self.held = [(data, "") for data, _ in self.held]  # the words say it
        if text and kind == "caption":
            self.draft.add("caption", text, self.location, links=self.links)
        elif text and self.item:
            self.draft.item(self.item + text, self.location, self.links, max(0, self.lists - 1))
            self.item = ""
        elif text and alone:
            self.draft.add("figure", text, self.location, links=self.links)
        elif text:
            self.draft.paragraph(text, self.location, self.links, bold=self.bold == _letters(self.words))
        if text:
            self.links = []
        self.words, self.bold, self.pictures = [], 0, []
        self._hang()


def _letters(words: Sequence[str]) -> int:
    return len("".join("".join(words).split()))


def hrefs(tag: "Tag") -> list[str]:
    """Return the link targets inside a tag."""
    return [str(link["href"]) for link in tag.find_all("a", href=True)]
