"""The public status of ingesting a file: its stages and its outcome."""

from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from core.domain import Value
from core.errors import DamagedFile, EmptyFile, EncryptedFile, LimitExceeded, StrataError, UnsupportedFormat
from core.text.filenames import text_of

StageName = Literal["parse", "chunk", "embed", "enrich"]


class Stage(NamedTuple):
    """The progress of a file: pieces done of the stage's total."""

    name: StageName
    done: int
    total: int


class FileOutcome(Value):
    """What became of a file."""

    path: str
    outcome: Literal["read", "reread", "known", "refused", "failed"]
    reason: str = ""
    hint: str = ""
    document_id: str = ""
    counts: dict[str, int] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    retryable: bool = False


def refusal(path: Path, error: StrataError, seconds: float = 0.0) -> FileOutcome:
    """Say what an error means for a file: refused for what it is, or failed."""
    refused = isinstance(error, DamagedFile | UnsupportedFormat | EncryptedFile | EmptyFile | LimitExceeded)
    return FileOutcome(
        path=text_of(path),
        outcome="refused" if refused else "failed",
        reason=str(error),
        hint=error.hint,
        seconds=seconds,
        retryable=error.retryable,
    )
