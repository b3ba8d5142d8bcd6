"""The grammar of KLARF 1.8: records within records, fields, and lists with typed columns."""

import re
from dataclasses import dataclass, field

from core.errors import DamagedFile, LimitExceeded

_TOKEN = re.compile(r'"[^"]*"|[{},;]|[^\s{},;"]+')
_MAX_DEPTH = 50


@dataclass
class Lists:
    """One list: column names, rows, and the rows that have not as many fields."""

    name: str
    columns: list[str]
    rows: list[list[object]]
    wrong: list[str]


@dataclass
class Record:
    """A record with its fields, lists and inner records."""

    kind: str
    label: str
    fields: dict[str, str] = field(default_factory=dict)
    lists: list[Lists] = field(default_factory=list)
    inner: list["Record"] = field(default_factory=list)


def read_record(text: str, name: str) -> Record:
    """Return the file's outermost record. Raises DamagedFile where the grammar is broken."""
    return _RecordParser(_TOKEN.findall(text), name).record(0)


class _RecordParser:
    def __init__(self, tokens: list[str], name: str) -> None:
        self.tokens = tokens
        self.name = name
        self.at = 0

    def _next(self) -> str:
        if self.at >= len(self.tokens):
            raise DamagedFile(f"{self.name} breaks off in the middle of a record.")
        self.at += 1
        return self.tokens[self.at - 1]

    def _expect(self, wanted: str) -> None:
        found = self._next()
        if found != wanted:
            raise DamagedFile(f"{self.name} is no valid KLARF: “{wanted}” expected, “{found[:40]}” found.")

    def record(self, depth: int) -> Record:
        if depth > _MAX_DEPTH:
            raise LimitExceeded(f"{self.name} is nested too deeply.")
        self._expect("Record")
        made = Record(self._next(), "")
        if (word := self._next()) != "{":
            made.label = word.strip('"')
            self._expect("{")
        while (word := self._next()) != "}":
            if word == "Record":
                self.at -= 1
                made.inner.append(self.record(depth + 1))
            elif word == "Field":
                key, _ = self._next(), self._next()
                made.fields[key] = " ".join(value for value in self._braced() if value)
            elif word == "List":
                made.lists.append(self._list())
            else:
                raise DamagedFile(
                    f"{self.name} is no valid KLARF: “{word[:40]}” stands where a field was expected."
                )
        return made

    def _braced(self) -> list[str]:
        """Return the values between braces, commas dropped."""
        self._expect("{")
        values = []
        while (word := self._next()) != "}":
            if word != ",":
                values.append(word.strip('"'))
        return values

    def _list(self) -> Lists:
        made = Lists(self._next(), [], [], [])
        self._expect("{")
        while (word := self._next()) != "}":
            if word == "Columns":
                self._next()
                made.columns = self._braced()[1::2]  # type and name in turn
            elif word == "Data":
                self._next()
                self._rows(made)
        return made

    def _rows(self, made: Lists) -> None:
        self._expect("{")
        row: list[object] = []
        while (word := self._next()) != "}":
            if word == "Images":
                row.append(f"{self._next()} images: {' '.join(self._braced())}")
            elif word == ";":
                if len(row) == len(made.columns):
                    made.rows.append(row)
                elif row:
                    made.wrong.append(" ".join(map(str, row)))
                row = []
            elif word != ",":
                row.append(None if word in ("NA", "N") else word.strip('"'))
