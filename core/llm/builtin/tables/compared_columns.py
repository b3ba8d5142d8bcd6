"""Two columns of one row compared ("below the minimum stock"), and comparisons that no condition says."""

import re
from collections.abc import Sequence

from core.domain import ColumnCard, TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.standard_of_comparison import standard_of_comparison
from core.llm.builtin.answer.word_matching import TRANSLATION_LIKENESS, Word, matches_any, words_of
from core.llm.builtin.tables.figure_conditions import COMPARED, Condition, abbreviates, bare, is_measure
from core.llm.builtin.tables.name_likeness import name_likeness
from core.text.sql_quoting import quoted

_THAN = re.compile(
    r"\b(?P<than>"
    + "|".join(phrase for group in COMPARED.values() for phrase in group if phrase not in ("from", "up to"))
    + r")\s+(?:(?:the|their|its|an?)\s+)?(?P<what>\S.*)"
    r"|(?P<than_zh>不低于|不高于|不超过|不少于|低于|高于|超过|少于|多于|大于|小于|至少|至多)(?P<what_zh>.*)",
    re.IGNORECASE,
)
MEAN = re.compile(
    r"(?:the\s+)?(?P<median>median|中位数)|(?:the\s+)?(?:average|mean)\b|平均(?:值|数|水平)?", re.IGNORECASE
)
_PLACES = ("over", "under")  # also said of spans and headings: "over the year"
_DIFFERENCE = re.compile(r"\bhow (?:much|many) \w+ than\b|比", re.IGNORECASE)
_ZH = {
    "<": ("低于", "少于", "小于"), "<=": ("不高于", "不超过", "至多"),
    ">": ("高于", "超过", "多于", "大于"), ">=": ("不低于", "不少于", "至少"),
}  # fmt: skip


def conditions_on_columns(parsed: ParsedQuestion, card: TableCard) -> list[Condition]:
    """Return the condition that a figure of a row is less or more than another figure of that row: the one
    that is named behind the comparison, and the one named before it or by the last of its words ("stock"
    of "minimum stock")."""
    found = _THAN.search(parsed.question)
    if found is None:
        return []
    behind = words_of(found["what"] or found["what_zh"])  # of the question each word stands once
    before = [word.key for word in parsed.words if word.end <= found.start()]
    measures = [column for column in card.columns if is_measure(column)]
    if mean := MEAN.match(found["what"] or found["what_zh"]):
        return _on_mean(parsed, card, found, mean, measures)
    limits = [column for column in measures if _begins(behind, column)]
    if not limits:
        return []
    limit = max(limits, key=lambda column: len(words_of(column.name)))
    last = _keys(limit)[-1:]
    others = [one for one in measures if one is not limit]
    named = [one for one in others if all(_is_named(key, before) for key in _keys(one))]
    called_so = [one for one in others if _keys(one) == last]
    compared = next(iter([*named, *called_so]), None)
    if compared is None:
        return []
    span = found.span("than" if found["than"] else "than_zh")
    words = frozenset(word.key for word in behind[: len(_keys(limit))])
    words |= {word.key for word in parsed.words if word.start < span[1] and word.end > span[0]}
    own = frozenset(key for key in before if any(_is_named(name, [key]) for name in _keys(compared)))
    return [Condition(compared, (), "", words | own, _sign(found), limit)]


def _on_mean(
    parsed: ParsedQuestion,
    card: TableCard,
    found: re.Match[str],
    mean: re.Match[str],
    measures: Sequence[ColumnCard],
) -> list[Condition]:
    """Return the condition that a figure is above or below the mean of its column, the one column of figures
    that the question names."""
    named = [one for one in measures if all(matches_any(key, parsed.keys) for key in _keys(one))]
    if len(named) != 1 or card.partial:
        return []
    name = quoted(named[0].name)
    bound = f"(SELECT {'median' if mean['median'] else 'avg'}({name}) FROM {quoted(card.name)})"
    own = {key for key in parsed.keys if matches_any(key, _keys(named[0]))}
    start = found.start("than" if found["than"] else "than_zh")
    end = found.start("what" if found["than"] else "what_zh") + mean.end()
    own |= {word.key for word in parsed.words if word.start < end and word.end > start}
    return [Condition(named[0], (), "", frozenset(own), _sign(found), bound=bound)]


def misses_comparison(parsed: ParsedQuestion, conditions: Sequence[Condition]) -> bool:
    """Say whether the question says more or less than something, and no condition does; one that asks how
    much more is asked for nothing else. A row that is only compared with is none of those asked for."""
    thing = standard_of_comparison(parsed)
    if any(one.operator == "=" and one.words and one.words <= thing for one in conditions):
        return True
    found = _THAN.search(parsed.question)
    if found is None or _DIFFERENCE.search(parsed.question):
        return False
    if (found["than"] or "").lower() in _PLACES and not found["what"][0].isdigit():
        return False
    return not any(condition.operator != "=" for condition in conditions)


def _begins(words: Sequence[Word], column: ColumnCard) -> bool:
    own = _keys(column)
    keys = [word.key for word in words[: len(own)]]
    return len(keys) == len(own) > 0 and all(
        _is_named(name, [key]) for key, name in zip(keys, own, strict=True)
    )


def _is_named(name: str, words: Sequence[str]) -> bool:
    """Say whether one of the words is a word of a column's name, or what it is called in Chinese."""
    return any(
        matches_any(name, [word])
        or abbreviates(name, word)
        or name_likeness(word, name) >= TRANSLATION_LIKENESS
        for word in words
    )


def _keys(column: ColumnCard) -> list[str]:
    return [word.key for word in words_of(bare(column))]


def _sign(found: re.Match[str]) -> str:
    table = COMPARED if found["than"] else _ZH
    phrase = (found["than"] or found["than_zh"]).lower()
    return next(sign for sign, group in table.items() if phrase in group)
