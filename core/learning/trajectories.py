"""The record of an attempt at a question: every proposal, candidate, selection, context and score."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import AliasChoices, Field

from core.domain import Evidence, Value
from core.errors import TrainingError
from core.learning.journal import read as read_lines

RIGHT_F1 = 0.8  # answer F1 from which a path counts as right


class Known(Value):
    """A question whose answer is known. `gold`: per passage it rests on, the ids of that passage's chunks."""

    id: str
    question: str
    answers: tuple[str, ...]
    gold: tuple[tuple[str, ...], ...] = ()
    language: str = "en"


class FoundCandidate(Value):
    """A passage that could be read next: the atom (or the chunk's beginning) that led to it."""

    text: str
    chunk_id: str
    score: float  # cosine to the proposal
    proposal: str  # the question that found it
    question: bool = False  # `text` is an atomic question, not a statement


class ReadPiece(Value):
    """A passage that entered the context, in the round that found it."""

    round: int
    asked: str  # the atomic question it answers
    evidence: Evidence
    chunk_id: str
    sampled: bool = False  # drawn from S by UCB, not chosen


class Round(Value):
    """One round of Algorithm 1 with the context sampling of Algorithm 2."""

    number: int
    proposals: tuple[str, ...] = ()
    candidates: tuple[FoundCandidate, ...] = ()  # the top K above delta
    spare: tuple[FoundCandidate, ...] = ()  # the others of the top K' above delta', which enter S
    chosen: int | None = None
    sampled: str = ""  # chunk id that UCB drew from S
    reason: str = ""


class Trajectory(Value):
    """One attempt at one question, with its answer and how right it is.

    `collected` is the share of the gold passages of which a chunk was read, 0 where none are known.
    """

    question: Known
    # 0 is the greedy attempt; "walk" in files written before 2026-11-22
    attempt: int = Field(validation_alias=AliasChoices("attempt", "walk"))
    engine: str
    rounds: tuple[Round, ...] = ()
    read: tuple[ReadPiece, ...] = ()
    answer: str = ""
    exact: float = 0.0
    f1: float = 0.0
    collected: float = 0.0
    calls: int = 0  # of the model, without the answer
    ended: str = ""  # why the attempt ended; "" where it was cut short

    @property
    def right(self) -> bool:
        """Say whether the path led to the right answer."""
        return self.f1 >= RIGHT_F1

    @property
    def complete(self) -> bool:
        """Say whether every gold passage was read."""
        return bool(self.question.gold) and self.collected >= 1.0


class Coverage(Value):
    """Shares of questions for which a path was found: by the greedy attempt, and by any of `attempts`.

    `answer`: the answer's F1 is at least 0.8; `passages`: all gold passages were read; `path`: either.
    """

    questions: int
    attempts: int
    greedy_answer: float
    any_answer: float
    greedy_passages: float
    any_passages: float
    greedy_path: float
    any_path: float
    rounds: float  # mean rounds an attempt


def coverage(trajectories: Sequence[Trajectory]) -> Coverage:
    """Compare the greedy attempts with all attempts, question by question (PIKE-RAG: 58 % against 84 %)."""
    greedy = {t.question.id: t for t in trajectories if t.attempt == 0}
    every: dict[str, list[Trajectory]] = {}
    for trajectory in trajectories:
        every.setdefault(trajectory.question.id, []).append(trajectory)
    count = max(1, len(every))

    def share(hits: Iterable[bool]) -> float:
        return round(sum(hits) / count, 4)

    def found(one: Trajectory) -> bool:
        return one.right or one.complete

    return Coverage(
        questions=len(every),
        attempts=max((len(attempts) - 1 for attempts in every.values()), default=0),
        greedy_answer=share(t.right for t in greedy.values()),
        any_answer=share(any(t.right for t in attempts) for attempts in every.values()),
        greedy_passages=share(t.complete for t in greedy.values()),
        any_passages=share(any(t.complete for t in attempts) for attempts in every.values()),
        greedy_path=share(found(t) for t in greedy.values()),
        any_path=share(any(found(t) for t in attempts) for attempts in every.values()),
        rounds=round(sum(len(t.rounds) for t in trajectories) / max(1, len(trajectories)), 2),
    )


def read_trajectories(path: Path, *, growing: bool = False) -> list[Trajectory]:
    """Return the attempts of a file. Raises TrainingError for one that is cut short, twice there, or missing.

    While attempts are still `growing` the file, the one that is just being written is left out.
    """
    if not path.is_file():
        raise TrainingError(
            f"There are no trajectories at {path.name}.", hint="Make some with `strata train collect`."
        )
    trajectories = read_lines(path, Trajectory, growing=growing)
    seen: set[tuple[str, int]] = set()
    for trajectory in trajectories:
        key = (trajectory.question.id, trajectory.attempt)
        name = f"attempt {trajectory.attempt} of question {trajectory.question.id}"
        if not trajectory.ended:
            raise TrainingError(
                f"{path.name}: {name} was cut short: it does not say why it ended.",
                hint="Delete that line and run `strata train collect` again: it adds only what is missing.",
            )
        if key in seen:
            raise TrainingError(
                f"{path.name}: {name} is there twice.",
                hint="Delete one of the two lines; joining files needs different questions in each.",
            )
        seen.add(key)
    return trajectories


def checked(questions: Sequence[Known]) -> tuple[Known, ...]:
    """Return the questions if they can be used. Raises TrainingError for duplicates, blanks, no answers."""
    ids: dict[str, int] = {}
    texts: dict[str, int] = {}
    for number, known in enumerate(questions, start=1):
        text = " ".join(known.question.lower().split())
        if not text:
            raise TrainingError(f"Question {number} is empty.", hint="Give every line a question.")
        if not any(answer.strip() for answer in known.answers):
            raise TrainingError(
                f"Question {number} ({known.id}) has no answer.",
                hint="Trajectories need questions whose answers are known: fill in `answer`.",
            )
        first = ids.get(known.id) or texts.get(text)
        if first is not None:
            raise TrainingError(
                f"Questions {first} and {number} are the same.",
                hint="Take one of them out: a question twice would count double and stand in two splits.",
            )
        ids[known.id] = texts[text] = number
    if not questions:
        raise TrainingError("There are no questions.", hint="Give a JSONL file with question and answer.")
    return tuple(questions)
