"""Reads a question by rules: follow-up, parts, level and kind of answer, and how sure that is."""

import re
from collections.abc import Mapping, Sequence

from core.domain import Plan, SubQuestion, SubQuestionType
from core.llm.builtin.understand.answer_kind import answer_kind
from core.llm.builtin.understand.composite_classifier import likelihood
from core.llm.builtin.understand.drafting import Drafting, as_question
from core.llm.builtin.understand.followup import resolve
from core.llm.builtin.understand.grammar import Question, is_question, read
from core.llm.builtin.understand.levels import LevelDecision, level_of
from core.llm.builtin.understand.planning_en import plan_english
from core.llm.builtin.understand.planning_zh import plan_chinese
from core.tasks import PartDraft, Understand, Understood
from core.text.library_questions import requested_aspects
from core.text.open_references import REFERENCE

MAX_QUESTION_CHARACTERS = 2000  # characters: a longer text is no question whose grammar could be read
_CAUSE = re.compile(r"^(?:why\b|how (?:did|does|do)\b)|为什么", re.IGNORECASE)
_COUNT = re.compile(
    r"^how (?:many|much|often)\b|\b(?:average|total|sum|number of)\b|多少|几|平均|总", re.IGNORECASE
)
_COMPARES = re.compile(
    r"\b(?:compare[ds]?|comparison|differ(?:s|ence|ent)?|same|which of|than)\b|\w(?:er|est)\b.* or\b"
    r"|比较|对比|相比|区别|差异|不同|相同|一样|哪(?:一)?个更|更",
    re.IGNORECASE,
)
_SURVEY = re.compile(r"\bwhat is known about\b|\bsummar|\boverall\b|概述|总结|总体", re.IGNORECASE)


def understand(task: Understand) -> Understood:
    """Return how the question is to be read; what cannot be taken apart is its only part."""
    resolved = resolve(task.question, task.history)
    question = read(resolved.question[:MAX_QUESTION_CHARACTERS])
    parts = _accepted(question, task.examples) or split(question, task.most)
    composite = likelihood(question, len(parts))
    judged = level_of(question, len(parts))
    return Understood(
        question=resolved.question,
        level=judged.level,
        reason=judged.reason,
        kind=answer_kind(question, judged.level, any(part.type == "comparative" for part in parts)),
        composite=len(parts) > 1 or composite > 0.5,
        known=tuple(dict.fromkeys(name.strip('"“”《》') for name in question.names)),
        unknown=tuple(part.question for part in parts if any(part.id in other.depends_on for other in parts)),
        parts=parts,
        certainty=_certainty(composite, judged, len(parts), resolved.sure),
    )


def split(question: Question, most: int) -> tuple[PartDraft, ...]:
    """Return the parts; the whole question where a part would be no question, or there are too many, or where
    all of it is asked of the library itself."""
    if requested_aspects(question.text) is not None:
        return (PartDraft(id=1, question=standalone(question)),)
    drafting = Drafting(question, most)
    if question.language == "zh":
        plan_chinese(question.frame, drafting)
    else:
        plan_english(question.frame, drafting)
    parts = drafting.parts
    sound = all(asks(part.question) for part in parts)
    if not sound or not parts or len(parts) == 1:
        return (PartDraft(id=1, question=standalone(question)),)
    parts = _at_most(parts, most)
    return tuple(part.model_copy(update={"type": kind_of(part, parts)}) for part in parts)


_ASKS_ZH = re.compile(
    r"什么|谁|哪|何|多[少长久大高远快重]|几|怎么|怎样|如何|为什么|吗|是否|是不是|有没有|^(?:请)?(?:列出|比较|对比|说明|解释|描述|总结|概述)"
)


def asks(text: str) -> bool:
    """Say whether a text is built as a question or an order: what every part of a plan must be."""
    question = read(text)
    if question.language == "zh":
        return _ASKS_ZH.search(question.frame) is not None
    return is_question(question.frame)


def standalone(question: Question) -> str:
    """Return the question as it was asked, in a form that stands alone."""
    return as_question(question.fill(question.frame), question.language) or question.text


def built_alike(text: str, plans: Sequence[Plan]) -> tuple[Plan, ...]:
    """Return the plans of questions that differ from this one in their names only."""
    question = read(text)
    known = [(plan, read(plan.question)) for plan in plans if plan.parts]
    return tuple(
        plan
        for plan, other in known
        if other.frame.casefold() == question.frame.casefold() and len(other.names) == len(question.names)
    )


def _accepted(question: Question, examples: Sequence[Plan]) -> tuple[PartDraft, ...]:
    """Return the parts a reader accepted for this question, or for one that differs in its names only."""
    plan = next(iter(built_alike(question.text, examples)), None)
    if plan is None:
        return ()
    names = dict(zip(read(plan.question).names, question.names, strict=True))
    return tuple(
        PartDraft(
            id=part.id, question=_renamed(part.question, names), type=part.type, depends_on=part.depends_on
        )
        for part in plan.parts
    )


def _renamed(text: str, names: Mapping[str, str]) -> str:
    if not names:
        return text
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(pattern, lambda name: names[name.group()], text)


def _at_most(parts: list[PartDraft], most: int) -> list[PartDraft]:
    """Join the last questions that nothing depends on until there are at most `most`."""
    parts = list(parts)
    while len(parts) > max(1, most):
        needed = {n for part in parts for n in part.depends_on}
        free = [part for part in parts if part.id not in needed and part.type != "comparative"]
        if len(free) < 2:
            return [part for part in parts if part.id <= most]
        first, second = free[-2:]
        joined = f"{first.question.rstrip('?？. 。')}; {second.question}"
        needs = tuple(sorted({*first.depends_on, *second.depends_on}))
        merged = first.model_copy(update={"question": joined, "depends_on": needs})
        parts = _renumbered([merged if part is first else part for part in parts if part is not second])
    return parts


def _renumbered(parts: list[PartDraft]) -> list[PartDraft]:
    numbers = {part.id: at for at, part in enumerate(parts, 1)}
    return [
        part.model_copy(
            update={
                "id": numbers[part.id],
                "question": REFERENCE.sub(lambda m: f"#{numbers.get(int(m[1]), int(m[1]))}", part.question),
                "depends_on": tuple(numbers[n] for n in part.depends_on if n in numbers),
            }
        )
        for part in parts
    ]


def kind_of(
    part: PartDraft | SubQuestion, parts: Sequence[PartDraft] | Sequence[SubQuestion]
) -> SubQuestionType:
    """Say what kind of work a part is."""
    if part.type == "comparative" or (len(part.depends_on) > 1 and _COMPARES.search(part.question)):
        return "comparative"
    if _COUNT.search(part.question):
        return "quantitative"
    if _SURVEY.search(part.question):
        return "summarising"
    if any(part.id in other.depends_on for other in parts):
        return "bridging"
    return "reasoning" if _CAUSE.search(part.question) else "factual"


def _certainty(composite: float, judged: LevelDecision, parts: int, resolved: bool) -> float:
    """Return how sure the reading is: as sure as its least sure step.

    A question that looks composite and could not be taken apart is the one a model reads better.
    """
    if not resolved:
        return 0.0
    split_up = composite if parts > 1 else 1 - composite
    return round(min(split_up, 0.5 + judged.lead / 4, 1.0), 3)
