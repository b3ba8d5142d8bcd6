"""Parsers run in worker processes: a file that hangs, explodes or crashes becomes one clear error."""

import atexit
import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from core import errors
from core.domain import Parsed, Value
from core.errors import LimitExceeded, ParseError
from core.ingest.limits import MEBIBYTE, PATIENCE, USUAL, Limits
from core.ingest.parsers.fab.mapping import Mapping
from core.ingest.parsers.office_97.office_sockets import remove_sockets
from core.runtime.worker_processes import DONE, Bounds, WorkerCrashed, WorkerLost, WorkerOverrun, WorkerPool
from core.text.filenames import text_of

_ANSWER_MB = 16  # MB of an answer beyond the size of the file's text


class ParseRequest(Value):
    """What a worker is asked for."""

    path: str  # as `text_of` writes it
    name: str
    limits: Limits
    mappings: tuple[Mapping, ...] = ()


class Sandbox:
    """Reads files in workers, of which up to `idle` are kept ready. Safe for threads."""

    def __init__(self, idle: int = 2) -> None:
        self._pool = WorkerPool("core.ingest.parser_worker", idle, remove_sockets)

    def parse(
        self, path: Path, name: str, limits: Limits = USUAL, mappings: Sequence[Mapping] = ()
    ) -> Parsed:
        """Return the document in the file at `path`. Raises ParseError and nothing else."""
        request = ParseRequest(
            path=text_of(path.resolve()), name=name, limits=limits, mappings=tuple(mappings)
        )
        memory = limits.memory_mb * MEBIBYTE
        bounds = Bounds(limits.seconds, memory, (limits.output_mb + _ANSWER_MB) * MEBIBYTE, PATIENCE)
        for _ in range(3):
            try:
                with self._pool.lent(keep_below=memory // 2) as worker:
                    status, payload = worker.ask(request.model_dump_json().encode(), bounds)
            except WorkerLost:
                continue  # it had ended before it began: another worker takes the file
            except WorkerOverrun as error:
                raise LimitExceeded(_overrun(error, name, limits)) from error
            except WorkerCrashed as error:
                raise ParseError(
                    f"{name} made its parser crash ({error}); the rest of the library is unharmed."
                ) from error
            return _answer(status, payload, name)
        raise ParseError(
            f"{name} was not read: no worker process could be started.", hint="Run `strata doctor`."
        )

    def close(self) -> None:
        """End the idle workers."""
        self._pool.close()


def _overrun(error: WorkerOverrun, name: str, limits: Limits) -> str:
    if error.what == "time":
        return f"{name} took longer than {limits.seconds:g} seconds to read and was given up."
    if error.what == "memory":
        return f"{name} needs more than {limits.memory_mb:,} MB of memory to read."
    return f"{name} unfolds to more than {limits.output_mb:,} MB of text."


def _answer(status: bytes, payload: bytes, name: str) -> Parsed:
    try:
        if status == DONE:
            return Parsed.model_validate_json(payload)
        failure = json.loads(payload)
        kind = getattr(errors, str(failure["kind"]), ParseError)
        if not (isinstance(kind, type) and issubclass(kind, ParseError)):
            kind = ParseError
        raise kind(failure["message"], hint=failure["hint"])
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        raise ParseError(f"{name} gave a result that cannot be read.") from error


_shared = Sandbox()
atexit.register(_shared.close)


def parse_in_worker(
    path: Path, name: str, limits: Limits = USUAL, mappings: Sequence[Mapping] = ()
) -> Parsed:
    """Return the document in the file at `path`, called `name`, read in another process.

    Raises ParseError (LimitExceeded for time, memory and size) and nothing else, always naming the file.
    """
    return _shared.parse(path, name, limits, mappings)
