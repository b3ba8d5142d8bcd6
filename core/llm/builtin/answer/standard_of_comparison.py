"""What a question compares others with: in "which parts cost more than the valve" the valve, which is not
asked for. So it is with "other than the valve"."""

import re

from core.llm.builtin.answer.parsed_question import NUMBER_WORDS, ParsedQuestion
from core.llm.builtin.answer.word_matching import keys_of

_STANDARD = re.compile(
    r"\bthan\s+(?:(?:the|an?|its|their|those|that|of)\s+)*(?P<en>.+?)"
    r"(?=\s+(?:do|does|did|is|are|was|were|has|have|had|in|on|at|during|since|by|with|from|for)\b|[,;?]|\.\s|$)"
    r"|(?:除了?|比)(?P<zh>[^，。？；]+?)(?:以?外|之外|更|还|要|[高低长短大小多少贵重轻快慢早晚]|便宜)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    rf"[\d~<>=.,+-]+|(?:{'|'.join(NUMBER_WORDS[1:])}|half|average|mean|median|before|usual|平均)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bhow (?:much|many|far|\w+er)\b|多少|几", re.IGNORECASE)  # asks for the difference
_EXCEPTS = re.compile(r"\b(?:other|rather|different) than\b|除", re.IGNORECASE)
_ASKS_OTHERS = ("list", "person", "place", "date", "count", "amount", "other")


def standard_of_comparison(parsed: ParsedQuestion) -> frozenset[str]:
    """Return the keys of the words for the thing with which others are compared; none where there is none, it
    is an amount, or the two are asked for together."""
    found = _STANDARD.search(parsed.question)
    if found is None or parsed.kind not in _ASKS_OTHERS or _BETWEEN.search(parsed.question):
        return frozenset()
    thing = (found["en"] or found["zh"]).strip()
    return frozenset() if _AMOUNT.match(thing) else keys_of(thing)


def compares_by_degree(parsed: ParsedQuestion) -> bool:
    """Say whether the question asks for those that are more or less so than a thing."""
    return bool(standard_of_comparison(parsed)) and not _EXCEPTS.search(parsed.question)
