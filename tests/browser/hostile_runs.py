"""Stored runs in which every text that may hold anything holds a payload: report, plan, passages, events."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from pydantic import ValidationError

from core.domain import Report
from core.knowledge.stores.records import Run
from core.trace import TRACE, Stamped
from tests.ui import council_run, long_run, sample

M = TypeVar("M")
Path = tuple[str | int, ...]
KEPT = {  # what names something, and is chosen by Strata
    "id", "run", "conversation", "chunk_id", "document_id", "entity_id", "table_id", "parent", "chunks",
    "cause", "seq", "status", "collection", "sql", "chunk", "section_id", "language", "engine",
    "sub_question",
}  # fmt: skip


def hostile_runs(payload: str) -> Iterator[tuple[Run, list[Stamped]]]:
    """Yield three runs and their events, each text in them followed by the payload."""
    for source in (long_run, council_run, sample):
        run = source.run()
        assert run.report is not None
        report = _spoilt(run.report.model_dump(mode="json"), Report.model_validate, payload)
        events = [
            _spoilt(event, lambda one: TRACE.validate_python([one])[0], payload)
            for event in TRACE.dump_python(source.events(), mode="json")
        ]
        yield run.model_copy(update={"report": report, "question": run.question + payload}), events


def _spoilt(data: Any, validate: Callable[[Any], M], payload: str) -> M:
    """Return the value with the payload behind each text that takes it: a level or a verdict does not."""
    fixed: set[Path] = set()
    while True:
        try:
            return validate(_followed(data, payload, fixed))
        except ValidationError as error:
            before = len(fixed)
            for each in error.errors():
                fixed |= set(_texts(*_place(data, each["loc"])))
            assert len(fixed) > before, error


def _followed(value: Any, payload: str, fixed: set[Path], path: Path = ()) -> Any:
    if isinstance(value, dict):
        return {key: _followed(held, payload, fixed, (*path, key)) for key, held in value.items()}
    if isinstance(value, list):
        return [_followed(held, payload, fixed, (*path, n)) for n, held in enumerate(value)]
    names = [step for step in path if isinstance(step, str)]
    kept = path in fixed or (names and names[-1] in KEPT) or names == ["event", "name"]
    return value + payload if isinstance(value, str) and value and not kept else value


def _place(data: Any, location: tuple[str | int, ...]) -> tuple[Any, Path]:
    """Return what an error is about, and where it stands; the location names kinds of unions, too."""
    path: Path = ()
    for step in location:
        inside = (
            step in data if isinstance(data, dict) else isinstance(data, list) and step in range(len(data))
        )
        if inside:
            data, path = data[step], (*path, step)
    return data, path


def _texts(value: Any, path: Path) -> Iterator[Path]:
    if isinstance(value, dict | list):
        for key, held in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _texts(held, (*path, key))
    else:
        yield path
