"""Topics of a question in the library's tags, by matching words, without a model."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from core.tasks import TagPair
from core.text.tokens import content_words, is_cjk, words

MAX_TOPICS = 5  # topics of a question
MIN_SPELLING_SIMILARITY = 0.84  # similarity of two words that may be one word misspelt
_CODE = re.compile(r"\d")


class _Index(NamedTuple):
    stems: dict[str, tuple[str, ...]]  # tag -> its words
    by_word: dict[str, tuple[str, ...]]  # word -> tags that have it


@lru_cache(maxsize=16)
def _index(tags: tuple[str, ...]) -> _Index:
    stems = {tag: tuple(words(tag)) for tag in tags}
    by_word: dict[str, list[str]] = {}
    for tag, found in stems.items():
        for word in set(found):
            by_word.setdefault(word, []).append(tag)
    return _Index(stems, {word: tuple(named) for word, named in by_word.items()})


def _in_script(tags: tuple[str, ...], question: str) -> tuple[str, ...]:
    """Return the tags that a question of this script can name; cutting Chinese ones loads a dictionary."""
    return tags if is_cjk(question) else tuple(tag for tag in tags if not is_cjk(tag))


def topics_of(question: str, tags: tuple[str, ...], proposed: Iterable[str] = ()) -> tuple[str, ...]:
    """Return up to five tags: those the question names, longest first, then those proposed that there are."""
    index = _index(_in_script(tags, question))
    have, low = set(words(question)), question.lower()
    named = [
        tag
        for tag in dict.fromkeys(tag for word in have for tag in index.by_word.get(word, ()))
        if set(index.stems[tag]) <= have or (is_cjk(tag) and tag in question) or tag.lower() in low
    ]
    named = [tag for tag in named if content_words(tag) or tag in question]  # "WHO" is not "who"
    named.sort(key=lambda tag: (-len(index.stems[tag]), -len(tag), tag))
    wanted = {topic.casefold() for topic in proposed}
    named += [tag for tag in tags if tag.casefold() in wanted]
    spelt: dict[str, str] = {}
    for tag in named:
        spelt.setdefault(tag.casefold(), tag)  # "Yield" and "yield" are one
    return tuple(spelt.values())[:MAX_TOPICS]


def alike(question: str, tags: tuple[str, ...]) -> list[TagPair]:
    """Return words of the question paired with tags of their form: initials, or one word misspelt.

    "MFC" is "mass flow controller"; "etchng" is "etching" where the library has no such word.
    """
    index = _index(_in_script(tags, question))
    found: list[TagPair] = []
    for token in dict.fromkeys(re.findall(r"[A-Za-z][\w-]{2,}", question)):
        stem_of = words(token)[:1]
        for tag, stems in index.stems.items():
            if _initials(token, stems) or (
                stem_of and len(token) > 4 and stem_of[0] not in index.by_word and _misspelt(token, tag)
            ):
                found.append(TagPair(said=token, meant=tag))
    return found


def _initials(token: str, stems: Sequence[str]) -> bool:
    return token.isupper() and len(stems) == len(token) and "".join(s[:1] for s in stems) == token.lower()


def _misspelt(token: str, tag: str) -> bool:
    near = abs(len(tag) - len(token)) <= 2 and tag[:1].lower() == token[:1].lower() and not _CODE.search(tag)
    return near and SequenceMatcher(None, token.lower(), tag.lower()).ratio() >= MIN_SPELLING_SIMILARITY
