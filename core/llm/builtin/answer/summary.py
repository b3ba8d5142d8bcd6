"""A document in brief: its title, what it is, its headings, and of each the sentence nearest to the whole."""

from collections.abc import Sequence

import numpy as np

from core.domain import Evidence, Sentence
from core.llm.builtin.answer.asked import Asked
from core.llm.builtin.answer.scorer import CLIP, Scorer
from core.llm.builtin.answer.wording import likeness, words_of
from core.text.tokens import sentence_spans

MOST = 6  # sections told
SHORTEST = 25  # characters of a sentence worth telling
NAMED = 0.5  # share of the question's words that the document's passages hold


def summarised(asked: Asked, evidence: Sequence[Evidence], scorer: Scorer) -> tuple[Sentence, ...]:
    """Return the summary of the document the question means, () where it names none that was found."""
    documents: dict[str, list[Evidence]] = {}
    for piece in evidence:
        documents.setdefault(piece.document or piece.source, []).append(piece)
    rated = [(_named(asked, pieces), -pieces[0].n, key) for key, pieces in documents.items()]
    if not rated or max(rated)[0] < NAMED:
        return ()
    pieces = documents[max(rated)[2]]
    first = pieces[0]
    headings = list(
        dict.fromkeys(p.heading[-1] for p in pieces if p.heading and p.heading[-1] != first.source)
    )
    about = f"{first.source} ({first.name}{', ' + first.date if first.date else ''})"
    told = [Sentence(text=f"**{about}**", citations=(first.n,))]
    if headings:
        told.append(Sentence(text=f"- {' · '.join(headings[:MOST])}", citations=(first.n,)))
    for piece in pieces[:MOST]:
        best = _central(piece, scorer)
        if best:
            told.append(Sentence(text=f"- {' '.join(best.split())}", citations=(piece.n,)))
    return tuple(told)


def _named(asked: Asked, pieces: Sequence[Evidence]) -> float:
    """Return the share of the question's words that the document says of itself or in what was found."""
    if not asked.words:
        return 0.0
    held = {w.key for p in pieces for w in words_of(f"{p.source} {p.name} {' '.join(p.heading)} {p.text}")}
    return sum(any(likeness(word.key, key) >= 0.8 for key in held) for word in asked.words) / len(asked.words)


def _central(piece: Evidence, scorer: Scorer) -> str:
    """Return the sentence nearest to the passage as a whole; without an embedder the first long one."""
    held = [piece.text[a:b] for a, b in sentence_spans(piece.text) if b - a >= SHORTEST]
    vectors = scorer.meaning.texts([one[:CLIP] for one in held[:12]])
    if vectors is None or not held:
        return held[0] if held else ""
    return held[int(np.argmax(vectors @ vectors.mean(axis=0)))]
