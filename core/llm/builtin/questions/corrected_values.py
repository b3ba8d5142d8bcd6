"""Says of an answer that it gives the value which a reader corrected, though its question was not told to be
the one that was corrected."""

import re
from collections.abc import Sequence

from core.llm.builtin.answer.parsed_question import ParsedQuestion, attribute, names, read
from core.llm.builtin.answer.word_matching import likeness, words_of
from core.llm.builtin.questions.equivalent_questions import SAME_FORM_LIKENESS
from core.llm.builtin.questions.noun_questions import with_of
from core.text.chinese_english import meanings
from core.text.codes import designations
from core.text.periods import find_periods
from core.text.quantities import find_quantities
from core.text.tokens import is_cjk
from core.text.vocabulary import packaged

_MARKED = re.compile(r"\*\*([^*]+)\*\*")


def repeats_corrected_value(
    question: str, sentences: Sequence[str], corrected_question: str, correction: str, replaced: Sequence[str]
) -> bool:
    """Say whether the sentences mention the corrected question's thing and lead with the value that was
    replaced, the new one in none of them. Where nothing was replaced any other value is one.

    A question in the other of English and Chinese is read with what its words are called there.
    """
    corrected = read(with_of(corrected_question))
    if is_cjk(question) != is_cjk(corrected_question):
        question = f"{question} {_in_other_language(question)}"
    text = " ".join((question, *sentences))
    coded = set(designations(" ".join(replaced[:1])))  # a code names the thing as well as its words do
    if not (_mentions_subject(corrected, text) or coded & set(designations(text))):
        return False
    asked = f"{question} {corrected_question}"
    new = values(correction, asked)
    old = _leading(replaced, asked, figures=_has_figures(new))
    stated = _leading(sentences, asked, figures=_has_figures(new))
    everywhere = values(" ".join(sentences), asked)
    if not new or not stated or new & everywhere:
        return False
    return bool(stated & (old - new)) if old else _asks_equivalently(question, corrected)


def _in_other_language(question: str) -> str:
    """Return what the words of a question are called in the other language: by the vocabulary, which knows a
    trade's terms, and by the dictionary. The packaged embedder reads English alone and could not tell."""
    termed = [name for term, name in packaged().pairs(question) if is_cjk(name) != is_cjk(term)]
    return " ; ".join([*termed, *(name for _, names_there in meanings(question) for name in names_there)])


def values(text: str, asked: str) -> frozenset[str]:
    """Return the figures and dates of a text, or of one without any its words, but those of the questions."""
    found = _figures(text) - _figures(asked)
    if found:
        return found
    known = {word.key for word in words_of(asked)}
    return frozenset(word.key for word in words_of(text) if word.key not in known and not word.figure)


def _figures(text: str) -> frozenset[str]:
    dates = find_periods(text)
    quantities = (q for q in find_quantities(text) if not any(d.start <= q.start < d.end for d in dates))
    return frozenset([f"{q.value:g}" for q in quantities] + [d.period for d in dates])


def _has_figures(found: frozenset[str]) -> bool:
    return any(value[:1].isdigit() or value[:1] == "-" for value in found)


def _leading(sentences: Sequence[str], asked: str, *, figures: bool) -> frozenset[str]:
    """Return the values of what is marked, else of the first sentence that has any of the kind: the rows and
    sentences behind it say more."""
    marked = [" ".join(parts) for sentence in sentences if (parts := _MARKED.findall(sentence))]
    for sentence in marked or sentences:
        found = values(sentence, asked)
        if found and _has_figures(found) == figures:
            return found
    return frozenset()


def _mentions_subject(corrected: ParsedQuestion, text: str) -> bool:
    """Say whether a text says every word of the thing that was asked of, names as they stand."""
    sought = {word.key for word in attribute(corrected)}
    thing = [word for word in corrected.words if word.key not in sought] or list(corrected.words)
    words = words_of(text)
    return all(
        any(
            word.key == other.key
            if names(word, corrected.question)
            else likeness(word.key, other.key) >= SAME_FORM_LIKENESS
            for other in words
        )
        for word in thing
    )


def _asks_equivalently(question: str, corrected: ParsedQuestion) -> bool:
    """Say whether a question says every word that says what was sought."""
    keys = {word.key for word in words_of(question)}
    sought = {word.key for word in attribute(corrected)}
    return bool(sought) and sought <= keys
