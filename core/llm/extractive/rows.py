"""Says in a sentence what a row of a table says: the column asked for, of the thing the row is about."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.llm.extractive.lexicon import by_stems, in_english, synonyms
from core.llm.extractive.periods import period_words
from core.llm.extractive.query_words import LIMIT, MEANT, TOP
from core.llm.extractive.questions import expected_kind, read
from core.llm.extractive.reading import Line
from core.llm.extractive.spans import cells
from core.text.tokens import content_words, is_cjk, words

MOST = 12  # computed rows that are told
_COMPUTED = re.compile(
    r"^(?P<how>number|average|total|highest|lowest|median|latest|earliest|found)(?: of)? (?P<what>.+)$"
)
_ASKING = re.compile(
    r"\b(?:who|whom|whose|which|what|when|where|why|how)\b|什么|谁|哪|何时|多少|几", re.IGNORECASE
)
_JOINS = re.compile(r"\b(?:and|or)\b|[,;，；、]|和|与|以及|或")
_DAY = re.compile(r"\d{4}-\d{2}(?:-\d{2})?(?: [\d:]+)?")
_YEAR = re.compile(r"(?<![\d-])(?:19|20)\d\d(?![\d-])")
_UNIT = re.compile(r"\s*\[([^\]]+)\]\s*$")
_BARE_NUMBER = re.compile(r"[-−+]?\d+(?:[.,]\d+)*")
_PERIOD = {"from", "to"}
_WHICH = re.compile(
    r"^(?:which|what) (?:[a-z-]+ ){1,2}?(?=(?:had|has|have|raised|shows?|showed|is|was|reached|needed|needs|"
    r"costs?|caused|lost|made|did|uses?|used|takes?|took|produced|ran)\b)",
    re.IGNORECASE,
)
_WHICH_ZH = re.compile(
    r"哪(?:一)?[个台种家条款座些]?(?:设备|机台|产品|供应商|零件|部件|腔体|原因|月份|月|年|批次)?"
)
_HOW_ZH = {
    "number": "数量", "average": "平均值", "total": "总计", "highest": "最高值", "lowest": "最低值",
    "median": "中位数", "latest": "最晚", "earliest": "最早", "found": "",
}  # fmt: skip


class Cell(NamedTuple):
    """A cell of a row: the column's name without its unit, and the value with it."""

    column: str
    value: str


def row_of(text: str) -> list[Cell]:
    """Return the cells of a table row written as text, units moved from the columns to the values."""
    pairs = cells(text)
    if len(pairs) < 2 and not (pairs and _COMPUTED.match(pairs[0][0])):
        return []
    units = {
        name.lower().removesuffix("unit").strip(): value
        for name, value in pairs
        if name.lower().endswith("unit") and not any(char.isdigit() for char in value)
    }
    found = []
    for name, value in pairs:
        match = _UNIT.search(name)
        bare = (name[: match.start()] if match else name).replace("_", " ").strip()
        unit = match.group(1) if match else units.get(bare.lower(), units.get("", ""))
        if not _BARE_NUMBER.fullmatch(value) or unit in value or bare.lower().endswith("unit"):
            unit = ""
        found.append(Cell(bare, f"{value} {unit}".strip()))
    return found


def computed(text: str) -> tuple[Cell, re.Match[str]] | None:
    """Return the cell that a query computed, with how it was computed, None for rows as they stand."""
    for cell in row_of(text):
        match = _COMPUTED.match(cell.column)
        if match is not None:
            return cell, match
    return None


def looked_up(text: str) -> bool:
    """Say whether a row holds a figure as it stands in a table, found by the conditions of a question."""
    found = computed(text)
    return found is not None and found[1]["how"] == "found"


def answers_by_count(question: str, text: str) -> bool:
    """Say whether a computed row keeps to all the codes the question names, so that it may answer it."""
    if computed(text) is None:
        return False
    told = set(words(text))
    years = _YEAR.findall(period_words(question))
    if any(year not in told for year in years) or (
        period_words(question) and not years and "from" not in told
    ):
        return False
    named = read(LIMIT.sub(" ", TOP.sub(" ", question))).names
    codes = [name for name in named if any(c.isdigit() for c in name) and not name.isdigit()]
    return all(set(words(code)) & told for code in codes if code not in period_words(question))


def counted(question: str, lines: Sequence[Line]) -> list[Line]:
    """Return the computed rows that answer the question, in their order; all of one query."""
    meant = " ".join(noun for said, noun in MEANT.items() if said in question.lower())
    asked = frozenset(content_words(f"{question} {meant}"))
    kin = asked.union(*(synonyms(word) for word in asked))
    rows = [
        line
        for line in lines
        if answers_by_count(question, line.text) and not kin.isdisjoint(content_words(line.text))
    ]
    if not rows:
        return []
    rows.sort(key=lambda line: -_named_in(question, line.text))
    heads = [cell.column for cell in row_of(rows[0].text)]  # rows of one query may be cited one by one
    same = [line for line in rows if [cell.column for cell in row_of(line.text)] == heads]
    once = {line.text: line for line in reversed(same)}  # a figure over two tables stands with both
    return sorted(once.values(), key=lambda line: (line.n, line.at))[:MOST]


def counted_whole(question: str, lines: Sequence[Line]) -> list[Line]:
    """Return the computed rows that answer a question that asks one thing and whose names they all say."""
    years, spoken = set(_YEAR.findall(question)), set(_YEAR.findall(period_words(question)))
    if len(_ASKING.findall(question)) > 1 or _JOINS.search(question) or years > spoken:
        return []  # "in 2023 … from 2024": no one figure says both
    return [line for line in counted(question, lines) if _named_in(question, line.text) == 1.0]


def _named_in(question: str, text: str) -> float:
    """Return the share (0 to 1) of the question's names that a row says."""
    names = [name for name in read(question).names if name not in period_words(question)]
    told = set(words(text))
    return sum(bool(set(words(name)) & told) for name in names) / len(names) if names else 1.0


def tell(question: str, text: str) -> str:
    """Return a row as a sentence; anything that is no row comes back as it is."""
    row = row_of(text)
    found = computed(text)
    if found is not None:
        return _tell_computed(question, row, *found)
    if not row:
        return text
    asked = set(content_words(question))
    keys, wanted = _keys(row, asked), _wanted(row, asked, question)
    chinese = is_cjk(question)
    if row[0] in wanted:  # "which lots": the row is one of what is asked for
        keys, wanted = [row[0]], []
    wanted = [cell for cell in wanted if cell not in keys]
    if not keys:
        keys = [cell for cell in row if cell not in wanted][:1]
    subject = _subject(keys)
    rest = [c for c in row if c not in keys and not c.column.lower().endswith("unit")]
    if len(row) == 2 and len(rest) == 1:
        return f"{subject}{'：' if chinese else ': '}{rest[0].value}"
    if not wanted:
        return f"{subject} – {_listed(rest, chinese)}" if rest else subject
    first, *more = wanted
    if expected_kind(question) == "definition":
        more = [cell for cell in rest if cell != first]
    if chinese:
        said = f"{subject}的{_named(first.column)}为{first.value}"
        return said + (f"；{_listed(more, True)}" if more else "")
    told = _lower(first.column)
    if _plural(first.column):
        said = f"{subject}: {first.value} {told}"
    else:
        said = f"The {told} of {subject} is {first.value}"
    return said + (f"; {_listed(more, False)}" if more else "")


def _keys(row: list[Cell], asked: set[str]) -> list[Cell]:
    """Return the cells that say what the row is about: those whose value the question names."""
    named = []
    for cell in row:
        mine = set(content_words(cell.value))
        if mine and len(mine & asked) >= min(2, len(mine)) and not _numeric(cell.value, asked):
            named.append(cell)
    if (
        named
        and row[0] not in named
        and any(char.isdigit() for char in row[0].value)
        and " " not in row[0].value
    ):
        named.append(row[0])
    return sorted(named, key=lambda cell: bool(_BARE_NUMBER.fullmatch(cell.value)))


def _numeric(value: str, asked: set[str]) -> bool:
    return bool(_BARE_NUMBER.fullmatch(value)) and value not in asked


def _wanted(row: list[Cell], asked: set[str], question: str) -> list[Cell]:
    """Return the cells whose column the question names most of, best first."""
    rated = []
    meant = in_english(dict.fromkeys(asked, 1.0))
    named = asked | {word for word, weight in meant.items() if weight > 0.5}
    for at, cell in enumerate(row):
        heads = set(content_words(cell.column))
        direct = len(heads & named)
        kin = sum(1 for head in heads - named if not synonyms(head).isdisjoint(asked))
        share = (direct + 0.7 * kin) / max(1, len(heads))
        if share >= 0.5 and not cell.column.lower().endswith("unit"):
            rated.append((-share, at, cell))
    rated.sort()
    best = rated[0][0] if rated else 0.0
    return [cell for share, _, cell in rated if share <= best + 0.2]


def _subject(keys: list[Cell]) -> str:
    values = list(dict.fromkeys(cell.value for cell in keys))
    codes = [value for value in values[1:] if " " not in value and any(char.isdigit() for char in value)]
    plain = [value for value in values if value not in codes]
    return ", ".join(plain) + (f" ({', '.join(codes)})" if codes else "")


def _listed(row: list[Cell], chinese: bool) -> str:
    colon, comma = ("：", "；") if chinese else (": ", "; ")
    return comma.join(
        f"{_named(cell.column) if chinese else _lower(cell.column)}{colon}{cell.value}" for cell in row
    )


def _lower(name: str) -> str:
    first = name.split(" ")[0]
    return name if first.isupper() and len(first) > 1 else name[:1].lower() + name[1:]


def _named(column: str) -> str:
    """Return the Chinese name of a column, where the dictionary has one."""
    term = by_stems().get(tuple(words(column)))
    return term.chinese[0] if term is not None else column


def _plural(column: str) -> bool:
    first = column.split(" ")[0].lower()
    return first.endswith("s") and not first.endswith(("ss", "us", "is"))


def _tell_computed(question: str, row: list[Cell], cell: Cell, match: re.Match[str]) -> str:
    """Return a computed row in the words of the question: its filters, its period, its figure."""
    chinese = is_cjk(question)
    what, period = _UNIT.sub("", match["what"]), period_words(question)
    at = row.index(cell)
    group = row[at - 1] if at and row[at - 1].value not in period else None
    rest = [c for c in row[at + 1 :] if c.column not in _PERIOD and c.value not in period]
    rest = [c for c in rest if not c.column.lower().endswith("unit")]
    if match["how"] in {"found", "latest", "earliest"}:
        subject = group.value if group is not None else _lower(what)
        return f"{subject} – {_listed([Cell(what, cell.value), *rest], chinese)}"
    about = [c.value for c in rest if not _DAY.fullmatch(c.value)]
    days = [c.value for c in rest if _DAY.fullmatch(c.value)]
    if group is not None:
        pattern = _WHICH_ZH if chinese else _WHICH
        asked = question.rstrip("?？ ")
        said = pattern.sub(lambda _: f"{group.value} " if not chinese else group.value, asked, count=1)
        if said != asked:
            figure = cell.value if what == "entries" or " " in cell.value else f"{cell.value} {what}"
            return f"{said}（{cell.value}）" if chinese else f"{said}: {figure}"
        about = [group.value, *about]
    if chinese:
        name = _HOW_ZH[match["how"]] if match["how"] == "number" else f"{_named(what)}{_HOW_ZH[match['how']]}"
        on = f"（{days[0]}）" if days else ""
        of = f"{'、'.join(about)}的" if about else ""
        return f"{period}{of}{name}为{cell.value}{on}"
    name = f"number of {what}" if match["how"] == "number" else f"{match['how']} {_lower(what)}"
    on = f" ({days[0]})" if days else ""
    of = " for " if match["how"] in {"number", "total"} else " of "
    of += " and ".join(about)
    return f"The {name}{of if about else ''}{' ' + period if period else ''} is {cell.value}{on}"
