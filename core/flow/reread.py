"""Reads a short answer out of passages that are already there: part by part, then as a whole."""

from collections.abc import Sequence

from core.answering.plan import refer, waits_in_vain
from core.domain import PartAnswer, Passage, Scope, SubQuestion
from core.flow.nodes import Nodes


def reread(nodes: Nodes, question: str, passages: Sequence[Passage], language: str) -> str:
    """Return a name, a number or a phrase, "" where the passages hold none; nothing is searched.

    A chain is answered by its last part, anything else by one reading. Raises LLMError.
    """
    plan = nodes.understander.read(question, (), Scope(), language).plan
    answers: list[PartAnswer] = []
    if len(plan.parts) > 1:
        for part in (part for wave in plan.waves() for part in wave):
            if waits_in_vain(part, answers):
                answers.append(PartAnswer(id=part.id, question=part.question))
                continue
            asked = part.model_copy(update={"question": refer(part.question, answers)})
            answers.append(nodes.worker.read(asked, passages, (), language))
        last = answers[-1]
        if last.found and plan.parts[-1].depends_on:
            return last.answer
    whole = nodes.worker.read(SubQuestion(id=1, question=question), passages, (), language)
    return whole.answer if whole.found else ""
