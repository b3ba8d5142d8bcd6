"""The rule for Perspectives: quotations from the evidence, sorted by viewpoint, without proposals."""

import re
from collections import Counter

from core.domain import Evidence
from core.llm.builtin.understand.grammar import tagged
from core.tasks import PerspectiveDraft, Perspectives, PerspectivesGiven, StatementDraft, Viewpoint
from core.text.sentences import sentences
from core.text.tokens import content_words, detect_language

MAX_SENTENCES = 2  # sentences of a viewpoint
_MAX_SENTENCE_CHARACTERS = 320  # characters of a sentence that is quoted
_LEAST_WORDS = 4
_ASIDE = re.compile(r"[(\[（][^)\]）]*[)\]）]")
_ITEM = re.compile(r"^(?:[-*•·▪‣–—]+\s*|\d{1,2}[.)]\s+(?=\D))+")
_ENDS = '.!;。！；”")）'  # a heading, a question and a row end otherwise


def sort_by_viewpoint(task: Perspectives) -> PerspectivesGiven:
    """Quote for each viewpoint the sentences its words meet most, of pieces that speak to the question.

    A sentence is quoted once, where its own words fit best; ties go to the earlier viewpoint.
    """
    asked = set(content_words(task.question))
    words = {each.id: _words_of(each) - asked for each in task.viewpoints}
    found: dict[str, list[tuple[float, int, int, str]]] = {each.id: [] for each in task.viewpoints}
    for piece, at, text, bag in _quotable(task.evidence, asked):
        hits = {id_: len(bag & lens) for id_, lens in words.items()}
        best = max(hits, key=lambda id_: hits[id_], default="")
        if best and hits[best]:
            weight = hits[best] + 0.5 * len(bag & asked)
            found[best].append((-weight, piece.n, at, text))
    return PerspectivesGiven(
        perspectives=tuple(
            PerspectiveDraft(
                viewpoint=each.id,
                says=tuple(
                    StatementDraft(text=text, citations=(n,))
                    for _, n, _, text in sorted(found[each.id])[:MAX_SENTENCES]
                ),
            )
            for each in task.viewpoints
        )
    )


def _words_of(viewpoint: Viewpoint) -> set[str]:
    return {word for term in viewpoint.words for word in content_words(term)}


def _quotable(
    evidence: tuple[Evidence, ...], asked: set[str]
) -> list[tuple[Evidence, int, str, frozenset[str]]]:
    """Return the sentences worth quoting: no rows or lists of names, no questions, nothing that is in
    several pieces."""
    found = []
    for piece in evidence:
        if asked.isdisjoint(content_words(" ".join((*piece.heading, piece.text)))):
            continue
        for at, sentence in enumerate(sentences(piece.text)):
            text = _ITEM.sub("", " ".join(sentence.split()))
            bag = frozenset(content_words(text))
            row = text.count(" | ") > 1 or (text.count(";") > 1 and text.count(":") > 1)
            fits = len(bag) >= _LEAST_WORDS and len(text) <= _MAX_SENTENCE_CHARACTERS and text[-1] in _ENDS
            if fits and not row and _has_verb(text):
                found.append((piece, at, text, bag))
    times = Counter(text for _, _, text, _ in found)
    return [each for each in found if times[each[2]] == 1]


def _has_verb(text: str) -> bool:
    """Say whether an English sentence has a verb beside its asides; one that has none only lists."""
    return detect_language(text) != "en" or any(w.letter in "vbxi" for w in tagged(_ASIDE.sub(" ", text)))
