"""How a command speaks: one JSON value or plain lines on stdout, failures with their hint on stderr."""

import functools
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from core import preloading
from core.accounts.person import OWNER
from core.cli.localized_help import LocalizedCommand
from core.cli.terminal_escaping import echo, json_text
from core.errors import FeedbackError, QuestionError, SettingsError, StrataError
from core.i18n.recorded_messages import translated_plain
from core.settings import Settings

if TYPE_CHECKING:
    from core.assistant import Assistant  # slow to load, and `strata run` does not need it

R = TypeVar("R")

EXIT_FAILED = 1
EXIT_MISUSED = 2
MAX_RUNS = 100_000  # of which one may be named


def emit(value: Any) -> None:
    """Print one JSON value on stdout."""
    echo(json_text(json.dumps(value, ensure_ascii=False, indent=2, default=str)))


def command(name: str, **settings: Any) -> Callable[[Callable[..., R]], click.Command]:
    """Make a command that takes --json and turns a known error into its message, hint and exit status."""

    def decorate(function: Callable[..., R]) -> click.Command:
        @functools.wraps(function)
        def run(*args: Any, as_json: bool, **kwargs: Any) -> R:
            try:
                return function(*args, as_json=as_json, **kwargs)
            except StrataError as error:
                refuse(error, as_json)

        flag = click.option("--json", "as_json", is_flag=True, help="Print one JSON value and nothing else.")
        made: Callable[[Callable[..., R]], click.Command] = click.command(name, LocalizedCommand, **settings)
        return made(flag(run))

    return decorate


def refuse(error: StrataError, as_json: bool) -> NoReturn:
    """Print the error and leave with the status it deserves."""
    if as_json:
        emit(
            {
                "error": type(error).__name__,
                "message": str(error),
                "hint": error.hint,
                "retryable": error.retryable,
            }
        )
    echo(f"{translated_plain(str(error))}\n{translated_plain(error.hint)}", err=True)
    sys.exit(
        EXIT_MISUSED if isinstance(error, QuestionError | SettingsError | FeedbackError) else EXIT_FAILED
    )


@contextmanager
def opened(settings: Settings | None = None, *, to_ask: bool = False) -> Iterator["Assistant"]:
    """Build the assistant, of these settings if given, and close it again.

    `to_ask`: a question follows; the networks it needs are loaded meanwhile.

    Raises SettingsError, LibraryBusy or KnowledgeError.
    """
    settings = settings or Settings.load()
    if to_ask:
        preloading.begin(settings)
    from core.bootstrap import build

    assistant = build(settings, warm=False)
    try:
        yield assistant.of(OWNER)
    finally:
        assistant.close()


@contextmanager
def opened_beside(
    corpus: Path | None, settings: Settings | None = None, folder_name: str = ""
) -> Iterator["Assistant"]:
    """Build an assistant over a library of its own, holding the corpus, if any.

    With a `folder_name` that library stays in the reader's folder until the work over it has come to its end:
    what was ended early does not read the corpus again.

    Raises what ingestion raises.
    """
    from core.bootstrap import build

    settings = settings or Settings.load()
    beside = _stays(settings.store.path / "corpora" / folder_name) if folder_name else _temporary()
    with beside as folder:
        store = settings.store.model_copy(update={"path": folder})
        assistant = build(settings.model_copy(update={"store": store}), warm=False)
        try:
            for job in assistant.library.wait(assistant.library.ingest([corpus] if corpus else [])):
                if job.status != "done":
                    raise StrataError(f"{job.name} was not read: {job.reason}", hint=job.hint)
            yield assistant
        finally:
            assistant.close()


@contextmanager
def _temporary() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="strata-eval-") as folder:
        yield Path(folder)


@contextmanager
def _stays(folder: Path) -> Iterator[Path]:
    """Yield the folder and delete it in the end, but not where something was raised."""
    folder.mkdir(parents=True, exist_ok=True)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def run_ids(assistant: "Assistant") -> list[str]:
    """Return the ids of all runs, without reading their reports."""
    from core.knowledge.stores.records import RunFilter

    return [card.id for card in assistant.questions.find_runs(RunFilter(), limit=MAX_RUNS)[0]]
