"""Gold decompositions as attempts to learn from, and how near a trained model's proposals come to them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.domain import Evidence
from core.errors import MalformedReply
from core.evaluation.answer_scores import mean
from core.learning.samples import Sample
from core.learning.training.proposer import TrainedProposer
from core.learning.trajectories import Known, ReadPiece, Trajectory
from core.tasks import NextQuestion, ProposeNext, Task


def trajectories_of(rows: Sequence[dict[str, Any]]) -> list[Trajectory]:
    """Return each gold decomposition as an attempt that found everything; nothing was read but the parts."""
    attempts = []
    for row in rows:
        parts = row["sub_questions"]
        known = Known(
            id=row["id"],
            question=row["question"],
            answers=("known",),
            gold=tuple((f"{row['id']}-{part['id']}",) for part in parts),
        )
        read = tuple(
            ReadPiece(
                round=n,
                asked=part["question"],
                evidence=Evidence(n=n, text=f"#{part['id']}", source=""),
                chunk_id=f"{row['id']}-{part['id']}",
            )
            for n, part in enumerate(parts, start=1)
        )
        attempts.append(
            Trajectory(
                question=known,
                attempt=1,
                engine="gold",
                read=read,
                answer="known",
                exact=1.0,
                f1=1.0,
                collected=1.0,
                ended="all parts",
            )
        )
    return attempts


def proposals(
    model: Path,
    render: Callable[[Task], tuple[str, str]],
    samples: Sequence[Sample],
    score: Callable[[str, Sequence[str]], float],
) -> dict[str, float]:
    """Let the model propose where the samples do: shares of readable replies and right stops, F1 of words."""
    proposer = TrainedProposer(model, render)
    readable, f1, stops = [], [], []
    for sample in samples:
        question, *asked = sample.messages[1].content.split("\n")
        gold = NextQuestion.model_validate_json(sample.messages[-1].content)
        try:
            proposal = proposer.run(ProposeNext(question=question, asked=tuple(asked)), NextQuestion)
        except MalformedReply:
            readable.append(0.0)
            f1.append(0.0)
            stops.append(0.0)
            continue
        readable.append(1.0)
        stops.append(float(proposal.enough == gold.enough))
        if not gold.enough:
            f1.append(score(proposal.question, [gold.question]))
    return {
        "readable": round(mean(readable), 3),
        "f1": round(mean(f1), 3),
        "stop_right": round(mean(stops), 3),
    }
