"""Finds titles of documents and sections in passages: longest match first, so 100,000 cost one pass.

In passages capitals tell a name from a word; names in questions, which are typed without, are found by
`core.knowledge.search.name_matching`, and names that nobody listed by `core.text.proper_names`.
The references this finds (passage mentions the title of passage) carry most of multi-hop retrieval.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from core.text.brackets import PARENTHESISED
from core.text.codes import has_letter_and_digit
from core.text.phrase_table import PhraseTable
from core.text.tokens import STOPWORDS_EN, is_cjk
from core.text.word_lists import word_list

_TOKEN = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
_NUMBERING = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)]?|第.{1,4}[章节条部分]|[一二三四五六七八九十]+[、.])\s+")
_QUALIFIER = re.compile(rf"\s*{PARENTHESISED}\s*$")
_GENERIC = word_list("names", "generic_title")
_RANKS = word_list("names", "rank")
_MOST_TARGETS = 20  # a name that many sections carry points to none of them


class Target(NamedTuple):
    """What a name stands for: a section, or a whole document where the section is ""."""

    document_id: str
    section_id: str = ""


class FoundTitle(NamedTuple):
    """A name met in a text."""

    name: str
    times: int


@dataclass(slots=True)
class _Name:
    """A name as first written. Most have one target, so that alone is kept as it is."""

    text: str
    held: Target | dict[Target, None]

    def targets(self) -> tuple[Target, ...]:
        return (self.held,) if isinstance(self.held, Target) else tuple(self.held)

    def add(self, target: Target) -> None:
        if isinstance(self.held, Target):
            if target == self.held:
                return
            self.held = {self.held: None}
        self.held[target] = None

    def drop(self, document_ids: Collection[str]) -> None:
        targets = self.targets()
        if any(target.document_id in document_ids for target in targets):
            self.held = {target: None for target in targets if target.document_id not in document_ids}

    def is_unambiguous(self) -> bool:
        """Say whether it has targets, and not so many that it is ambiguous."""
        return isinstance(self.held, Target) or 0 < len(self.held) <= _MOST_TARGETS


def spellings(title: str) -> list[str]:
    """Return how a title is written when it is mentioned: without numbering, without "(film)" at its end."""
    plain = _NUMBERING.sub("", title).strip()
    return list(dict.fromkeys(name for name in (plain, _QUALIFIER.sub("", plain)) if name))


def recognisable(name: str) -> bool:
    """Say whether a name can be recognised in a text: neither generic nor a short or common word."""
    tokens = _TOKEN.findall(name)
    if not tokens or name.lower() in _GENERIC:
        return False
    if is_cjk(name):
        return len(tokens) >= 3 and sum(map(len, tokens)) >= 3
    if all(token.lower() in STOPWORDS_EN or token.lower() in _GENERIC or token.isdigit() for token in tokens):
        return False
    if len(tokens) > 1:
        return len(name) >= 5
    word = tokens[0]
    return (len(word) >= 4 and word[0].isupper()) or (
        len(word) >= 3 and (word.isupper() or has_letter_and_digit(word))
    )


class TitleNames:
    """The names of documents and sections. Adding and finding cost time in the length of the text alone."""

    def __init__(self) -> None:
        self._names: PhraseTable[_Name] = PhraseTable()  # by the tokens in lower case

    def __len__(self) -> int:
        return len(self._names)

    def add(self, title: str, target: Target) -> list[str]:
        """Add a title under every spelling that can be recognised; return those."""
        recognised = [name for name in spellings(title) if recognisable(name)]
        for name in recognised:
            tokens = _lower(name)
            if known := self._names.get(tokens):
                known.add(target)
            else:
                self._names.put(tokens, _Name(name, target))
        return recognised

    def targets(self, name: str) -> tuple[Target, ...]:
        """Return what a found name stands for."""
        known = self._names.get(_lower(name))
        return known.targets() if known else ()

    def drop(self, document_ids: Collection[str]) -> None:
        """Forget the targets within documents; costs a pass over all names."""
        for name in self._names.values() if document_ids else ():
            name.drop(document_ids)

    def find(self, texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, list[FoundTitle]]]:
        """Yield (id, names found) for each (id, text), longest names first at each place.

        A name of one word counts only where it is capitalised and stands alone, and only if the texts
        seldom use that word in lower case.
        """
        met: list[tuple[str, Counter[str]]] = []
        capital: Counter[str] = Counter()
        lower: Counter[str] = Counter()
        for identity, text in texts:
            found = Counter(name.text for name in self._scan(text, lower))
            if found:
                met.append((identity, found))
                capital.update(found)
        common = {name for name, times in lower.items() if times > max(1, capital[name] // 4)}
        for identity, found in met:
            distinctive = [FoundTitle(name, times) for name, times in found.items() if name not in common]
            if distinctive:
                yield identity, distinctive

    def _scan(self, text: str, lower_case: Counter[str]) -> Iterator[_Name]:
        """Yield the names of one text; count where a name of one word stands as a common word."""
        tokens = _TOKEN.findall(text)
        lower = [token.lower() for token in tokens]
        spans: list[tuple[int, int]] = []
        at, count = 0, len(tokens)
        while at < count:
            best = next((each for each in self._names.at(lower, at) if each[0].is_unambiguous()), None)
            if best is None:
                at += 1
                continue
            name, end = best[0], at + best[1]
            if end - at == 1 and not spans:
                spans = [match.span() for match in _TOKEN.finditer(text)]
            if _as_written(name, tokens, at, end) and (end - at > 1 or _alone(text, tokens, spans, at)):
                yield name
                at = end
            else:
                if end - at == 1 and tokens[at].islower():
                    lower_case[name.text] += 1
                at += 1


def _lower(name: str) -> list[str]:
    return [token.lower() for token in _TOKEN.findall(name)]


def _as_written(name: _Name, tokens: list[str], at: int, end: int) -> bool:
    """Say whether the words are capitalised as in the name; three in sentence case may be in lower case."""
    own = _TOKEN.findall(name.text)
    if len(own) >= 3 and not any(token[0].isupper() for token in own[1:]):
        return True
    return all(
        not token[0].isupper() or actual[0].isupper()
        for token, actual in zip(own, tokens[at:end], strict=True)
    )


def _alone(text: str, tokens: list[str], spans: list[tuple[int, int]], at: int) -> bool:
    """Say whether a single word is not part of a longer capitalised name ("Victoria" in "Queen Victoria")."""
    start, end = spans[at]
    if at and tokens[at - 1][0].isupper() and text[spans[at - 1][1] : start] in (" ", "-", ". "):
        before = tokens[at - 1].lower()
        if before not in STOPWORDS_EN and before not in _RANKS:
            return False
    after = at + 1
    return not (
        after < len(tokens) and tokens[after][0].isupper() and text[end : spans[after][0]] in (" ", "-")
    )
