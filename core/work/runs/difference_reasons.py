"""Says why two runs differ: what the reader changed, what changed in the library, who worked on it."""

from collections.abc import Iterator

from core.domain import Report, Scope
from core.trace import Asked

NO_DIFFERENCE = "Nothing that is recorded differs: same question, plan, library, engines and settings."


def reasons(
    before: str, was: Asked | None, after: str, now: Asked | None, one: Report, other: Report
) -> tuple[str, ...]:
    """Return each recorded difference between two runs (ids, first events, reports) as a sentence."""
    found: list[str] = []
    if was is not None and now is not None:
        if now.parent == before:
            found.append("The second run works on the first one again.")
        elif was.parent == after:
            found.append("The first run works on the second one again.")
        found += [*_asked(was, now, one, other), *_edited(was, now, one, other), *_made_with(was, now)]
    if one.engine != other.engine:
        found.append(f"The answer was written by {one.engine}, then by {other.engine}.")
    if one.partial != other.partial:
        found.append(f"The {'first' if one.partial else 'second'} run was stopped before it was finished.")
    beyond = [said for said in found if not said.endswith("one again.")]
    return tuple(found) if beyond else (*found, NO_DIFFERENCE)


def _asked(was: Asked, now: Asked, one: Report, other: Report) -> Iterator[str]:
    if was.question != now.question:
        yield f"Another question was asked: “{was.question}”, then “{now.question}”."
    if one.level is not other.level:
        yield f"The level was {one.level.value}, then {other.level.value}."
    if was.strategy != now.strategy:
        yield f"The way of working was {was.strategy}, then {now.strategy}."
    if was.effort != now.effort:
        yield f"The effort was {was.effort or 'as set'}, then {now.effort or 'as set'}."
    if _reach(was.scope) != _reach(now.scope):
        yield "Another part of the library was read."


def _reach(scope: Scope) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(scope.collections), frozenset(scope.documents)


def _edited(was: Asked, now: Asked, one: Report, other: Report) -> Iterator[str]:
    names = _names(one, other)
    pinned_was = set(was.edits.pinned) if was.edits else set()
    pinned_now = set(now.edits.pinned) if now.edits else set()
    changes = (
        ("Banned", set(now.scope.without) - set(was.scope.without)),
        ("No longer banned", set(was.scope.without) - set(now.scope.without)),
        ("Pinned", pinned_now - pinned_was),
        ("No longer pinned", pinned_was - pinned_now),
    )
    for said, ids in changes:
        if ids:
            yield f"{said}: {'; '.join(sorted(names.get(number, number) for number in ids))}."
    parts_was = {part.id: part for part in one.plan.parts} if one.plan else {}
    parts_now = {part.id: part for part in other.plan.parts} if other.plan else {}
    if parts_was != parts_now:
        by = "by you" if other.plan and other.plan.by == "reader" else f"by {_planner(other)}"
        if len(parts_was) == len(parts_now):
            yield f"The plan was changed {by}."
        else:
            yield f"The plan had {len(parts_was)} parts, then {len(parts_now)}, planned {by}."


def _planner(report: Report) -> str:
    return report.plan.by if report.plan else "nobody: the question was asked as it stands"


def _names(*reports: Report) -> dict[str, str]:
    """Return what a reader calls each passage of the reports, by its chunk's id."""
    found: dict[str, str] = {}
    for report in reports:
        for passage in (*report.passages, *(p for part in report.parts for p in part.passages)):
            title, path = passage.document_title, passage.chunk.heading_path
            heading = path[-1] if path and path[-1] != title else ""
            place = passage.chunk.location.label() or heading
            found[passage.chunk.id] = f"{title}, {place}" if place else title
    return found


def _made_with(was: Asked, now: Asked) -> Iterator[str]:
    if was.generation != now.generation:
        grew = f" ({was.library}, then {now.library})" if was.library != now.library else ""
        yield f"The library has changed between the runs{grew}."
    for name in sorted({*was.made_with, *now.made_with}):
        old, new = was.made_with.get(name, "default"), now.made_with.get(name, "default")
        if old != new:
            yield f"{name} was {old}, then {new}."
