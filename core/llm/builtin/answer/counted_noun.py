"""What a question counts: the noun behind "how many"."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from core.llm.builtin.answer.word_matching import Word
from core.text.chinese_english import is_verb
from core.text.tokens import is_cjk

IsName = Callable[[Word, str], bool]  # whether a word of a question is a name
_MEASURED_ZH = frozenset("个人名条台件位种家片批项颗块处份类起根只套张枚粒")


def counted_noun(question: str, pattern: re.Pattern[str] | None, words: Sequence[Word], names: IsName) -> str:
    """Return the key of the word right behind "how many", or of the plural it belongs to: of "how many oil
    samples" that of samples."""
    match = pattern.search(question.lower()) if pattern else None
    if match is None:
        return ""
    behind = [word for word in words if word.start >= match.end() - 1]
    if is_cjk(match[0]):
        return _counted_zh(question, match, words, names)
    first = next((at for at, word in enumerate(behind) if not names(word, question)), 0)
    for before, word in pairwise(behind[first : first + 4]):
        if _is_plural(before) or question[before.end : word.start].strip():
            return before.key
        if _is_plural(word):
            return word.key
    return behind[first].key if behind else ""


def _is_plural(word: Word) -> bool:
    return word.text.endswith("s") and len(word.key) < len(word.text)


def _counted_zh(question: str, match: re.Match[str], words: Sequence[Word], names: IsName) -> str:
    """Return the key of what a Chinese question counts: the noun at the end of the run behind the
    measure word (几个划伤缺陷), or the word before it where none stands behind (缺陷有多少个)."""
    if match[0].endswith("次"):
        return ""  # events, which are called by what is said of them
    run: list[Word] = []
    for word in (word for word in words if word.start >= match.end() - 1):
        if names(word, question) or question[run[-1].end if run else match.end() : word.start].strip():
            break
        run.append(word)
    if run:
        nouns = [word for word in run if not is_verb(word.text)]
        return (nouns[-1] if nouns else run[0]).key
    before = [word for word in words if word.end <= match.start() and not names(word, question)]
    return before[-1].key if before and match[0][-1] in _MEASURED_ZH else ""
