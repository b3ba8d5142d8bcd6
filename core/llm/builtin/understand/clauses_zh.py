"""Chinese clauses before 的: "导致X报警的部件", "X使用的密封圈", each a question of its own."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from core.text.chinese_words import NAME_SLOT, tagged_zh
from core.text.vocabulary import relations

_CLAUSE = re.compile(r"(?P<before>[^，。？；的]+)的(?:[那这][个家位台份种些部座名]?)?(?=[\u4e00-\u9fff])")
_ASKING = re.compile(r"谁|什么|哪|何|几|多少")
_ASKED = re.compile(
    r"^(?:是)?(?:谁|什么|哪(?:个|位|家|里)?|哪(?:个|一个)?\w{0,3}|多少|叫什么)$|^(?:是|有|包括)(?:哪些|什么|几\w$)"
)
_IS = re.compile(r"^(?:是|就是|为)?$|(?:谁|什么|哪\w{0,2})(?:是|为)?$")
_BODY = re.compile(r"[处科部组队所院校司厂局室会委班]$|中心$|部门$")  # how bodies of a firm are called
_PERSON = frozenset("者师员长")  # the last sign of what people are called by their work
_FOR = frozenset("给为替向")  # said of what is done for a thing; others need a verb at the clause's end
_WITH = frozenset("在从与和跟由被")


class Clause(NamedTuple):
    """What a clause and its noun cover, [start, end), and the question that finds it."""

    start: int
    end: int
    question: str


def first_clause(frame: str) -> Clause | None:
    """Return the first description by a clause that is not itself asked for."""
    for match in _CLAUSE.finditer(frame):
        noun = _noun(frame[match.end() :])
        end = match.end() + len(noun)
        begin = _begin(frame[: match.start()], match["before"], frame[end:]) if noun else None
        if begin is not None:
            start = match.start() + begin
            return Clause(start, end, _question(frame[start : match.end("before")], noun))
    return None


def _question(clause: str, noun: str) -> str:
    if noun == "人":
        return f"谁{clause}"
    person = noun in relations("zh").people or noun[-1] in _PERSON
    return f"{clause}的{noun}是{'谁' if person else '什么'}"


def _noun(text: str) -> str:
    """Return what the clause describes, "" for none: all nouns in a row ("质量报告" of "质量报告由谁写"), but
    "作者" of "作者毕业于哪里" and "企业" of "企业注册资本是多少", where the last is asked of the others."""
    words = tagged_zh(text[:14])
    count = 0
    while count < min(len(words), 3) and words[count].flag.startswith("n") and words[count].text != "X":
        after = words[count + 1] if count + 1 < len(words) else None
        if count and after is not None and (after.flag.startswith("u") or after.text == "于"):
            break
        count += 1
    nouns = [word.text for word in words[:count]]
    known = relations("zh")
    relational = nouns[-1:] and nouns[-1] in known.people | known.places | known.seats
    if len(nouns) > 1 and re.match(
        "(?:是|为|有)?多少" + ("|是" if relational else ""), text[len("".join(nouns)) :]
    ):
        nouns.pop()
    return "".join(nouns)


def _begin(ahead: str, before: str, rest: str) -> int | None:
    """Return where in `before` the clause begins, None where there is none or it is what is asked for."""
    for at in _starts(before):
        asks = f"{ahead}{before[:at]}"
        if _IS.search(asks) if not rest else _ASKED.match(rest) and not _ASKING.search(asks):
            continue
        if _ASKING.search(before[at:]) or not _is_clause(before[at:]):
            continue
        return at
    return None


def _starts(before: str) -> Iterator[int]:
    """Yield where a clause may begin: at once, or behind the verb whose object it describes."""
    yield 0
    words = tagged_zh(before)
    at = 0
    for earlier, word in pairwise(words):
        at += len(earlier.text)
        verb = earlier.flag.startswith(("v", "u")) and earlier.text not in {"的", "所"}
        if verb and not word.flag.startswith("u"):
            yield at


def _is_clause(text: str) -> bool:
    """Say whether the text is a verb with a particular object, or a particular subject with its verb."""
    words = tagged_zh(text)
    if len(words) < 2:
        return False
    first, last = words[0], words[-1]
    named = re.search(rf"{NAME_SLOT}|\d", text) is not None
    verbal = last.flag.startswith("v") or last.text in {"所在", "所属"}
    if first.flag in {"x", "eng", "nr"} and (first.text == "X" or first.flag == "nr"):
        return verbal
    if first.text in _FOR:
        return named and len(words) > 2
    if first.text in _WITH:
        return re.search(NAME_SLOT, text) is not None and verbal
    acts = first.flag.startswith("v") or (first.flag == "n" and _BODY.search(last.text) is not None)
    return acts and (named or _BODY.search(last.text) is not None)
