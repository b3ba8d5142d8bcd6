"""Chinese answers: the runs of words in a sentence that the question does not hold, with what they may be."""

import re
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from core.llm.extractive.spans import Candidate
from core.text.tokens import STOPWORDS_ZH, segment, word_set

_EDGE = STOPWORDS_ZH | word_set(
    "是 为 叫 由 有 称 即 来 去 说 做 让 使 成 成为 进行 通过 已经 曾 曾经 当时 随后 后来 之后 以后"
)
_PUNCTUATION = re.compile(r"[^\w·•\-—《》%°./]")
_LONGEST = 20
_lock = Lock()
_KINDS = {
    "nr": "person",
    "nrt": "person",
    "nrfg": "person",
    "ns": "place",
    "nt": "organisation",
    "nz": "name",
}
_ROLE = re.compile(
    r"(?:人|者|家|员|师|长|军|帝|汗|王|总统|博士|教授|经理|主席|牧师|司机|队|族)$|·|•|^(?:德|法|英|美|日)军$"
)
_PLACE = re.compile(
    r"(?:国|省|市|县|区|镇|村|州|岛|山|河|湖|海|洋|堡|城|街|路|厂|校|院|站|部|地|港|湾|峡|洲|京)$"
)
_ORGANISATION = re.compile(
    r"(?:公司|集团|大学|学院|委员会|组织|协会|部门|银行|政府|联盟|学校|队|党|社|局|院)$"
)


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    flag: str


@lru_cache(maxsize=1)
def _tagger() -> Callable[[str], list[object]]:
    import jieba.posseg

    segment("开始")  # loads the dictionary quietly
    cut: Callable[[str], list[object]] = jieba.posseg.lcut
    return cut


@lru_cache(maxsize=512)
def _tokens(text: str) -> tuple[_Token, ...]:
    found = []
    at = 0
    with _lock:
        pairs = _tagger()(text)
    for pair in pairs:
        word, flag = str(getattr(pair, "word", "")), str(getattr(pair, "flag", ""))
        found.append(_Token(at, at + len(word), word, flag))
        at += len(word)
    return tuple(found)


def _kind(text: str, flags: set[str]) -> str:
    if _ORGANISATION.search(text):
        return "organisation"
    for flag, kind in _KINDS.items():
        if flag in flags:
            return kind
    if _ROLE.search(text):
        return "person"
    if _PLACE.search(text):
        return "place"
    return "other"


@lru_cache(maxsize=512)
def _asked_pieces(asked: frozenset[str]) -> str:
    return "\0".join(sorted(asked))


def runs(text: str, asked: set[str]) -> list[Candidate]:
    """Return the runs of words between what the question says, punctuation and words of grammar."""
    known = _asked_pieces(frozenset(asked))
    found: list[Candidate] = []
    run: list[_Token] = []
    for token in (*_tokens(text), _Token(len(text), len(text), "。", "x")):
        breaks = (
            _PUNCTUATION.search(token.text) is not None
            or token.text.isspace()
            or (token.text in _EDGE and token.flag not in {"nr", "ns"})
            or token.flag in {"p", "c", "uj", "ul", "d", "zg"}
            or (token.text in known and len(token.text) > 1)
        )
        if not breaks:
            run.append(token)
            continue
        if run:
            found += _candidates(text, run)
        run = []
    return found


def _candidates(text: str, run: list[_Token]) -> list[Candidate]:
    """Return the run whole, and the names in it; a verb at its head is left out."""
    while run and run[0].flag in {"v", "r", "f", "m"} and len(run) > 1:
        run = run[1:]
    start, end = run[0].start, run[-1].end
    if end - start > _LONGEST or (end - start < 2 and run[0].flag[:1] not in {"n", "m"}):
        return []
    whole = text[start:end]
    return [Candidate(start, end, whole, _kind(whole, {token.flag for token in run}))]
