"""Two tables that a key joins, as one: a question asks of it as of any other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain import ColumnCard, KeyCard, TableCard
from core.llm.builtin.answer.lists import asks_list
from core.llm.builtin.answer.parsed_question import ParsedQuestion, sought
from core.llm.builtin.tables.linking import called, head_of
from core.llm.builtin.tables.sql_parts import FUNCTIONS, TableSelect
from core.text.sql_quoting import quoted

_NAMES = re.compile(r"name|title|名", re.IGNORECASE)
_COMPUTES = re.compile(r"\b(?:count|rank|sum|avg|median)\(")
_NAME_PARTS = [re.compile(rf"(?:{part}).*name", re.IGNORECASE) for part in ("first|given", "last|family|sur")]
MAX_LISTED_ROWS = 12  # rows a look-up may bring


@dataclass(frozen=True)
class JoinedTables:
    """Two tables as one: each row of the first with what the second says of the thing it points to."""

    card: TableCard
    rows: str  # the SQL of its rows
    own: frozenset[str]  # names of the columns of the first
    other: frozenset[str]  # ... of the second
    called: tuple[str, str]  # what the rows of each are
    same: bool  # each row of both is one of the same things, by the first column

    def applies_to(self, parsed: ParsedQuestion) -> bool:
        """Say whether the question is asked of the two together: of one thing with a row in both, of the rows
        of the first by name, or for a row of the second."""
        first, second = self.called
        return (
            self.same
            or any(called(word.key, (first,)) for word in parsed.words)
            or any(called(word.key, (second,)) for word in sought(parsed))
        )

    def select(self, parsed: ParsedQuestion, written: TableSelect) -> TableSelect | None:
        """Return the query that was written over the card, over the two tables; None where it needs one of
        them only, would count what the second says once for each row of the first, or would list things:
        those to which no row points would lack."""
        if asks_list(parsed) and not _COMPUTES.search(written.sql):
            return None
        sides = [any(quoted(name) in written.sql for name in names) for names in (self.own, self.other)]
        counted = any(
            f"{function}({quoted(name)})" in written.sql for function in FUNCTIONS for name in self.other
        )
        if counted or not sides[1] or not (sides[0] or "count(" in written.sql):
            return None
        return replace(written, sql=written.sql.replace(quoted(self.card.name), f"({self.rows})"))


def joined_tables(cards: Sequence[TableCard]) -> Iterator[JoinedTables]:
    """Yield the tables that a key joins, two by two. What the rows of the second are called by goes by its
    title, too: "Genre Name"."""
    for card in cards:
        for other in cards:
            key = key_between(card, other.name) if other is not card else None
            if key is None or card.unclear_siblings or other.unclear_siblings:
                continue
            own = frozenset(column.name for column in card.columns)
            added = _joined_columns(other, key.other, own)
            joined = "".join(f", {sql} AS {quoted(column.name)}" for sql, column in added)
            yield JoinedTables(
                card.model_copy(
                    update={
                        "name": f"{card.name}+{other.name}",
                        "columns": (*card.columns, *(column for _, column in added)),
                        "document": f"{card.document} {other.title} {other.document}",
                        "partial": card.partial or other.partial,
                    }
                ),
                f"SELECT a.*{joined} FROM {quoted(card.name)} a "
                f"JOIN {quoted(other.name)} b ON a.{quoted(key.column)} = b.{quoted(key.other)}",
                own,
                frozenset(column.name for _, column in added),
                (head_of(card), head_of(other)),
                (key.column, key.other) == (card.columns[0].name, other.columns[0].name),
            )


def _joined_columns(card: TableCard, key: str, taken: frozenset[str]) -> list[tuple[str, ColumnCard]]:
    """Return the SQL and the column of each thing the second table says: first what its rows are called by,
    which goes by the table's title, too ("Genre Name")."""
    names = _names(card)
    whole = [names[0].model_copy(update={"name": card.title})] if len(names) > 1 else []
    joined = [(_whole_name(names), column) for column in whole]
    for column in card.columns:
        if column.name == key or (whole and column in names):
            continue
        titled = column in names or column.name in taken
        name = f"{card.title} {column.name}" if titled else column.name
        joined.append((f"b.{quoted(column.name)}", column.model_copy(update={"name": name})))
    return [one for one in joined if one[1].name not in taken]


def key_between(card: TableCard, table: str) -> KeyCard | None:
    """Return the key of a table to another: that of the same name, else the only one.

    Small numbers stand in many columns: values alone would join what has nothing to do with each other.
    """
    keys = [key for key in card.keys if key.table == table]
    same = [key for key in keys if key.column.casefold() == key.other.casefold()]
    return same[0] if same else keys[0] if len(keys) == 1 else None


def names_of(card: TableCard) -> str:
    """Return the SQL of what a row is called by."""
    names = _names(card)
    if len(names) > 1:
        return f"{_whole_name(names)} AS {quoted(card.title)}"
    return f"b.{quoted(names[0].name)}" if names else ""


def _whole_name(names: Sequence[ColumnCard]) -> str:
    return f"concat_ws(' ', {', '.join(f'b.{quoted(column.name)}' for column in names)})"


def _names(card: TableCard) -> Sequence[ColumnCard]:
    """Return the columns that say what a row is called: its first and last name, else its name or title, else
    its only column of texts."""
    texts = [column for column in card.columns if column.type == "text"]
    parts = [next((c for c in texts if pattern.search(c.name)), None) for pattern in _NAME_PARTS]
    if all(parts):
        return [part for part in parts if part is not None]
    named = [column for column in texts if _NAMES.search(column.name)]
    return named[:1] or (texts if len(texts) == 1 else [])
