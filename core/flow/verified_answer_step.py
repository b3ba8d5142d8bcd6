"""Answers a question from what a reader verified, before anything is searched."""

from datetime import UTC, datetime

from core.answering.answer import AnswerDraft
from core.answering.verified_recall import Recaller
from core.answering.wording import report_sentence
from core.domain import Level, Outcome, Support, Verdict
from core.flow.state import State
from core.ports import Emit
from core.trace import AnswerChecked, Reranked, RouteChosen, Synthesised


def find_verified_answer(recaller: Recaller | None, state: State, emit: Emit) -> State:
    """Return evidence, draft and verdict of the verified answer, and emit them; {} where there is none.

    A question for which the reader chose another level or a way of working is worked on as chosen.
    """
    chosen = state.get("asked_level")
    if recaller is None or state["strategy"] != "auto" or chosen not in (None, Level.DIRECT):
        return {}
    found = recaller.recall(state["read_as"], state["scope"])
    if found is None:
        return {}
    verified, passages = found.answer, found.passages
    day = f"{datetime.fromtimestamp(verified.at, UTC):%Y-%m-%d}"
    key = "reworded" if found.reworded else "corrected" if verified.corrected else "verified"
    note = report_sentence(key, state["language"], day=day, question=verified.question)
    sure = all(sentence.support is Support.SUPPORTED for sentence in verified.sentences)
    verdict = Verdict(
        outcome=Outcome.ANSWER if sure else Outcome.CAVEAT, sentences=verified.sentences, notes=(note,)
    )
    emit(
        RouteChosen(
            cause="understand",
            level=Level.DIRECT,
            reason=f"a reader corrected the answer of “{verified.question}”, the same question in other words"
            if found.reworded
            else "a reader verified the answer of this very question",
        )
    )
    emit(Reranked(cause="look_up", question=state["read_as"], reranker="verified answers", passages=passages))
    emit(Synthesised(cause="look_up", sentences=verified.sentences))
    emit(AnswerChecked(cause="look_up", verdict=verdict))
    return {
        "level": Level.DIRECT,
        "own": passages,
        "evidence": passages,
        "related": True,
        "unknown": (),
        "draft": AnswerDraft(verified.answer, verified.sentences),
        "verdict": verdict,
    }
