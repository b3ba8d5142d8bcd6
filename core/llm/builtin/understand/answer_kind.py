"""What kind of answer a question wants: a number, a list, steps, a comparison ..."""

import re
import tomllib
from functools import cache
from pathlib import Path

from core.domain import AnswerKind, Level
from core.llm.builtin.understand.grammar import Question
from core.text.library_questions import requested_aspects


@cache
def _patterns(language: str) -> tuple[tuple[AnswerKind, re.Pattern[str]], ...]:
    """Return what tells the kinds apart, in the order they are tried."""
    table = tomllib.loads((Path(__file__).parent / "answer_kinds.toml").read_text(encoding="utf-8"))[language]
    return tuple((kind, re.compile("|".join(patterns), re.IGNORECASE)) for kind, patterns in table.items())


def form(question: Question) -> AnswerKind:
    """Return the form of answer the words ask for."""
    if requested_aspects(question.text) is not None:
        return "library"
    patterns = _patterns("zh" if question.language == "zh" else "en")
    return next((kind for kind, pattern in patterns if pattern.search(question.frame)), "fact")


def answer_kind(question: Question, level: Level, compared: bool) -> AnswerKind:
    """Return the kind of answer: the level's where it has one of its own, else the form the words ask for."""
    if level is Level.PREDICTIVE:
        return "forecast"
    if level is Level.CREATIVE:
        return "ideas"
    return "comparison" if compared else form(question)
