"""What an evaluation says when it is interrupted: how far it got, how it goes on, or that nothing is kept."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from core.errors import Stopped, mark
from core.evaluation.answer_log import AnswerLog, StoredAnswer


@contextmanager
def stopped_with_a_command_to_resume(
    log: AnswerLog, questions: Sequence[StoredAnswer], judge: str | None
) -> Iterator[None]:
    """Turn Ctrl-C into what is kept and the command that goes on. Raises Stopped."""
    try:
        yield
    except KeyboardInterrupt as interrupted:
        stored = log.read()
        rows = [stored[question.key] for question in questions if question.key in stored]
        counts = {"done": len(rows), "all": len(questions), "path": log.path}
        if not rows:
            message = mark("Stopped before the first of {all} questions was answered.").format(**counts)
        elif judge is None:
            message = mark("Stopped: {done} of {all} questions are answered, kept in {path}").format(**counts)
        else:
            counts["judged"] = sum(judge in row.judged for row in rows)
            message = mark(
                "Stopped: {done} of {all} questions are answered, {judged} judged, kept in {path}"
            ).format(**counts)
        raise Stopped(message, hint=mark("Go on with: {command}").format(command=_command())) from interrupted


@contextmanager
def nothing_stored_when_interrupted() -> Iterator[None]:
    """Turn Ctrl-C in an evaluation that keeps no answers into a sentence that says so. Raises Stopped."""
    try:
        yield
    except KeyboardInterrupt as interrupted:
        message = mark("Stopped: this evaluation keeps no answers, so it begins anew the next time.")
        raise Stopped(
            message, hint=mark("Start it with: {command}").format(command=_command())
        ) from interrupted


def _command() -> str:
    """Return the command as it was given, without what would forget the kept answers."""
    return shlex.join(("strata", *(argument for argument in sys.argv[1:] if argument != "--fresh")))
