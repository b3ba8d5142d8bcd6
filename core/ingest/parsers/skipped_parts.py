"""Leaves out a part of a document (a slide, sheet, chart or picture) that cannot be read, and continues."""

from types import TracebackType

from core.errors import LimitExceeded
from core.ingest.parsers.draft import Draft

_MAX_MESSAGE_CHARACTERS = 100


class Part:
    """Turns any error of a library about one part of a document into a sentence on what was left out.

    `what` names the part in that sentence. A limit of time or memory still ends the whole file. What was read
    of the part until then stays.
    """

    def __init__(self, draft: Draft, what: str) -> None:
        self._draft = draft
        self._what = what

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception) or isinstance(error, LimitExceeded | MemoryError):
            return False
        detail = " ".join(str(error).split())[:_MAX_MESSAGE_CHARACTERS]
        reason = f"{type(error).__name__}: {detail}" if detail else type(error).__name__
        self._draft.lost(f"{self._what} could not be read and was left out ({reason}).")
        return True
