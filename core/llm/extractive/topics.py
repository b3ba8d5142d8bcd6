"""The rules for FindTopics and MapTags: from what people say to what the library calls it."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from core.llm.extractive.lexicon import Term, by_stems, chinese_pattern, terms_in
from core.tasks import FindTopics, MapTags, TagPair, TagsMapped, Topics
from core.text.tokens import content_words, is_cjk, words

MOST_TOPICS = 5
MOST_PAIRS = 8
_CODE = re.compile(r"\d")
_SPELLING = 0.84  # similarity of two words that may be one word misspelt


class _Index(NamedTuple):
    stems: dict[str, tuple[str, ...]]  # tag -> its words
    by_word: dict[str, tuple[str, ...]]  # word -> tags that have it
    by_term: dict[Term, tuple[str, ...]]  # meaning -> tags of that meaning


@lru_cache(maxsize=16)
def _index(tags: tuple[str, ...]) -> _Index:
    stems = {tag: tuple(words(tag)) for tag in tags}
    by_word: dict[str, list[str]] = {}
    by_term: dict[Term, list[str]] = {}
    for tag, found in stems.items():
        for word in set(found):
            by_word.setdefault(word, []).append(tag)
        for term in _meanings(tag) if _is_term(tag) else ():
            by_term.setdefault(term, []).append(tag)
    return _Index(stems, {k: tuple(v) for k, v in by_word.items()}, {k: tuple(v) for k, v in by_term.items()})


def _is_term(tag: str) -> bool:
    """Say whether a tag is a term of the dictionary as a whole: no machine's code, no "Equipment Manual"."""
    if is_cjk(tag):
        return True
    stems = words(tag)
    return not _CODE.search(tag) and sum(end - start for start, end, _ in terms_in(stems)) == len(stems)


def _meanings(text: str) -> list[Term]:
    """Return the dictionary's meanings that are named in a text."""
    found = [term for _, _, term in terms_in(words(text))]
    table = by_stems()
    if is_cjk(text):
        found += [table[(match.group(),)] for match in chinese_pattern().finditer(text)]
        if (text,) in table:
            found.append(table[(text,)])
    return list(dict.fromkeys(found))


def find_topics(task: FindTopics) -> Topics:
    """Return up to five tags the question is about: those it names, longest first, then those it means."""
    index = _index(task.tags)
    asked = words(task.question)
    have = set(asked)
    low = task.question.lower()
    named = [
        tag
        for tag in dict.fromkeys(tag for word in have for tag in index.by_word.get(word, ()))
        if set(index.stems[tag]) <= have or (is_cjk(tag) and tag in task.question) or tag.lower() in low
    ]
    named = [tag for tag in named if content_words(tag) or tag.lower() in low]
    named.sort(key=lambda tag: (-len(index.stems[tag]), -len(tag), tag))
    of_terms = [index.by_term.get(term, ()) for term in _meanings(task.question)]
    meant = [tag for same in zip_longest(*of_terms) for tag in same if tag and tag not in named]
    spelt: dict[str, str] = {}
    for tag in [*named, *meant]:
        spelt.setdefault(tag.casefold(), tag)  # "Yield" and "yield" are one
    return Topics(topics=tuple(spelt.values())[:MOST_TOPICS])


def map_tags(task: MapTags) -> TagsMapped:
    """Pair the question's words with tags that mean them: by the dictionary, by initials, by spelling."""
    index = _index(task.tags)
    pairs: dict[tuple[str, str], None] = {}
    for said, meant in (*_by_meaning(task.question, index), *_by_form(task.question, index)):
        known = {(one.lower(), other.casefold()) for one, other in pairs}
        if (said.lower(), meant.casefold()) not in known and tuple(words(said)) != index.stems[meant]:
            pairs[(said, meant)] = None
    return TagsMapped(
        pairs=tuple(TagPair(said=said, meant=meant) for said, meant in list(pairs)[:MOST_PAIRS])
    )


def _by_meaning(question: str, index: _Index) -> Iterable[tuple[str, str]]:
    tokens = re.findall(r"[A-Za-z][\w'-]*", question)
    stems = [word for token in tokens for word in words(token)[:1]]
    for start, end, term in terms_in(stems):
        for tag in index.by_term.get(term, ()):
            yield " ".join(tokens[start:end]), tag
    if is_cjk(question):
        table = by_stems()
        for match in chinese_pattern().finditer(question):
            for tag in index.by_term.get(table[(match.group(),)], ()):
                yield match.group(), tag


def _by_form(question: str, index: _Index) -> Iterable[tuple[str, str]]:
    """Yield pairs by initials ("MFC" for "mass flow controller") and by spelling ("etchin" for "etching")."""
    for token in dict.fromkeys(re.findall(r"[A-Za-z][\w-]{2,}", question)):
        stem_of = words(token)[:1]
        for tag, stems in index.stems.items():
            if (
                token.isupper()
                and len(stems) == len(token)
                and "".join(s[:1] for s in stems) == token.lower()
            ) or (
                stem_of
                and len(token) > 4
                and stem_of[0] not in index.by_word
                and abs(len(tag) - len(token)) <= 2
                and tag[:1].lower() == token[:1].lower()
                and SequenceMatcher(None, token.lower(), tag.lower()).ratio() >= _SPELLING
            ):
                yield token, tag
