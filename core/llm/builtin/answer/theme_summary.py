"""A theme in brief: of each document that says it the best sentences that do, of a table what it holds."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.domain import Evidence, Sentence
from core.llm.builtin.answer.evidence_units import closed, shown
from core.llm.builtin.answer.scorer import MAX_EMBEDDED_CHARACTERS, Scorer
from core.text.sentences import sentence_spans
from core.text.thing_questions import mentions_theme, theme_of
from core.text.tokens import is_cjk, single_spaced
from core.text.vocabulary import packaged

THEME = {"theme": 1.0}  # scores of a passage that is read for its theme
MAX_DOCUMENTS = 10  # summary
SENTENCES_A_DOCUMENT = 2
MIN_SENTENCE_WIDTH, MAX_SENTENCE_CHARACTERS = 25, 400  # in Latin letters; of a sentence worth telling
FULL_SENTENCE_WIDTH = 80  # from which a sentence says enough to stand for others
MIN_LETTERS = 0.5  # share of the characters of a sentence; one of figures may say the most of a theme
MAX_COLUMNS = 8  # of a table that are named
_TABLE = {
    "en": {
        "one": "table “{name}”, 1 row; columns: {columns}",
        "more": "table “{name}”, {n} rows; columns: {columns}",
        "joint": ", ",
        "further": " and {n} more",
    },
    "zh": {
        "one": "表格“{name}”，1 行；列：{columns}",
        "more": "表格“{name}”，{n} 行；列：{columns}",
        "joint": "、",
        "further": "等 {n} 列",
    },
}
_ITEM_MARK = re.compile(r"^(?:[-*•·▪‣–—]|\d{1,2}[.)、])\s*(?=\D)")


class _Line(NamedTuple):
    """What a document says of the theme; `of_table`: what its table holds, `is_card`: in our words."""

    document: str
    n: int
    text: str
    of_table: bool = False
    is_card: bool = False


def theme_summary(question: str, evidence: Sequence[Evidence], scorer: Scorer) -> tuple[Sentence, ...]:
    """Return a line for each document that was read for the theme of the question, () where none was."""
    theme = theme_of(question)
    pieces = [piece for piece in evidence if piece.scores == THEME]
    if not theme or len(pieces) < len(evidence):
        return ()
    names = packaged().names_of(theme)
    language = "zh" if is_cjk(question) else "en"
    lines = _ranked([line for piece in pieces for line in _lines(piece, names, language)], scorer)
    summary: list[Sentence] = []
    for document in list(dict.fromkeys(line.document for line in lines))[:MAX_DOCUMENTS]:
        own = [line for line in lines if line.document == document]
        best = [line for line in own if not line.of_table] or own[:1]
        title = next(piece.source for piece in pieces if (piece.document or piece.source) == document)
        summary += [
            Sentence(
                text=f"- **{title}**: {line.text}" if at == 0 else f"- {line.text}",
                citations=(line.n,),
                made="computed" if line.is_card else "written",
            )
            for at, line in enumerate(best[:SENTENCES_A_DOCUMENT])
        ]
    return tuple(summary)


def _lines(piece: Evidence, names: Sequence[str], language: str) -> list[_Line]:
    """Return the sentences of a passage that say the theme or stand under a heading that does; of a table
    the first row with a cell that does, else what it is called and holds."""
    document = piece.document or piece.source
    if piece.columns:
        row = _row_mentioning(piece, names)
        line = row or _card(piece, language)
        return [_Line(document, piece.n, line, of_table=True, is_card=not row)]
    headed = any(_mentions(names, heading) for heading in piece.heading[-1:] if heading != piece.source)
    texts = (_ITEM_MARK.sub("", single_spaced(piece.text[a:b])) for a, b in sentence_spans(piece.text))
    return [
        _Line(document, piece.n, text)
        for text in dict.fromkeys(texts)
        if _is_sentence(text) and (headed or _mentions(names, text))
    ]


def _row_mentioning(piece: Evidence, names: Sequence[str]) -> str:
    """Return the first row with a cell that says the theme, its cells under their columns; "" without one."""
    labels = [column.label() for column in piece.columns]
    for row in piece.rows:
        cells = [(label, value) for label, value in zip(labels, map(shown, row), strict=False) if value]
        if any(_mentions(names, value) for _, value in cells):
            return "; ".join(f"{label}: {value}" for label, value in cells[:MAX_COLUMNS])
    return ""


def _card(piece: Evidence, language: str) -> str:
    """Return what a table is called, how many rows it has and its columns."""
    say, labels = _TABLE[language], [column.label() for column in piece.columns]
    named = say["joint"].join(labels[:MAX_COLUMNS])
    if (left := len(labels) - MAX_COLUMNS) > 0:
        named += say["further"].format(n=left if language == "en" else len(labels))
    count = piece.row_count or len(piece.rows)
    key = "one" if count == 1 else "more"
    return say[key].format(name=piece.table or piece.source, n=count, columns=named)


def _mentions(names: Sequence[str], text: str) -> bool:
    """Say whether a text has every word of a name of the theme."""
    return any(mentions_theme(name, text) for name in names)


def _is_sentence(text: str) -> bool:
    """Say whether it reads as a sentence: long enough, ended as one, mostly letters."""
    letters = sum(sign.isalpha() or sign.isspace() for sign in text)
    fits = _width(text) >= MIN_SENTENCE_WIDTH and len(text) <= MAX_SENTENCE_CHARACTERS
    return fits and closed(text) and letters >= MIN_LETTERS * len(text)


def _width(text: str) -> int:
    """Return how long a text is in Latin letters: a Chinese sign says as much as two."""
    return len(text) + sum(map(is_cjk, text))


def _ranked(lines: Sequence[_Line], scorer: Scorer) -> list[_Line]:
    """Return the lines, those nearest to what all say first (the centroid; Radev et al., 2004); as they
    stand without an embedder."""
    vectors = scorer.meaning.texts([line.text[:MAX_EMBEDDED_CHARACTERS] for line in lines]) if lines else None
    if vectors is None:
        return list(lines)
    full = np.array([min(1.0, _width(line.text) / FULL_SENTENCE_WIDTH) for line in lines])
    near = vectors @ vectors.mean(axis=0) * full
    return [lines[at] for at in np.argsort(-near, kind="stable")]
