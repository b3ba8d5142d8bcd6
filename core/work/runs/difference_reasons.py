"""Says why two runs differ: what the reader changed, what changed in the library, who worked on it."""

from collections.abc import Iterator

from core.domain import Report, Scope
from core.i18n.messages import mark
from core.trace import Asked

NO_DIFFERENCE = mark("Nothing that is recorded differs: same question, plan, library, engines and settings.")
SECOND_AGAIN = mark("The second run works on the first one again.")
FIRST_AGAIN = mark("The first run works on the second one again.")
AS_SET = mark("as set")
DEFAULT = mark("default")
UNPLANNED = mark("nobody: the question was asked as it stands")


def reasons(
    before: str, was: Asked | None, after: str, now: Asked | None, one: Report, other: Report
) -> tuple[str, ...]:
    """Return each recorded difference between two runs (ids, first events, reports) as a sentence."""
    found: list[str] = []
    if was is not None and now is not None:
        if now.parent == before:
            found.append(SECOND_AGAIN)
        elif was.parent == after:
            found.append(FIRST_AGAIN)
        found += [*_asked(was, now, one, other), *_edited(was, now, one, other), *_made_with(was, now)]
    if one.engine != other.engine:
        sentence = mark("The answer was written by {before}, then by {after}.")
        found.append(sentence.format(before=one.engine, after=other.engine))
    if one.partial != other.partial:
        found.append(
            mark("The first run was stopped before it was finished.")
            if one.partial
            else mark("The second run was stopped before it was finished.")
        )
    beyond = [sentence for sentence in found if sentence not in (SECOND_AGAIN, FIRST_AGAIN)]
    return tuple(found) if beyond else (*found, NO_DIFFERENCE)


def _asked(was: Asked, now: Asked, one: Report, other: Report) -> Iterator[str]:
    if was.question != now.question:
        template = mark("Another question was asked: “{before}”, then “{after}”.")
        yield template.format(before=was.question, after=now.question)
    if one.level is not other.level:
        template = mark("The level was {before}, then {after}.")
        yield template.format(before=one.level.value, after=other.level.value)
    if was.strategy != now.strategy:
        template = mark("The way of working was {before}, then {after}.")
        yield template.format(before=was.strategy, after=now.strategy)
    if was.effort != now.effort:
        template = mark("The effort was {before}, then {after}.")
        yield template.format(before=was.effort or AS_SET, after=now.effort or AS_SET)
    if _reach(was.scope) != _reach(now.scope):
        yield mark("Another part of the library was read.")


def _reach(scope: Scope) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(scope.collections), frozenset(scope.documents)


def _edited(was: Asked, now: Asked, one: Report, other: Report) -> Iterator[str]:
    names = _names(one, other)
    pinned_was = set(was.edits.pinned) if was.edits else set()
    pinned_now = set(now.edits.pinned) if now.edits else set()
    changes = (
        (mark("Passages banned: {passages}."), set(now.scope.without) - set(was.scope.without)),
        (mark("Passages no longer banned: {passages}."), set(was.scope.without) - set(now.scope.without)),
        (mark("Passages pinned: {passages}."), pinned_now - pinned_was),
        (mark("Passages no longer pinned: {passages}."), pinned_was - pinned_now),
    )
    for template, ids in changes:
        if ids:
            yield template.format(passages="; ".join(sorted(names.get(number, number) for number in ids)))
    parts_was = {part.id: part for part in one.plan.parts} if one.plan else {}
    parts_now = {part.id: part for part in other.plan.parts} if other.plan else {}
    if parts_was != parts_now:
        yield _replanned(len(parts_was), len(parts_now), other.plan.by if other.plan else UNPLANNED)


def _replanned(before: int, after: int, by: str) -> str:
    if by == "reader":
        changed = mark("The plan was changed by you.")
        grew = mark("The plan had {before} parts, then {after}, planned by you.")
    else:
        changed = mark("The plan was changed by {planner}.")
        grew = mark("The plan had {before} parts, then {after}, planned by {planner}.")
    return (changed if before == after else grew).format(before=before, after=after, planner=by)


def _names(*reports: Report) -> dict[str, str]:
    """Return a readable name of each passage of the reports, by its chunk's id."""
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
        grown = mark("The library has changed between the runs ({before}, then {after}).")
        same = mark("The library has changed between the runs.")
        yield (grown if was.library != now.library else same).format(before=was.library, after=now.library)
    for name in sorted({*was.made_with, *now.made_with}):
        old, new = was.made_with.get(name, DEFAULT), now.made_with.get(name, DEFAULT)
        if old != new:
            yield mark("{setting} was {before}, then {after}.").format(setting=name, before=old, after=new)
