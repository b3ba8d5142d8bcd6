"""Which served model does which role: as the settings name it, else as it was chosen on the Models page."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from core.knowledge.stores.whole_files import write_whole
from core.tasks import ModelRole


@dataclass(frozen=True)
class RoleChoices(Mapping[ModelRole, str]):
    """A choice is saved beside the library and applies from the next call; the settings take precedence."""

    file: Path
    named: Mapping[ModelRole, str] = field(default_factory=dict)  # by the settings

    def __getitem__(self, role: ModelRole) -> str:
        return self._all()[role]

    def __iter__(self) -> Iterator[ModelRole]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def chosen(self) -> dict[ModelRole, str]:
        """Return the models chosen by role, whether or not the settings name others."""
        try:
            stored = json.loads(self.file.read_text("utf-8"))
            return {role: str(stored[role]) for role in get_args(ModelRole) if stored.get(role)}
        except (OSError, ValueError, AttributeError):  # none yet, or not ours
            return {}

    def choose(self, role: ModelRole, model: str) -> None:
        """Let the model do the role, "" for whichever is there."""
        choices = {**self.chosen(), role: model}
        write_whole(self.file, json.dumps({r: m for r, m in choices.items() if m}, indent=1))

    def _all(self) -> dict[ModelRole, str]:
        return {**self.chosen(), **self.named}
