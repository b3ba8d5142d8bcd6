"""Forms without rulings: lines of labels and values one below the other, or beside each other with a gap."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.ingest.parsers.form_fields import Fields
from core.ingest.parsers.pdf.page import Area
from core.ingest.parsers.pdf.structure import PageBlock
from core.ingest.parsers.pdf.tables.found_table import FoundTable

Pairs = list[tuple[str, str]]
_GAP = "  "  # how a line says that two parts of it stand apart
_LABELLED = re.compile(r"(?P<label>[^\W\d_][^:：]{0,46}[:：])(?:\s+(?P<value>\S.*))?$")
_SENTENCE = re.compile(r"(?:\S+\s+){4,}\S*[.?!;,。？！]$")
_LONGEST_VALUE, _MOST_LABEL_WORDS = 80, 6  # characters, words
_MOST_OVERLAP_POINTS = 2.0
_MIN_LINES = 3  # of one field each; two fields on a line make a form by themselves


def with_fields(pieces: Sequence[PageBlock], found: list[FoundTable]) -> list[PageBlock]:
    """Return the pieces with one form for lines of fields next to each other, and for a form among them."""
    made: list[PageBlock] = []
    group: list[PageBlock] = []
    for piece in [*pieces, None]:
        if (
            piece is not None
            and _pairs_of(piece, found)
            and (not group or _is_below(piece, group[-1], found))
        ):
            group.append(piece)
            continue
        made += _as_form(group, found)
        group = [piece] if piece is not None and _pairs_of(piece, found) else []
        made += [piece] if piece is not None and not group else []
    return made


def _is_below(piece: PageBlock, above: PageBlock, found: Sequence[FoundTable]) -> bool:
    """Say whether a piece stands on the page of the one above it, and not over it."""
    same = above.lines[-1].page == piece.lines[0].page
    return same and _area(piece, found).y0 > _area(above, found).y1 - _MOST_OVERLAP_POINTS


def _as_form(group: list[PageBlock], found: list[FoundTable]) -> list[PageBlock]:
    """Return a group of pieces as one form where it is one."""
    lines = [line for piece in group if piece.kind == "paragraph" for line in piece.lines]
    pairs = [pair for piece in group for pair in _pairs_of(piece, found)]
    beside = any(len(pairs_in(line.text)) > 1 for line in lines)
    many = beside or len(lines) >= _MIN_LINES or any(piece.kind == "table" for piece in group)
    labels = {label for label, _ in pairs}
    if not lines or not many or len(labels) < len(pairs) or not any(value for _, value in pairs):
        return group
    areas = [_area(piece, found) for piece in group]
    whole = areas[0]
    for area in areas[1:]:
        whole = whole.with_(area)
    found.append(FoundTable([], whole, (), False, fields=(Fields("", pairs),)))
    placeholder = replace(group[0].lines[0], text="table", table=len(found) - 1)
    return [PageBlock("table", [placeholder])]


def _area(piece: PageBlock, found: Sequence[FoundTable]) -> Area:
    line = piece.lines[0]
    if line.table is not None:
        return found[line.table].area
    edges = [Area(each.x0, each.y0, each.x1, each.y1) for each in piece.lines]
    area = edges[0]
    for edge in edges[1:]:
        area = area.with_(edge)
    return area


def _pairs_of(piece: PageBlock, found: Sequence[FoundTable]) -> Pairs:
    """Return the fields of a piece all of whose lines hold some, or of a form without titles."""
    table = piece.lines[0].table
    if table is not None:
        groups = found[table].fields
        return (
            list(groups[0].pairs) if len(groups) == 1 and not (groups[0].title or found[table].title) else []
        )
    if piece.kind != "paragraph" or any(line.column < 0 for line in piece.lines):
        return []
    each = [pairs_in(line.text) for line in piece.lines]
    return [pair for pairs in each for pair in pairs] if all(each) else []


def pairs_in(text: str) -> Pairs:
    """Return the fields on a line, none where something else stands on it."""
    pairs: Pairs = []
    for part in text.strip().split(_GAP):
        match = _LABELLED.match(part.strip())
        if match and len(match["label"].split()) <= _MOST_LABEL_WORDS and not match["label"][0].islower():
            pairs.append((match["label"], match["value"] or ""))
        elif not pairs:
            return []
        else:
            label, value = pairs[-1]
            pairs[-1] = (label, f"{value} {part.strip()}".strip())
    plain = all(len(value) <= _LONGEST_VALUE and not _SENTENCE.match(value) for _, value in pairs)
    return pairs if plain else []
