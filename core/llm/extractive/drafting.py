"""A plan while it is written: parts get their number, repeated ones keep the first."""

import re
from dataclasses import dataclass, field

from core.domain import SubQuestionType
from core.llm.extractive.questions import Question, ask
from core.tasks import PartDraft

_REFERENCE = re.compile(r"#(\d+)")


@dataclass
class Drafting:
    """Collects the parts of one question; frames go in, questions with their names back come out."""

    question: Question
    parts: list[PartDraft] = field(default_factory=list)

    def add(self, frame: str, kind: SubQuestionType = "factual") -> int:
        """Add a part and return its number; it depends on every #N it names."""
        text = ask(self.question.fill(frame), self.question.language)
        for part in self.parts:
            if part.question.lower() == text.lower():
                return part.id
        number = len(self.parts) + 1
        needs = tuple(sorted({int(n) for n in _REFERENCE.findall(text) if 0 < int(n) < number}))
        self.parts.append(PartDraft(id=number, question=text, type=kind, depends_on=needs))
        return number


def renumber(parts: list[PartDraft]) -> tuple[PartDraft, ...]:
    """Number the parts 1 to n in their order, references with them."""
    numbers = {part.id: at for at, part in enumerate(parts, 1)}

    def moved(match: re.Match[str]) -> str:
        return f"#{numbers.get(int(match.group(1)), int(match.group(1)))}"

    return tuple(
        part.model_copy(
            update={
                "id": numbers[part.id],
                "question": _REFERENCE.sub(moved, part.question),
                "depends_on": tuple(numbers[n] for n in part.depends_on if n in numbers),
            }
        )
        for part in parts
    )
