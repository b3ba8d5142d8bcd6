"""Two tables that a key joins, as one: a question asks of it as of any other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain import KeyCard, TableCard
from core.llm.builtin.tables.sql_parts import FUNCTIONS, TableSelect
from core.text.sql_quoting import quoted

_NAMES = re.compile(r"name|title|名", re.IGNORECASE)
MAX_LISTED_ROWS = 12  # rows a look-up may bring


@dataclass(frozen=True)
class JoinedTables:
    """Two tables as one: each row of the first with what the second says of the thing it points to."""

    card: TableCard
    rows: str  # the SQL of its rows
    own: frozenset[str]  # names of the columns of the first
    other: frozenset[str]  # ... of the second

    def select(self, written: TableSelect) -> TableSelect | None:
        """Return the query that was written over the card, over the two tables; None where it needs one of
        them only, or would count what the second says once for each row of the first."""
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
            added = {
                column.name: f"{other.title} {column.name}"
                if column.name in own or _NAMES.search(column.name)
                else column.name
                for column in other.columns
                if column.name != key.other
            }
            columns = [
                column.model_copy(update={"name": added[column.name]})
                for column in other.columns
                if column.name in added
            ]
            told = ", ".join(f"b.{quoted(name)} AS {quoted(called)}" for name, called in added.items())
            yield JoinedTables(
                card.model_copy(
                    update={
                        "name": f"{card.name}+{other.name}",
                        "columns": (*card.columns, *columns),
                        "document": f"{card.document} {other.title} {other.document}",
                        "partial": card.partial or other.partial,
                    }
                ),
                f"SELECT a.*{', ' if told else ''}{told} FROM {quoted(card.name)} a "
                f"JOIN {quoted(other.name)} b ON a.{quoted(key.column)} = b.{quoted(key.other)}",
                own,
                frozenset(added.values()),
            )


def key_between(card: TableCard, table: str) -> KeyCard | None:
    """Return the key of a table to another: that of the same name, else the only one.

    Small numbers stand in many columns: values alone would join what has nothing to do with each other.
    """
    keys = [key for key in card.keys if key.table == table]
    same = [key for key in keys if key.column.casefold() == key.other.casefold()]
    return same[0] if same else keys[0] if len(keys) == 1 else None


def names_of(card: TableCard) -> str:
    """Return the SQL of what a row is called: first and last name as one, else its columns of names, else its
    only column of texts."""
    texts = [column for column in card.columns if column.type == "text"]
    named = [column for column in texts if _NAMES.search(column.name)]
    named = named or (texts if len(texts) == 1 else [])
    first = next((c for c in named if re.search(r"first|given", c.name, re.IGNORECASE)), None)
    last = next((c for c in named if re.search(r"last|family|sur", c.name, re.IGNORECASE)), None)
    if first is not None and last is not None:
        return f"concat_ws(' ', b.{quoted(first.name)}, b.{quoted(last.name)}) AS {quoted(card.title)}"
    return ", ".join(f"b.{quoted(c.name)}" for c in named[:2])
