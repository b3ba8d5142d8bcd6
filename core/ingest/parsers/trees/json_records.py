"""JSON and JSON lines: passages become sections, records become tables, trees become headed text."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.domain import Location, Parsed
from core.errors import DamagedFile
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.raw_tables import rows_of_records
from core.ingest.parsers.source import text_of
from core.ingest.parsers.trees.broken_json import repaired_json
from core.ingest.parsers.trees.tree_line_numbers import JsonPlace, Place, Span, at

_TITLES = ("title", "heading", "headline", "name")
_TEXTS = ("text", "content", "body", "contents", "passage", "abstract")
_MAX_DEPTH = 6
_FLAT_DEPTH = 3
_MOST_KEYS = 20  # of a mapping that are names of fields whatever records they are in
_MIN_FILLED = 0.2  # of these fields in all records; fewer are values by which something is filed
_MOST_NAMED = 20  # broken lines
_SPACES = re.compile(r"\s*")
_MAX_VALUE_CHARACTERS = 200  # characters; records with a longer text are passages, not rows
Record = dict[str, Any]


@dataclass(frozen=True)
class JsonParser:
    """Reads .json and .jsonl. A passage {title, text} becomes a section located by its line."""

    media_types: tuple[str, ...] = ("application/json", "application/x-ndjson")

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        text = text_of(path, draft)
        if media_type == "application/x-ndjson":
            read_lines(draft, text)
        else:
            read_whole(draft, text.lstrip("\ufeff"))
        return draft.parsed()


def read_whole(draft: Draft, text: str) -> None:
    """Put one JSON text into the draft: several values after each other, or what parses of a broken one."""
    try:
        try:
            read_value(draft, json.loads(text), JsonPlace.of(text))
        except ValueError as error:
            several = _several(text)
            repaired = None if several else repaired_json(text)
            if several:
                _read_records(draft, several)
            elif repaired is None:
                message = f"{draft.name} is not valid JSON: {error}."
                raise DamagedFile(message, hint="Mend the JSON at that line and add it again.") from error
            else:
                draft.skipped.extend(repaired.notes)
                read_value(draft, repaired.value, JsonPlace.of(repaired.text))
    except RecursionError as error:
        raise DamagedFile(f"{draft.name} is nested too deeply.") from error


def _several(text: str) -> list[tuple[Record, Location]]:
    """Return the records of a text that holds one after the other, none where it is something else."""
    decoder, found, at, line = json.JSONDecoder(), [], 0, 0
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            return []
        if not isinstance(value, dict):
            return []
        last = line + text.count("\n", at, end)
        found.append((value, Location(lines=(line, last))))
        at = _SPACES.match(text, end).end()  # type: ignore[union-attr]
        line = last + text.count("\n", end, at)
    return found if len(found) > 1 else []


def read_lines(draft: Draft, text: str) -> None:
    """Put the records of JSON lines into the draft; a line that is no record is said, not lost."""
    found: list[tuple[Record, Location]] = []
    broken = 0
    for number, line in enumerate(text.split("\n")):
        if not line.strip():
            continue
        value = _line(line)
        if isinstance(value, dict):
            found.append((value, Location(lines=(number, number))))
            continue
        broken += 1
        if broken <= _MOST_NAMED:
            draft.skipped.append(f"Line {number + 1} is not a JSON record.")
        draft.paragraph(line, Location(lines=(number, number)))
    if broken > _MOST_NAMED:
        draft.skipped.append(f"Lines that are no JSON records: {broken}. They were read as text.")
    _read_records(draft, found)


def _read_records(draft: Draft, found: Sequence[tuple[Record, Location]]) -> None:
    records, places = [record for record, _ in found], [place for _, place in found]
    if len(records) > 1:
        draft.title = (
            draft.title or Path(draft.name).stem
        )  # a record's heading is not the name of all of them
    if records and not _passages(draft, records, lambda: places):
        span = (places[0].lines or (0, 0))[0], (places[-1].lines or (0, 0))[1]
        _table(draft, records, span)


def read_value(draft: Draft, value: Any, place: Place) -> None:
    """Put a JSON value into the draft; its own title, else the file's name, is what it is called."""
    named = value if isinstance(value, dict) else {}
    own = next((named[key] for key in _TITLES if isinstance(named.get(key), str)), "")
    draft.title = draft.title or own[:200] or Path(draft.name).stem
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        if not _passages(draft, value, lambda: [at(inner) for inner in place.inside(value)]):
            _table(draft, value, place.lines)
    else:
        _tree(draft, value, 1, place)


def _line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _table(draft: Draft, records: Sequence[Record], lines: Span) -> None:
    flat = _flattened(records)
    place = Location(rows=(0, len(records) - 1), lines=lines)
    draft.rows(Path(draft.name).stem, rows_of_records(flat), location=place, header=1)


def _passage_keys(records: Sequence[Record]) -> tuple[str, str] | None:
    """Return the names of the title and text fields where the records are passages of prose."""
    lower = {key.lower(): key for record in records for key in record}
    title = next((lower[key] for key in _TITLES if key in lower), "")
    text = next((lower[key] for key in _TEXTS if key in lower), "")
    texts = [record.get(text) for record in records if text]
    if not text or not all(isinstance(value, str | list) for value in texts):
        return None
    average = sum(len(_joined(value)) for value in texts) / max(1, len(texts))
    if title and set(lower) <= {"id", "_id", "url", *_TITLES, *_TEXTS}:
        return title, text
    return (title, text) if average >= _MAX_VALUE_CHARACTERS else None


def _joined(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _passages(
    draft: Draft, records: Sequence[Record], places: Callable[[], Sequence[Location]], level: int = 1
) -> bool:
    """Put records that are passages of prose into the draft, False where they are none."""
    keys = _passage_keys(records[:500])
    if keys is None:
        return False
    title_key, text_key = keys
    for number, (record, place) in enumerate(zip(records, places(), strict=True)):
        text = _joined(record.get(text_key))
        title = str(record.get(title_key) or record.get("id") or f"Record {number + 1}")
        draft.heading(title, level, place)
        draft.paragraph(text, place)
        rest = [(k, v) for k, v in record.items() if k not in (title_key, text_key, "id", "_id", "url")]
        if rest:
            rest_text = "; ".join(
                f"{key}: {_scalar(value)}" for key, value in _flat(dict(rest)) if value not in (None, "")
            )
            draft.paragraph(rest_text, place)
        if record.get("url"):
            draft.blocks[-1] = draft.blocks[-1].model_copy(update={"links": (str(record["url"]),)})
    return True


def _flattened(records: Sequence[Record]) -> list[Record]:
    """Return records with the fields of what they hold as their own; what is filed by values, as one."""
    holders: Counter[str] = Counter()
    keys: dict[str, Counter[str]] = {}
    for record in records:
        for path, mapping in _mappings(record):
            holders[path] += 1
            keys.setdefault(path, Counter()).update(mapping.keys())
    filed = frozenset(
        path
        for path, often in keys.items()
        if len(often) > _MOST_KEYS and often.total() < _MIN_FILLED * len(often) * holders[path]
    )
    return [dict(_flat(record, filed=filed)) for record in records]


def _mappings(record: Record, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Record]]:
    """Yield the mappings within a record by their dotted names, as `_flat` goes into them."""
    for key, value in record.items():
        if isinstance(value, dict) and depth < _FLAT_DEPTH:
            yield f"{prefix}{key}", value
            yield from _mappings(value, f"{prefix}{key}.", depth + 1)


def _flat(
    record: Record, prefix: str = "", depth: int = 0, filed: frozenset[str] = frozenset()
) -> Iterator[tuple[str, Any]]:
    """Yield the record's fields, nested ones under dotted names; those `filed` by values as one text."""
    for key, value in record.items():
        if isinstance(value, dict) and f"{prefix}{key}" in filed:
            yield f"{prefix}{key}", "; ".join(f"{name}: {_as_text(item)}" for name, item in value.items())
        elif isinstance(value, dict) and depth < _FLAT_DEPTH:
            yield from _flat(value, f"{prefix}{key}.", depth + 1, filed)
        else:
            yield f"{prefix}{key}", _scalar(value) if isinstance(value, dict | list) else value


def _as_text(value: Any) -> str:
    if not isinstance(value, dict):
        return _scalar(value)
    return ", ".join(f"{key} {_scalar(item)}" for key, item in _flat(value))


def _scalar(value: Any) -> str:
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tree(draft: Draft, value: Any, level: int, place: Place) -> None:
    """Read a tree: plain fields as one paragraph, what holds more under a heading of its own."""
    if not isinstance(value, dict | list) or level > _MAX_DEPTH:
        draft.paragraph(_scalar(value), at(place))
        return
    pairs: Iterable[tuple[str, Any]] = (
        value.items() if isinstance(value, dict) else [("", item) for item in value]
    )
    plain: list[tuple[str, Place]] = []
    nested: list[tuple[str, Any, Place]] = []
    for (key, item), inner in zip(pairs, place.inside(value), strict=True):
        small = (
            not isinstance(item, dict | list) or not item or (isinstance(item, list) and not _has_more(item))
        )
        if small:
            plain.append((f"{key}: {_scalar(item)}" if key else _scalar(item), inner))
        else:
            nested.append((key, item, inner))
    if plain:
        draft.paragraph("\n".join(field_text for field_text, _ in plain), at(*(inner for _, inner in plain)))
    for key, item, inner in nested:
        if key:
            draft.heading(key, level, Location(lines=(inner.lines[0],) * 2))
        if isinstance(item, list) and len(item) > 1 and all(isinstance(each, dict) for each in item):
            _listed(draft, key, item, level + 1, inner)
        else:
            _tree(draft, item, level + 1, inner)


def _listed(draft: Draft, key: str, records: Sequence[Record], level: int, place: Place) -> None:
    """Read the records of a list: passages of prose as sections, others as a table."""
    if not _passages(draft, records, lambda: [at(each) for each in place.inside(records)], level):
        flat = _flattened(records)
        name = key or Path(draft.name).stem
        draft.rows(name, rows_of_records(flat), location=at(place), header=1)


def _has_more(items: Sequence[Any]) -> bool:
    return any(isinstance(item, dict | list) for item in items)
