"""Runs the council of a creative question; its conclusion becomes the answer, and its facts are checked."""

from collections.abc import Sequence

from core.answering.answer import AnswerDraft
from core.answering.answer_checking import AnswerChecker
from core.domain import Outcome, Passage, Scope, Support, Verdict
from core.flow.state import State
from core.knowledge.base import KnowledgeBase
from core.perspectives.council import Council
from core.perspectives.narrative import narrate
from core.perspectives.viewpoints import written
from core.ports import LLM, Emit
from core.retrieval.search_port import LibrarySearch
from core.trace import AnswerChecked, Synthesised, Wrote

CAUSE = "convene"
MAX_TAGS = 300  # of the library, the most used, that roles are planned by


def council_over(llm: LLM, library: KnowledgeBase, retriever: LibrarySearch) -> Council:
    """Return a council that searches this library; by a function: `core.perspectives` imports no step."""

    def research(query: str, scope: Scope, topics: Sequence[str], limit: int) -> list[Passage]:
        return retriever.search(query, limit, scope, "reasoning", topics)

    return Council(llm, research, tags=lambda: [name for _, name, _ in library.tag_counts()[:MAX_TAGS]])


def convene(council: Council, checker: AnswerChecker, state: State, emit: Emit) -> State:
    """Return the council's report with draft and verdict, and the evidence it read behind the evidence found.

    Where nothing is proposed the question for ideas is not answered: the closest passages, by viewpoint.

    Raises LLMError, KnowledgeError, Stopped or BudgetExceeded.
    """
    language = state["language"]
    roles = tuple(written(name, language) for name in state.get("roles", ()) if name.strip())
    result = council.hold(state["read_as"], state["evidence"], state["scope"], emit, language, roles)
    narrative = narrate(result.report, result.passages, language)
    emit(Wrote(cause=CAUSE, text=narrative.text, round=state["round"]))
    emit(Synthesised(cause=CAUSE, sentences=narrative.sentences))
    checked = checker.check(
        state["read_as"],
        narrative.sentences,
        (),
        result.passages,
        language,
        state.get("unknown", ()),
        ideas=narrative.ideas,
    )
    verdict = ideas_weighed(checked, narrative.ideas, doubtful=bool(state.get("unknown")))
    emit(AnswerChecked(cause=CAUSE, verdict=verdict, round=state["round"]))
    return {
        "council": result.report,
        "evidence": result.passages,
        "draft": AnswerDraft(narrative.text, narrative.sentences),
        "verdict": verdict,
        "notes": list(narrative.notes),
    }


def ideas_weighed(verdict: Verdict, ideas: frozenset[int], *, doubtful: bool) -> Verdict:
    """Return the verdict of an answer made of ideas: without an idea the question is not answered.

    A sentence that is in no source, an idea too, is a caveat: only what is all supported is an answer.
    """
    if not verdict.sentences:
        return verdict
    unfounded = any(sentence.support is not Support.SUPPORTED for sentence in verdict.sentences)
    if not ideas:
        outcome = Outcome.CLOSEST
    elif verdict.conflicts:
        outcome = Outcome.CONFLICT
    else:
        outcome = Outcome.CAVEAT if doubtful or unfounded else Outcome.ANSWER
    return verdict.model_copy(update={"outcome": outcome, "missing": ()})
