"""The tokens of SQL (words, literals, signs), and the values of its literals."""

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

STRINGS = ("escaped", "string", "dollar")  # kinds of tokens that are literals of text
_TOKENS = (
    r"(?P<space>\s+)"
    r"|(?P<escaped>E'(?:[^'\\]|''|\\.)*')"
    r"|(?P<string>(?:_\w+\s*|[NBX])?'(?:[^'{escape}]|''{escaped})*')"
    r"|(?P<dollar>\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)"
    r'|(?P<quoted>"(?:[^"{escape}]|""{escaped})*"|`(?:[^`]|``)*`|\[[^\]\n]*\])'
    r"|(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?!\w))"
    r"|(?P<name>[^\W\d][\w$]*|0x[0-9a-f]+|@[\w$]+)"
    r"|(?P<sign>::|\|\||[^\s'\"`;\[\]])"
)
_ESCAPED = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|.)", re.S)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": "", "0": "", "Z": ""}


class Token(NamedTuple):
    """A word, a literal or a sign of SQL."""

    kind: str
    text: str
    start: int
    end: int


@lru_cache(maxsize=4)
def _pattern(dialect: str) -> re.Pattern[str]:
    backslash = dialect == "mysql"
    tokens = _TOKENS.replace("{escape}", r"\\" if backslash else "")
    return re.compile(tokens.replace("{escaped}", r"|\\." if backslash else ""), re.S | re.I)


def tokens_of(text: str, at: int, dialect: str) -> Iterator[Token]:
    """Yield the tokens from a place on, an empty one where no token begins."""
    pattern = _pattern(dialect)
    while at < len(text):
        found = pattern.match(text, at)
        if found is None:
            yield Token("", "", at, at)
            return
        begun, at = at, found.end()
        kind = found.lastgroup or ""
        if dialect == "mysql" and found[0][0] == '"':
            kind = "string"
        if kind != "space":
            yield Token(kind, found[0], begun, at)


def string_of(token: Token, dialect: str) -> str:
    """Return the text of a string literal, its quotes and escapes resolved."""
    if token.kind == "dollar":
        return token.text[token.text.index("$", 1) + 1 : token.text.rindex("$", 0, -1)]
    quote = token.text[-1]
    text = token.text[token.text.index(quote) + 1 : -1].replace(quote * 2, quote)
    if dialect == "mysql":
        return of_mysql(text)
    return _ESCAPED.sub(lambda found: _of_escape(found[1]), text) if token.kind == "escaped" else text


def of_mysql(text: str) -> str:
    """Return a text with MySQL's backslash escapes resolved."""
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text, flags=re.S)


def _of_escape(mark: str) -> str:
    """Return the character behind a backslash in PostgreSQL's E'...'; a byte by its octal or hex number."""
    if len(mark) > 1:
        return character(int(mark[1:], 16)) if mark[0] in "xu" else chr(int(mark, 8) & 0xFF)
    return _ESCAPES.get(mark, mark)


def character(code: int) -> str:
    """Return the character of a code point, U+FFFD where there is none."""
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code <= sys.maxunicode else "\ufffd"
