"""Scores of LawBench (arXiv 2309.16289), each task by its own published metric, and the statutes it quotes.

1-1 statute recitation, 3-2 statute and facts, 3-8 consultation: ROUGE-L over words. 1-2 and 3-6, choices:
accuracy, right only where no other letter is named. 3-1, articles of a charge: F1 of article numbers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.domain import identify
from core.evaluation.answer_scores import Overlap, answer_overlap, exact_match
from core.text.quantities import from_chinese
from core.text.tokens import cut

METRICS = {
    "1-1": "rouge_l",
    "1-2": "accuracy",
    "3-1": "f1",
    "3-2": "rouge_l",
    "3-6": "accuracy",
    "3-8": "rouge_l",
}
NEEDS_MODEL = ("1-2", "3-1", "3-6")  # no statute states the letter or the article of a case
_LEAD = re.compile(r"^(?:答案|正确答案|法条|回答)\s*[:：]\s*")
_LETTERS = "ABCD"
_PARAGRAPH = re.compile(r"第[^第]{1,6}?款")
_NUMBER = re.compile(r"\d+|[零〇一二三四五六七八九十百两]+")
_ARTICLE = "第[零〇一二三四五六七八九十百千0-9]+条(?:之[一二三四五六七八九十])?"
_ASKED = re.compile(rf"^(?P<law>.+?)(?P<article>{_ARTICLE})的内容是什么")
_QUOTED = re.compile(
    rf"《(?P<law>[^《》]+)》的?(?P<article>{_ARTICLE})(?:的?规定)?[,，:：]?\s*(?P<text>[^《]+)"
)
_NEXT = re.compile(rf"(?<=[。；”])(?=(?:{_ARTICLE})(?!规定))")
_AFTERWARDS = re.compile(r"因此|所以|律师解答|综上|根据[^。]*$")
_TAG = re.compile(r"<[^>]+>")


def law_scores(task: str, answer: str, gold: str) -> dict[str, float]:
    """Return the score of the task's metric as "score", beside em, f1, precision and recall, each 0 to 1.

    Raises KeyError for a task that is not known.
    """
    wanted = bare(gold)
    match METRICS[task]:
        case "accuracy":
            right = float(letters(answer) == letters(wanted))
            return {"score": right, "em": right}
        case "f1":
            found, true = articles(answer), articles(wanted)
            shared = _shared(found, true)
            return {"score": shared.f1, "em": float(found == true), **shared._asdict()}
        case _:
            shared = answer_overlap(answer, [wanted])
            em = exact_match(answer, [wanted])
            return {"score": rouge_l(answer, wanted), "em": em, **shared._asdict()}


def bare(gold: str) -> str:
    """Return a gold answer without the word it is announced by (答案, 正确答案, 法条, 回答)."""
    return _LEAD.sub("", gold).strip()


def letters(text: str) -> frozenset[str]:
    """Return which letters of the four choices the text names."""
    return frozenset(letter for letter in _LETTERS if letter in text)


def articles(text: str) -> frozenset[int]:
    """Return the article numbers of a list parted by 、: the first number of each entry, paragraphs aside."""
    found = (_NUMBER.search(_PARAGRAPH.sub("", entry)) for entry in text.split("、"))
    numbers = (from_chinese(match.group()) for match in found if match)
    return frozenset(int(number) for number in numbers if number is not None)


def rouge_l(answer: str, gold: str) -> float:
    """Return ROUGE-L (Lin 2004): F1 of the longest common subsequence of words, 0 to 1."""
    found, wanted = cut(answer), cut(gold)
    if not found or not wanted:
        return 0.0
    return 2 * _common(found, wanted) / (len(found) + len(wanted))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, by dynamic programming over one row."""
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, against in enumerate(other, 1):
            above = row[place]
            row[place] = before + 1 if word == against else max(above, row[place - 1])
            before = above
    return row[-1]


def _shared(found: frozenset[int], true: frozenset[int]) -> Overlap:
    shared = len(found & true)
    if not shared:
        return Overlap(0.0, 0.0, 0.0)
    return Overlap(2 * shared / (len(found) + len(true)), shared / len(found), shared / len(true))


def statutes(rows: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """Return the articles that answers of 1-1, 3-2 and 3-8 quote: id, title, text; each once, the longest."""
    quoted_articles: dict[str, str] = {}
    for row in rows:
        for title, text in _quoted(row):
            if len(text) > len(quoted_articles.get(title, "")):
                quoted_articles[title] = text
    return [{"id": identify(title), "title": title, "text": text} for title, text in quoted_articles.items()]


def _quoted(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    answer = _TAG.sub("", bare(row["answer"]))
    if row["task"] == "1-1":
        if asked := _ASKED.match(row["question"]):
            yield asked["law"] + asked["article"], answer
        return
    if row["task"] not in ("3-2", "3-8"):
        return
    for match in _QUOTED.finditer(answer):
        first, *others = _NEXT.split(_AFTERWARDS.split(match["text"])[0])
        pieces = [match["article"] + first, *others]
        for piece in pieces:
            head = re.match(_ARTICLE, piece)
            text = piece[head.end() :].strip('“”" ,，') if head else ""
            if head and len(text) > 10:
                yield match["law"] + head.group(), text
