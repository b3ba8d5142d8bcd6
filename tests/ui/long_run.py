"""A long run, made by hand: nine parts in three waves, a model's call for each, nine sentences."""

from collections.abc import Iterator

from core.domain import Level, Outcome, PartAnswer, Plan, Report, Sentence, SubQuestion, Support, Verdict
from core.knowledge.stores.records import Run
from core.tasks import Call
from core.trace import (
    AnswerChecked,
    Asked,
    Event,
    Finished,
    PartAnswered,
    Planned,
    Reranked,
    RouteChosen,
    Searched,
    Stamped,
    StepFinished,
    StepStarted,
    Synthesised,
    WaveStarted,
    Wrote,
)
from tests.ui.sample import PASSAGES

RUN = "longrun00009"
QUESTION = (
    "Compare the nine chambers of the etch area: for each, what were the particle counts, the alarms, the "
    "last wet clean, the parts replaced, and how did the yield develop between January and June 2025?"
)
FOUND = tuple(
    p.model_copy(update={"chunk": p.chunk.model_copy(update={"id": f"{p.chunk.id}-{n}"})})
    for n in range(5)
    for p in PASSAGES
)
PARTS = tuple(
    SubQuestion(
        id=n,
        question=f"Chamber {n}: which particle counts, alarms and parts in the first half of 2025?",
        depends_on=(n - 3,) if n > 3 else (),
    )
    for n in range(1, 10)
)
PLAN = Plan(question=QUESTION, parts=PARTS, intent="compare nine chambers", by="qwen3:8b")
SENTENCES = tuple(
    Sentence(
        text=f"Chamber {n} counted {12 * n} particles and had {n} alarms, then its ring was replaced [{n}].",
        citations=(n,),
        support=Support.MISSING if n == 5 else Support.SUPPORTED,
    )
    for n in range(1, 10)
)
ANSWER = " ".join(sentence.text for sentence in SENTENCES)
REPORT = Report(
    run=RUN,
    question=QUESTION,
    level=Level.LINKING,
    engine="qwen3:8b",
    outcome=Outcome.CAVEAT,
    answer=ANSWER,
    sentences=SENTENCES,
    plan=PLAN,
    passages=FOUND,
    seconds=36.0,
)


def call(task: str, seconds: float) -> Call:
    return Call(task=task, engine="qwen3:8b", seconds=seconds, tokens_in=2100, tokens_out=140, prompt="…")


def _part(asked: SubQuestion) -> Iterator[Event]:
    step, part = f"work#{asked.id}", asked.id
    answer = PartAnswer(id=part, question=asked.question, answer=f"{12 * part} counts", found=part != 5)
    yield StepStarted(step=step, sub_question=part)
    yield Searched(query=asked.question, passages=FOUND, sub_question=part)
    yield Searched(query=f"{asked.question} again", kind="reform", passages=FOUND[:8], sub_question=part)
    yield Reranked(question=asked.question, reranker="late interaction", passages=FOUND, sub_question=part)
    yield PartAnswered(answer=answer, sub_question=part, calls=(call("Bridge", 2.3),))
    yield StepFinished(step=step, sub_question=part)


def _all() -> Iterator[Event]:
    yield Asked(question=QUESTION, effort="thorough", library="14 documents, 312 chunks")
    yield RouteChosen(level=Level.LINKING, reason="nine things", calls=(call("Understand", 3.0),))
    yield Planned(plan=PLAN)
    for wave in range(3):
        parts = PARTS[3 * wave : 3 * wave + 3]
        yield WaveStarted(wave=wave + 1, parts=parts)
        for asked in parts:
            yield from _part(asked)
    yield Reranked(question=QUESTION, reranker="late interaction", passages=FOUND)
    yield Wrote(text=ANSWER)
    yield Synthesised(sentences=SENTENCES, calls=(call("Answer", 9.0),))
    yield AnswerChecked(verdict=Verdict(outcome=Outcome.CAVEAT, sentences=SENTENCES, notes=("8 of 9 hold.",)))
    yield Finished(report=REPORT)


def events() -> list[Stamped]:
    """Return the run, an event each half second."""
    return [Stamped(seq=n, at=n / 2, event=event) for n, event in enumerate(_all())]


def run() -> Run:
    """Return the run as the library keeps it."""
    return Run(
        id=RUN,
        conversation="long",
        question=QUESTION,
        status="done",
        started=1_763_700_000.0,
        finished=1_763_700_036.0,
        report=REPORT,
    )
