"""Builds the parts of a plan: question frames go in, whole questions with their names come out, each once."""

import re
from dataclasses import dataclass, field

from core.domain import SubQuestionType
from core.llm.builtin.understand.grammar import Question
from core.tasks import PartDraft
from core.text.open_references import REFERENCE
from core.text.tokens import is_cjk


@dataclass
class Drafting:
    """Collects the parts of one question."""

    question: Question
    most: int = 5  # parts that the plan may have
    parts: list[PartDraft] = field(default_factory=list)

    def add(self, frame: str, kind: SubQuestionType = "factual") -> int:
        """Add a part and return its number; it depends on every #N it names."""
        text = as_question(self.question.fill(frame), self.question.language)
        for part in self.parts:
            if part.question.lower() == text.lower():
                return part.id
        number = len(self.parts) + 1
        needs = tuple(sorted({int(n) for n in REFERENCE.findall(text) if 0 < int(n) < number}))
        self.parts.append(PartDraft(id=number, question=text, type=kind, depends_on=needs))
        return number


def as_question(frame: str, language: str) -> str:
    """Make a question of a frame: a capital at the start, a question mark at the end."""
    frame = re.sub(r"\s+", " ", frame).strip(" ,;，；、")
    frame = re.sub(r"\s+([,?])", r"\1", frame)
    if language == "zh" or is_cjk(frame):
        return frame.rstrip("?？。") + (
            "。" if re.match("(?:请)?(?:列出|比较|对比|说明|解释|描述)", frame) else "？"
        )
    mark = (
        "."
        if re.match(r"(?:compare|list|give|explain|describe|name|show|find)\b", frame, re.IGNORECASE)
        else "?"
    )
    return frame[:1].upper() + frame[1:].rstrip("?. ") + mark
