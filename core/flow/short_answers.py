"""Short answers (a name, a number, a phrase): searched for, read from passages, or in an exam's form."""

from collections.abc import Sequence

from core.answering.part_references import lacks_referenced_answer, referred
from core.domain import PartAnswer, Passage, Scope, SubQuestion
from core.flow.nodes import Nodes, settled
from core.flow.state import State
from core.retrieval.evidence_pieces import as_evidence
from core.tasks import Examine, Written
from core.text.tokens import detect_language


def short_answer(nodes: Nodes, question: str) -> str:
    """Run the graph and return its short answer, "" where nothing was found. Raises LLMError.

    A chain is answered by its last part; anything else is read once more from the joined evidence.
    """
    from core.flow.graph import run_graph  # with LangGraph, which is slow to load

    start: State = {
        "question": question,
        "history": (),
        "scope": Scope(),
        "asked_level": None,
        "strategy": "auto",
    }
    state = run_graph(nodes, start)
    if not state.get("related"):
        return ""
    parts = settled(state)
    plan = state.get("plan")
    last = parts[-1] if parts else None
    if last and last.found and (plan is None or any(p.id == last.id and p.depends_on for p in plan.parts)):
        return last.answer
    part = SubQuestion(id=1, question=state["read_as"])
    answer = nodes.worker.read(part, state["evidence"], (), state["language"])
    return answer.answer if answer.found else ""


def exam_answer(nodes: Nodes, instruction: str, question: str) -> Written:
    """Return the answer in the form the instruction asks for, from what the library has on the question.

    Raises KnowledgeError, LLMError.
    """
    language = detect_language(question)
    found = nodes.gatherer.gather(question, Scope(), lambda event: None, language=language)
    task = Examine(
        instruction=instruction,
        evidence=as_evidence(found.passages),
        question=question,
        language=language,
    )
    return nodes.synthesiser.llm.run(task, Written)


def short_answer_from(nodes: Nodes, question: str, passages: Sequence[Passage], language: str) -> str:
    """Return a name, a number or a phrase, "" where the passages hold none; nothing is searched.

    A chain is answered by its last part, anything else by one reading. Raises LLMError.
    """
    plan = nodes.understander.read(question, (), Scope(), language).plan
    answers: list[PartAnswer] = []
    if len(plan.parts) > 1:
        for part in (part for wave in plan.waves() for part in wave):
            if lacks_referenced_answer(part, answers):
                answers.append(PartAnswer(id=part.id, question=part.question))
                continue
            asked = referred(part, answers)
            answers.append(nodes.worker.read(asked, passages, (), language))
        last = answers[-1]
        if last.found and plan.parts[-1].depends_on:
            return last.answer
    whole = nodes.worker.read(SubQuestion(id=1, question=question), passages, (), language)
    return whole.answer if whole.found else ""
