"""How tags are written: one spelling for case, plural and hyphen; no column names, no words of grammar."""

import re
from collections.abc import Callable, Iterable

from core.ingest.entities import normal, singular
from core.text.tokens import is_stopword

_LONGEST = 60
_MOST_WORDS = 6
_NUMBER = re.compile(r"[\d\s.,:/%年月日-]+")


class TagNames:
    """Gives each tag the spelling its like has already.

    `headers` are names of table columns, which are no tags; `spelt` returns the library's spelling of a
    normal form, and keeps the one it is given where there is none.
    """

    def __init__(self, headers: Iterable[str] = (), spelt: Callable[[str, str], str] | None = None) -> None:
        self._headers = {normal(header) for header in headers}
        self._own: dict[str, str] = {}
        self._spelt = spelt or self._own.setdefault

    def name(self, said: str, text: str) -> str:
        """Return how a tag of a text is written, "" for what is none."""
        plain = " ".join(said.split()).strip(" .,;:。，；：")
        form = normal(plain)
        if not form or form in self._headers or len(plain) > _LONGEST or _NUMBER.fullmatch(plain):
            return ""
        words = form.split()
        if len(words) > _MOST_WORDS or all(is_stopword(word) for word in words):
            return ""
        low = plain.lower()
        if low in text or singular(low) in text.lower().split():
            plain = low
        if plain.islower():
            head, space, last = plain.rpartition(" ")
            plain = f"{head}{space}{singular(last)}"
        return self._spelt(form, plain)
