"""Translates exceptions raised during ingestion into messages for the reader."""

import errno
import logging
from pathlib import Path

from core.errors import DiskFull, ParseError, StrataError
from core.ingest.file_outcome import FileOutcome, refusal
from core.text.filenames import text_of

_LOG = logging.getLogger(__name__)
_BUG = "This is a fault in Strata, not in your file: please report it with the message above."


def outcome_of(path: Path, error: BaseException) -> FileOutcome:
    """Return the outcome of a file that was refused or failed; an error of Strata itself is logged too."""
    if isinstance(error, OSError):
        error = _as_strata_error(error, path)
    if not isinstance(error, StrataError):
        _LOG.error("reading %s failed", text_of(path), exc_info=error)
        error = StrataError(f"{type(error).__name__}: {error}", hint=_BUG)
    return refusal(path, error)


def _as_strata_error(error: OSError, path: Path) -> StrataError:
    """Return our error for one of the file system."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull("the disk is full")
    if isinstance(error, FileNotFoundError):
        return ParseError(
            f"there is no file {text_of(path)}", hint="It was moved or deleted; add it from where it is now."
        )
    if isinstance(error, PermissionError):
        return ParseError(
            f"{text_of(path)} may not be read", hint="Give yourself the right to read it, then press Retry."
        )
    return ParseError(f"{text_of(path)} could not be read: {error.strerror or error}")
