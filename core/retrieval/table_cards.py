"""Table schemas for query writing: columns with sample values, and the keys that hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.domain import Column, ColumnCard, KeyCard, Table, TableCard
from core.knowledge.base import KnowledgeBase
from core.retrieval.passage_details import cell_of
from core.text.identifiers import as_words
from core.text.periods import is_year

CONTINUES = "continues "  # how the caption of a table begins that continues the one it names
MAX_SAMPLES = 12  # different values of a text column on its card, beside those the question names
MAX_SAMPLE_CHARACTERS = 80  # characters of a sample value
MOST_KEYED = 50_000  # rows of tables between which keys are looked for
MOST_NUMBERED = 1_000  # different values of a first column that are read to tell whether they number the rows
FEWEST_NUMBERED = 3  # rows from which that can be determined
NUMBER_DIGITS = 4  # digits from which numbers of one length are read as numbers of orders, tickets, parts
_WORD = re.compile(r"[^\W_]{3,}|\d+", re.UNICODE)
_KEY = re.compile(r"id$|key$|code$|nr\.?$|no\.?$|编号$", re.IGNORECASE)


@dataclass(frozen=True)
class TableCards:
    """Makes the cards of tables; values that hold a word of the question come first."""

    knowledge: KnowledgeBase

    def of(self, tables: Sequence[Table], question: str = "") -> tuple[TableCard, ...]:
        """Return the tables' cards, with the keys that hold between tables."""
        titles = {each: self._title_and_file(each) for each in {table.document_id for table in tables}}
        return tuple(
            TableCard(
                name=table.sql_name,
                title=titled(table),
                rows=table.row_count,
                columns=self._columns(table, question),
                document=titles[table.document_id],
                keys=self._keys(table, tables),
                partial=self._partial(table),
                unclear_siblings=self._unclear_siblings(table, tables),
            )
            for table in tables
        )

    def _title_and_file(self, document_id: str) -> str:
        """Return the title of a document and the name of its file."""
        document = self.knowledge.document(document_id)
        return document.title if document.name in document.title else f"{document.title} ({document.name})"

    def _partial(self, table: Table) -> bool:
        """Say whether the table is one page of a longer one: its sums are not those of the whole."""
        tables = self.knowledge.tables(document_id=table.document_id)
        return table.caption.startswith(CONTINUES) or any(
            other.caption == f"{CONTINUES}{table.name}" for other in tables
        )

    def _unclear_siblings(self, table: Table, tables: Sequence[Table]) -> bool:
        """Say whether the document has a table of the same columns that is not among `tables`, or that has
        rows of this one: put together, these would count twice."""
        at_hand = {each.id for each in tables}
        names = [column.name for column in table.columns]
        return any(
            other.id not in at_hand or self._repeats(table, other)
            for other in self.knowledge.tables(document_id=table.document_id)
            if other.id != table.id and [column.name for column in other.columns] == names
        )

    def _repeats(self, table: Table, other: Table) -> bool:
        """Say whether a row is in both tables, or that cannot be determined."""
        types = [[column.type for column in each.columns] for each in (table, other)]
        if types[0] != types[1] or table.row_count + other.row_count > MOST_KEYED:
            return True
        return self.knowledge.share_rows(table, other)

    def _columns(self, table: Table, question: str) -> tuple[ColumnCard, ...]:
        mentioned = self._mentioned(table, question)
        return tuple(
            ColumnCard(
                name=column.name,
                type=column.type,
                unit=column.unit,
                note=column.note,
                **self._extent(table, column),
                numbers_rows=at == 0 and self._numbers_rows(table, column),
                samples=tuple(
                    dict.fromkeys([*mentioned.get(column.name, ()), *self._samples(table, column)])
                ),
            )
            for at, column in enumerate(table.columns)
        )

    def _numbers_rows(self, table: Table, column: Column) -> bool:
        """Say whether a first column of whole numbers without a unit gives each row another one, as those of
        orders do: all of one length, or counted up from the first row."""
        if column.type != "integer" or column.unit or len(table.columns) < 2:
            return False
        values = self.knowledge.samples(table, column.name, MOST_NUMBERED)
        found = [value for value in values if isinstance(value, int)]
        if len(found) < max(FEWEST_NUMBERED, min(table.row_count, MOST_NUMBERED)) or min(found) < 0:
            return False
        if all(is_year(str(value)) for value in found):
            return False
        lengths = {len(str(value)) for value in found}
        alike = len(lengths) == 1 and min(lengths) >= NUMBER_DIGITS
        return alike or all(after == before + 1 for before, after in pairwise(found))

    def _extent(self, table: Table, column: Column) -> dict[str, str]:
        """Return the earliest and the latest of a column of days or times."""
        if column.type not in ("date", "datetime"):
            return {}
        first, last = self.knowledge.extent(table, column.name)
        return {"first": text_of(first), "last": text_of(last)}

    def _samples(self, table: Table, column: Column) -> list[str]:
        """Return different values of the column: many of a text column, since a question names them."""
        found = self.knowledge.samples(table, column.name, MAX_SAMPLES if column.type == "text" else 3)
        return [text_of(value)[:MAX_SAMPLE_CHARACTERS] for value in found]

    def _mentioned(self, table: Table, question: str) -> dict[str, list[str]]:
        """Return the values of text columns that hold a word of the question, by column."""
        texts = [column.name for column in table.columns if column.type == "text"]
        asked = list(dict.fromkeys(word.lower() for word in _WORD.findall(question[:1000])))[:24]
        return self.knowledge.values_with(table, texts, asked)

    def _keys(self, table: Table, tables: Sequence[Table]) -> tuple[KeyCard, ...]:
        """Return which columns of the table are keys of another: every value stands there, once. Between
        documents both are called alike, by more than "ID"."""
        found: list[KeyCard] = []
        for other in (each for each in tables if each.id != table.id):
            if table.row_count + other.row_count > MOST_KEYED or not other.row_count:
                continue
            for mine in (c for c in table.columns if _KEY.search(c.name)):
                for theirs in (c for c in other.columns if _KEY.search(c.name) and c.type == mine.type):
                    if table.document_id != other.document_id and not _alike(mine, theirs):
                        continue
                    same = mine.name.casefold() == theirs.name.casefold()
                    own_key = same and mine is table.columns[0] and not _alike(mine, theirs)
                    if not own_key and self.knowledge.refers(table, mine.name, other, theirs.name):
                        found.append(KeyCard(column=mine.name, table=other.sql_name, other=theirs.name))
        return tuple(found)


def _alike(one: Column, other: Column) -> bool:
    """Say whether two columns have the same name of several words: "Station ID"."""
    words = as_words(one.name).casefold().split()
    return len(words) > 1 and words == as_words(other.name).casefold().split()


def titled(table: Table) -> str:
    """Return the name and the caption, once where one says what the other says."""
    in_name = not table.caption or table.caption in table.name
    return re.sub(r"\s+", " ", table.name if in_name else f"{table.name}, {table.caption}")


def text_of(value: object) -> str:
    """Return a cell as a reader would write it: no time on a date, no tail of binary fractions."""
    cell = cell_of(value)
    return "" if cell is None else f"{cell:.10g}" if isinstance(cell, float) else str(cell)
