"""Plans the reader accepted, kept as examples for the planner."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain import Plan, Value, identify
from core.errors import NotFound
from core.knowledge.stores.database import Database
from core.ports import Vectors


class AcceptedPlan(Value):
    """A question, the plan accepted for it, and the run it was accepted in (seconds since the epoch)."""

    id: str
    question: str
    plan: Plan
    run: str = ""
    at: float = 0.0


def plan_id(question: str) -> str:
    """Return the id of the plan accepted for a question."""
    return identify("plan", " ".join(question.split()).casefold())


@dataclass(frozen=True)
class PlanStore:
    """Keeps one plan a question: accepting another for it replaces the first."""

    database: Database

    def accept(self, question: str, plan: Plan, run: str = "", vector: Vectors | None = None) -> AcceptedPlan:
        """Keep a plan as an example; `vector` (d) is the question's, by which it is found. Raises ValueError.

        A plan of one part that says the question again teaches nothing and is a ValueError.
        """
        if not plan.parts:
            raise ValueError("a plan without parts is no example")
        plan.waves()
        example = AcceptedPlan(
            id=plan_id(question),
            question=question,
            plan=plan,
            run=run,
            at=time.time(),
        )
        blob = None if vector is None else np.asarray(vector, np.float32).tobytes()
        with self.database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO accepted_plans (id, body, vector) VALUES (?, ?, ?)",
                (example.id, example.model_dump_json(), blob),
            )
        return example

    def withdraw(self, plan_id: str) -> None:
        """Take a plan out of the examples. Raises NotFound."""
        with self.database.writing() as connection:
            if not connection.execute("DELETE FROM accepted_plans WHERE id = ?", (plan_id,)).rowcount:
                raise NotFound(f"there is no accepted plan {plan_id}")

    def get(self, plan_id: str) -> AcceptedPlan | None:
        """Return a plan, or None."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT body FROM accepted_plans WHERE id = ?", (plan_id,)).fetchone()
        return None if row is None else AcceptedPlan.model_validate_json(row[0])

    def list(self) -> Sequence[AcceptedPlan]:
        """Return all accepted plans, the latest first."""
        with self.database.reading() as connection:
            rows = connection.execute("SELECT body FROM accepted_plans ORDER BY n DESC").fetchall()
        return [AcceptedPlan.model_validate_json(row[0]) for row in rows]

    def nearest(self, vector: Vectors, limit: int = 3) -> Sequence[tuple[AcceptedPlan, float]]:
        """Return the plans whose questions are nearest to the vector (d), with the cosine, best first.

        Plans whose vectors come from an embedder of another dimension are left out.
        """
        wanted = np.asarray(vector, np.float32)
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT body, vector FROM accepted_plans WHERE length(vector) = ? ORDER BY n",
                (wanted.nbytes,),
            ).fetchall()
        if not rows:
            return []
        near = np.stack([np.frombuffer(row[1], np.float32) for row in rows]) @ wanted
        best = sorted(range(len(rows)), key=lambda i: (-float(near[i]), i))[:limit]
        return [(AcceptedPlan.model_validate_json(rows[i][0]), float(near[i])) for i in best]
