"""Conditions of a question that a text contradicts or leaves out: the number or letter of a thing
("revision 6", "chamber B", "with two persons"), of what an amount is a rate ("per wafer"), and "before".
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from core.llm.builtin.answer.parsed_question import NUMBER_WORDS, ParsedQuestion, number_of
from core.llm.builtin.answer.word_matching import key_of, keys_of
from core.text.identifiers import as_words
from core.text.periods import is_year
from core.text.tokens import is_stopword

_LABELLED = re.compile(
    r"(?<![A-Za-z])(?P<noun>[A-Za-z]{3,40})(?:\s+(?:no\.?|number))?:?\s+#?(?P<label>\d{1,4}[a-f]?|[A-Z](?=\W|$))"
    r"(?![\w'’]|[.,:/-]\w|\s?%)"
)
_COUNTED = re.compile(
    rf"(?<![\w.,])(?P<label>\d{{1,4}}|{'|'.join(NUMBER_WORDS[1:])})\s+(?P<noun>[A-Za-z]{{3,40}})",
    re.IGNORECASE,
)
_BY_COUNT = re.compile(
    rf"\b(?:with|by|for|after|within|every|in|at|of|from|under|over)\s+{_COUNTED.pattern}", re.I
)
_RATE = re.compile(
    r"\b(?:per|for (?:each|every))\s+(?P<noun>[A-Za-z]{3,})|每(?P<zh>[片个台次批件人天月年周小时]+)"
)
_OF_EACH = re.compile(r"(?:\b(?:per|each|every|an?|pro|je|par|por)\s+|[/每])$", re.IGNORECASE)
# Until when something is so is shown by what stands right before the day
_UNTIL_ASKED = re.compile(
    r"\b(?:until|till) when\b|\bhow long\b.{0,80}\bvalid\b|\bbis wann\b|有效期|到什么时候|到何时",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"(?:\b(?:until|till|through|to|by|before|up to|expires?|ends?|valid|bis|gültig)\b|[至到前])"
    r"(?:\W+(?!(?:from|since|ab|seit)\b)[^\W\d]{1,12}){0,3}\W*$",
    re.IGNORECASE,
)
# Of days in columns an end, or the next time, is shown by the column's name
_AGAIN_ASKED = re.compile(
    r"\b(?:when|what day|which day|what date)\b.{0,120}\b(?:again|next|due)\b|下[一]?次|再次", re.IGNORECASE
)
_END_COLUMN = re.compile(
    r"\b(?:until|till|through|to|by|before|expir\w*|ends?|valid\w*|due|next|deadline|bis|gültig\w*|fällig\w*)\b"
    r"|[至到前止]|有效|截止|下[一]?次",
    re.IGNORECASE,
)
_OFTEN_ASKED = re.compile(
    r"\bhow (?:often|frequently) (?:must|should|shall|is|are|do|does|has|have|may|can|will)\b"
    r"|\bwie oft (?:muss|müssen|soll|wird)\b",
    re.IGNORECASE,
)
_FREQUENCY = re.compile(
    r"\b(?:every|each|per|once|twice|times|daily|hourly|weekly|monthly|quarterly|yearly|annual(?:ly)?|continuous\w*"
    r"|regular\w*|always|before|after|jede[nrsm]?|pro|einmal|zweimal|täglich|wöchentlich|monatlich|jährlich)\b|每|一次",
    re.IGNORECASE,
)
_REMAINDER_ASKED = re.compile(
    r"\bhow (?:many|much|long)\b.{0,80}\b(?:left|remain\w*|short of|to go|still (?:needs?|lacks?|missing))\b"
    r"|\bwie (?:viele?|lange)\b.{0,80}\b(?:übrig|verbleib\w*|fehl(?:t|en))\b|还[剩差缺]|剩余?多少",
    re.IGNORECASE,
)
_REMAINDER = re.compile(
    r"\b(?:left|remain\w*|short|missing|lack\w*|still|outstanding|to go|stock|on hand|available|balance|free"
    r"|übrig|verbleib\w*|fehl\w*|noch|bestand|rest)\b|剩|差|缺|余|库存",
    re.IGNORECASE,
)
_OUTSIDE_ASKED = re.compile(r"\boutside (?:of )?(?:the )?(?P<what>[a-z]{3,})", re.IGNORECASE)
_OUTSIDE = re.compile(r"\b(?:outside|otherwise|else|rest of|except|all other|not in)\b", re.IGNORECASE)
_OFTEN = {
    "hour": "hourly", "day": "daily", "week": "weekly", "month": "monthly", "year": "yearly annual annually",
    "person": "capita",
}  # fmt: skip
_EARLIER = re.compile(
    r"\b(?:before(?: (?:that|the change|then))?|previously|formerly|earlier|originally|at first)\s*[?.]?\s*$"
    r"|\bthe (?:previous|former|earlier)\b|(?:此前|之前|以前|原来|原先)", re.IGNORECASE
)  # fmt: skip
_EARLIER_EN = (
    r"\b(?:before (?:that|this|then)|previous(?:ly)?|former(?:ly)?|earlier|original(?:ly)?|instead of"
    r"|rather than|used to|old|replac\w+|supersed\w+)\b"
)
_EARLIER_ZH = "此前|之前|以前|原来?为?|而不是"
_STATES_EARLIER = re.compile(rf"{_EARLIER_EN}|{_EARLIER_ZH}", re.IGNORECASE)
# What stands behind, or in a column called so, is the value before a change
_BEFORE_CHANGE = re.compile(
    rf"(?:(?:{_EARLIER_EN}|\bfrom\b)(?:\W+[^\W\d]{{1,40}}){{0,3}}|(?:{_EARLIER_ZH}|由)\S{{0,4}})\W*$",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:(?P<less>(?:less|fewer|shorter|smaller|lower|thinner|lighter|younger|cheaper|narrower|slower|colder"
    r"|cooler|earlier) than|below|under|at most|up to|(?:no|not) more than|(?:no|not) longer than)"
    r"|(?P<more>(?:more|longer|larger|bigger|greater|higher|thicker|heavier|older|wider|faster|hotter|warmer"
    r"|later) than|above|over|at least|exceed\w*|beyond|(?:no|not) less than))\s+(?P<figure>\d[\d.,]*)",
    re.IGNORECASE,
)
# Behind a value: it is that of each, not of all of them
_EACH = re.compile(
    r"\W*(?:\w+\W+)?(?:each|apiece|a piece|per \w+|je|pro \w+|an? (?P<noun>[a-z]+))\b", re.IGNORECASE
)
Pair = tuple[str, str]


def contradicted(parsed: ParsedQuestion, text: str, above: str = "") -> frozenset[Pair]:
    """Return the pairs of noun and number (or letter) of the question that the text has with others only."""
    labels, counts = _asked_pairs(parsed.question)
    stated = frozenset(_pairs(text)) if labels or counts else frozenset[Pair]()
    over = keys_of(above)  # "3 Procedure" is step 3
    asked = {pair for pair in labels if pair[1].lower() not in over} | counts
    nouns = {noun for noun, _ in stated}
    return frozenset(pair for pair in asked if pair not in stated and pair[0] in nouns)


def states_pairs(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether a text names a thing by the number or letter by which the question does."""
    labels, counts = _asked_pairs(parsed.question)
    return not (labels | counts).isdisjoint(_pairs(text))


def labelled_at(text: str, place: int) -> bool:
    """Say whether a number there is the label of the noun before it: "week 11"."""
    return any(match.start("label") == place for match in _LABELLED.finditer(text))


def opposes_bound(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether a text mentions what is more than a figure, where less than it is asked for, or the other
    way round."""
    asked, stated = _bounded(parsed.question), _bounded(text)
    return any(stated.get(figure, sides).isdisjoint(sides) for figure, sides in asked.items())


def _bounded(text: str) -> dict[str, set[str]]:
    """Return the sides on which the text bounds each figure."""
    found: dict[str, set[str]] = {}
    for match in _BOUND.finditer(text):
        side = "less" if match["less"] else "more"
        found.setdefault(match["figure"].rstrip(".,"), set()).add(side)
    return found


def is_no_end(parsed: ParsedQuestion, before: str) -> bool:
    """Say whether it is asked until when something is so, and what stands before a day does not say that it
    is the end: "the offer of 7 March"."""
    return _UNTIL_ASKED.search(parsed.question) is not None and _UNTIL.search(before[-80:]) is None


def asks_end(parsed: ParsedQuestion) -> bool:
    """Say whether it is asked until when something is so, or when it is so again."""
    return any(asked.search(parsed.question) is not None for asked in (_UNTIL_ASKED, _AGAIN_ASKED))


def names_end(column: str) -> bool:
    """Say whether a column of days is called by an end: "Valid until", no "Calibrated on"."""
    return _END_COLUMN.search(as_words(column)) is not None


def lacks_frequency(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether it is asked how often something is to be done, and the text says nothing of that."""
    return _OFTEN_ASKED.search(parsed.question) is not None and _FREQUENCY.search(text) is None


def is_inside(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether it is asked what is so outside something, and the text tells what is so in it: "in the
    winter period at least 5.5 mm"."""
    asked = _OUTSIDE_ASKED.search(parsed.question)
    if asked is None or _OUTSIDE.search(text):
        return False
    return key_of(asked["what"].lower()) in keys_of(text)


def is_of_each(parsed: ParsedQuestion, behind: str) -> bool:
    """Say whether what stands behind a value says that it is for each of the things of which the question
    names several: "5,900 EUR each" is not what 24 cost."""
    counts = dict(_pair(match) for match in _COUNTED.finditer(parsed.question))
    each = _EACH.match(behind)
    if each is None or _RATE.search(parsed.question) or not any(n != "1" for n in counts.values()):
        return False
    return each["noun"] is None or key_of(each["noun"].lower()) in counts


@lru_cache(maxsize=256)
def asks_kind_of_amount(question: str) -> bool:
    """Say whether a question asks for a rate, for what was before, or for what several things come to."""
    several = any(_pair(match)[1] != "1" for match in _COUNTED.finditer(question))
    kinds = (_RATE, _EARLIER, _UNTIL_ASKED, _AGAIN_ASKED)
    return several or any(kind.search(question) for kind in kinds)


def lacks_rate(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether the amount is asked for of each of something, and the text does not say that it is."""
    rate = _RATE.search(parsed.question)
    if rate is None or parsed.kind not in ("amount", "count", "duration", "other"):
        return False
    if rate["zh"]:
        return rate["zh"] not in text or "每" not in text
    noun = key_of(rate["noun"].lower())
    words = re.finditer(r"[A-Za-z]+", text)
    of_each = any(
        key_of(word[0].lower()) == noun and _OF_EACH.search(text[max(0, word.start() - 12) : word.start()])
        for word in words
    )
    often = keys_of(_OFTEN.get(rate["noun"].lower(), ""))
    return not of_each and often.isdisjoint(keys_of(text))


def is_of_now(parsed: ParsedQuestion, text: str, start: int | None) -> bool:
    """Say whether the value before a change is asked for, and what stands before the one at `start`, or the
    text where no value is clear, does not say that it is that."""
    if not _EARLIER.search(parsed.question):
        return False
    if start is None:
        return _STATES_EARLIER.search(text) is None
    return _BEFORE_CHANGE.search(text[:start]) is None


@lru_cache(maxsize=256)
def _asked_pairs(question: str) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """Return what the question names by number or letter, wherever it stands, and by a count, where that is a
    condition ("with two persons", not "which two")."""
    named = frozenset(_pairs(question[1:]))  # the first word has a capital of its own
    counts = frozenset(_pair(match) for match in _BY_COUNT.finditer(question)) & named
    labels = frozenset(_pair(match) for match in _LABELLED.finditer(question)) & named
    return frozenset(pair for pair in labels if not is_year(pair[1])) - counts, counts


def lacks_remainder(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether it is asked how much is left of something, and the text gives figures of the whole only."""
    return _REMAINDER_ASKED.search(parsed.question) is not None and _REMAINDER.search(text) is None


def _pairs(text: str) -> Iterator[Pair]:
    for pattern in (_LABELLED, _COUNTED):
        yield from (
            _pair(match) for match in pattern.finditer(text) if not is_stopword(match["noun"].lower())
        )


def _pair(match: "re.Match[str]") -> Pair:
    """Return the key of the noun, and the number in figures or the letter."""
    label: str = match["label"]
    has_letter = (len(label) == 1 and label.isalpha()) or (label[0].isdigit() and label[-1].isalpha())
    return key_of(match["noun"].lower()), label if has_letter else str(number_of(label.lower()))
