"""Makes a question of a statement by asking for its number or its last name, and keeps what was asked for."""

import re
from typing import NamedTuple

from core.text.locales import month_number
from core.text.periods import is_year
from core.text.tokens import content_words, is_cjk

_NUMBER = re.compile(
    r"(?<![\w.,:/°-])(\d+(?:[.,]\d+)*)(\s?%|\s?°C|\s(?:[A-Za-zµ]{1,12}))?(?![\w:/-])(?!\.\d)"
)
_NUMBER_ZH = re.compile(
    r"(?<![A-Za-z0-9_.,:/-])(\d+(?:[.,]\d+)*)\s*(%|[\u4e00-\u9fffA-Za-zµ°]{1,3})?(?![\d.:/])"
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]+(?: [A-Z][\w-]+)*")
_MIN_CONTENT_WORDS = 4  # words of matter a question needs, so that it is about one thing
_MAX_CHARACTERS = 200


class Cloze(NamedTuple):
    """A question and the words it asks for."""

    question: str
    answer: str


def cloze(statement: str) -> Cloze | None:
    """Return a question the statement answers, None where it holds no number and no name to ask for."""
    plain = " ".join(statement.split()).rstrip(".。;；…! ")
    if len(plain) > _MAX_CHARACTERS or plain.endswith(("?", "？")):
        return None
    made = _chinese(plain) if is_cjk(plain) else _number(plain) or _name(plain)
    if made is None or len(set(content_words(made.question))) < _MIN_CONTENT_WORDS:
        return None
    return made


def _number(plain: str) -> Cloze | None:
    for match in _NUMBER.finditer(plain):
        number, unit = match[1], (match[2] or "").strip()
        if month_number(unit) or (not unit and is_year(number)):
            continue
        asked = "what percentage" if unit == "%" else f"how many {unit}" if unit else "what number"
        return Cloze(f"{plain[: match.start()]}{asked}{plain[match.end() :]}?", number)
    return None


def _name(plain: str) -> Cloze | None:
    found = list(_NAME.finditer(plain))
    if not found:
        return None
    last = found[-1]
    return Cloze(f"{plain[: last.start()]}which name{plain[last.end() :]}?", last.group())


def _chinese(plain: str) -> Cloze | None:
    match = _NUMBER_ZH.search(plain)
    if match is None:
        return None
    unit = (match[2] or "").strip()
    return Cloze(f"{plain[: match.start()]}多少{unit}{plain[match.end() :]}？", match[1])
