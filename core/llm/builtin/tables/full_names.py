"""People whom one table calls by their full name, another by the last: "Tomasz Wilk", reported by "Wilk"."""

import re
from collections.abc import Iterable, Mapping

from core.domain import TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import words_of

_INITIAL = re.compile(r"(?P<initial>[^\W\d])\.? (?P<last>[^\W\d]{2,})")
FullNames = Mapping[str, frozenset[str]]  # last word of a name, folded: the words of the name


def full_names(parsed: ParsedQuestion, cards: Iterable[TableCard]) -> FullNames:
    """Return the names of two or three words that the question says whole and a table holds, but none whose
    last word another name has as well."""
    sampled = {
        tuple(value.casefold().split())
        for card in cards
        for column in card.columns
        if column.type == "text"
        for value in column.samples
    }
    names = {name for name in sampled if len(name) in (2, 3) and all(part.isalpha() for part in name)}
    question = parsed.question.casefold()
    stated = [name for name in names if " ".join(name) in question]
    return {
        name[-1]: frozenset(word.key for word in words_of(" ".join(name)))
        for name in stated
        if sum(other[-1] == name[-1] for other in names) == 1
    }


def by_initial(value: str, parsed: ParsedQuestion) -> frozenset[str]:
    """Return the words of the name by which the question calls whom the value calls by an initial: "Ana Ruiz"
    of "A. Ruiz"."""
    short = _INITIAL.fullmatch(value)
    if short is None:
        return frozenset()
    called = re.search(rf"\b({short['initial']}[^\W\d]+) {re.escape(short['last'])}\b", parsed.question, re.I)
    return frozenset(word.key for word in words_of(called[1])) if called else frozenset()
