"""What counts a thing and what only measures it: "2 chambers" says how many, "600 RF hours" does not."""

import re

from core.llm.extractive.quantities import UNIT
from core.llm.extractive.query_words import UNITS
from core.llm.extractive.questions import counted_noun
from core.llm.extractive.rows import row_of
from core.text.tokens import content_words

_HOW_MANY = re.compile(r"\bhow many\b|[几少][个台名位片件条套只]", re.IGNORECASE)
_MEASURE = re.compile(
    rf"\d[\d.,]*(?:\s?(?:to|and|or|-|–|~|至)\s?\d[\d.,]*)?\s?(?:{UNIT})(?![A-Za-z0-9])"
    # And what counts nothing: dates, codes, places in a document.
    r"|\d{4}-\d{2}(?:-\d{2})?|(?:\d{4}年)?\d{1,2}月(?:\d{1,2}日)?|\b(?=\w*[A-Z])\w+-\d[\w-]*"
    r"|第\s?\d+(?:\s?[、,，和至-]\s?\d+)*\s?[步条页章节行版项]"
    r"|\b(?:[Ss]ection|[Ss]tep|[Pp]age|[Cc]hapter|[Ff]igure|[Tt]able|[Rr]evision|[Vv]ersion)s? \d[\d.]*"
)
_FIGURE = re.compile(
    r"\d|\b(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|both|single|pair|"
    r"dozens?|hundreds?|thousands?|millions?)\b|[零〇一二两三四五六七八九十百千万]",
    re.IGNORECASE,
)


def counts_nothing(question: str, text: str) -> bool:
    """Say whether a text has figures, but none that can be what "how many" asks for.

    All figures of a sentence measure something; those of a row stand in columns the question does not name,
    and the row is not that of the thing itself ("Chambers | 2").
    """
    noun = counted_noun(question)
    if not noun or not _HOW_MANY.search(question) or noun.lower() in UNITS:
        return False
    row = row_of(text)
    if any(content_words(cell.value) == content_words(noun) for cell in row):
        return False
    if row:
        asked = frozenset(content_words(question))
        told = [cell for cell in row if _FIGURE.search(_MEASURE.sub(" ", cell.value))]
        return all(asked.isdisjoint(content_words(cell.column)) for cell in told)
    return _MEASURE.search(text) is not None and _FIGURE.search(_MEASURE.sub(" ", text)) is None
