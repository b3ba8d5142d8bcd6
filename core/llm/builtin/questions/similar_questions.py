"""Finds questions that may ask for the same as another one: paraphrases of those that were verified.

What differs in a figure, a code, a name, a negation or an opposite is not the same, however alike the
sentences are. What remains is judged by late interaction of the words of either in the other. Without a model
it is not sure (`bench.paraphrases`), so these are offered to the reader and never answered from.
"""

import re
from collections.abc import Sequence

from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import ParsedQuestion, names, read
from core.llm.builtin.answer.word_matching import Word, likeness
from core.llm.builtin.questions.opposites import pole_of, poles
from core.ports import Embedder, Vectors

_LETTER = re.compile(r"(?<=[a-z] )[B-HJ-Z]\b(?![-'’])")  # "chamber B"
KINDS_MATCHING_ANY = frozenset({"other", "list"})  # "what is" and "which are" ask for anything
MIN_LIKENESS = 0.7  # how well the words of both are met in the other, in the mean
MAX_VECTORS = 10_000  # vectors that are kept
MAX_COMPARED = 5  # held questions that are compared word by word


class SimilarQuestions:
    """Finds the stored questions that ask for the same as a new one."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._meaning = Meaning(embedder)
        self._vectors: dict[str, Vectors] = {}

    def alike(self, question: str, stored: Sequence[str]) -> list[int]:
        """Return the indices of the stored questions that may ask for the same, the likeliest first."""
        parsed = read(question)
        open_ = [place for place, other in enumerate(stored) if _comparable(parsed, read(other))]
        likenesses = {
            place: self._likeness(question, stored[place]) for place in self._nearest(question, stored, open_)
        }
        return sorted(
            (at for at, likeness in likenesses.items() if likeness >= MIN_LIKENESS),
            key=lambda at: -likenesses[at],
        )

    def _nearest(self, question: str, stored: Sequence[str], places: Sequence[int]) -> Sequence[int]:
        """Return the indices of the nearest by cosine; the vectors of stored questions are cached."""
        if len(places) <= MAX_COMPARED:
            return places
        if len(self._vectors) > MAX_VECTORS:
            self._vectors.clear()
        new = list(
            dict.fromkeys(
                text for text in (question, *(stored[at] for at in places)) if text not in self._vectors
            )
        )
        vectors = self._meaning.texts(new)
        if vectors is not None:
            self._vectors.update(zip(new, vectors, strict=True))
        parsed = self._vectors.get(question)
        if parsed is None:
            return places[:MAX_COMPARED]
        return sorted(places, key=lambda at: -float(self._vectors[stored[at]] @ parsed))[:MAX_COMPARED]

    def _likeness(self, one: str, other: str) -> float:
        """Return how well the words of each question match in the other (0 to 1)."""
        a, b = read(one), read(other)
        there = self._meaning.compare(one, a.words, [other])
        back = self._meaning.compare(other, b.words, [one])
        likenesses = [_match(word, b.words) for word in a.words] + [_match(word, a.words) for word in b.words]
        if there is None or back is None or there.word_likeness is None or back.word_likeness is None:
            return sum(likenesses) / len(likenesses)
        pairs = zip((*there.word_likeness[0], *back.word_likeness[0]), likenesses, strict=True)
        return float(sum(max(pair) for pair in pairs) / len(likenesses))


def _match(word: Word, others: Sequence[Word]) -> float:
    """Return how far a word is among the others: itself, another form of it, or one of its pole."""
    pole = pole_of(word.key)
    if pole is not None and any(pole_of(other.key) == pole for other in others):
        return 1.0
    return max((likeness(word.key, other.key) for other in others), default=0.0)


def _comparable(a: ParsedQuestion, b: ParsedQuestion) -> bool:
    """Say whether nothing is in one question alone that makes it another one."""
    if a.negated != b.negated or a.years != b.years or not a.words or not b.words:
        return False
    if a.kind != b.kind and not {a.kind, b.kind} & KINDS_MATCHING_ANY:
        return False
    if poles(a.question) != poles(b.question):
        return False
    if set(_LETTER.findall(a.question)) != set(_LETTER.findall(b.question)):
        return False
    return _named(a, b) and _named(b, a)


def _named(a: ParsedQuestion, b: ParsedQuestion) -> bool:
    """Say whether the other question says every name, code and figure of the first, in whatever case."""
    marks = [word for word in a.words if word.figure or names(word, a.question)]
    return all(_match(word, b.words) >= (1.0 if word.figure else 0.8) for word in marks)
