"""Probes and checks a served model, and saves the result beside the library."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from core.domain import Value
from core.evaluation.model_check import GradedTask, ModelCard, card_of, graded, tasks
from core.knowledge.stores.whole_files import write_whole
from core.ports import LLM, ModelProbe


class CheckProgress(Value):
    """How far a check is. `card` comes with the last step."""

    model: str
    done: int
    of: int
    last: GradedTask | None = None
    probe: ModelProbe | None = None
    card: ModelCard | None = None


@dataclass(frozen=True)
class ModelChecker:
    """`probe` finds out what a model does and keeps it; `serving` asks that model and no other."""

    file: Path
    probe: Callable[[str], ModelProbe]
    serving: Callable[[str], LLM]

    def check(self, model: str) -> Iterator[CheckProgress]:
        """Probe and check a model, telling each step; its card is kept. Raises LLMError if none answers."""
        every = len(tasks())
        found = self.probe(model)
        yield CheckProgress(model=model, done=0, of=every, probe=found)
        results: list[GradedTask] = []
        for one in graded(self.serving(model)):
            results.append(one)
            yield CheckProgress(model=model, done=len(results), of=every, last=one, probe=found)
        card = card_of(model, results, found.digest, found)
        self._keep(card)
        yield CheckProgress(model=model, done=every, of=every, probe=found, card=card)

    def cards(self) -> tuple[ModelCard, ...]:
        """Return the cards there are, the newest first: one for each model and its weights."""
        try:
            stored = json.loads(self.file.read_text("utf-8"))
            cards = [ModelCard.model_validate(one) for one in stored]
        except (OSError, ValueError, ValidationError):  # none yet, or of another version
            return ()
        return tuple(sorted(cards, key=lambda card: -card.at))

    def _keep(self, card: ModelCard) -> None:
        others = [one for one in self.cards() if (one.model, one.digest) != (card.model, card.digest)]
        text = json.dumps([one.model_dump() for one in (card, *others)], ensure_ascii=False, indent=1)
        write_whole(self.file, text)
