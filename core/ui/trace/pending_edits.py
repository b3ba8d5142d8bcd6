"""What a reader is changing in a run before it works again: kept for the browser session, run by run."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from core.domain import Edits, Level, Passage, Plan, SubQuestion, SubQuestionType
from core.i18n.messages import plain
from core.ui.shared import session, st
from core.ui.trace import trace_charts
from core.ui.trace.run_trace import RunTrace

TYPES: tuple[SubQuestionType, ...] = get_args(SubQuestionType)
Mark = Literal["pinned", "banned"]


@dataclass
class EditedRow:
    """A part as it is being written. `uid` stays, whatever number the part has by its place."""

    uid: int
    question: str
    type: SubQuestionType = "factual"
    needs: list[int] = field(default_factory=list)  # uids


@dataclass
class PendingEdits:
    """The changes so far, and what they are measured against."""

    rows: list[EditedRow]
    banned: dict[str, str]  # chunk id -> what a reader calls it
    pinned: dict[str, str]
    level: Level | None = None
    strategy: Literal["", "auto", "plan", "loop"] = ""
    began: Edits = field(default_factory=Edits)
    version: int = 0  # grows when the widgets must forget what they hold

    def edits(self) -> Edits:
        """Return the changes as the assistant takes them; a part without words is left out."""
        rows = [row for row in self.rows if row.question.strip()]
        numbers = {row.uid: n for n, row in enumerate(rows, 1)}
        parts = tuple(
            SubQuestion(
                id=numbers[row.uid],
                question=row.question.strip(),
                type=row.type,
                depends_on=tuple(sorted(numbers[uid] for uid in row.needs if uid in numbers)),
            )
            for row in rows
        )
        return Edits(
            parts=None if parts == (self.began.parts or ()) else parts,
            banned=tuple(self.banned),
            pinned=tuple(self.pinned),
            level=self.level,
            strategy=self.strategy,
        )

    def changed(self) -> bool:
        """Say whether anything differs from the run as it is."""
        edits = self.edits()
        return edits != self.began.model_copy(update={"parts": None, "level": None, "strategy": ""})

    @property
    def names(self) -> dict[str, str]:
        """What a reader calls each marked passage, by its chunk's id."""
        return {**self.banned, **self.pinned}

    def add(self) -> None:
        self.rows.append(EditedRow(max((row.uid for row in self.rows), default=0) + 1, ""))

    def remove(self, uid: int) -> None:
        """Take a part out, and its number out of the parts that need it."""
        self.rows = [row for row in self.rows if row.uid != uid]
        for row in self.rows:
            row.needs = [need for need in row.needs if need != uid]

    def mark(self, passage: Passage, what: Mark) -> None:
        """Pin or ban a passage, or take that back; it is never both."""
        number = passage.chunk.id
        mine, other = (self.pinned, self.banned) if what == "pinned" else (self.banned, self.pinned)
        other.pop(number, None)
        if mine.pop(number, None) is None:
            mine[number] = trace_charts.name(passage)

    def state(self, chunk: str) -> str:
        """Return "pinned", "banned" or ""."""
        return "pinned" if chunk in self.pinned else "banned" if chunk in self.banned else ""


def of(run: str, trace: RunTrace) -> PendingEdits:
    """Return the draft of this run; at first it is the run as it is."""
    drafts = cast(dict[str, PendingEdits], st.session_state.setdefault(session.DRAFTS, {}))
    if run not in drafts:
        drafts[run] = fresh(trace)
    return drafts[run]


def forget(run: str, trace: RunTrace) -> None:
    """Throw the changes away."""
    drafts = cast(dict[str, PendingEdits], st.session_state.setdefault(session.DRAFTS, {}))
    version = drafts[run].version + 1 if run in drafts else 0
    drafts[run] = fresh(trace)
    drafts[run].version = version


def fresh(trace: RunTrace) -> PendingEdits:
    """Return a draft without changes: the plan of the first round, the bans and pins of the run."""
    parts = first_plan(trace)
    names = {passage.chunk.id: trace_charts.name(passage) for passage in trace.pinned}
    edits = trace.asked.edits if trace.asked is not None else None
    banned = _called(edits.banned if edits is not None else ())
    pinned = tuple(names)
    return PendingEdits(
        rows=[EditedRow(p.id, p.question, p.type, list(p.depends_on)) for p in parts],
        banned=banned,
        pinned=names,
        began=Edits(parts=tuple(parts), banned=tuple(banned), pinned=pinned),
    )


def _called(banned: Sequence[str]) -> dict[str, str]:
    """Name banned passages, which no event of the run shows any more; computed rows have no place."""
    if not banned:
        return {}
    library = session.assistant().library.contents
    titles = library.titles()
    chunks = {chunk.id: chunk for chunk in library.chunks(ids=banned)}
    return {
        number: ", ".join(filter(None, (titles.get(chunk.document_id, ""), chunk.location.in_words())))
        if (chunk := chunks.get(number)) is not None
        else plain("computed rows")
        for number in banned
    }


def first_plan(trace: RunTrace) -> Sequence[SubQuestion]:
    """Return the parts of the first round's plan as it was last made."""
    plans: list[Plan] = [made.plan for made in trace.plans if made.round == 1]
    return plans[-1].parts if plans else ()
