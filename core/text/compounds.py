"""Chinese compounds that say an English name word by word: 单位成本 says "Unit Cost".

A dictionary has the words of a compound and not the compound (dictionary-based query translation: Pirkola,
SIGIR 1998). All of the compound and all of the name must be accounted for.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from core.text.chinese_english import in_english
from core.text.tokens import STOP_WORDS, is_cjk, words

MAX_PIECE = 4  # signs of a word of a compound
MAX_NAME_WORDS = 4
_RUN = re.compile("[\u4e00-\u9fff]+")


def compounds(text: str, names: Iterable[str]) -> list[tuple[str, str]]:
    """Return (compound, name) where the text says a name of several words in Chinese, the longest first."""
    runs = _RUN.findall(text)
    found = {
        (run[start:end], name)
        for name in (dict.fromkeys(names) if runs else ())
        if not is_cjk(name) and 1 < len(stems := _stems(name)) <= MAX_NAME_WORDS
        for run in runs
        for start in range(len(run))
        for end in _ends(run, start, stems, frozenset())
    }
    return sorted(found, key=lambda pair: (-len(pair[0]), pair))


def _ends(run: str, start: int, name: frozenset[str], covered: frozenset[str]) -> Iterator[int]:
    """Yield where a compound that begins at a place ends: each of its pieces says a word of the name."""
    for end in range(start + 1, min(len(run), start + MAX_PIECE) + 1):
        new = _covered(run[start:end], name) - covered
        if not new:
            continue
        if covered | new == name:
            yield end
        else:
            yield from _ends(run, end, name, covered | new)


@lru_cache(maxsize=20_000)
def _covered(piece: str, name: frozenset[str]) -> frozenset[str]:
    """Return the words of a name that a piece means: a meaning all of whose words are among them, written
    apart or as one ("fresh water")."""
    covered: set[str] = set()
    for meaning in in_english(piece) if piece not in STOP_WORDS else ():
        for meaning_words in (frozenset(words(meaning)), frozenset(words(meaning.replace(" ", "")))):
            if meaning_words and meaning_words <= name:
                covered |= meaning_words
    return frozenset(covered)


@lru_cache(maxsize=5_000)
def _stems(name: str) -> frozenset[str]:
    return frozenset(words(name))
