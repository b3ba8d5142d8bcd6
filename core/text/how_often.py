"""How often something is done: "twice a day", "every 400 hours", 每天两次."""

import re

from core.text.quantities import ENGLISH_NUMBERS

_ASKED = re.compile(r"\bhow (?:often|frequently)\b|\bwie oft\b|多久.{0,8}一?次", re.IGNORECASE)
_PERIOD = r"(?:shift|hour|day|week|month|quarter|year|\w{3,6}day)"
_NUMBER = rf"(?:\d[\d.,]*|{'|'.join(ENGLISH_NUMBERS[1:])})"
_FREQUENCY = re.compile(
    rf"\b(?:once|twice|{_NUMBER} times) (?:an?|per|every|each) (?:\w+ )??{_PERIOD}\b"
    rf"|\b(?:an?|per|each) {_PERIOD}\b|\b(?:once|twice|{_NUMBER} times)\b"
    rf"|\bevery (?:{_NUMBER} (?:[a-z]{{1,3}}|(?:\w+ )??\w+s)\b|(?:other |second |third )?\w+)"
    r"|\b(?:hourly|daily|weekly|monthly|quarterly|yearly|annually|continuously)\b"
    r"|\b(?:einmal|zweimal|täglich|wöchentlich|monatlich|jährlich|jede[nrsm]? \w+)\b"
    r"|每[^\s，。；]{1,5}?[次遍]|每[^\s，。；]{0,4}?[天日周月年班时]",
    re.IGNORECASE,
)


def asks_how_often(question: str) -> bool:
    """Say whether a question asks how often something is done."""
    return _ASKED.search(question) is not None


def find_frequencies(text: str) -> list[tuple[int, int]]:
    """Return where a text says how often."""
    return [match.span() for match in _FREQUENCY.finditer(text)]
