"""The assistant: four interfaces, a file each, for pages, terminal and scripts.

`library` what is held and how it comes in and goes, `questions` asking and reading runs, `learning` what
readers taught, `admin` the state of the installation and its measurements.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.accounts.person import Person
from core.assistant.admin import Admin
from core.assistant.learning import Learning
from core.assistant.library import Library
from core.assistant.questions import Questions

__all__ = ["Admin", "Assistant", "Learning", "Library", "Questions"]


@dataclass(frozen=True)
class Assistant:
    """The four interfaces to one library. It holds no conversation and may be shared by threads."""

    library: Library
    questions: Questions
    learning: Learning
    admin: Admin
    closing: Callable[[], None]
    people: Callable[[Person], "Assistant"]  # the same as somebody may use it
    warm_up: Callable[[], None]  # begins to load what the first question would wait for

    def of(self, person: Person) -> "Assistant":
        """Return the assistant as a person may use it: what is closed to them is not there."""
        return self.people(person)

    def close(self) -> None:
        """End the workers and release the library."""
        self.learning.close()
        self.questions.close()
        self.library.close()
        self.closing()
