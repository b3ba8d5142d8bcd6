"""Plans the second round: asks anew, in other words, for what the first one did not find."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.plan import Planned
from core.domain import PartAnswer, Passage, Plan, SubQuestion, Verdict
from core.ports import LLM
from core.retrieval.citations import as_evidence
from core.tasks import Call, Reform, Reformed


@dataclass(frozen=True)
class Extender:
    """Adds at most `most` parts to a plan, each a missing one said in other words."""

    llm: LLM
    most: int = 3

    def extend(
        self,
        plan: Plan,
        parts: Sequence[PartAnswer],
        verdict: Verdict,
        evidence: Sequence[Passage],
        language: str,
    ) -> Planned:
        """Return the plan with the parts of its second round. Raises LLMError."""
        open_parts = {part.question: part.id for part in parts if not part.found}
        highest = max([part.id for part in plan.parts] + [part.id for part in parts], default=0)
        found = as_evidence(evidence[:3])
        calls: list[Call] = []
        added: list[SubQuestion] = []
        for question in verdict.missing[: self.most]:
            reformed = self.llm.run(Reform(question=question, found=found, language=language), Reformed)
            calls += [reformed.call] if reformed.call else []
            added.append(
                SubQuestion(
                    id=highest + len(added) + 1,
                    question=reformed.question.strip() or question,
                    again=open_parts.get(question),
                )
            )
        return Planned(plan.model_copy(update={"parts": (*plan.parts, *added)}), tuple(calls))
