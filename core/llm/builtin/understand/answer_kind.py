"""What kind of answer a question wants: a number, a list, steps, a comparison ..."""

from core.domain import AnswerKind, Level
from core.llm.builtin.answer import parsed_question
from core.llm.builtin.understand.grammar import Question
from core.text.library_questions import requested_aspects
from core.text.thing_questions import theme_of

_FORMS: dict[parsed_question.Kind, AnswerKind] = {
    "yesno": "yes_no",
    "summary": "summary",
    "compare": "comparison",
    "cause": "cause",
    "manner": "steps",
    "date": "date",
    "time": "date",
    "duration": "number",
    "count": "number",
    "amount": "number",
    "person": "person",
    "place": "place",
    "list": "list",
    "other": "fact",
}


def form(question: Question) -> AnswerKind:
    """Return the form of answer the words ask for."""
    if requested_aspects(question.text) is not None:
        return "library"
    if theme_of(question.text):
        return "overview"
    return _FORMS[parsed_question.read(question.text).kind]


def answer_kind(question: Question, level: Level, compared: bool) -> AnswerKind:
    """Return the kind of answer: the level's where it has one of its own, else the form the words ask for."""
    if level is Level.PREDICTIVE:
        return "forecast"
    if level is Level.CREATIVE:
        return "ideas"
    return "comparison" if compared else form(question)
