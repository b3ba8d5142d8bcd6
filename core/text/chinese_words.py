"""Chinese words with their parts of speech, and what a Chinese question asks for by its kind."""

import re
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from core.text.measure_words import measure_words
from core.text.tokens import segmenter

NAME_SLOT = "[\ue000-\uf8ff]"  # the sign that stands for a name in a question's frame
_WHICH = re.compile(r"哪(?:一|几)?(?P<measure>[\u4e00-\u9fff])?|(?<!为)什么")
_IS_WHAT = re.compile(r"的(?P<noun>[\u4e00-\u9fff]{2,8}?)(?:是|为|叫)(?:谁|什么|哪)")
_WHEN_OR_WHERE = frozenset("里儿年天月日时")  # 哪里, 哪年: no thing of a kind
_NO_KIND = frozenset(["时候", "时间", "样", "名字"])

_lock = Lock()


class ChineseWord(NamedTuple):
    """A Chinese word with jieba's part of speech: n..., v...; x is a name of the library's trade."""

    text: str
    flag: str


@lru_cache(maxsize=1024)
def tagged_zh(text: str) -> tuple[ChineseWord, ...]:
    """Return the words of a Chinese text with their parts of speech; a name's slot is one word."""
    with _lock:
        segmenter()
        import jieba.posseg

        pairs = jieba.posseg.lcut(re.sub(NAME_SLOT, "X", text))
    return tuple(ChineseWord(pair.word, pair.flag) for pair in pairs)


def is_nominal(word: ChineseWord) -> bool:
    """Say whether a word is a noun, a name, or one that only the vocabulary knows."""
    return word.flag.startswith(("n", "eng")) or (word.flag == "x" and word.text[:1].isalnum())


def asked_kind(question: str) -> str:
    """Return the kind of thing a Chinese question asks for, "" where it names none: 设备 of 在哪台设备上加工,
    密封圈 of 使用的密封圈是什么."""
    for which in _WHICH.finditer(question):
        measure = which.groupdict().get("measure") or ""
        if measure in _WHEN_OR_WHERE:
            continue
        counted = not measure or measure in measure_words() or measure in "个些类"
        rest = question[which.end() - (0 if counted else len(measure)) :]
        kind = _leading_nouns(rest.removeprefix("的"), first=not which.start())
        if kind:
            return kind
    match = _IS_WHAT.search(question)
    return match["noun"] if match is not None else ""


def _leading_nouns(text: str, *, first: bool) -> str:
    """Return the nouns that a text begins with, "" where it begins with none of a kind; a question that is
    asked with them `first` needs a verb behind them: 报警 of 哪几台设备报警."""
    nouns: list[str] = []
    for word in tagged_zh(text[:14]):
        nominal = is_nominal(word) or (word.flag == "vn" and not nouns)
        if not nominal or word.text in _NO_KIND or word.text[0] < "\u4e00":
            break
        nouns.append(word.text)
    if first and len(nouns) > 1 and "".join(nouns) == text:
        nouns.pop()
    return "".join(nouns)
