"""Plans the second round: searches again for what the first one missed, where that finds other evidence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain import PartAnswer, Passage, Plan, SubQuestion

Search = Callable[[str], Sequence[Passage]]


@dataclass(frozen=True)
class SecondRound:
    """Adds at most `most` parts to a plan: open ones, by the search that was proposed when they were read."""

    search: Search
    most: int = 3

    def extend(self, plan: Plan, parts: Sequence[PartAnswer], evidence: Sequence[Passage]) -> Plan:
        """Return the plan with the parts of its second round; as it is where nothing new would be read."""
        read = {passage.chunk.id for passage in evidence}
        read |= {passage.chunk.id for part in parts for passage in part.passages}
        highest = max([part.id for part in plan.parts] + [part.id for part in parts], default=0)
        added: list[SubQuestion] = []
        for part in parts:
            if part.found or not part.search or len(added) == self.most:
                continue
            if any(passage.chunk.id not in read for passage in self.search(part.search)):
                added.append(SubQuestion(id=highest + len(added) + 1, question=part.search, again=part.id))
        return plan.model_copy(update={"parts": (*plan.parts, *added)}) if added else plan
