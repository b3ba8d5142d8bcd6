"""reStructuredText through docutils, with everything that reads other files switched off."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import BlockKind, Location, Parsed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.source import text_of
from core.ingest.parsers.text import read_prose

if TYPE_CHECKING:
    from docutils import nodes

_SAFE = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "halt_level": 6,
    "report_level": 5,
    "_disable_config": True,
    "input_encoding": "unicode",
    "doctitle_xform": False,
    "line_length_limit": 1_000_000,
}
_KINDS: dict[str, BlockKind] = {
    "paragraph": "paragraph",
    "literal_block": "code",
    "doctest_block": "code",
    "math_block": "formula",
    "caption": "caption",
    "line_block": "paragraph",
    "rubric": "paragraph",
    "attribution": "paragraph",
}
# In a word docutils looks for an address from every letter on: the square of its length.
_ENDLESS_WORD = re.compile(r"\S{4000}")
_DROPPED = frozenset(
    {"system_message", "comment", "substitution_definition", "target", "pending", "problematic"}
)


@dataclass(frozen=True)
class RstParser:
    """Reads .rst; included files and raw passages are left out."""

    media_types: tuple[str, ...] = ("text/x-rst",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        from docutils.core import publish_doctree

        draft = Draft(name, media_type)
        text = text_of(path, draft)
        if _ENDLESS_WORD.search(text):
            read_prose(draft, text.split("\n"))
        else:
            _RstConverter(draft).visit(publish_doctree(text, settings_overrides=_SAFE), 0)
        return draft.parsed()


class _RstConverter:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.marker = ""
        self.lists = 0  # open ones
        self.special: dict[str, Callable[[nodes.Element, int], None]] = {
            "section": lambda node, level: self.visit(node, level + 1),
            "title": self._title,
            "bullet_list": lambda node, level: self._list(node, level, numbered=False),
            "enumerated_list": lambda node, level: self._list(node, level, numbered=True),
            "table": self._table,
            "figure": self._figure,
            "image": self._figure,
            "footnote": self._note,
            "citation": self._note,
            "docinfo": self._fields,
            "field_list": self._fields,
        }

    def visit(self, node: "nodes.Element", level: int) -> None:
        for child in node.children:
            name = child.__class__.__name__
            if name in _DROPPED or not hasattr(child, "children"):
                continue
            if name in self.special:
                self.special[name](child, level)  # type: ignore[arg-type]  # only elements come here
            elif name in _KINDS:
                text = self.marker + child.astext()
                kind: BlockKind = "list_item" if self.marker else _KINDS[name]
                depth = self.lists - 1 if self.marker else 0
                self.draft.add(kind, text, _line(child), level=depth, links=_links(child))
                self.marker = ""
            else:
                self.visit(child, level)  # type: ignore[arg-type]

    def _title(self, node: "nodes.Element", level: int) -> None:
        self.draft.heading(node.astext(), max(1, level), _line(node), _links(node))

    def _list(self, node: "nodes.Element", level: int, *, numbered: bool) -> None:
        for number, item in enumerate(node.children, start=int(node.get("start", 1)) if numbered else 1):
            self.marker = f"{number}. " if numbered else "- "
            self.lists += 1
            self.visit(item, level)  # type: ignore[arg-type]
            self.lists -= 1
            self.marker = ""

    def _table(self, node: "nodes.Element", level: int) -> None:
        from docutils import nodes

        title = next((child.astext() for child in node.children if isinstance(child, nodes.title)), "")
        rows: list[list[object]] = [
            [" ".join(entry.astext().split()) for entry in row.findall(nodes.entry)]
            for row in node.findall(nodes.row)
        ]
        header = sum(len(list(head.findall(nodes.row))) for head in node.findall(nodes.thead))
        name = title or f"Table {len(self.draft.tables) + 1}"
        self.draft.rows(name, rows, caption=title, location=_line(node), header=header or None)

    def _figure(self, node: "nodes.Element", level: int) -> None:
        """Add a picture with its alternative text, caption and legend; the picture itself is a link."""
        from docutils import nodes

        pictures = [node] if isinstance(node, nodes.image) else list(node.findall(nodes.image))
        texts = [child.astext() for child in node.children if isinstance(child, nodes.caption | nodes.legend)]
        texts += [str(picture.get("alt") or "") for picture in pictures]
        links = [str(picture.get("uri") or "") for picture in pictures]
        self.draft.add("figure", "\n".join(dict.fromkeys(filter(None, texts))), _line(node), links=links)

    def _note(self, node: "nodes.Element", level: int) -> None:
        label, *rest = [child.astext() for child in node.children]
        self.draft.add("footnote", f"[{label}] {' '.join(rest)}", _line(node), links=_links(node))

    def _fields(self, node: "nodes.Element", level: int) -> None:
        self.draft.paragraph(
            "\n".join(child.astext().replace("\n\n", ": ", 1) for child in node.children), _line(node)
        )


def _line(node: "nodes.Node") -> Location:
    current: nodes.Node | None = node
    while current is not None and current.line is None:
        current = current.parent
    return (
        Location(lines=(current.line - 1, current.line - 1))
        if current is not None and current.line
        else Location()
    )


def _links(node: "nodes.Node") -> list[str]:
    from docutils import nodes

    return [str(link["refuri"]) for link in node.findall(nodes.reference) if link.get("refuri")]
