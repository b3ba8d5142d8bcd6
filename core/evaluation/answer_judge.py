"""Has answers judged against gold ones by a model, as evaluations of retrieval-augmented generation do."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.evaluation.answer_log import AnswerLog, JudgedAs, StoredAnswer
from core.evaluation.answer_scores import mean
from core.ports import LLM
from core.tasks import Judge, Judged
from core.text.tokens import detect_language


@dataclass(frozen=True)
class AnswerJudge:
    """Judges answers one by one. `name` is under what its grades are kept."""

    llm: LLM
    name: str

    def judge(self, row: StoredAnswer) -> StoredAnswer:
        """Return the answer with its grade; no answer is wrong without a call. Raises LLMError."""
        if not row.answer.strip():
            return self._with(row, JudgedAs(grade="wrong", reason="no answer"))
        task = Judge(
            golds=row.golds,
            answer=row.answer,
            question=row.question,
            language=detect_language(row.question),
        )
        reply = self.llm.run(task, Judged)
        return self._with(row, JudgedAs(grade=reply.grade, reason=reply.reason))

    def judge_all(self, rows: Iterable[StoredAnswer], log: AnswerLog) -> Iterator[StoredAnswer]:
        """Yield each answer with its grade, a new one, kept as soon as it is there. Raises LLMError."""
        for row in map(self.judge, rows):
            log.keep(row)
            yield row

    def _with(self, row: StoredAnswer, grade: JudgedAs) -> StoredAnswer:
        return row.model_copy(update={"judged": {**row.judged, self.name: grade}})


def grades(rows: Iterable[StoredAnswer], judge: str) -> dict[str, float]:
    """Return accuracy (share right) and partly (share partly right) of the answers that were judged.

    {} where none was. `judged` is how many were.
    """
    judged = [row.judged[judge].grade for row in rows if judge in row.judged]
    if not judged:
        return {}
    counts = Counter(judged)
    return {
        "accuracy": mean(grade == "right" for grade in judged),
        "partly": counts["partly"] / len(judged),
        "judged": len(judged),
    }
