"""What 该公司, 这份报告 or 此人 of a second Chinese question points to: what the first asks or says."""

import re
from collections.abc import Iterator

from core.llm.builtin.understand.compared_sides_zh import UNITS
from core.text.chinese_words import NAME_SLOT, ChineseWord, asked_kind, is_nominal, tagged_zh
from core.text.vocabulary import relations

_POINTER = re.compile(
    rf"(?:[该这]|(?<![因从至如对为彼在由])此)(?P<unit>一?(?:{UNITS}|名|批|只))?(?=[\u4e00-\u9fff])"
)
_WHICH = r"哪(?![里儿年天月日时些])"
_DOER = re.compile(
    r"(?:[者师员商]|(?<!器)人|(?<!国)家|[部厂处组科院局所司班队事店会]长|公司|企业|集团|厂|机构|团队|小组|班组|单位|组织|部门"
    r"|车间|大学|学院|学校|医院|银行|研究所|研究院|实验室|中心|委员会|协会|局)$"
)
_AHEAD = frozenset(
    ["由", "被", "在", "把", "将", "从", "给"]
)  # what stands behind these is a thing of its own
_GRAMMAR = ("u", "p", "r", "c", "f", "y")  # flags of words that end a noun, or begin none


def pointed(piece: str, first: str, number: str) -> str:
    """Return the second question with its 该NOUN said as what it points to: the first's `number`, or words.

    A noun that the first asks for is its answer; so is one that can do things where the first asks who does,
    and one that cannot where it asks which thing. What the first says in its own words is that; else the
    noun belongs to what the first names, or to what it tells.
    """
    for pointer in _POINTER.finditer(piece):
        ahead, noun = piece[: pointer.start()], _uncounted(piece[pointer.start() + 1 :], pointer["unit"])
        if (meant := _meant(noun, first, number)) is not None:
            replacement, length = meant
            return f"{ahead}{replacement}{noun[length:]}"
        if (kind := _nominal(noun)) and (names := re.findall(NAME_SLOT, first)):
            rest = noun if "什么" in first else noun[len(kind) :]  # what is asked for may be what is meant
            return f"{ahead}{names[-1]}{rest}"
        if kind and _asks_who(first):
            asked = rf"[由被]?(?:谁(?:来)?|哪(?:一|几)?{UNITS}?{asked_kind(first)})"
            return f"{re.sub(asked, '', first)}，{piece}"
    return piece


def _uncounted(text: str, unit: str | None) -> str:
    """Return what stands behind the measure word: 报告 of 份报告, but 部件 of 部件."""
    return text[len(unit) :] if unit and len(tagged_zh(text[:14])[0].text) <= len(unit) else text


def _meant(text: str, first: str, number: str) -> tuple[str, int] | None:
    """Return what the noun that the text begins with stands for, and how long the noun is."""
    nouns = list(_beginnings(text))
    for noun in reversed(nouns):
        if re.search(rf"哪(?:一|几)?{UNITS}?{noun}|什么{noun}|{noun}(?:是|为)(?:谁|什么|哪)", first):
            return number, len(noun)
    for noun in reversed(nouns):
        if noun in first:
            return _phrase(first, noun), len(noun)
    who = _asks_who(first)
    for noun in nouns:
        if who and is_doer(noun):
            return number, len(noun)
    nominal = _nominal(text)
    if not who and nominal and not is_doer(nominal) and re.search(_WHICH, first):
        return number, len(nominal)
    return None


def _asks_who(first: str) -> bool:
    return "谁" in first or is_doer(asked_kind(first))


def is_doer(noun: str) -> bool:
    """Say whether a noun is what people or bodies of people are called."""
    return noun in relations("zh").people or _DOER.search(noun) is not None


def _beginnings(text: str) -> Iterator[str]:
    """Yield what the text begins with that may be a noun, the longest last: 供应商, 供应商地址."""
    noun = ""
    for word in tagged_zh(text[:14])[:3]:
        if word.flag.startswith(_GRAMMAR) or word.text[0] < "\u4e00":
            break
        noun += word.text
        if len(noun) > 1 or word.flag.startswith(("n", "x", "zg")):
            yield noun


def _nominal(text: str) -> str:
    """Return the nouns that the text begins with, by their parts of speech."""
    nouns: list[str] = []
    for word in tagged_zh(text[:14]):
        if not (is_nominal(word) or word.flag == "vn") or word.text[0] < "\u4e00":
            break
        nouns.append(word.text)
    return "".join(nouns)


def _phrase(first: str, noun: str) -> str:
    """Return a noun of the first question with the words before and the name behind that say which it is."""
    at = first.rindex(noun)
    words = _ahead(first[:at])
    while words and words[0].flag == "v" and re.search(NAME_SLOT, first[at - _length(words) : at]):
        words = words[1:]
    start = at - _length(words)
    named = re.match(rf"\s*{NAME_SLOT}", first[at + len(noun) :])
    return first[start : at + len(noun) + (named.end() if named is not None else 0)].strip()


def _ahead(text: str) -> tuple[ChineseWord, ...]:
    """Return the words at the end of the text that belong to the noun behind them: none of the verb's."""
    words = tagged_zh(text)
    for n in range(len(words), 0, -1):
        word = words[n - 1]
        if word.text == "谁" or (word.flag == "r" and word.text.startswith("哪")):
            return words[n + 1 :]  # behind the verb, too
        if word.text in _AHEAD or word.flag in {"ul", "ug", "uz"}:
            return words[n:]
    return words


def _length(words: tuple[ChineseWord, ...]) -> int:
    return sum(len(word.text) for word in words)
