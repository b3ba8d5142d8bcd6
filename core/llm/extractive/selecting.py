"""What a query shows of its rows: what names them, the figure that is asked for, what they keep to."""

import re
from collections.abc import Sequence

from core.llm.extractive import query_words as patterns
from core.llm.extractive.cards import CardColumn, says
from core.llm.extractive.table_reading import Reading, moment
from core.text.tokens import words


def dimension(reading: Reading, pattern: re.Pattern[str]) -> str:
    """Return the SQL of what to group by: a column the words name, or a period of the date column."""
    for match in pattern.finditer(reading.question):
        said = next(group for group in match.groups() if group)
        period = next(
            (
                p
                for w, p in patterns.PERIOD_DIMS.items()
                if said.lower().split(" ")[0] == w or (w in said and not w.isascii())
            ),
            "",
        )
        if period and reading.date is not None:
            shown = {"month": "%Y-%m", "year": "%Y"}.get(period)
            day = moment(reading.date)
            return f"strftime({day}, '{shown}')" if shown else f"date_trunc('{period}', {day})"
        for size in (said, said.split(" ")[0]):
            mine = set(words(size))
            texts = [c for c in reading.card.columns if not c.numeric and says(mine, c.name) >= 0.5]
            if texts:
                return texts[0].sql
    return ""


def joined(reading: Reading) -> bool:
    """Say whether the rows come from several tables and so have no number of their own."""
    return reading.card.sql.startswith("(")


def told(reading: Reading, columns: Sequence[CardColumn | None], name: str) -> str:
    """Return what is selected of a row: its number, what it is about, the figures, the day, the conditions.

    The first figure says by its name why the row is there: "highest Price [EUR]".
    """
    first, *more = [column for column in columns if column is not None]
    unit = f" [{first.unit}]" if first.unit else ""
    label = _label(reading, first, name)
    kept = (c for c in reading.card.columns if any(w.startswith(f"{c.sql} = ") for w in reading.where))
    units = (c for c in reading.card.columns if c.name.lower() in {"unit", "units", "单位"})
    rest = [
        *more,
        *units,
        *(c for c in reading.card.columns if c.name in reading.values),
        *kept,
        reading.date,
    ]
    shown = dict.fromkeys(c.sql for c in rest if c is not None and c is not first and c is not label)
    parts = [] if joined(reading) else ["_row"]
    parts += [label.sql] if label is not None else []
    return ", ".join([*parts, f"{first.sql} AS {quoted(f'{name} {first.name}{unit}')}", *shown])


def _label(reading: Reading, figure: CardColumn, name: str) -> CardColumn | None:
    """Return the column that names a row for this question: what "which" or "when" asks for, else the first
    that is no condition."""
    asked = dimension(reading, patterns.TOP_OF) or dimension(reading, patterns.WHICH)
    if patterns.WHEN.search(reading.question) and reading.date is not None:
        return reading.date if reading.date is not figure else None
    if name == "found" and not reading.limited and reading.values:  # rows that are looked up by a name
        return next(c for c in reading.card.columns if c.name in reading.values)
    texts = [c for c in reading.card.columns if c.type == "text" and c.name not in reading.values]
    named = [c for c in texts if c.sql == asked]
    return next((column for column in (*named, *texts) if column is not figure), None)


def alias_of(reading: Reading, name: str) -> str:
    """Return the quoted name of the figure, in the words a reader would use: "average Yield"."""
    if name == "count" or reading.measure is None:
        counted = reading.counted if reading.counted.isascii() else ""
        return quoted(f"number of {counted or 'entries'}")
    unit = f" [{reading.measure.unit}]" if reading.measure.unit else ""
    return quoted(f"{patterns.CALLED[name]} {reading.measure.name}{unit}")


def dimension_name(dim: str) -> str:
    period = re.match(r"date_trunc\('(\w+)'", dim)
    shown = "month" if "'%Y-%m'" in dim else "year" if "'%Y'" in dim else ""
    return quoted(period.group(1)) if period else quoted(shown) if shown else dim


def context(reading: Reading, dim: str = "") -> list[str]:
    """Return what the figure is about, so that the row says it: the values asked for, the period covered."""
    chosen = [c for c in reading.card.columns if len(reading.values.get(c.name, ())) == 1 and c.sql != dim]
    shown = [f"min({column.sql}) AS {column.sql}" for column in chosen]
    shown += [f"'{_plainly(reading, c)}' AS {quoted(f'limit of {c.name}')}" for c in reading.limited[:1]]
    year = next((w.split(" = ")[0] for w in reading.where if re.fullmatch(r'".*" = \d{4}', w)), "")
    if year:
        shown.append(f"min({year}) AS {year}")
    if reading.date is not None and any(moment(reading.date) in w for w in reading.where):
        day = f"CAST({moment(reading.date)} AS DATE)"
        shown += [f'min({day}) AS "from"', f'max({day}) AS "to"']
    return shown


def _plainly(reading: Reading, column: CardColumn) -> str:
    """Return a limit as a reader would say it: "Weight > 300 kg"."""
    said = next((where for where in reading.where if where.startswith(column.sql)), "")
    return f"{said} {column.unit}".replace('"', "").replace("'", "").strip()


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
