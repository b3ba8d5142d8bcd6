"""CIM mappings: a small YAML that says what the lines of a machine's file mean.

    name: Etcher sensor log
    match: "etch_*.log"          # one file name pattern or several
    delimiter: ","               # or regex: '^(?P<time>\\S+) (?P<temp>\\S+)$', or fixed: true
    skip: 2                      # lines before the first one
    header: true                 # the first line names the columns
    columns:
      - {source: ts, name: Time, type: datetime, time: true}
      - {source: T1, name: Chuck temperature, type: real, unit: °C}
      - {source: eqp, name: Equipment, entity: equipment}

`source` is a header's name, a group of the regex, or a position counted from 1; in a file of fixed columns
it is the first and last character, "1-8", counted from 1.
"""

import re
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from core.domain import Value
from core.errors import MappingError

_SPAN = re.compile(r"(\d+)\s*-\s*(\d+)")


class _At(ValueError):
    """What is wrong, with the way to the value that is."""

    def __init__(self, text: str, *path: int | str) -> None:
        super().__init__(text)
        self.path = path


class MappedColumn(Value):
    """One column of a mapped file."""

    source: str | int
    name: str = Field(min_length=1)
    type: Literal["text", "integer", "real", "boolean", "date", "datetime"] = "text"
    unit: str = ""
    entity: str = ""  # the kind of thing the column names: equipment, lot, wafer, recipe …
    time: bool = False  # the column that says when

    @field_validator("source")
    @classmethod
    def _counted_from_one(cls, source: str | int) -> str | int:
        if isinstance(source, int) and source < 1:
            raise ValueError("positions are counted from 1")
        return source


class Mapping(Value):
    """A validated mapping."""

    name: str = Field(min_length=1)
    match: tuple[str, ...] = Field(min_length=1)
    delimiter: str = ""
    regex: str = ""
    fixed: bool = False
    skip: int = Field(default=0, ge=0)
    header: bool = False
    comment: str = ""
    columns: tuple[MappedColumn, ...] = Field(min_length=1)

    @field_validator("match", mode="before")
    @classmethod
    def _one_or_several(cls, patterns: Any) -> Any:
        return (patterns,) if isinstance(patterns, str) else patterns

    @field_validator("regex")
    @classmethod
    def _compiles(cls, regex: str) -> str:
        try:
            re.compile(regex)
        except re.error as error:
            raise ValueError(f"no valid regular expression: {error}") from error
        return regex

    @model_validator(mode="after")
    def _one_way_to_cut(self) -> Self:
        layouts = [key for key in ("delimiter", "regex", "fixed") if getattr(self, key)]
        if len(layouts) != 1:
            raise _At("give either a delimiter or a regex, or say fixed: true", *layouts[1:2])
        names: dict[str, int] = {}
        times = [place for place, column in enumerate(self.columns) if column.time]
        if len(times) > 1:
            raise _At("only one column can be the time", "columns", times[1], "time")
        for place, column in enumerate(self.columns):
            if names.setdefault(column.name.lower(), place) != place:
                raise _At("two columns have the same name", "columns", place, "name")
            self._check_source(place, column.source)
        return self

    def _check_source(self, place: int, source: str | int) -> None:
        """Raise _At where a column cannot be found by its source."""
        where = ("columns", place, "source")
        if self.regex and isinstance(source, str) and source not in re.compile(self.regex).groupindex:
            raise _At(f"the regex has no group “{source}”", *where)
        if self.regex and isinstance(source, int) and source > re.compile(self.regex).groups:
            raise _At(f"the regex has no group {source}", *where)
        if self.fixed:
            try:
                span_of(self.columns[place])
            except ValueError as error:
                raise _At(str(error), *where) from error
        elif not self.regex and not self.header and isinstance(source, str):
            raise _At("without a header, `source` must be a position counted from 1", *where)

    def fits(self, name: str) -> bool:
        """Say whether the mapping is for a file of this name."""
        bare = Path(name).name.lower()
        return any(fnmatchcase(bare, pattern.lower()) for pattern in self.match)


def span_of(column: MappedColumn) -> slice:
    """Return the characters of a fixed column. Raises ValueError."""
    match = _SPAN.fullmatch(str(column.source).strip())
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(f"a fixed column is given as “first-last”, such as 1-8, not “{column.source}”")
    return slice(int(match[1]) - 1, int(match[2]))


def load_mapping(text: str, name: str) -> Mapping:
    """Return the mapping in a YAML text. Raises MappingError naming the file and its line."""
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 1
        raise MappingError(f"{name}, line {line}: {error.problem}.") from error
    except (yaml.YAMLError, ValueError) as error:
        raise MappingError(f"{name} is not valid YAML: {error}.") from error
    if not isinstance(data, dict):
        raise MappingError(f"{name}, line 1: a mapping is a list of “key: value” lines.")
    try:
        return Mapping.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        cause = first.get("ctx", {}).get("error")
        path = cause.path if isinstance(cause, _At) else first["loc"]
        reason = _plainly(first["type"], path) or first["msg"].removeprefix("Value error, ")
        reason = reason if reason.endswith("?") else f"{reason}."
        raise MappingError(f"{name}, line {_line(node, path)}: {_place(path)}: {reason}") from error


def _plainly(kind: str, path: tuple[int | str, ...]) -> str:
    """Say in a mapping's own words what pydantic calls by its type; "" for the rest."""
    if kind == "missing":
        return "it is missing"
    if kind != "extra_forbidden":
        return ""
    known = list(MappedColumn.model_fields if path[0] == "columns" else Mapping.model_fields)
    near = get_close_matches(str(path[-1]), known, 1)
    return (
        f"there is no such key; is {near[0]} meant?"
        if near
        else f"there is no such key, only {', '.join(known)}"
    )


def _place(path: tuple[int | str, ...]) -> str:
    """Return where an error is in the mapping's own words: columns are counted from 1."""
    if len(path) > 1 and path[0] == "columns" and isinstance(path[1], int):
        return ", ".join([f"column {path[1] + 1}", *(str(step) for step in path[2:3])])
    return str(path[0]) if path else "the mapping"


def _line(node: Any, path: tuple[int | str, ...]) -> int:
    """Return the 1-based line on which the value at `path` stands, or the nearest one above it."""
    import yaml

    line = int(node.start_mark.line)
    for step in path:
        if isinstance(node, yaml.MappingNode):
            found = next((pair for pair in node.value if pair[0].value == str(step)), None)
            if found is None:
                break
            line, node = int(found[0].start_mark.line), found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = int(node.start_mark.line)
        else:
            break
    return line + 1
