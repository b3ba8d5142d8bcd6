"""YAML: read as data, never as objects; the tree becomes headed text and tables."""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.domain import Parsed
from core.errors import LimitExceeded
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.source import text_of
from core.ingest.parsers.text import read_prose
from core.ingest.parsers.trees.json_records import read_value
from core.ingest.parsers.trees.tree_line_numbers import YamlPlace

_MAX_VALUES = 1_000_000  # values, aliases followed
_MAX_DEPTH = 200  # values within values
_NESTING = re.compile(r"^[ \t?:-]*", re.M)  # what a line may nest by: its indent, and entries on one line
_NARROWED = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_PLAIN_VALUES = (
    (_NARROWED[0], re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF")),
    (_NARROWED[1], re.compile(r"(?:0|[-+]?[1-9]\d*|0x[0-9a-fA-F]+)\Z"), list("-+0123456789")),
    (
        _NARROWED[2],
        re.compile(r"[-+]?(?:\.\d+|(?:0|[1-9]\d*)(?:\.\d*)?)(?:[eE][-+]?\d+)?\Z"),
        list("-+.0123456789"),
    ),
)


@dataclass(frozen=True)
class YamlParser:
    """Reads .yaml; one that is not well-formed is kept as text, and said."""

    media_types: tuple[str, ...] = ("application/yaml",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        import yaml

        draft = Draft(name, media_type)
        text = text_of(path, draft)
        _refuse_depth(text)
        try:
            documents = list(_documents(_loader()(text), text.split("\n")))
        except (yaml.YAMLError, ValueError) as error:
            draft.skipped.append(
                f"It is not well-formed YAML ({' '.join(str(error).split())[:160]}); it was kept as text."
            )
            read_prose(draft, text.split("\n"))
            return draft.parsed()
        for document, place in documents:
            if _size(document, {}) > _MAX_VALUES:
                raise LimitExceeded(
                    f"{name} unfolds to more than {_MAX_VALUES:,} values through its aliases."
                )
            read_value(draft, _plain(document), place)
        return draft.parsed()


def _refuse_depth(text: str) -> None:
    """Raise RecursionError for a text that nests so deeply that libyaml would end the process."""
    import yaml

    if text.count("{") + text.count("[") + max(map(len, _NESTING.findall(text)), default=0) <= _MAX_DEPTH:
        return  # it cannot
    depth = 0
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > _MAX_DEPTH:
                raise RecursionError
    except yaml.YAMLError:
        return  # the parser reports it


def _documents(loader: Any, lines: list[str]) -> Iterator[tuple[Any, YamlPlace]]:
    """Yield the documents of a file, each with the places of its values."""
    while loader.check_node():
        node = loader.get_node()
        yield loader.construct_document(node), YamlPlace.of(loader, lines, node)


def _loader() -> Any:
    """Return a loader that builds plain values only; unknown tags are dropped, their values kept."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        pass

    def untagged(loader: Any, suffix: str, node: Any) -> Any:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    Loader.add_multi_constructor("", untagged)
    # As YAML 1.2 has it: "yes" and "off" are words, 0755 and 12:30 do not become other numbers.
    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in found if tag not in _NARROWED]
        for first, found in Loader.yaml_implicit_resolvers.items()
    }
    for tag, pattern, firsts in _PLAIN_VALUES:
        Loader.add_implicit_resolver(tag, pattern, firsts)
    return Loader


def _size(value: Any, known: dict[int, int]) -> int:
    """Count the values a tree unfolds to, each shared part once over (aliases make a small file huge)."""
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in known:
        known[id(value)] = _MAX_VALUES + 1  # a value that holds itself
        inner = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_size(item, known) for item in inner)
    return known[id(value)]


def _plain(value: Any) -> Any:
    """Return the tree with string keys and without dates and bytes."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(item) for item in value]
    if isinstance(value, dt.date | dt.datetime):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool | None) else str(value)
