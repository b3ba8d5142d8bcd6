"""A document in brief: title, headings, of each the sentence nearest to the whole, columns of tables."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import numpy as np

from core.domain import Evidence, Sentence
from core.llm.builtin.answer.evidence_units import closed, shown
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.scorer import MAX_EMBEDDED_CHARACTERS, Scorer
from core.text.codes import THING_CODE
from core.text.library_questions import requested_name, requested_sentences
from core.text.sentences import sentence_spans
from core.text.tokens import is_cjk

MAX_SENTENCES = 12  # told
FEW_PASSAGES = 3  # up to so many are quoted with their first words, and by more than one sentence
FEW_SENTENCES = 3
MAX_HEADINGS = 8
LISTED = {"section": 1.0}  # scores of a passage that is read as a section of the document that is meant
FORM_COLUMNS = 2  # labels and values
MAX_FIELDS = 6  # of a form that are listed
MIN_LETTERS = 0.7  # share of the characters of a sentence
MAX_SENTENCES_WEIGHED = 12  # of a passage
_ITEM_MARK = re.compile(r"^(?:[-*•·▪‣–—]|\d{1,2}[.)、])\s*(?=\D)")
NOTE_MARKS = ("*", "†", "‡")  # a footnote
BEGINNING_CHARACTERS = 160  # of a passage without sentences
MAX_LABELS = 8  # rows of a table that are named
MAX_LABEL_CHARACTERS = 60  # of a cell that names its row
MIN_SENTENCE_CHARACTERS = 25  # characters of a sentence worth telling
MIN_DOCUMENTS = 3  # that name a thing, from which it is summarised by document
FULL_SENTENCE_CHARACTERS = 80  # characters from which a sentence says enough to stand for its section


def summarised(parsed: ParsedQuestion, evidence: Sequence[Evidence], scorer: Scorer) -> tuple[Sentence, ...]:
    """Return the summary of the document the question means, () where it names none that was found."""
    documents: dict[str, list[Evidence]] = {}
    for piece in evidence:
        documents.setdefault(piece.document or piece.source, []).append(piece)
    if by_document := _lines_by_document(parsed.question, documents):
        return by_document
    if len(documents) != 1 or not all(piece.scores == LISTED for piece in evidence):
        return ()
    pieces = next(iter(documents.values()))
    first = pieces[0]
    titled = first.source != PurePath(first.name).stem
    headings: dict[str, int] = {}
    for piece in pieces:
        if piece.heading and _is_informative(piece.heading[-1], first):
            headings.setdefault(piece.heading[-1], piece.n)
    beside = [each for each in (first.name if titled else "", first.date) if each]
    about = f"{first.source} ({', '.join(beside)})" if beside else first.source
    sentences = [Sentence(text=f"**{about}**", citations=(first.n,))]
    asked = requested_sentences(parsed.question)
    if headings and not asked:
        named = list(headings)[:MAX_HEADINGS]
        sentences.append(
            Sentence(text=f"- {' · '.join(named)}", citations=tuple(sorted({headings[h] for h in named})))
        )
    central = _central(pieces, scorer)
    best = sorted((-near, n, line) for n, ranked in central.items() for near, line in ranked[:1])
    selected = sorted((n, 0, " ".join(line.split())) for _, n, line in best[:asked])
    if not selected:  # of no length, or of tables alone
        every = _lines_of_passages(pieces, {n: [line for _, line in ranked] for n, ranked in central.items()})
        selected = every[: asked or MAX_SENTENCES]
    sentences += [Sentence(text=f"- {_unmarked(line)}", citations=(n,)) for n, _, line in selected]
    return tuple(sentences) if selected else ()


def _unmarked(line: str) -> str:
    """Return a line without the bullet or number of its list item: a summary sets its own bullet."""
    return _ITEM_MARK.sub("", line)


def _lines_of_passages(
    pieces: Sequence[Evidence], central: Mapping[int, Sequence[str]]
) -> list[tuple[int, int, str]]:
    """Return what tells each passage (its number, the place of a line, the line), one of each before a second
    one of any, in their order."""
    most = FEW_SENTENCES if len(pieces) <= FEW_PASSAGES else 1
    lines = {piece.n: _lines(piece, central.get(piece.n, ())[:most]) for piece in pieces}
    first = pieces[0]
    if len(pieces) <= FEW_PASSAGES and not first.columns:
        begun = _beginning(first)
        if not any(begun.startswith(line) for line in lines[first.n]):  # told already, in whole sentences
            lines[first.n] = list(dict.fromkeys(filter(None, (begun, *lines[first.n]))))
    ordered = sorted((at, n, line) for n, own_lines in lines.items() for at, line in enumerate(own_lines))[
        :MAX_SENTENCES
    ]
    return sorted((n, at, line) for at, n, line in ordered)


def _lines_by_document(question: str, documents: Mapping[str, Sequence[Evidence]]) -> tuple[Sentence, ...]:
    """Return a line for each document that names the one code asked about: its first sentence that does, or
    what its table holds; () where fewer than three do, or one of them is what is meant."""
    codes = THING_CODE.findall(question)
    if (
        len(codes) != 1
        or len(documents) < MIN_DOCUMENTS
        or requested_name(question) - requested_name(codes[0])
    ):
        return ()
    sentences: list[Sentence] = []
    for pieces in documents.values():
        if pieces[0].source.startswith(codes[0]) or pieces[0].name.startswith(codes[0]):
            return ()
        candidates = ((piece.n, line) for piece in pieces if (line := _naming(piece, codes[0])))
        if found := next(candidates, None):
            n, line = found
            sentences.append(
                Sentence(text=f"- **{pieces[0].source}**: {' '.join(line.split())}", citations=(n,))
            )
    return tuple(sentences[:MAX_SENTENCES]) if len(sentences) >= MIN_DOCUMENTS else ()


def _naming(piece: Evidence, code: str) -> str:
    """Return the first sentence of a piece that names a code, of rows what they hold; "" without one."""
    if code not in piece.text:
        return ""
    if piece.columns:
        return _lines(piece)[0]
    sentences = (piece.text[a:b] for a, b in sentence_spans(piece.text))
    return next(
        (one.lstrip("-• ") for one in sentences if code in one and _width(one) >= MIN_SENTENCE_CHARACTERS), ""
    )


def _is_informative(heading: str, first: Evidence) -> bool:
    """Say whether a heading says something: not the title again, not a number of a page or record."""
    return heading != first.source and not re.fullmatch(r"\w+ \d+", heading)


def _is_sentence(sentence: str) -> bool:
    """Say whether it reads as a sentence: long enough, ended as one, mostly letters, no fields."""
    fields = len(re.findall(r"[\w.]+: [^;]*(?:;|$)", sentence))
    return _is_wordy(sentence) and closed(sentence) and fields < 2 and not sentence.startswith(NOTE_MARKS)


def _lines(piece: Evidence, sentences: Sequence[str] = ()) -> list[str]:
    """Return what tells a passage: its sentences, else its first words; what a table is called, its columns
    and the first values of the one that names the rows; of a form its labels with their values."""
    if not piece.columns:
        lines = [*sentences] or [_beginning(piece)]
    elif len(piece.columns) == FORM_COLUMNS:
        cells = [[shown(cell) for cell in row] for row in piece.rows]
        lines = [" ".join(row) for row in cells if all(row)][:MAX_FIELDS]
    else:
        lines = [" · ".join([piece.table, *(column.name for column in piece.columns)]), _row_names(piece)]
    return list(dict.fromkeys(" ".join(line.split()) for line in lines if line.strip()))


def _row_names(piece: Evidence) -> str:
    """Return the first values of the column that names a table's rows, behind its name; "" without one."""
    types = [column.type for column in piece.columns]
    naming = next((at for at, type_ in enumerate(types) if type_ in ("text", "integer")), None)
    if naming is None:
        return ""
    labels = dict.fromkeys(" ".join(shown(row[naming]).split()) for row in piece.rows)
    named = [label for label in labels if 0 < len(label) <= MAX_LABEL_CHARACTERS]
    return " · ".join([piece.columns[naming].name, *named[:MAX_LABELS]]) if len(named) > 1 else ""


def _beginning(piece: Evidence) -> str:
    """Return the first words of a passage without sentences, up to its first field: of a cover, a list, a
    record; "" of mere figures."""
    begun = re.sub(r"\s+\S*$", "", piece.text[:BEGINNING_CHARACTERS])
    plain = re.split(r"\s(?=[\w.]+: )", begun)[0]
    begun = plain if _is_wordy(plain) else begun
    return begun if piece.kind == "text" and _is_wordy(begun) else ""


def _is_wordy(text: str) -> bool:
    """Say whether a text is long enough to say something, and mostly letters."""
    letters = sum(sign.isalpha() or sign.isspace() for sign in text)
    return _width(text) >= MIN_SENTENCE_CHARACTERS and letters >= MIN_LETTERS * len(text)


def _width(text: str) -> int:
    """Return how long a text is in Latin letters: a Chinese sign says as much as two."""
    return len(text) + sum(map(is_cjk, text))


def _central(pieces: Sequence[Evidence], scorer: Scorer) -> dict[int, list[tuple[float, str]]]:
    """Return, by number of the passage, its sentences with how near each is to the passage and to the
    document as a whole (the centroid of all sentences; Radev et al., 2004), nearest first; without an
    embedder all alike."""
    by_number = {
        piece.n: [piece.text[a:b] for a, b in sentence_spans(piece.text) if _is_sentence(piece.text[a:b])]
        for piece in pieces
        if not piece.columns
    }
    flat = [(n, one) for n, sentences in by_number.items() for one in sentences[:MAX_SENTENCES_WEIGHED]]
    vectors = scorer.meaning.texts([one[:MAX_EMBEDDED_CHARACTERS] for _, one in flat])
    if vectors is None or not flat:
        return {n: [(0.0, one) for one in sentences] for n, sentences in by_number.items()}
    whole = vectors.mean(axis=0)
    ordered: dict[int, list[tuple[float, str]]] = {}
    for n in {n for n, _ in flat}:
        at = [place for place, (of, _) in enumerate(flat) if of == n]
        length = np.array([min(1.0, _width(flat[place][1]) / FULL_SENTENCE_CHARACTERS) for place in at])
        near = vectors[at] @ (vectors[at].mean(axis=0) + whole) * length
        ordered[n] = [(float(near[place]), flat[at[place]][1]) for place in np.argsort(-near)]
    return ordered
