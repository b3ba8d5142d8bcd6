"""Checks the column names of a query's result: a model may choose a misleading alias.

An alias stands only where all its words are words of the question, of the tables or of arithmetic, and where
it is no other column's name. Else the column has its own name, or that of what it is computed from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.domain import Column, Table
from core.knowledge.stores.documents.catalog_queries import TracedResult
from core.knowledge.stores.typed_tables.query_lineage import Kind, Lineage
from core.text.tokens import content_words

ROW = "_row"  # the column that numbers a table's rows
_ARITHMETIC = """
    n count counts number times total sum amount quantity average mean avg median min minimum max
    maximum highest lowest best worst largest smallest first last earliest latest top share percent
    percentage pct proportion rate ratio difference diff delta change growth increase decrease
    deviation stddev variance correlation rank row rows group value values result list all unique
    duration distinct per year quarter month week day hour minute second days hours minutes seconds months
    years date time name label 数量 总数 总计 合计 总和 平均 平均值 中位数 最大 最小 最高 最低 占比
    比例 百分比 差 差值 变化 增长 次数 年 月 日 名称
"""


@lru_cache(maxsize=1)
def _arithmetic() -> frozenset[str]:
    return frozenset(content_words(_ARITHMETIC))  # not at import: it loads dictionaries


@dataclass(frozen=True)
class ResultNames:
    """Names the columns of results for a question; `question` is its text with the library's words for it."""

    question: str

    def columns(self, result: TracedResult) -> tuple[Column, ...]:
        """Return the columns of a result as a reader is shown them."""
        by_table = {
            table.sql_name: {column.name: column for column in table.columns} for table in result.tables
        }
        known = {word for table in result.tables for word in _words_of(table)}
        known |= set(content_words(self.question)) | _arithmetic()
        names = {name.casefold() for columns in by_table.values() for name in columns}
        shown = []
        for alias, traced in zip(map(str, result.frame.columns), result.columns, strict=True):
            copied = traced.copied and by_table[traced.copied.table].get(traced.copied.column)
            misleading = alias.casefold() in names and not _is_of(traced, alias)
            if not misleading and (words := content_words(alias)) and known.issuperset(words):
                shown.append(_column_as(alias, traced, copied, by_table))
            else:
                shown.append(copied or Column(name=_computed(traced)))
        return tuple(shown)


def row_column(result: TracedResult) -> int | None:
    """Return the place of the column that says which row of the one table each row of the result shows.

    It is the table's own number of the row, and all other columns come from that same row.
    """
    place = next((at for at, name in enumerate(result.frame.columns) if str(name).casefold() == ROW), None)
    if place is None or (copied := result.columns[place].copied) is None or copied.column != ROW:
        return None
    places = {origin.place for traced in result.columns for origin in traced.origins}
    return place if places == {copied.place} and len(result.tables) == 1 else None


def _words_of(table: Table) -> Sequence[str]:
    columns = " ".join(f"{column.name} {column.note} {column.unit}" for column in table.columns)
    return content_words(f"{table.called()} {table.name} {table.sql_name} {columns}")


def _is_of(traced: Lineage, name: str) -> bool:
    """Say whether a value is computed from columns of this name only, and is not a count of them."""
    named = {origin.column.casefold() for origin in traced.origins}
    return named == {name.casefold()} and traced.operation != "condition"


def _column_as(
    alias: str, traced: Lineage, copied: Column | None, by_table: dict[str, dict[str, Column]]
) -> Column:
    if copied is not None:
        return copied.model_copy(update={"name": alias})
    own = [
        by_table[o.table][o.column]
        for o in traced.origins
        if o.column.casefold() == alias.casefold() and o.column != ROW
    ]
    return own[0].model_copy(update={"name": alias}) if own else Column(name=alias)


def _computed(traced: Lineage) -> str:
    columns = ", ".join(dict.fromkeys(origin.column for origin in traced.origins)) or "*"
    return f"{traced.operation or 'value'}({columns})" if traced.kind is not Kind.NULL else columns
