"""Markdown: CommonMark with tables, through markdown-it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import BlockKind, Location, Parsed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.form_fields import fields_of
from core.ingest.parsers.markup.markdown_tables import with_tables_parted
from core.ingest.parsers.media.document_pictures import Pictures
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.raw_tables import NO_LOCATION
from core.ingest.parsers.source import text_of

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.S)
_FIELD = re.compile(r"^([A-Za-z][\w -]{0,30}):\s*(.+)$", re.M)
_NOTE = re.compile(r"\[\^[^\]\s]+\]:")
_TEXT_LINES = 3  # lines over one of dashes that are no heading
_TAG = re.compile(r"<!--.*?-->|<[^>]+>", re.S)
_IMG = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*[\"']?((?:data|attachment):[^\"'>]+)", re.I)


@dataclass(frozen=True)
class MarkdownParser:
    """Reads .md; front matter becomes metadata, link targets become data, pictures in the text figures."""

    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    media_types: tuple[str, ...] = ("text/markdown",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        gallery = Pictures(draft, PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds, self.pictures))
        read_markdown(draft, without_front_matter(draft, text_of(path, draft)), gallery)
        gallery.close()
        return draft.parsed()


def read_markdown(draft: Draft, text: str, gallery: Pictures, lines: Sequence[int] | None = None) -> None:
    """Put the blocks of a Markdown text into the draft, the pictures it holds as figures.

    `lines` says for each line of the text on which line of the file it is written, where that is another.
    """
    from markdown_it import MarkdownIt

    text, places = with_tables_parted(text)
    if lines is not None:
        places = [lines[place] for place in places]
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    for token in tokens:
        if token.map:
            token.map = [places[token.map[0]], places[max(token.map[0], token.map[1] - 1)] + 1]
    _MarkdownConverter(draft, gallery, tokens).visit()


def without_front_matter(draft: Draft, text: str) -> str:
    """Take the fields above a text into the draft; return the text with as many blank lines for them."""
    match = _FRONT.match(text)
    if match is None:
        return text
    fields = {key.strip().lower(): value.strip().strip("\"'") for key, value in _FIELD.findall(match[1])}
    draft.title, draft.date = fields.pop("title", draft.title), fields.pop("date", draft.date)
    draft.metadata.update(fields)
    return "\n" * match[0].count("\n") + text[match.end() :]


class _MarkdownConverter:
    """Goes through the flat token list once, remembering which list and quote it is in."""

    def __init__(self, draft: Draft, gallery: Pictures, tokens: Sequence["Token"]) -> None:
        self.draft = draft
        self.gallery = gallery
        self.tokens = tokens
        self.numbers: list[int | None] = []  # per open list: the next number, None for bullets
        self.marker = ""
        self.rows: list[list[object]] = []
        self.links: list[str] = []
        self.held: list[bytes] = []  # pictures of the block at hand
        self.place = NO_LOCATION  # of the table at hand

    def visit(self) -> None:
        for index, token in enumerate(self.tokens):
            self._lists(token)
            self._table(token)
            if token.type == "inline" and not self.rows:
                self._inline(token, self.tokens[index - 1])
            elif token.type in ("fence", "code_block"):
                self.draft.add("code", token.content, _lines(token))
            elif token.type == "html_block":
                self.draft.paragraph(_TAG.sub(" ", token.content), _lines(token))
                self._take(*_IMG.findall(token.content))
                self._hang(_lines(token))

    def _lists(self, token: "Token") -> None:
        if token.type == "bullet_list_open":
            self.numbers.append(None)
        elif token.type == "ordered_list_open":
            self.numbers.append(int(token.attrGet("start") or 1))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.numbers.pop()
        elif token.type == "list_item_open" and self.numbers:
            number = self.numbers[-1]
            self.marker = "- " if number is None else f"{number}. "
            self.numbers[-1] = None if number is None else number + 1

    def _table(self, token: "Token") -> None:
        if token.type == "tr_open":
            self.rows.append([])
        elif token.type == "inline" and self.rows:
            text, links = self._text(token)
            self.rows[-1].append(text)
            self.links.extend(links)
        elif token.type == "table_open":
            self.place = _lines(token)
        elif token.type == "table_close":
            place = self.place
            name = f"Table {len(self.draft.tables) + 1}"
            form = fields_of([[str(cell) for cell in row] for row in self.rows])
            pairs = [list(pair) for group in form or () for pair in group.pairs]
            rows = [["Field", "Value"], *pairs] if pairs else self.rows
            self.draft.rows(name, rows, location=place, header=1, links=self.links)
            self.rows, self.links = [], []
            self._hang(place)

    def _inline(self, token: "Token", opener: "Token") -> None:
        text, links = self._text(token)
        only = [child for child in token.children or [] if child.type != "text" or child.content.strip()]
        figure = len(only) == 1 and only[0].type == "image"
        if figure and self.held:
            self._hang(_lines(token), text)
        elif opener.type == "heading_open" and not _is_underlined_text(opener, text):
            self.draft.heading(text, int(opener.tag[1]), _lines(token), links)
        elif self.numbers:
            self.draft.item(self.marker + text, _lines(token), links, len(self.numbers) - 1)
            self.marker = ""
        else:
            kind: BlockKind = "figure" if figure else "footnote" if _NOTE.match(text) else "paragraph"
            if kind == "paragraph":
                self.draft.paragraph(text, _lines(token), links, bold=_is_bold(only))
            else:
                self.draft.add(kind, text, _lines(token), links=links)
        self._hang(_lines(token))

    def _text(self, token: "Token") -> tuple[str, list[str]]:
        """Return the words of an inline token and the targets of its links; take the pictures it holds."""
        parts: list[str] = []
        links: list[str] = []
        for child in token.children or []:
            if child.type in ("text", "code_inline"):
                parts.append(child.content)
            elif child.type in ("softbreak", "hardbreak"):
                parts.append("\n")
            elif child.type == "image":
                parts.append(child.content)
                links += self._take(str(child.attrGet("src") or ""))
            elif child.type == "link_open":
                links.append(str(child.attrGet("href") or ""))
            elif child.type == "html_inline":
                self._take(*_IMG.findall(child.content))
        return "".join(parts), links

    def _take(self, *sources: str) -> list[str]:
        """Take the pictures that are at hand; return the addresses of those that lie elsewhere."""
        elsewhere: list[str] = []
        for source in sources:
            data = self.gallery.held(source)
            if data is not None:
                self.held.append(data)
            elif not source.lower().startswith(("data:", "attachment:")):
                elsewhere.append(source)
        return elsewhere

    def _hang(self, place: Location, text: str = "") -> None:
        """Make the pictures taken figures; the first bears what is said of it."""
        pictures, self.held = self.held, []
        for number, data in enumerate(pictures):
            self.gallery.hang(data, "" if number else text, place)


def _is_bold(tokens: Sequence["Token"]) -> bool:
    """Say whether all words of a paragraph stand between one pair of marks for bold."""
    kinds = [token.type for token in tokens]
    return kinds[:1] == ["strong_open"] and kinds.index("strong_close") == len(kinds) - 1


def _is_underlined_text(opener: "Token", text: str) -> bool:
    """Say whether several lines are a heading only since dashes stand below them: these part the text."""
    return opener.markup in ("-", "=") and text.count("\n") >= _TEXT_LINES - 1


def _lines(token: "Token") -> Location:
    return Location(lines=(token.map[0], max(token.map[0], token.map[1] - 1))) if token.map else Location()
