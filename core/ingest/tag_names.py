"""How tags are written: one spelling for case, plural and hyphen; no column names, no words of grammar."""

import re
from collections.abc import Iterable

from core.ingest.entity_resolution import normal, singular
from core.text.tokens import is_stopword

_MAX_TAG_CHARACTERS = 60
_MOST_WORDS = 6
_NUMBER = re.compile(r"[\d\s.,:/%年月日-]+")


class TagNames:
    """Normalises each tag of a document to the spelling already used for the same tag.

    Only this document is considered, so that the order of ingestion makes no difference;
    `headers` are names of table columns, which are no tags.
    """

    def __init__(self, headers: Iterable[str] = ()) -> None:
        self._headers = {normal(header) for header in headers}
        self._spelt: dict[str, str] = {}

    def name(self, tag: str, text: str) -> str:
        """Return how a tag of a text is written, "" for what is none."""
        plain = " ".join(tag.split()).strip(" .,;:。，；：")
        form = normal(plain)
        if not form or form in self._headers or len(plain) > _MAX_TAG_CHARACTERS or _NUMBER.fullmatch(plain):
            return ""
        words = form.split()
        if len(words) > _MOST_WORDS or all(is_stopword(word) for word in words):
            return ""
        low = plain.lower()
        sentence_case = " " in plain and (plain[1:].islower() or plain.isupper())
        if sentence_case or _contains_term(low, text) or singular(low) in text.split():
            plain = low
        if plain.islower():
            head, space, last = plain.rpartition(" ")
            plain = f"{head}{space}{singular(last)}"
        return self._spelt.setdefault(form, plain)


def _contains_term(term: str, text: str) -> bool:
    """Say whether a text has the term as words of its own: not "dia" in "media" or "json" in "a.json"."""
    return term in text and re.search(rf"(?<![\w.@/-]){re.escape(term)}(?![\w@/-]|\.\w)", text) is not None
