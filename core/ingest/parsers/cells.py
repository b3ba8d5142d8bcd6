"""The cells of a column: which type they share, and their values in it."""

import datetime as dt
import math
import re
from calendar import month_abbr
from collections.abc import Callable, Sequence
from typing import Literal

from core.domain import Cell
from core.ingest.decoding import clean

Kind = Literal["text", "integer", "real", "boolean", "date", "datetime"]
_NOTHING = frozenset(
    {"", "-", "–", "—", "--", "n/a", "na", "n.a.", "null", "none", "nan", "#n/a", "\\n", "?", "."}
    | {
        "(x)",
        "(na)",
        "(d)",
        "(s)",
        "(z)",
    }  # statistical offices: not applicable, withheld
)
_BOOLEANS = {"true": True, "false": False, "yes": True, "no": False}
_NUMBER = re.compile(r"[-+−]?((\d+|\d{1,3}(,\d{3})+)(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_USUAL = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(\.[0-9]+)?")  # what most cells with numbers hold
_THOUSANDS = re.compile(r"[-+−]?\d{1,3}(,\d{3})+")
_COMMA_NUMBER = re.compile(r"[-+−]?(\d+|\d{1,3}([. ]\d{3})+),\d+")
_CODE = re.compile(r"[-+]?0\d")
_MONEY = re.compile(r"^(?P<before>[$€£¥₹])?\s?(?P<number>[^$€£¥₹%]+?)\s?(?P<after>%|％|[$€£¥₹])?$")
_MAX_INTEGER = 2**63
_MONTHS = {name.lower(): number for number, name in enumerate(month_abbr)}
_MONTH = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])")
_MIN_COUNTED_MONTHS = 4
_OF_MONTHS = re.compile(
    r"\b(?:year ?months?|months?|periods?|yyyy ?mm|ym|mes|mois|monat|mese|mês)\b"
    r"|\b(?:per[ií]odo|période|periode)\b|年月|月份|月次|期间|期間|연월|년월|기간",
    re.I,
)  # names of columns that hold months
_OF_DATES = re.compile(r"\bdates?\b|日期", re.I)
_DAY = re.compile(r"\d\d(?:0[1-9]|1[0-2])\d\d")  # 200512 may be the 12th of May 2020, too
_ISO = re.compile(r"(\d{4})[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?")
_CLOCK = re.compile(r"[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?")
_NUMERIC_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_WORD_DATE = re.compile(r"(?:(\d{1,2})[ -])?([A-Za-z]{3})[a-z]*\.?[ -](?:(\d{1,2}), )?(\d{4})")


def plain(value: object) -> Cell:
    """Convert a cell from a library's type to ours; dates become ISO text."""
    if isinstance(value, str):
        return value if value.isprintable() and " " not in value else " ".join(clean(value).split())
    if value is None or isinstance(value, bool | int):
        return None if isinstance(value, int) and abs(value) >= _MAX_INTEGER else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dt.datetime):
        midnight = value.time() == dt.time() and value.tzinfo is None
        return value.date().isoformat() if midnight else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return " ".join(clean(str(value)).split())


def typed(cells: Sequence[Cell]) -> tuple[Kind, list[Cell], str]:
    """Return the narrowest type all cells fit, their values in it, and the unit they carry ("%", "$")."""
    present = [
        cell for cell in cells if not (cell is None or (isinstance(cell, str) and cell.lower() in _NOTHING))
    ]
    if not present:
        return "text", [None if cell == "" else cell for cell in cells], ""
    native = _native(present)
    if native:
        return (
            native,
            [
                float(cell) if native == "real" and isinstance(cell, int) else cell
                for cell in map(_filled, cells)
            ],
            "",
        )
    texts = [str(cell).strip() for cell in present]
    for read in (_booleans, _dates, _numbers):
        found = read(texts)
        if found is not None:
            kind, values, unit = found
            ready = iter(values)
            missing = [cell is None or str(cell).lower() in _NOTHING for cell in cells]
            return kind, [None if is_missing else next(ready) for is_missing in missing], unit
    return "text", [None if cell is None or cell == "" else str(cell) for cell in cells], ""


def months_of(name: str, cells: Sequence[Cell]) -> list[Cell] | None:
    """Return whole numbers that write months as 200512 as the first days of these months.

    None where one is no such month, and where neither the column's name says that it holds times nor its
    values count months on from one year to the next: a code may look the same.
    """
    numbers = {cell for cell in cells if cell is not None}
    if not numbers or not all(_MONTH.fullmatch(str(number)) for number in numbers):
        return None
    count = sorted(12 * (int(str(number)) // 100) + int(str(number)) % 100 - 1 for number in numbers)
    counted = len(count) >= _MIN_COUNTED_MONTHS and count == list(range(count[0], count[0] + len(count)))
    counted = counted and count[0] // 12 < count[-1] // 12
    called = name.replace("_", " ")
    dated = _OF_DATES.search(called) and not all(_DAY.fullmatch(str(number)) for number in numbers)
    if not (counted or dated or _OF_MONTHS.search(called)):
        return None
    return [None if cell is None else f"{str(cell)[:4]}-{str(cell)[4:]}-01" for cell in cells]


def is_number(text: str) -> bool:
    """Say whether the text reads as one number, with or without thousands, currency or percent."""
    return _number(text.strip()) is not None


def is_filled(cell: Cell) -> bool:
    """Say whether a cell holds anything: a value, or text that is not empty."""
    return cell not in (None, "")


def contains_number(cell: Cell) -> bool:
    """Say whether a cell holds a number as such, not one written as text."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _filled(cell: Cell) -> Cell:
    return None if isinstance(cell, str) else cell


def _native(cells: Sequence[Cell]) -> Kind | None:
    if all(isinstance(cell, bool) for cell in cells):
        return "boolean"
    if any(isinstance(cell, bool | str) for cell in cells):
        return None
    return "integer" if all(isinstance(cell, int) for cell in cells) else "real"


_Found = tuple[Kind, list[Cell], str] | None


def _booleans(texts: Sequence[str]) -> _Found:
    if texts[0].lower() not in _BOOLEANS:
        return None
    values = [_BOOLEANS.get(text.lower()) for text in texts]
    return ("boolean", list(values), "") if None not in values else None


def _numbers(texts: Sequence[str]) -> _Found:
    comma = any(
        "," in t and _COMMA_NUMBER.fullmatch(t) and not _THOUSANDS.fullmatch(t) for t in texts
    ) and not any(re.search(r"\.\d{1,2}$|\.\d{4,}$", text) for text in texts)
    values: list[Cell] = []
    units: set[str] = set()
    for text in texts:
        found = _number(text, comma=comma)
        if found is None:
            return None
        values.append(found[0])
        units.add(found[1])
    unit = units.pop() if len(units) == 1 else ""
    if units:  # several currencies, or some with a sign and some without, stay as written
        return None
    whole = all(isinstance(value, int) for value in values)
    return ("integer" if whole else "real"), [v if whole or v is None else float(v) for v in values], unit


def _number(text: str, *, comma: bool = False) -> tuple[int | float, str] | None:
    if usual := _USUAL.fullmatch(text):
        return (float(text) if usual[1] else int(text)), ""
    match = _MONEY.match(text)
    if match is None:
        return None
    number, unit = match["number"].strip(), match["before"] or match["after"] or ""
    negative = number.startswith("(") and number.endswith(")")
    number = number.strip("()") if negative else number
    if comma and _COMMA_NUMBER.fullmatch(number):
        number = number.replace(".", "").replace(" ", "").replace(",", ".")
    if not _NUMBER.fullmatch(number) or not any(char.isdigit() for char in number):
        return None
    if _CODE.match(number) and "." not in number:
        return None  # 00123 is an identifier
    number = number.replace(",", "").replace("−", "-")
    value: int | float = float(number) if re.search(r"[.eE]", number) else int(number)
    if not math.isfinite(value) or abs(value) >= _MAX_INTEGER:
        return None
    return (-value if negative else value), unit.replace("％", "%")


def _dates(texts: Sequence[str]) -> _Found:
    if not any(form.match(texts[0]) for form in (_ISO, _NUMERIC_DATE, _WORD_DATE)):
        return None
    order = _order(texts)
    values: list[Cell] = []
    clocks = 0
    for text in texts:
        found = _date(text, order)
        if found is None:
            return None
        values.append(found)
        clocks += " " in found
    kind: Kind = "datetime" if clocks else "date"
    return kind, [v if not clocks or " " in str(v) else f"{v} 00:00:00" for v in values], ""


def _order(texts: Sequence[str]) -> Callable[[int, int], tuple[int, int]] | None:
    """Return how the column orders two figures as (month, day); None where both orders are possible."""
    pairs = [(int(m[1]), int(m[3])) for text in texts if (m := _NUMERIC_DATE.match(text))]
    if any(first > 12 for first, _ in pairs) or any(
        m[2] == "." for t in texts if (m := _NUMERIC_DATE.match(t))
    ):
        return lambda first, second: (second, first)
    if any(second > 12 for _, second in pairs):
        return lambda first, second: (first, second)
    return None


def _date(text: str, order: Callable[[int, int], tuple[int, int]] | None) -> str | None:
    if match := _ISO.match(text):
        year, month, day = int(match[1]), int(match[2]), int(match[3] or 1)
        if match[3] is None and text[4:5] not in "-年/":
            return None
    elif (match := _NUMERIC_DATE.match(text)) and order is not None:
        (month, day), year = order(int(match[1]), int(match[3])), int(match[4])
    elif (match := _WORD_DATE.match(text)) and match[2].lower() in _MONTHS:
        year, month, day = int(match[4]), _MONTHS[match[2].lower()], int(match[1] or match[3] or 1)
    else:
        return None
    return _with_clock(text[match.end() :], year, month, day)


def _with_clock(rest: str, year: int, month: int, day: int) -> str | None:
    try:
        date = dt.date(year, month, day).isoformat()
        if not rest.strip():
            return date
        match = _CLOCK.fullmatch(rest)
        if match is None:
            return None
        clock = dt.time(int(match[1]), int(match[2]), int(match[3] or 0)).isoformat()
    except ValueError:
        return None
    return f"{date} {clock}{(match[4] or '')[:7]}"
