"""Records in XML: elements that repeat become rows, and what stands above them becomes columns.

`<recipe id="B12"><step n="1"><gas name="HBr" unit="sccm">150</gas><gas name="O2">4</gas></step>...</recipe>`
gives a table of steps with the columns "recipe id", "n" and "gas", the gases of a step as one list.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.ingest.parsers.raw_tables import rows_of_records
from core.ingest.parsers.trees.xmlfields import (
    MAX_REPEATED_CHARACTERS,
    MAX_VALUE_CHARACTERS,
    NAMES,
    OTHER_LANGUAGES,
    Fields,
    Shape,
    attributes,
    bare,
    beside_unit,
    own_fields,
    prefixed,
    text_of,
)
from core.ingest.parsers.trees.xmlwords import is_named, spoken
from core.text.tokens import word_set

if TYPE_CHECKING:
    from lxml.etree import _Element

_MIN_ROWS = 3  # rows of a table
_MAX_COLUMNS = 100  # columns
_MAX_NAME_CHARACTERS = 80  # characters
_MIN_DISTINCT = 0.8  # of the records: the share that a name tells apart
_MAX_DEPTH = 5  # elements between a record and what holds all of them
_COLLECTIONS = word_set("list table data dataset database collection records items rows entries root")
_LOOKED_AT = 200  # records by which the shape of the others is judged
_MAX_VALUE_CHARACTERS = 1000  # characters of a value; a longer one is a text


class Rows(NamedTuple):
    """A table of records, header first, and what applies to all of them."""

    name: str
    caption: str
    rows: list[list[object]]


class UntabledElement(NamedTuple):
    """An element that became no row of a table: its own short values, and its children still to be read."""

    element: "_Element"
    fields: Fields
    children: list["_Element"]
    naming: str = ""  # the field that names it


class Records(NamedTuple):
    """The tables under an element and what is left of it and of the elements between, in reading order."""

    tables: list[Rows]
    rest: list[UntabledElement]


class _Holder(NamedTuple):
    """An element that holds records, and the values that hold for all of them."""

    element: "_Element"
    above: Fields


def above(element: "_Element") -> Fields:
    """Return the short attributes of all elements above this one, the outermost first."""
    found: Fields = {}
    for parent in reversed([*element.iterancestors()]):
        for key, value in attributes(parent).items():
            names = key.lower() in NAMES
            if len(value) <= (_MAX_NAME_CHARACTERS if names else MAX_REPEATED_CHARACTERS):
                found[f"{bare(parent.tag)} {key}"] = value
    return found


def is_one_of_many(element: "_Element") -> bool:
    """Say whether elements of the same name stand beside this one."""
    return any(
        next(element.itersiblings(element.tag, preceding=before), None) is not None
        for before in (True, False)
    )


def records(element: "_Element", above: Fields) -> Records | None:
    """Return the records under an element as tables, None where there are none.

    `above` holds the values of the elements above it, said in the caption of every table.
    """
    found = Records([], [])
    _descend([_Holder(element, {})], {**above, **prefixed(element)}, found, 0)
    if not found.tables and not found.rest:
        return None
    order = {id(each): at for at, each in enumerate(element.iter())}
    found.rest.sort(key=lambda rest: order[id(rest.element)])
    return found


def _descend(holders: Sequence[_Holder], above: Fields, found: Records, depth: int) -> None:
    """Take the records under holders of one kind; holders of holders are gone into."""
    used_tags: set[object] = set()
    named: dict[int, Fields] = {}
    naming = _naming([own_fields(holder.element) for holder in holders])
    for tag, members in _children(holders).items():
        often = max(Counter(id(holder.element) for holder, _ in members).values())
        items = [item for _, item in members]
        if often < 2 and depth == 0:
            continue
        if all(map(_is_flat, items[:_LOOKED_AT])):
            rows = _rows(members, above)
            if rows is not None:
                found.tables.append(rows)
                found.rest.extend(_in_other_languages(items))
                used_tags.add(tag)
                _name_all(members, named)
            elif any(is_named(field) for item in items for field in item):
                found.rest.extend(_passages(items))
                used_tags.add(tag)
        elif depth < _MAX_DEPTH and not any(map(_is_mixed, items[:_LOOKED_AT])):
            names = _naming([own_fields(item) for item in items])
            heads = [_head(item) if not names else {} for item in items]
            title = _naming(heads)
            inner = [
                _Holder(item, holder.above | _only(head, title) | prefixed(item, names))
                for (holder, item), head in zip(members, heads, strict=True)
            ]
            deeper = Records(found.tables, [])
            _descend(inner, above, deeper, depth + 1)
            if deeper.rest:
                found.rest.extend(deeper.rest)
                used_tags.add(tag)
    if used_tags:
        for holder in holders:
            left = [
                child for child in holder.element if child.tag not in used_tags and isinstance(child.tag, str)
            ]
            fields = own_fields(holder.element) | named.get(id(holder.element), {})
            found.rest.append(UntabledElement(holder.element, fields, left, naming))


def _passages(items: Sequence["_Element"]) -> Iterator[UntabledElement]:
    """Yield records that are too different to be rows, each with all its fields."""
    shape = Shape(items)
    fields = [dict(shape.fields(item)) for item in items]
    naming = _naming(fields)
    return (
        UntabledElement(item, item_fields, [], naming)
        for item, item_fields in zip(items, fields, strict=True)
    )


def _in_other_languages(items: Sequence["_Element"]) -> Iterator[UntabledElement]:
    """Yield what records say in other languages where that is too long for their rows."""
    naming = _naming([own_fields(item) for item in items])
    for item in items:
        if long := [child for child in item if _is_long_other(bare(child.tag), text_of(child))]:
            yield UntabledElement(item, _only(own_fields(item), naming), long, naming)


def _only(fields: Fields, key: str) -> Fields:
    return {key: fields[key]} if key in fields else {}


def _head(item: "_Element") -> Fields:
    """Return the values of an element's first part that comes once and holds nothing but values."""
    counts = Counter(child.tag for child in item)
    for child in item:
        if len(child) and counts[child.tag] == 1:
            return {f"{bare(item.tag)} {key}": value for key, value in own_fields(child).items()}
    return {}


def _is_long_other(name: str, value: str) -> bool:
    return name.endswith(OTHER_LANGUAGES) and len(value) > MAX_VALUE_CHARACTERS


def _naming(records: Sequence[Fields]) -> str:
    """Return the field that tells records of one kind apart: one of the usual names, else the first in words
    that does."""
    keys = dict.fromkeys(key for fields in records[:_LOOKED_AT] for key in fields)
    usual = [key for name in NAMES for key in keys if key.rsplit(" ", 1)[-1].lower() == name]
    if len(records) > 1:
        for key in (*usual, *keys):
            values = [value for fields in records if (value := fields.get(key))]
            named = [value for value in values if key in usual or any(map(str.isalpha, value))]
            short = all(len(value) <= _MAX_NAME_CHARACTERS for value in values)
            if short and len({*named}) >= _MIN_DISTINCT * len(records):
                return key
    return usual[0] if usual else ""


def _name_all(members: Sequence[tuple[_Holder, "_Element"]], named: dict[int, Fields]) -> None:
    """Note for each holder what its records name in lists: the gases of all steps of a recipe."""
    lists = Shape([item for _, item in members]).listed
    for holder, item in members:
        for child in item if holder.above else ():
            name = next((v for k, v in attributes(child).items() if k.lower() in NAMES), "")
            if name and bare(child.tag) in lists:
                key = f"{bare(child.tag)} in its {bare(item.tag)} records"
                before = named.setdefault(id(holder.element), {}).get(key, "")
                if name not in before.split(", ") and len(before) < MAX_VALUE_CHARACTERS:
                    named[id(holder.element)][key] = f"{before}, {name}" if before else name


def _children(holders: Iterable[_Holder]) -> dict[object, list[tuple[_Holder, "_Element"]]]:
    groups: dict[object, list[tuple[_Holder, _Element]]] = {}
    for holder in holders:
        for child in holder.element:
            if isinstance(child.tag, str):
                groups.setdefault(child.tag, []).append((holder, child))
    return groups


def _is_flat(item: "_Element", deep: int = 2) -> bool:
    """A record: its children are values, or come once and are records of values themselves."""
    if _is_mixed(item) or _contains_rows(item):
        return False
    counts = Counter(child.tag for child in item)
    return all(
        len(child) == 0 or (deep and counts[child.tag] == 1 and _is_plain(child, deep)) for child in item
    )


def _contains_rows(item: "_Element") -> bool:
    """Children that repeat and say several things each are rows of their own, not a list in one."""
    counts = Counter(child.tag for child in item)
    return any(counts[child.tag] > 1 and not text_of(child) and len(beside_unit(child)) > 1 for child in item)


def _is_plain(child: "_Element", deep: int) -> bool:
    counts = Counter(inner.tag for inner in child)
    listed = all(counts[inner.tag] == 1 or not (len(inner) or attributes(inner)) for inner in child)
    return listed and _is_flat(child, deep - 1)


def _is_mixed(item: "_Element") -> bool:
    """Words stand between the children: prose, not a record."""
    return len(item) > 0 and bool(
        (item.text or "").strip() or any((child.tail or "").strip() for child in item)
    )


def _rows(members: Sequence[tuple[_Holder, "_Element"]], above: Fields) -> Rows | None:
    """Return flat records as rows, None where they do not make a table."""
    items = [item for _, item in members]
    if len(items) < _MIN_ROWS:
        return None
    shape = Shape(items)
    own = [
        {key: value for key, value in shape.fields(item) if not _is_long_other(key, value)} for item in items
    ]
    names = {key for fields in own for key in fields}
    if not 2 <= len(names) <= _MAX_COLUMNS or sum(map(len, own)) < 0.3 * len(names) * len(own):
        return None
    if any(len(value) > _MAX_VALUE_CHARACTERS for fields in own for value in fields.values()):
        return None
    parent, tag = members[0][0], bare(items[0].tag)
    container = bare(parent.element.tag)
    # A list's own values ("lots" of "lot") are the file's; a thing's ("wafer" of "die") are each row's.
    of_list = container.lower().startswith(tag.lower()) or container.lower() in _COLLECTIONS
    direct = {} if parent.above or of_list else prefixed(parent.element)
    first = dict.fromkeys(key for holder, _ in members for key in holder.above)  # above stands before own
    joined: list[dict[str, str | None]] = [
        {**first, **holder.above, **direct, **fields}
        for (holder, _), fields in zip(members, own, strict=True)
    ]
    caption = "; ".join(f"{spoken(key)} {value}" for key, value in above.items() if key not in direct)
    titles, *rows = rows_of_records(joined)
    head: list[object] = [spoken(str(name)) for name in titles]
    return Rows(
        spoken(f"{container} {tag}" if parent.above else tag),
        caption,
        [head if len({*head}) == len(head) else titles, *rows],
    )
