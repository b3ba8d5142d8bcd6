"""Of several values in a text the one in the clause that mentions what is asked."""

import re
from collections.abc import Sequence

from core.llm.builtin.answer.parsed_question import FIGURE_KINDS, ParsedQuestion, names
from core.llm.builtin.answer.stated_conditions import contradicted, labelled_at, states_pairs
from core.llm.builtin.answer.values import field_of, repeats_question, spans_of
from core.llm.builtin.answer.word_matching import keys_of, matches_any, words_of
from core.text.quantities import find_quantities
from core.text.sentences import sentence_spans

_EXCEPTED = re.compile(r"\b(?:except|excluding|other than|außer|sauf)\b[^,.;]*|除[^，。；]*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?]\s|[。！？\n]")
_CLAUSE_ENDS = re.compile(
    r"[;；。\n]|[,，:.!?]\s|\b(?:and|but|while|whereas|und|aber)\b|但|而", re.IGNORECASE
)
_CODE = re.compile(r"\b(?:[A-Za-z]+-?\d+\w*|\d{3,})\b")
# A word by which a value and a figure belong to two things, and how many characters between them it counts
_PARTS = re.compile(r"\b(?:to|and|then|bis|und|et)\b|[,;，；、]|[到至和]")
FAR = 20
CARRIED = 0.5  # what a word of an earlier clause counts that is no name, against 1 in the clause itself


def in_best_clause(parsed: ParsedQuestion, text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the value of the same kind in the clause of its sentence that says more of the question, names
    counted twice: of B-12 84 %, not 71 %, in "A-7 with 71 % and B-12 with 84 %"; or that of another sentence
    where its own is of another revision than the one asked for."""
    in_words = (
        parsed.kind not in FIGURE_KINDS and text[span[0] : span[0] + 1].isalpha()
    )  # "Revision 7" is no "2025"
    if in_words or field_of(parsed, text) is not None:
        return span
    found = find_quantities(text)
    units = {one.unit for one in found if one.start < span[1] and span[0] < one.end}
    alike = [(_behind_label(text, one.start, one.end), one.end) for one in found if one.unit in units]
    if parsed.kind in FIGURE_KINDS:
        alike = spans_of(parsed, text)
    if parsed.counted:  # "200 laptops" are no blankets
        behind = {one: words_of(text[one[1] :])[:1] for one in alike}
        alike = [one for one in alike if any(matches_any(word.key, parsed.keys) for word in behind[one])]
    if contradicted(parsed, sentence_at(text, span)):
        named = [one for one in alike if states_pairs(parsed, sentence_at(text, one))]
        span = named[0] if len(named) == 1 else span
    between = {one: text[min(one[0], span[0]) : max(one[1], span[1])] for one in alike}
    alike = [one for one in alike if not _SENTENCE_END.search(between[one])]

    def matched_weight(place: tuple[int, int]) -> float:
        clause = clause_at(text, place)
        own, carried = keys_of(_EXCEPTED.sub("", clause)), _carried_on(text, clause, place)
        weights = [(word, 1 + names(word, parsed.question)) for word in parsed.words]
        return sum(
            weight
            if matches_any(word.key, own) or (weight > 1 and word.key in carried)
            else CARRIED * (word.key in carried)
            for word, weight in weights
        )

    best = max(alike, key=matched_weight, default=span)
    if matched_weight(best) <= matched_weight(span) or repeats_question(parsed, text[slice(*best)]):
        best = span
    return _beside_figure(
        parsed, text, best, [one for one in alike if matched_weight(one) == matched_weight(best)]
    )


def _carried_on(text: str, clause: str, value: tuple[int, int]) -> frozenset[str]:
    """Return the words of earlier clauses of the sentence, where that of the value mentions nothing else by
    a code: "train 4012 had flats on 2 March; it was towed home on 4 March"."""
    if _CODE.search(clause.replace(text[slice(*value)], "")):
        return frozenset()
    start, _ = next((span for span in sentence_spans(text) if span[0] <= value[0] < span[1]), (0, 0))
    return keys_of(text[start : value[0]])


def _behind_label(text: str, start: int, end: int) -> int:
    """Return where a value begins: "11 to 91.6 %" behind "week" with the 91.6."""
    label = labelled_at(text, start)
    behind = re.match(r"\S+\s+(?:to|and|bis|und)\s+", text[start:end]) if label else None
    return start + behind.end() if behind else start


def _beside_figure(
    parsed: ParsedQuestion, text: str, span: tuple[int, int], alike: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """Return of such values the one beside a figure of the question: of week 15 the last, in "from 84.1 % in
    week 11 to 91.6 % in week 15"."""
    asked = {word.key for word in parsed.words if word.figure}
    figures = [word for word in words_of(text) if word.figure and word.key in asked]
    free = [one for one in alike if not any(one[0] < f.end and f.start < one[1] for f in figures)]
    if not figures or span not in free:
        return span

    def gap(one: tuple[int, int]) -> int:
        between = [text[min(one[1], f.end) : max(one[0], f.start)] for f in figures]
        return min(len(part) + FAR * bool(_PARTS.search(part)) for part in between)

    best = min(free, key=gap)
    return best if gap(best) < gap(span) else span


def clause_at(text: str, span: tuple[int, int]) -> str:
    """Return the clause, or clauses, that a value is in."""
    ends = [0, *(match.end() for match in _CLAUSE_ENDS.finditer(text)), len(text)]
    return text[max(end for end in ends if end <= span[0]) : next(end for end in ends if end >= span[1])]


def sentence_at(text: str, span: tuple[int, int]) -> str:
    """Return the sentence in which a value begins."""
    return next((text[start:end] for start, end in sentence_spans(text) if start <= span[0] < end), text)
