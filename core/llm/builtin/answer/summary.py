"""A document in brief: title, headings, of each the sentence nearest to the whole, columns of tables."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import numpy as np

from core.domain import Evidence, Sentence
from core.llm.builtin.answer.evidence_units import closed
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.scorer import MAX_EMBEDDED_CHARACTERS, Scorer
from core.llm.builtin.answer.word_matching import likeness, words_of
from core.text.library_questions import means_document, points_at_document, requested_name
from core.text.sentences import sentence_spans
from core.text.series_names import CODE
from core.text.tokens import is_cjk

MAX_SENTENCES = 8  # sentences told
MIN_SENTENCES = 2  # fewer are no summary
MIN_SENTENCE_CHARACTERS = 25  # characters of a sentence worth telling
MIN_DOCUMENTS = 3  # that name a thing, from which it is told by document
FULL_SENTENCE_CHARACTERS = 80  # characters from which a sentence says enough to stand for its section
MIN_SHARE_TO_SUMMARISE = 0.5  # share of the question's words that the document's passages hold


def summarised(parsed: ParsedQuestion, evidence: Sequence[Evidence], scorer: Scorer) -> tuple[Sentence, ...]:
    """Return the summary of the document the question means, () where it names none that was found."""
    documents: dict[str, list[Evidence]] = {}
    for piece in evidence:
        documents.setdefault(piece.document or piece.source, []).append(piece)
    if by_document := _of_thing(parsed.question, documents):
        return by_document
    rated = [
        (_named(parsed, pieces[:1], ""), _named(parsed, pieces), -pieces[0].n, key)
        for key, pieces in documents.items()
    ]
    meant = len(documents) == 1 and _means(parsed.question, next(iter(documents.values()))[0])
    if not rated or (max(rated)[1] < MIN_SHARE_TO_SUMMARISE and not meant):
        return ()
    pieces = documents[max(rated)[3]]
    first = pieces[0]
    titled = first.source != PurePath(first.name).stem
    if not titled and not meant:
        return ()  # without a title of its own nothing says what it is
    headings: dict[str, int] = {}
    for piece in pieces:
        if piece.heading and _is_informative(piece.heading[-1], first):
            headings.setdefault(piece.heading[-1], piece.n)
    beside = [each for each in (first.name if titled else "", first.date) if each]
    about = f"{first.source} ({', '.join(beside)})" if beside else first.source
    told = [Sentence(text=f"**{about}**", citations=(first.n,))]
    if headings:
        named = list(headings)[:MAX_SENTENCES]
        told.append(
            Sentence(text=f"- {' · '.join(named)}", citations=tuple(sorted({headings[h] for h in named})))
        )
    said = {
        best: piece.n
        for piece in pieces
        if (best := _columns(piece) if piece.columns else _central(piece, scorer))
    }
    told += [Sentence(text=f"- {' '.join(best.split())}", citations=(n,)) for best, n in said.items()][
        :MAX_SENTENCES
    ]
    return tuple(told) if len(said) >= (1 if meant else MIN_SENTENCES) else ()


def _of_thing(question: str, documents: Mapping[str, Sequence[Evidence]]) -> tuple[Sentence, ...]:
    """Return a line for each document that names the one code asked about: its first sentence that does, or
    what its table holds; () where fewer than three do, or one of them is what is meant."""
    codes = CODE.findall(question)
    if (
        len(codes) != 1
        or len(documents) < MIN_DOCUMENTS
        or requested_name(question) - requested_name(codes[0])
    ):
        return ()
    told: list[Sentence] = []
    for pieces in documents.values():
        if pieces[0].source.startswith(codes[0]) or pieces[0].name.startswith(codes[0]):
            return ()
        said = ((piece.n, line) for piece in pieces if (line := _naming(piece, codes[0])))
        if found := next(said, None):
            n, line = found
            told.append(Sentence(text=f"- **{pieces[0].source}**: {' '.join(line.split())}", citations=(n,)))
    return tuple(told[:MAX_SENTENCES]) if len(told) >= MIN_DOCUMENTS else ()


def _naming(piece: Evidence, code: str) -> str:
    """Return the first sentence of a piece that names a code, of rows what they hold; "" without one."""
    if code not in piece.text:
        return ""
    if piece.columns:
        return _columns(piece)
    held = (piece.text[a:b] for a, b in sentence_spans(piece.text))
    return next(
        (one.lstrip("-• ") for one in held if code in one and _width(one) >= MIN_SENTENCE_CHARACTERS), ""
    )


def _means(question: str, piece: Evidence) -> bool:
    """Say whether a question means the document a piece is of: by its name, or as "this" one."""
    return means_document(question, piece.source, piece.name) or (
        not requested_name(question) and points_at_document(question)
    )


def _is_informative(heading: str, first: Evidence) -> bool:
    """Say whether a heading says something: not the title again, not a number of a page or record."""
    return heading != first.source and not re.fullmatch(r"\w+ \d+", heading)


def _named(parsed: ParsedQuestion, pieces: Sequence[Evidence], text: str | None = None) -> float:
    """Return the share of the question's words that the document says of itself, or in what was found."""
    if not parsed.words:
        return 0.0
    held = {
        word.key
        for p in pieces
        for word in words_of(f"{p.source} {p.name} {' '.join(p.heading)} {p.text if text is None else text}")
    }
    return sum(any(likeness(word.key, key) >= 0.8 for key in held) for word in parsed.words) / len(
        parsed.words
    )


def _reads(sentence: str) -> bool:
    """Say whether it reads as a sentence: long enough, ended as one, mostly letters, no fields."""
    letters = sum(sign.isalpha() or sign.isspace() for sign in sentence)
    fields = len(re.findall(r"[\w.]+: [^;]*(?:;|$)", sentence))
    return (
        _width(sentence) >= MIN_SENTENCE_CHARACTERS
        and closed(sentence)
        and letters >= 0.7 * len(sentence)
        and fields < 2
    )


def _columns(piece: Evidence) -> str:
    """Return what a table is called and its columns."""
    return " · ".join([piece.table, *(column.name for column in piece.columns)])


def _width(text: str) -> int:
    """Return how long a text is in Latin letters: a Chinese sign says as much as two."""
    return len(text) + sum(map(is_cjk, text))


def _central(piece: Evidence, scorer: Scorer) -> str:
    """Return the sentence nearest to the passage as a whole; without an embedder the first long one."""
    held = [piece.text[a:b] for a, b in sentence_spans(piece.text) if _reads(piece.text[a:b])]
    vectors = scorer.meaning.texts([one[:MAX_EMBEDDED_CHARACTERS] for one in held[:12]])
    if vectors is None or not held:
        return held[0] if held else ""
    length = np.array([min(1.0, _width(one) / FULL_SENTENCE_CHARACTERS) for one in held[:12]])
    return held[int(np.argmax((vectors @ vectors.mean(axis=0)) * length))]
