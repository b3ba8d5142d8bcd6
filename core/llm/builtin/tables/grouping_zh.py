"""What a Chinese question puts rows together by, and what it counts: 每片晶圆, 哪片晶圆的缺陷最多."""

import re
from collections.abc import Callable, Sequence

from core.domain import ColumnCard
from core.llm.builtin.answer.word_matching import Word, words_of
from core.llm.builtin.tables.linking import Linked
from core.text.chinese_english import in_english, is_verb
from core.text.measure_words import measure_words

_EACH = re.compile(r"[每各](?!自|有|是|为|占)一?")
_WHICH = re.compile(r"哪一?")
_MOST = re.compile(r"最[多少](?:的(?P<behind>[^\W\d_]{0,12}))?")
_BEFORE_MOST = re.compile(r"([^\W\d_]*?)(?:的?(?:数量|次数|数目|个数|总数))?[得是]?$")
MAX_NOUN = 12  # characters before "most" that are looked at
_KINDS = frozenset("类种型级")  # signs that measure, and name what they measure by
_HELD = re.compile(r"(?:有|含|拥有|存在)$")

Found = Callable[[Sequence[Word], Linked], ColumnCard | None]


def per_column_zh(question: str, linked: Linked, column: Found) -> ColumnCard | None:
    """Return the column that the words behind 每 or 各 name: the noun, or the kind (各类缺陷)."""
    match = _EACH.search(question)
    if match is None:
        return None
    unit, run = _noun(question, match.end())
    found = (column(run[:length], linked) for length in range(len(run), 0, -1))
    kinds = (column(words_of(meaning), linked) for meaning in in_english(unit)) if unit in _KINDS else ()
    return next((one for one in (*found, *kinds) if one is not None), None)


def which_zh(question: str) -> Sequence[Word]:
    """Return the words that say what the question asks which of, behind 哪片 or before it (…的晶圆是哪片)."""
    match = _WHICH.search(question)
    if match is None:
        return ()
    run = _noun(question, match.end())[1]
    return run or words_of(re.split(r"[的，,]", question[: match.start()].removesuffix("是"))[-1])


def most_zh(question: str) -> list[str] | None:
    """Return the words of what there is most or least of, [] for how often something happens (出现得最多);
    None where that is not asked."""
    match = _MOST.search(question)
    if match is None:
        return None
    found = _BEFORE_MOST.search(question[max(0, match.start() - MAX_NOUN) : match.start()])
    before = re.split(r"的|得", _HELD.sub("的", found[1] if found else ""))[-1]
    words = words_of(before)[-1:] or words_of(match["behind"] or "")[:1]
    return [word.key for word in words if not is_verb(word.text)]


def _noun(question: str, start: int) -> tuple[str, list[Word]]:
    """Return the measure word at a place, and the words of the noun behind it: up to a sign or a verb."""
    unit = question[start : start + 1]
    if unit and unit not in measure_words() | _KINDS | {"个"}:
        unit = ""
    start += len(unit)
    run: list[Word] = []
    end = start
    for word in words_of(question[start:]):
        if question[end : start + word.start].strip() or (run and is_verb(word.text)):
            break
        if word.start + start >= end:
            run.append(word)
            end = start + word.end
    return unit, run
