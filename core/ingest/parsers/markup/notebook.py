"""Jupyter notebooks, cell by cell: text as Markdown, code as typed, and its outputs.

The format is nbformat 4 or 3 (https://nbformat.readthedocs.io/en/latest/format_description.html). Nothing is
run; outputs are those the notebook stored at its last run.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from core.domain import Location, Parsed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.markup.html import read_html
from core.ingest.parsers.markup.markdown import read_markdown, without_front_matter
from core.ingest.parsers.markup.notebook_cells import Fields, NotebookCell, members, notebook_cells
from core.ingest.parsers.media.document_pictures import Pictures, data_in
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.source import text_of
from core.ingest.parsers.trees.json_records import read_whole
from core.ingest.parsers.trees.tree_line_numbers import JsonPlace, at

_OLD_TYPES = {  # of the outputs of nbformat 3
    "text": "text/plain",
    "html": "text/html",
    "latex": "text/latex",
    "json": "application/json",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "svg": "image/svg+xml",
}
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/svg+xml")
_SVG = "image/svg+xml"
_ATTACHMENT = "attachment:"
_COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")  # of a terminal
_OBJECT = re.compile(r"\[?<[\w.]+(?:\s[^<>]*)?>\]?")  # Python's default repr of an object
_ADDRESS = " at 0x"


@dataclass(frozen=True)
class NotebookParser:
    """Reads .ipynb; pictures in it are read by OCR. JSON of another kind is read as such."""

    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # most pictures kept to be described by a model
    media_types: tuple[str, ...] = ("application/x-ipynb+json",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        text = text_of(path, draft).lstrip("\ufeff")
        gallery = Pictures(draft, PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds, self.pictures))
        notebook, cells = notebook_cells(draft, text)
        if cells is None:
            draft.media_type = "application/json"
            read_whole(draft, text)
            return draft.parsed()
        _about(draft, notebook)
        reader = _NotebookReader(draft, gallery)
        for number, cell in enumerate(cells, start=1):
            reader.read(cell, number)
        gallery.close()
        return draft.parsed()


def _about(draft: Draft, notebook: Any) -> None:
    metadata = notebook.get("metadata") if isinstance(notebook, dict) else None
    if not isinstance(metadata, dict):
        return
    if isinstance(metadata.get("title"), str):
        draft.title = metadata["title"]
    people = metadata.get("authors")
    names = (
        [person.get("name") for person in people if isinstance(person, dict)]
        if isinstance(people, list)
        else []
    )
    draft.metadata["author"] = "; ".join(name for name in names if isinstance(name, str))


class _NotebookReader:
    def __init__(self, draft: Draft, gallery: Pictures) -> None:
        self.draft = draft
        self.gallery = gallery

    def read(self, cell: NotebookCell, number: int) -> None:
        """Put a cell and its outputs into the draft."""
        places: dict[str, JsonPlace] = {}
        with Part(self.draft, f"Cell {number}"):
            if not isinstance(cell.value, dict):
                raise TypeError("it is no cell")
            places = {key: inner for key, _, inner in members(cell.value, cell.place)}
            key = "source" if "source" in places else "input"
            if key in places:
                text, lines = _written(cell.value[key], places[key])
                self.gallery.member = partial(_attached, cell.value.get("attachments"))
                self._source(cell.value, text, lines, first=number == 1)
        with Part(self.draft, f"What cell {number} gave out"):
            outputs = cell.value.get("outputs") or [] if places else []
            for each, inner in zip(
                outputs, places["outputs"].inside(outputs) if outputs else [], strict=True
            ):
                with Part(self.draft, f"An output of cell {number}"):
                    self._output(each, at(inner))

    def _source(self, cell: Fields, text: str, lines: Sequence[int], *, first: bool) -> None:
        place = Location(lines=(lines[0], lines[-1]))
        metadata = cell.get("metadata")
        form = (
            str(metadata.get("format") or metadata.get("raw_mimetype")) if isinstance(metadata, dict) else ""
        )
        kind = cell.get("cell_type")
        if kind == "raw" and first:
            text = without_front_matter(self.draft, f"{text}\n").rstrip("\n")
        if kind == "markdown" or (kind == "raw" and form == "text/markdown"):
            read_markdown(self.draft, text, self.gallery, lines)
        elif kind == "heading":
            level = cell.get("level")
            self.draft.heading(text, level if isinstance(level, int) else 1, place)
        elif kind == "html" or (kind == "raw" and form == "text/html"):
            self._html(text, place)
        else:
            self.draft.add("code", text, place)

    def _output(self, output: Fields, place: Location) -> None:
        if output.get("output_type") in ("error", "pyerr"):
            parts = [_joined(output.get(key) or "") for key in ("ename", "evalue")]
            self.draft.paragraph(": ".join(filter(None, parts)), place)
            return
        data = output.get("data")
        if not isinstance(data, dict):
            data = {_OLD_TYPES[key]: value for key, value in output.items() if key in _OLD_TYPES}
        plain = _joined(data.get("text/plain") or "")
        html = _joined(data.get("text/html") or "")
        drawn = next((kind for kind in _PICTURES if data.get(kind)), "")
        alone = _OBJECT.fullmatch(plain.strip()) is None
        if (
            html
            and ("<table" in html.lower() or not (drawn or (plain and alone)))
            and self._html(html, place)
        ):
            return
        if drawn:
            self._picture(drawn, _joined(data[drawn]), plain if alone else "", place)
        elif data.get("text/markdown"):
            text = _joined(data["text/markdown"])
            line = place.lines[0] if place.lines else 0
            read_markdown(self.draft, text, self.gallery, [line] * (text.count("\n") + 1))
        elif plain:
            if alone or (len(data) == 1 and _ADDRESS not in plain):
                self.draft.add("code", plain, place)
        elif data.get("text/latex"):
            self.draft.add("formula", _joined(data["text/latex"]), place)
        elif "application/json" in data:
            tree = json.dumps(data["application/json"], ensure_ascii=False, indent=1)
            self.draft.add("code", tree, place)

    def _html(self, html: str, place: Location) -> bool:
        """Read a piece of HTML, and say whether it holds anything; it does not name the notebook."""
        draft, count = self.draft, len(self.draft.blocks)
        title, date, metadata = draft.title, draft.date, dict(draft.metadata)
        read_html(draft, html, place, self.gallery)
        draft.title, draft.date, draft.metadata = title, date, metadata
        return len(draft.blocks) > count

    def _picture(self, kind: str, data: str, caption: str, place: Location) -> None:
        if kind == _SVG:
            self.gallery.hang(data.encode(), caption, place)
        elif (picture := self.gallery.held(f"data:{kind};base64,{data}")) is not None:
            self.gallery.hang(picture, caption, place)


def _attached(attachments: Any, source: str) -> bytes | None:
    """Return the picture that a cell names and holds."""
    if not source.lower().startswith(_ATTACHMENT) or not isinstance(attachments, dict):
        return None
    bundle = attachments.get(unquote(source[len(_ATTACHMENT) :]))
    if not isinstance(bundle, dict):
        return None
    kind = next((kind for kind in _PICTURES if bundle.get(kind)), "")
    return data_in(f"data:{kind};base64,{_joined(bundle[kind])}") if kind else None


def _joined(value: Any) -> str:
    """Return a text that is one string or the list of its lines, as it looks on a screen."""
    text = "".join(map(str, value)) if isinstance(value, list) else str(value)
    lines = _COLOURS.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


def _written(value: Any, place: JsonPlace) -> tuple[str, list[int]]:
    """Return the text of a cell, and of each of its lines the line of the file it is written on."""
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str) for item in items):
        raise TypeError("its source is no text")
    places = place.inside(value) if isinstance(value, list) else [place]
    lines, text = [place.lines[0]], ""
    for item, inner in zip(items, places, strict=True):
        part = item.replace("\r\n", "\n").replace("\r", "\n")
        line = inner.lines[0]
        if part and text[-1:] in ("", "\n"):
            lines[-1] = line
        lines += [line] * part.count("\n")
        text += part
    return text, lines
