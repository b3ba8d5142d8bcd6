"""Attempts as the explorer would keep them, made by hand: right and wrong paths of each question."""

from pathlib import Path

from core.domain import Evidence
from core.learning.dataset import build
from core.learning.samples import SampleMaker
from core.learning.trajectories import FoundCandidate, Known, ReadPiece, Round, Trajectory
from core.tasks import Task

CITIES = ("Jena", "Ulm", "Graz", "Bern", "Metz", "Bari", "Lund", "Cork", "Brno", "Faro")


def plain(task: Task) -> tuple[str, str]:
    """A short prompt that holds everything the task does."""
    values = task.model_dump(exclude={"language"})
    context = " ".join(piece["text"] for piece in values["context"])
    asked = " / ".join(values["asked"])
    return "Ask the next question.", f"{values['question']}\nread: {context}\nasked: {asked}"


def known(number: int) -> Known:
    city = CITIES[number % len(CITIES)]
    return Known(
        id=f"q{number}",
        question=f"Where was the founder of company {number} of {city} born?",
        answers=(city,),
        gold=((f"f{number}",), (f"b{number}",)),
    )


def read(place: int, chunk: str, asked: str, *, sampled: bool = False) -> ReadPiece:
    evidence = Evidence(n=place + 1, text=f"Text of {chunk}.", source="library")
    return ReadPiece(round=place + 1, asked=asked, evidence=evidence, chunk_id=chunk, sampled=sampled)


def right(number: int, attempt: int = 1) -> Trajectory:
    """Found the founder, read one passage by chance, found the birthplace, read one too many."""
    pieces = (
        read(0, f"f{number}", f"Who founded company {number}?"),
        read(1, f"x{number}", "Which companies are there?", sampled=True),
        read(2, f"b{number}", f"Where was founder {number} born?"),
        read(3, f"y{number}", "What else is there?"),
    )
    return _made(number, attempt, pieces, CITIES[number % len(CITIES)], 1.0, 1.0)


def wrong(number: int, attempt: int = 0) -> Trajectory:
    return _made(number, attempt, (read(0, f"z{number}", f"What is company {number}?"),), "Rome", 0.0, 0.0)


def _made(
    number: int, attempt: int, pieces: tuple[ReadPiece, ...], answer: str, f1: float, collected: float
) -> Trajectory:
    rounds = tuple(
        Round(
            number=one.round,
            proposals=(one.asked,),
            candidates=(
                FoundCandidate(text=one.asked, chunk_id=one.chunk_id, score=0.5, proposal=one.asked),
            ),
            spare=(FoundCandidate(text=one.asked, chunk_id=one.chunk_id, score=0.3, proposal=one.asked),)
            if one.sampled
            else (),
            chosen=None if one.sampled else 0,
            sampled=one.chunk_id if one.sampled else "",
        )
        for one in pieces
    )
    return Trajectory(
        question=known(number),
        attempt=attempt,
        engine="by hand",
        rounds=rounds,
        read=pieces,
        answer=answer,
        exact=f1,
        f1=f1,
        collected=collected,
        ended="enough is known",
    )


def data(folder: Path, questions: int = 40) -> Path:
    """Write a data set of a right and a wrong attempt of each question."""
    attempts = [attempt for n in range(questions) for attempt in (wrong(n), right(n))]
    build(folder, SampleMaker(plain), attempts, [])
    return folder
