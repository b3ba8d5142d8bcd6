"""JSON and JSON lines: passages become sections, records become tables, trees become headed text."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.domain import Location, Parsed
from core.errors import ParseError
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.source import text_of
from core.ingest.parsers.tabular import rows_of_records

_TITLES = ("title", "heading", "headline", "name")
_TEXTS = ("text", "content", "body", "contents", "passage", "abstract")
_DEEPEST = 6
_FLAT_DEPTH = 3
_LONG = 200  # characters; records with a longer text are passages, not rows
Record = dict[str, Any]


@dataclass(frozen=True)
class JsonParser:
    """Reads .json and .jsonl. A passage {title, text} becomes a section located by its line."""

    media_types: tuple[str, ...] = ("application/json", "application/x-ndjson")

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        text = text_of(path, name)
        if media_type == "application/x-ndjson":
            read_lines(draft, text)
        else:
            read_value(draft, _loaded(text, name))
        return draft.parsed()


def read_lines(draft: Draft, text: str) -> None:
    """Put the records of JSON lines into the draft; a line that is no record is said, not lost."""
    records: list[tuple[int, Record]] = []
    for number, line in enumerate(text.split("\n")):
        if not line.strip():
            continue
        value = _line(line)
        if isinstance(value, dict):
            records.append((number, value))
        else:
            draft.skipped.append(f"Line {number + 1} is not a JSON record.")
            draft.paragraph(line, Location(lines=(number, number)))
    _records(draft, records, lines=True)


def read_value(draft: Draft, value: Any) -> None:
    """Put a JSON value into the draft; its own title, else the file's name, is what it is called."""
    named = value if isinstance(value, dict) else {}
    own = next((named[key] for key in _TITLES if isinstance(named.get(key), str)), "")
    draft.title = draft.title or own[:200] or Path(draft.name).stem
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        _records(draft, list(enumerate(value)), lines=False)
    else:
        _tree(draft, value, 1)


def _line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _loaded(text: str, name: str) -> Any:
    try:
        return json.loads(text.lstrip("\ufeff"))
    except RecursionError as error:
        raise ParseError(f"{name} is nested too deeply.") from error
    except ValueError as error:
        raise ParseError(
            f"{name} is not valid JSON: {error}.", hint="Mend the JSON at that line and add it again."
        ) from error


def _records(draft: Draft, records: Sequence[tuple[int, Record]], *, lines: bool) -> None:
    if not records:
        return
    keys = _passage_keys([record for _, record in records[:500]])
    if keys is not None:
        _passages(draft, records, keys, lines=lines)
        return
    flat = [dict(_flat(record)) for _, record in records]
    place = Location(rows=(0, len(records) - 1))
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
    return (title, text) if average >= _LONG else None


def _joined(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _passages(
    draft: Draft, records: Sequence[tuple[int, Record]], keys: tuple[str, str], *, lines: bool
) -> None:
    title_key, text_key = keys
    for number, record in records:
        place = Location(lines=(number, number)) if lines else Location(rows=(number, number))
        text = _joined(record.get(text_key))
        title = str(record.get(title_key) or record.get("id") or f"Record {number + 1}")
        draft.heading(title, 1, place)
        draft.paragraph(text, place)
        rest = [(k, v) for k, v in record.items() if k not in (title_key, text_key, "id", "_id", "url")]
        if rest:
            said = "; ".join(
                f"{key}: {_scalar(value)}" for key, value in _flat(dict(rest)) if value not in (None, "")
            )
            draft.paragraph(said, place)
        if record.get("url"):
            draft.blocks[-1] = draft.blocks[-1].model_copy(update={"links": (str(record["url"]),)})


def _flat(record: Record, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the record's fields, nested ones under dotted names."""
    for key, value in record.items():
        if isinstance(value, dict) and depth < _FLAT_DEPTH:
            yield from _flat(value, f"{prefix}{key}.", depth + 1)
        else:
            yield f"{prefix}{key}", _scalar(value) if isinstance(value, dict | list) else value


def _scalar(value: Any) -> str:
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tree(draft: Draft, value: Any, level: int) -> None:
    """Read a tree: plain fields as one paragraph, what holds more under a heading of its own."""
    if not isinstance(value, dict | list) or level > _DEEPEST:
        draft.paragraph(_scalar(value))
        return
    pairs: Iterable[tuple[str, Any]] = (
        value.items() if isinstance(value, dict) else [("", item) for item in value]
    )
    plain: list[str] = []
    nested: list[tuple[str, Any]] = []
    for key, item in pairs:
        small = (
            not isinstance(item, dict | list)
            or not item
            or (isinstance(item, list) and not _holds_more(item))
        )
        if small:
            plain.append(f"{key}: {_scalar(item)}" if key else _scalar(item))
        else:
            nested.append((key, item))
    draft.paragraph("\n".join(plain))
    for key, item in nested:
        if key:
            draft.heading(key, level)
        if isinstance(item, list) and all(isinstance(entry, dict) for entry in item) and len(item) > 1:
            flat = [dict(_flat(entry)) for entry in item]
            draft.rows(key or Path(draft.name).stem, rows_of_records(flat), header=1)
        else:
            _tree(draft, item, level + 1)


def _holds_more(items: Sequence[Any]) -> bool:
    return any(isinstance(item, dict | list) for item in items)
