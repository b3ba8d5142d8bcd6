"""A table that fits a question, and what its column, rows and time mean."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain import Column, Table
from core.text.sql_quoting import quoted, quoted_text
from core.text.word_lists import word_file, word_list

_FLOW = re.compile(
    r"scrap|start|count|number|units?|sold|sales|cost|alarms?|wafers|output|produced|报废|产量|数|费用|成本",
    re.I,
)
_STOCK = re.compile(r"stock|inventory|balance|since|cumulat|backlog|库存|余额|累计", re.IGNORECASE)
_COLUMN_END = word_file("units")["column_end"]
_UNIT_IN_NAME = re.compile(rf"(?P<name>.+)[_ ](?P<unit>{_COLUMN_END})")
_FLOW_UNITS = word_list("units", "flow")


@dataclass(frozen=True)
class SeriesLink:
    """A table that fits a question: its time columns, value column and filters, and how well it fits."""

    table: Table
    time: tuple[Column, ...]
    value: Column | None  # None: rows are counted
    filters: tuple[tuple[Column, tuple[str, ...]], ...]
    score: float
    vague: bool = False  # the question names the quantity by the table's name too
    year: str = ""  # of a table whose time column names only quarters or months

    def entity(self) -> str:
        return ", ".join(value for _, values in self.filters for value in values)

    def name(self) -> str:
        """Name the quantity: the column without its unit, and the table if the question names that too."""
        if self.value is None:
            return self.table.name
        found = _UNIT_IN_NAME.fullmatch(self.value.name)
        name = (found["name"] if found else self.value.name).replace("_", " ").strip()
        return f"{name} ({self.table.name})" if self.vague else name

    def unit(self) -> str:
        """Return the column's unit, also where its name ends with it ("helium_leak_sccm")."""
        if self.value is None:
            return ""
        found = _UNIT_IN_NAME.fullmatch(self.value.name)
        unit = self.value.unit or (found["unit"] if found else "")
        return {"C": "°C", "pct": "%", "percent": "%", "um": "µm"}.get(unit, unit)

    def flows(self) -> bool:
        """Say whether values add up over time (counts, costs, hours) rather than being levels."""
        if self.value is None:
            return True
        unit = self.unit()
        if _STOCK.search(self.value.name) or "/" in unit or unit in {"%", "‰"}:
            return False
        return (
            unit in _FLOW_UNITS
            or bool(_FLOW.search(self.value.name))
            or (self.value.type == "integer" and not unit)
        )

    def stock(self) -> bool:
        return self.value is not None and _STOCK.search(self.value.name) is not None

    def sql(self) -> str:
        """Return the query that reads the rows, its values in place: it is shown, never run."""
        return self._select(lambda values: ", ".join(map(quoted_text, values)))

    def query(self) -> tuple[str, tuple[str, ...]]:
        """Return the query that reads the rows and the values that fill its `?`, in order."""
        bound = tuple(value for _, values in self.filters for value in values)
        return self._select(lambda values: ", ".join("?" * len(values))), bound

    def _select(self, listed: Callable[[Sequence[str]], str]) -> str:
        columns = [quoted(c.name) for c in self.time] + ([quoted(self.value.name)] if self.value else [])
        wheres = [f"{quoted(column.name)} IN ({listed(values)})" for column, values in self.filters]
        wheres += [f"{columns[-1]} IS NOT NULL"] if self.value else []
        where = f" WHERE {' AND '.join(wheres)}" if wheres else ""
        return f"SELECT _row, {', '.join(columns)} FROM {quoted(self.table.sql_name)}{where} ORDER BY _row"
