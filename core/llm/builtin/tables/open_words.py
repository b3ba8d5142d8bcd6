"""Words of a question that match nothing in a table: none of them may be a condition that is missing."""

import re

from core.llm.builtin.answer.computed_result import STATED_COUNT
from core.llm.builtin.answer.parsed_question import ParsedQuestion, sought
from core.llm.builtin.answer.word_matching import Word
from core.llm.builtin.tables.extremes import HIGH, LOW
from core.llm.builtin.tables.grouping import asks_most
from core.llm.builtin.tables.linking import Linked, called, head_of
from core.llm.builtin.tables.logs import END_WORDS, end_of_log, is_log
from core.llm.builtin.tables.row_durations import asks_duration, is_of_duration
from core.text.measure_words import measure_words

_HAPPENS = re.compile(  # said of the rows of a log by whoever asks, not by the log
    r"^(?:time|often|occur|happen|appear|rais|log|send|sent|report|record|trigger|issu|list|caus|take|took|made|make|lose|lost|stand|stood|发生|出现|触发|报|发出|发送|上报|记录|次)$"
)
_LOGGED = re.compile(r"^(?:tool|equip|equipment|machin|设备|机台)$")  # "the tool" of a log that is of one
_FAILURES = re.compile(r"^(?:disturb|failur|fault|breakdown|incid|malfunct)")  # whose log tells what failed
_MOST = re.compile(r"最[多少高低大小长短]$")
_FOUND = re.compile(
    r"^(?:found|detect|observ|exist|检出|检测|测出|查出|发现|存在)$"
)  # said of what is counted
OPERATIONS = re.compile(
    rf"^(?:{HIGH}|{LOW}|total|altogether|togeth|sum|add|combin|overal|averag|mean|median|differ|differenc"
    r"|more|less|fewer|higher|lower|longer|shorter|older|younger|larger|smaller|heavier|greater"
    r"|increas|decreas|grow|growth|grew|rise|rose|fall|fell|drop|chang|million|billion|percent|number|count|line"
    r"|row|entri|item|everyth|anyth|record|model|type|kind|sheet|tabl|list|file|valu|figur|column|cell|seri|chart"
    r"|split|separ|broken"
    r"|graph|data|dataset|three|two|four|five|总|总共|一共|合计|总计|共计|累计|全部|所有|数量|次数|个数|数目|平均|最高|最低|最大|最小|最多|最少|共|增长|增加|减少|变化)$"
)


def open_words(linked: Linked, parsed: ParsedQuestion) -> tuple[Word, ...]:
    """Return the words that match nothing in the table, without those that say what to compute."""
    logged = is_log(linked) or asks_most(parsed, linked)
    counts = parsed.kind == "count" and called(parsed.counted, (head_of(linked.card),))
    ends = end_of_log(parsed, linked) is not None
    asked = {word.key for word in sought(parsed)}
    lasts = asks_duration(parsed, linked)
    stated = STATED_COUNT.search(parsed.question.lower()) if parsed.computed else None
    return tuple(
        word
        for word in linked.rest
        if not OPERATIONS.match(word.key)
        and word.key != parsed.counted
        and not (ends and END_WORDS.match(word.text.lower()))
        and not (logged and _HAPPENS.match(word.key))
        and not (logged and word.key == "fail" and _FAILURES.match(head_of(linked.card)))
        and not (logged and _LOGGED.match(word.key) and word.key not in asked)
        and not (counts and _FOUND.match(word.key))
        and not (stated and stated.span(1) == (word.start, word.end))  # compared with the rows found
        and not (lasts and is_of_duration(word.key))
        and not _measures(word, parsed.question)
        and not _MOST.search(parsed.question[max(0, word.start - 1) : word.end])
    )


def _measures(word: Word, question: str) -> bool:
    """Say whether a word is a measure word behind a number, or behind another one: 号 and 片 of 12号片."""
    before = question[max(0, word.start - 4) : word.start]
    while before and before[-1] in measure_words():
        before = before[:-1]
    return word.text in measure_words() and before[-1:].isdigit()
