"""Translates the errors of libraries, so that only our own leave a parser."""

from types import TracebackType

from core.errors import DamagedFile, LimitExceeded, ParseError

_MAX_MESSAGE_CHARACTERS = 160


class ForeignErrors:
    """Turns whatever a parser's library raises into one ParseError that names the file."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            return
        if isinstance(error, ParseError):
            if self.name not in str(error):
                raise type(error)(f"{self.name}: {error}", hint=error.hint) from error
            return
        if isinstance(error, MemoryError):
            raise LimitExceeded(f"{self.name} needs more memory than a parser may take.") from error
        if isinstance(error, RecursionError):
            raise LimitExceeded(f"{self.name} is nested too deeply.") from error
        if isinstance(error, FileNotFoundError | PermissionError):
            raise ParseError(
                f"{self.name} cannot be opened: {error.strerror}.",
                hint="Check that the file is there and may be read.",
            ) from error
        if isinstance(error, Exception):
            message = " ".join(str(error).split())[:_MAX_MESSAGE_CHARACTERS] or type(error).__name__
            raise DamagedFile(
                f"{self.name} is damaged or not what it seems ({type(error).__name__}: {message})."
            ) from error
