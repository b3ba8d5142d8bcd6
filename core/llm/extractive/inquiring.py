"""Gathers the questions that a text answers: of its statements, its labels and its lists."""

import re

from core.llm.extractive import asking, asking_zh

MOST_QUESTIONS = 6  # of a text
_LABEL = re.compile(r"([A-Z][a-z]+|[\u4e00-\u9fff]{2,4})[:：]\s?(?=\S)")
_PEOPLE = {
    "author": "Who is the author of", "owner": "Who is the owner of", "leader": "Who is the leader of",
    "editor": "Who is the editor of", "chair": "Who chaired", "chairman": "Who chaired",
    "present": "Who was present at", "participants": "Who took part in", "attendees": "Who attended",
    "date": "What is the date of", "status": "What is the status of", "source": "What is the source of",
}  # fmt: skip
_PEOPLE_ZH = {
    "负责人": "的负责人是谁",
    "主持": "由谁主持",
    "参加": "有谁参加",
    "作者": "的作者是谁",
    "日期": "的日期是什么时候",
}
_LISTS = (
    (re.compile(r"procedure|instructions|steps", re.I), "What are the steps of {}?"),
    (re.compile(r"decisions", re.I), "What was decided at {}?"),
    (re.compile(r"open (?:points|questions|issues)", re.I), "Which points are open after {}?"),
    (re.compile("步骤|程序|流程"), "《{}》的步骤是什么？"),
    (re.compile("决定|决议"), "《{}》做出了哪些决定？"),
)
_ITEM = re.compile(r"^(?:\d{1,2}[.)、]\s?|[-*•]\s)\S", re.MULTILINE)
_LEAST_ITEMS = 3
_LONGEST_TITLE = 80


class Inquirer:
    """Takes the statements of a text one by one, then gives its questions."""

    def __init__(self, text: str, title: str, heading: str, names: frozenset[str], chinese: bool) -> None:
        self._text = f"{title} {heading} {text}"
        self._chinese = chinese
        self._title = title.partition(": ")[0] if len(title) <= _LONGEST_TITLE else ""
        self._first = heading in {"", title}
        self._around = asking.Around(names, title, bool(heading) and heading != title)
        self._found: dict[str, None] = {}
        if self._title and len(_ITEM.findall(text)) >= _LEAST_ITEMS:
            for kind, question in _LISTS:
                if kind.search(heading):
                    self._found[question.format(self._title)] = None

    def take(self, statement: str) -> None:
        """Note the questions a statement answers."""
        if len(self._found) >= MOST_QUESTIONS:
            return
        label = _LABEL.match(statement) if self._first and self._title else None
        if label is not None:
            if self._text.count(label.group().strip()) > 1:
                return  # a label of each point of a list
            asked = self._of_label(label[1])
            self._found |= dict.fromkeys([asked] if asked else [])
        elif self._chinese:
            self._found |= dict.fromkeys(asking_zh.ask(statement, self._text))
        else:
            self._found |= dict.fromkeys(asking.ask(statement, self._around))

    def _of_label(self, label: str) -> str:
        if self._chinese:
            asked = _PEOPLE_ZH.get(label, "")
            return f"《{self._title}》{asked}？" if asked else ""
        asked = _PEOPLE.get(label.lower(), "")
        return f"{asked} {self._title}?" if asked else ""

    def questions(self) -> tuple[str, ...]:
        """Return the questions, at most 6, in the order of the text."""
        return tuple(self._found)[:MOST_QUESTIONS]
