"""Forms of INSERT beside VALUES and SELECT: MySQL's SET, Oracle's INSERT ALL."""

from core.domain import Cell
from core.ingest.parsers.sql.expressions import cell, is_expression, parted
from core.ingest.parsers.sql.sql_tokens import Token, tokens_of

_BEHIND_SET = ("on", "as", "returning")
_OF_DUAL = (["select", "*", "from", "dual"], ["select", "1", "from", "dual"])  # one row of nothing


def assigned(text: str, dialect: str) -> tuple[list[str], list[Cell]]:
    """Return the columns and the cells of `a = 1, b = 'x'`; none where something else stands there."""
    columns: list[str] = []
    row: list[Cell] = []
    for assignment in parted(parted([*tokens_of(text, 0, dialect)], *_BEHIND_SET)[0], ","):
        at = next((at for at, token in enumerate(assignment) if token.text == "="), 0)
        name, value = assignment[:at], assignment[at + 1 :]
        if not name or name[-1].kind not in ("name", "quoted") or not is_expression(value):
            return [], []
        columns.append(name[-1].text)
        row.append(cell(value, text[value[0].start : value[-1].end], dialect))
    return columns, row


def inserts_of_all(text: str, dialect: str) -> list[str]:
    """Return the statements that `INSERT ALL INTO a VALUES (...) INTO b VALUES (...) SELECT * FROM dual` is
    made of; none where a query or a condition decides what is written."""
    tokens = _at_top([*tokens_of(text, 0, dialect)])
    words = [token.text.lower() for token in tokens]
    end = next((at for at, word in enumerate(words) if word in ("select", "with")), len(words))
    if "when" in words[:end] or words[end:] not in _OF_DUAL:
        return []
    starts = [tokens[at].start for at in range(end) if words[at] == "into"]
    ends = [*starts[1:], tokens[end].start]
    return [f"INSERT {text[start:stop].strip()}" for start, stop in zip(starts, ends, strict=True)]


def _at_top(tokens: list[Token]) -> list[Token]:
    """Return the tokens that are in no bracket."""
    outer: list[Token] = []
    depth = 0
    for token in tokens:
        depth -= token.text == ")"
        if depth == 0 and token.text not in ("(", ")"):
            outer.append(token)
        depth += token.text == "("
    return outer
