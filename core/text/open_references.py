"""Wording of a part of a plan whose referenced answers ("#1") are not known yet."""

import re
from collections.abc import Mapping

from core.text.chinese_words import asked_kind
from core.text.tokens import is_cjk

REFERENCE = re.compile(r"#(\d+)")  # the answer of part 2, in the question of another part: "#2"
_SIDES = re.compile(
    r"\s*[(（]#\d+(?:[,，、]\s*#\d+)*[)）]"
)  # behind a comparison's side, which says its name


def worded(question: str, asked: Mapping[int, str]) -> str:
    """Return the question with each #N said as what part N asks for: 该设备, or 第1部分的设备
    where two parts ask for one kind. `asked` holds the questions of the plan's parts."""
    bare = _SIDES.sub("", question)
    numbers = {int(number) for number in REFERENCE.findall(bare)}
    if not is_cjk(bare):
        return REFERENCE.sub(r"[part \1]", bare)
    kinds = {number: asked_kind(asked.get(number, "")) for number in numbers}

    def replacement(match: re.Match[str]) -> str:
        number = int(match[1])
        kind = kinds[number]
        alone = list(kinds.values()).count(kind) == 1
        return f"该{kind}" if kind and alone else f"第{number}部分的{kind or '答案'}"

    return REFERENCE.sub(replacement, bare)
