"""Labels in running text: "Owner: Mei Lin", "负责人：韦伯", with the sentence they belong to."""

import re
from collections.abc import Sequence

from core.llm.extractive.facts import Fact
from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.reading import heading_of
from core.llm.extractive.spans import cells
from core.tasks import Evidence
from core.text.tokens import content_words, is_cjk

REACH = 160  # characters before a label that say what it is about
_BLOCK = re.compile(r"\n\s*\n|\n(?=\d+[.)、])|\n(?=[-*•])")
_LABEL = re.compile(
    r"(?:(?<=[.;,。；，\n] )|(?<=[。；，\n(（])|^)"
    r"(?P<label>[A-Z][A-Za-z]+(?: [a-z]+){0,2}|"
    r"[\u4e00-\u9fff]{2,6})[:：]\s?(?P<value>[^.;,。；，\n()（）]{1,80})"
)


def labelled(question: str, evidence: Sequence[Evidence]) -> Fact | None:
    """Return the value of the label the question asks for, where the words before it are asked about."""
    asked = frozenset(content_words(question))
    best: Fact | None = None
    for piece in evidence:
        around = frozenset(content_words(f"{piece.source} {heading_of(piece.text)}"))
        for match in _LABEL.finditer(piece.text):
            label = match["label"]
            mine = _asked_for(label, asked, question)
            rest = asked - mine
            row = piece.text[piece.text.rfind("\n", 0, match.start()) + 1 : match.end() + 40].split("\n", 1)[
                0
            ]
            if not mine or not rest or len(cells(row)) > 1:
                continue
            before = piece.text[max(0, match.start() - REACH) : match.start()]
            after = piece.text[match.end() : match.end() + REACH]
            beside = _BLOCK.split(before)[-1] + " " + _BLOCK.split(after)[0]
            near = frozenset(content_words(beside))
            told = sum(1.0 if word in near else 0.5 if word in around else 0.0 for word in rest) / len(rest)
            if told > (best.surety if best else 0.0):
                best = Fact(match["value"].strip(), told, piece.n)
    return best


def _asked_for(label: str, asked: frozenset[str], question: str) -> frozenset[str]:
    """Return the question's words that a label says, none where it says something else."""
    if is_cjk(label):
        return frozenset(word for word in asked if len(word) > 1 and (word in label or label in word))
    stems = frozenset(content_words(label))
    direct = stems & asked
    if direct == stems:
        return direct
    kin = frozenset(word for word in asked for stem in stems if stem in synonyms(word))
    who = re.match(r"who\b", question, re.IGNORECASE) is not None
    return kin if kin and who and len(stems) == 1 else frozenset()
