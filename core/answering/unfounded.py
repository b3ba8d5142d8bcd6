"""Finds figures and names of an answer that occur neither in its citations nor in the question.

A model that checks its own answer may call anything supported, and an invented name among the words of a
passage is no more than one word in ten: both are looked up.
"""

import re
from collections.abc import Iterable, Sequence

from core.answering.citations import numbers
from core.domain import PartAnswer, Passage, Sentence
from core.retrieval.table_cards import text_of
from core.text.proper_names import names_in
from core.text.tokens import is_cjk, is_stopword, words

# A capital at the start of a sentence does not mark a name unless a verb follows.
_SUBJECT = re.compile(r"(?:^|[.!?:]\s+)([A-Z][\w-]+)(?=\s+(?:[a-z]+(?:s|ed)|made|built|sold|gave|has|had)\b)")
_STEM = 4  # letters that a name and its adjective share: "Norway", "Norwegian"
_MOST_APART = 4  # letters by which they may differ in length


def unfounded(
    question: str, sentences: Sequence[Sentence], parts: Sequence[PartAnswer], evidence: Sequence[Passage]
) -> dict[int, set[str]]:
    """Return, per sentence, the numbers and names found in neither the evidence nor the question."""
    found = unfounded_numbers(question, sentences, parts, evidence)
    for at, names in unfounded_names(question, sentences, parts, evidence).items():
        found.setdefault(at, set()).update(names)
    return found


def unfounded_numbers(
    question: str,
    sentences: Sequence[Sentence],
    parts: Sequence[PartAnswer],
    evidence: Sequence[Passage],
) -> dict[int, set[str]]:
    """Return, per sentence, the numbers that are in no citation, no computed row, nor in the question."""
    allowed = numbers(question)
    for part in parts:
        allowed |= numbers(part.question)
        if part.sql:
            allowed |= numbers(part.answer)
    evidence_numbers = [
        numbers(passage.chunk.passage_text())
        | numbers(f"{passage.document_title} {passage.file} {passage.date}")
        | numbers("; ".join(text_of(cell) for row in passage.rows for cell in row))
        for passage in evidence
    ]
    found: dict[int, set[str]] = {}
    for i, sentence in enumerate(sentences):
        cited = [n - 1 for n in sentence.citations if 0 < n <= len(evidence_numbers)]
        known = allowed.union(*(evidence_numbers[at] for at in cited))
        if sentence.made == "computed":  # by code, which counts the rows of a table
            known |= {str(evidence[at].row_count) for at in cited}
        loose = {n for n in numbers(sentence.text) if n.lstrip("-") not in {k.lstrip("-") for k in known}}
        if loose:
            found[i] = loose
    return found


def unfounded_names(
    question: str, sentences: Sequence[Sentence], parts: Sequence[PartAnswer], evidence: Sequence[Passage]
) -> dict[int, set[str]]:
    """Return, per sentence, the names that are in no citation, no part's question, nor in the question.

    A name may be written in another script than a source in another language has it: such a source founds
    any name.
    """
    asked = " ".join(
        [question, *(part.question for part in parts), *(part.answer for part in parts if part.sql)]
    )
    texts = [_text(passage) for passage in evidence]
    found: dict[int, set[str]] = {}
    for i, sentence in enumerate(sentences):
        cited = [texts[n - 1] for n in sentence.citations if 0 < n <= len(texts)]
        if not cited or any(is_cjk(text) != is_cjk(sentence.text) for text in cited):
            continue
        known = " ".join("\n".join([asked, *cited]).casefold().split())  # a quotation joins lines
        known_words = set(words(known))
        names = [name.text for name in names_in(sentence.text)] + _SUBJECT.findall(sentence.text)
        loose = {name for name in names if not _occurs_in(name, known, known_words)}
        if loose:
            found[i] = loose
    return found


def _text(passage: Passage) -> str:
    cells = "; ".join(text_of(cell) for row in passage.rows for cell in row)
    columns = " ".join(f"{column.name} {column.unit} {column.note}" for column in passage.columns)
    return "\n".join(
        [
            passage.chunk.passage_text(),
            f"{passage.document_title} {passage.file} {passage.date} {passage.table} {columns}",
            cells,
        ]
    )


def _occurs_in(name: str, known: str, known_words: Iterable[str]) -> bool:
    """Say whether a name, or each of its words in some form, is in a text in small letters."""
    if name.casefold() in known:
        return True
    return not is_cjk(name) and all(
        word in known_words
        or is_stopword(word)
        or any(
            other[:_STEM] == word[:_STEM] and abs(len(other) - len(word)) <= _MOST_APART
            for other in known_words
            if len(word) >= _STEM
        )
        for word in words(name)
    )
