"""Names that documents give side by side: "静电吸盘（ESC）", "large language model (LLM)".

A question may say the one where a passage says the other. A pair is one of two scripts, or an abbreviation
behind the words whose initials it is made of (Schwartz and Hearst 2003, without their fallbacks). Stricter
than `core.ingest.entity_resolution`, which names things of the graph: a wrong pair here would widen every
search.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.text.tokens import CJK, IS_CJK, RUNS, fold

MOST_SIGNS = 8  # of a name in Chinese, Japanese or Korean: where it begins is not marked
_BRACKETS = re.compile(r"[(（]\s*([^()（）\n]{2,48}?)\s*[)）]")
_FIRST_NAMED = re.compile(r"[,，、;；:：]")
_LATIN = re.compile(r"[^\W\d_][\w.+/-]*(?:[ -][\w.+/-]+){0,4}")
_LATIN_END = re.compile(rf"(?<![^\W{CJK}])[A-Za-z][A-Za-z0-9.+/-]*(?: [A-Za-z0-9.+/-]+){{0,3}}\s*$")
_SIGNS = re.compile(f"[{CJK}][{CJK}0-9-]*")
_SIGNS_END = re.compile(f'[{CJK}][{CJK}0-9 -]*["”’」』]?\\s*$')
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9&-]{1,7}s?")
_WORD = re.compile(r"[^\W\d_]+")
_JOINING = re.compile(rf"[^\W{CJK}]")


class Alias(NamedTuple):
    """Two names of one thing: `full` in Chinese, Japanese or Korean signs or written out, folded, and `short`
    as it stands, since the World Health Organisation is not the word "who"."""

    full: str
    short: str


def aliases_in(text: str) -> Iterator[Alias]:
    """Yield the pairs of names a text gives."""
    for found in _BRACKETS.finditer(text):
        before = text[max(0, found.start() - 80) : found.start()]
        inside = _FIRST_NAMED.split(found.group(1))[0].strip()
        alias = _two_scripts(before, inside) or _abbreviated(before, inside)
        if alias is not None:
            yield alias


def _two_scripts(before: str, inside: str) -> Alias | None:
    if inside.isascii():
        signs = _SIGNS_END.search(before)
        if signs is None or not _LATIN.fullmatch(inside):
            return None
        name = "".join(fold(signs.group().strip().strip('"”’」』')).split())
        return Alias(name[-MOST_SIGNS:], inside) if len(name) > 1 else None
    latin = _LATIN_END.search(before)
    if latin is None or not _SIGNS.fullmatch(inside) or not 1 < len(inside) <= 2 * MOST_SIGNS:
        return None
    return Alias(fold(inside), latin.group().strip())


def _abbreviated(before: str, inside: str) -> Alias | None:
    if not _ABBREVIATION.fullmatch(inside):
        return None
    letters = [sign.lower() for sign in inside.removesuffix("s") if sign.isalpha()]
    words = _WORD.findall(before)[-len(letters) :]
    if len(letters) < 2 or [word[0].lower() for word in words] != letters:
        return None
    return Alias(fold(" ".join(words)), inside.removesuffix("s"))


class AliasIndex:
    """The pairs of names of a library, each with the documents that give it. Not for two threads at once."""

    def __init__(self) -> None:
        self._documents: dict[Alias, set[str]] = {}
        self._by_start: dict[str, list[Alias]] = {}

    def add(self, document_id: str, text: str) -> None:
        """Take the pairs of a text."""
        for alias in aliases_in(text):
            if alias not in self._documents:
                for start in dict.fromkeys((_start(_mention_of(alias.full)), _start(fold(alias.short)))):
                    self._by_start.setdefault(start, []).append(alias)
            self._documents.setdefault(alias, set()).add(document_id)

    def remove(self, document_ids: set[str]) -> None:
        """Forget pairs that no other document gives."""
        for alias in list(self._documents):
            self._documents[alias] -= document_ids
            if not self._documents[alias]:
                del self._documents[alias]

    def others(self, question: str) -> list[str]:
        """Return the other name of each thing that the question names by one of a pair."""
        folded = fold(question)
        starts = {_start(run[at:]) for run in RUNS.findall(folded) for at in _beginnings(run)}
        known = [alias for start in sorted(starts) for alias in self._by_start.get(start, ())]
        found = [_other(alias, question, folded) for alias in known if alias in self._documents]
        return list(dict.fromkeys(filter(None, found)))

    def dump(self) -> list[tuple[str, str, list[str]]]:
        """Return everything as plain values; `load` takes them back."""
        return [(*alias, sorted(documents)) for alias, documents in self._documents.items()]

    def load(self, dumped: Iterable[tuple[str, str, list[str]]]) -> None:
        """Take back what `dump` gave."""
        for full, short, documents in dumped:
            alias = Alias(full, short)
            for start in dict.fromkeys((_start(_mention_of(full)), _start(fold(short)))):
                self._by_start.setdefault(start, []).append(alias)
            self._documents[alias] = set(documents)


def _mention_of(full: str) -> str:
    """Return what has to be said of a name: of signs the last four, since where it begins is not marked."""
    return full[-4:] if IS_CJK.search(full) else full


def _start(name: str) -> str:
    """Return the key of a name in the index: its first word, or its first two Chinese signs."""
    first = RUNS.search(name)
    return "" if first is None else first.group()[:2] if IS_CJK.match(first.group()) else first.group()


def _beginnings(run: str) -> Iterable[int]:
    return range(len(run)) if IS_CJK.match(run) else (0,)


def _other(alias: Alias, question: str, folded: str) -> str:
    """Return the name that the question does not say, "" where it says none or both."""
    exact = alias.short.isupper()
    short, text = (alias.short, question) if exact else (fold(alias.short), folded)
    by_short = any(_is_whole_word(text, found, found + len(short)) for found in _places(short, text))
    full = _mention_of(alias.full)
    by_full = full in ("".join(folded.split()) if IS_CJK.search(full) else folded)
    return "" if by_short == by_full else alias.full if by_short else alias.short


def _places(name: str, text: str) -> Iterator[int]:
    """Yield where the name is in the text. No pattern is made of it: there are thousands of names."""
    at = text.find(name)
    while at >= 0:
        yield at
        at = text.find(name, at + 1)


def _is_whole_word(text: str, start: int, end: int) -> bool:
    """Say whether no letter or figure joins the name; signs of Chinese, Japanese and Korean do not."""
    after = text[end : end + 1]
    return not _JOINING.match(text[start - 1 : start]) and not (after.isascii() and after.isalnum())
