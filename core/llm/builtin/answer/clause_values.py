"""Of several values in a text the one in the clause that speaks of what is asked."""

import re

from core.llm.builtin.answer.parsed_question import FIGURE_KINDS, ParsedQuestion, names
from core.llm.builtin.answer.values import field_of, repeats_question, spans_of
from core.llm.builtin.answer.word_matching import is_said, keys_of, words_of
from core.text.quantities import find_quantities

_EXCEPTED = re.compile(r"\b(?:except|excluding|other than|außer|sauf)\b[^,.;]*|除[^，。；]*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?]\s|[。！？\n]")
_CLAUSE_ENDS = re.compile(
    r"[;；。\n]|[,，:.!?]\s|\b(?:and|but|while|whereas|und|aber)\b|但|而", re.IGNORECASE
)


def in_best_clause(parsed: ParsedQuestion, text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the value of the same kind in the clause of its sentence that says more of the question, names
    counted twice: of B-12 84 %, not 71 %, in "A-7 with 71 % and B-12 with 84 %"."""
    if field_of(parsed, text) is not None:
        return span
    found = find_quantities(text)
    units = {one.unit for one in found if one.start < span[1] and span[0] < one.end}
    alike = [(one.start, one.end) for one in found if one.unit in units]
    if parsed.kind in FIGURE_KINDS:
        alike = spans_of(parsed, text)
    if parsed.counted:  # "200 laptops" are no blankets
        behind = {one: words_of(text[one[1] :])[:1] for one in alike}
        alike = [one for one in alike if any(is_said(word.key, parsed.keys) for word in behind[one])]
    between = {one: text[min(one[0], span[0]) : max(one[1], span[1])] for one in alike}
    alike = [one for one in alike if not _SENTENCE_END.search(between[one])]
    ends = [0, *(match.end() for match in _CLAUSE_ENDS.finditer(text)), len(text)]

    def said(place: tuple[int, int]) -> int:
        start = max(end for end in ends if end <= place[0])
        clause = text[start : next(end for end in ends if end >= place[1])]
        own = keys_of(_EXCEPTED.sub("", clause))
        return sum(1 + names(word, parsed.question) for word in parsed.words if is_said(word.key, own))

    best = max(alike, key=said, default=span)
    return best if said(best) > said(span) and not repeats_question(parsed, text[slice(*best)]) else span
