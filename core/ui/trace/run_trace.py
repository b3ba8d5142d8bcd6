"""Groups a run's events for display: what was asked, planned, found part by part, written and checked.

The live view and the trace page both draw from here, so a run looks the same while it happens and afterwards.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.domain import CouncilReport, PartAnswer, Passage, Plan, Report, SubQuestion, Verdict
from core.tasks import Call
from core.trace import (
    AnswerChecked,
    Asked,
    Failed,
    Finished,
    FollowedUp,
    GateDecided,
    Instructed,
    InstructionFlagged,
    PartAnswered,
    PerspectiveGiven,
    Planned,
    Queued,
    Reranked,
    Reused,
    RolesPlanned,
    RouteChosen,
    Searched,
    Settled,
    Stamped,
    StepFinished,
    StepStarted,
    Synthesised,
    Warned,
    WaveStarted,
    Wrote,
)
from core.ui.trace.event_lines import Searching


@dataclass(frozen=True)
class Step:
    """Something a part did: when it was done, and the seconds since what it did before."""

    event: Searching
    at: float
    seconds: float


@dataclass
class PartTrace:
    """What happened for one sub-question, or (id None) for the question as a whole."""

    id: int | None = None
    asked: str = ""
    steps: list[Step] = field(default_factory=list)  # in the order they were done
    answer: PartAnswer | None = None
    begun: bool = False
    reused: str = ""  # the run its result was taken from
    kept: tuple[Passage, ...] = ()  # the passages taken with it

    def status(self) -> str:
        """Say how far it is: waiting, running, found, missing or failed."""
        if self.answer is None:
            return "running" if self.begun else "waiting"
        if self.answer.failure:
            return "failed"
        return "found" if self.answer.found else "missing"

    def passages(self) -> tuple[Passage, ...]:
        """Return its evidence, best first: as reranked where it was, else as found."""
        events = [step.event for step in self.steps]
        if reranked := [event for event in events if isinstance(event, Reranked)]:
            return reranked[-1].passages
        searches = [event for event in events if isinstance(event, Searched)]
        found = {p.chunk.id: p for s in reversed(searches) for p in s.passages}
        return tuple(sorted(found.values(), key=lambda p: -p.score)) or self.kept

    def empty(self) -> bool:
        return not (self.steps or self.kept)


@dataclass(frozen=True)
class StepSpan:
    """A step and when it ran, in seconds since the run began."""

    step: str
    sub_question: int | None
    start: float
    end: float


@dataclass(frozen=True)
class TimedCall:
    """A model call: when its event came, and for which step."""

    at: float
    step: str
    sub_question: int | None
    call: Call


@dataclass
class RunTrace:
    """A run's events sorted into what a reader looks for."""

    asked: Asked | None = None
    followed: FollowedUp | None = None
    route: RouteChosen | None = None
    gate: GateDecided | None = None
    plans: list[Planned] = field(default_factory=list)
    waves: list[WaveStarted] = field(default_factory=list)
    parts: dict[int, PartTrace] = field(default_factory=dict)
    whole: PartTrace = field(default_factory=PartTrace)
    roles: RolesPlanned | None = None
    perspectives: list[PerspectiveGiven] = field(default_factory=list)
    council: CouncilReport | None = None
    text: str = ""
    verified: list[AnswerChecked] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)
    flags: list[InstructionFlagged] = field(default_factory=list)
    instructions: list[Instructed] = field(default_factory=list)
    pinned: tuple[Passage, ...] = ()
    failed: Failed | None = None
    report: Report | None = None
    spans: list[StepSpan] = field(default_factory=list)
    calls: list[TimedCall] = field(default_factory=list)
    step: str = ""
    ahead: int = 0  # runs it waits for just now
    step_part: int | None = None
    round: int = 1
    seconds: float = 0.0

    @property
    def plan(self) -> Plan | None:
        """The plan in force: the report's, else the last one made."""
        if self.report is not None and self.report.plan is not None:
            return self.report.plan
        return self.plans[-1].plan if self.plans else None

    @property
    def verdict(self) -> Verdict | None:
        return self.verified[-1].verdict if self.verified else None

    def part(self, sub_question: int | None) -> PartTrace:
        """Return the part with this id, or the whole question's."""
        if sub_question is None:
            return self.whole
        return self.parts.setdefault(sub_question, PartTrace(id=sub_question))

    def planned_parts(self) -> tuple[SubQuestion, ...]:
        return tuple(sorted(self.plan.parts, key=lambda part: part.id)) if self.plan is not None else ()

    def in_its_sides(self, part: PartTrace) -> bool:
        """Say whether a part compares what others found, and no rule could put that into a sentence."""
        answer = part.answer
        asked = next((p for p in self.planned_parts() if answer is not None and p.id == answer.id), None)
        if answer is None or asked is None or asked.type != "comparative" or not answer.open:
            return False
        return all(self.part(side).status() == "found" for side in asked.depends_on)

    def took(self, part: int) -> float | None:
        """Return the seconds from the beginning of a part's first step to the end of its last."""
        spans = [span for span in self.spans if span.sub_question == part]
        return max(s.end for s in spans) - min(s.start for s in spans) if spans else None

    def engines(self) -> list[str]:
        """Return the engines that made something, in order of appearance."""
        return list(dict.fromkeys(made.call.engine for made in self.calls))


def read_trace(events: Sequence[Stamped]) -> RunTrace:
    """Fold a run's events, in any order among parallel siblings, into its trace."""
    trace = RunTrace()
    begun: dict[tuple[str, int | None], float] = {}
    last: dict[int | None, float] = {}
    for stamped in events:
        event = stamped.event
        trace.seconds = max(trace.seconds, stamped.at)
        trace.ahead = event.ahead if isinstance(event, Queued) else 0
        trace.calls += [
            TimedCall(at=stamped.at, step=event.cause, sub_question=event.sub_question, call=call)
            for call in event.calls
        ]
        if isinstance(event, StepStarted):
            begun[event.step, event.sub_question] = stamped.at
            last[event.sub_question] = stamped.at
            trace.step, trace.step_part = event.step, event.sub_question
        elif isinstance(event, StepFinished):
            start = begun.pop((event.step, event.sub_question), stamped.at)
            trace.spans.append(StepSpan(event.step, event.sub_question, start, stamped.at))
        elif isinstance(event, Searching):
            before = last.get(event.sub_question, stamped.at)
            last[event.sub_question] = stamped.at
            trace.part(event.sub_question).steps.append(Step(event, stamped.at, stamped.at - before))
        else:
            _question(trace, event) or _part(trace, event) or _council(trace, event) or _answer(trace, event)
    trace.spans += [StepSpan(step, part, start, trace.seconds) for (step, part), start in begun.items()]
    trace.spans.sort(key=lambda span: (span.start, -(span.end - span.start)))
    return trace


def _question(trace: RunTrace, event: object) -> bool:
    match event:
        case Asked():
            trace.asked = event
            trace.whole.asked = event.question
        case FollowedUp():
            trace.followed = event
            trace.whole.asked = event.read_as
        case RouteChosen():
            trace.route = event
        case GateDecided():
            trace.gate = event
        case Planned():
            trace.plans.append(event)
        case WaveStarted():
            trace.waves.append(event)
            for asked in event.parts:
                part = trace.part(asked.id)
                part.asked, part.begun = asked.question, True
        case _:
            return False
    return True


def _part(trace: RunTrace, event: object) -> bool:
    match event:
        case PartAnswered():
            trace.part(event.sub_question).answer = event.answer
        case Reused():
            _reused(trace, event)
        case _:
            return False
    return True


def _reused(trace: RunTrace, event: Reused) -> None:
    if event.cause == "revise":
        trace.pinned = event.passages
        return
    part = trace.part(event.sub_question)
    part.reused, part.kept = event.run, event.passages
    if event.answer is not None:
        part.answer, part.kept, part.asked = event.answer, event.answer.passages, event.answer.question


def _council(trace: RunTrace, event: object) -> bool:
    match event:
        case RolesPlanned():
            trace.roles = event
        case PerspectiveGiven():
            trace.perspectives.append(event)
        case Settled():
            trace.council = event.council
        case _:
            return False
    return True


def _answer(trace: RunTrace, event: object) -> bool:
    match event:
        case Wrote():
            trace.text = event.text if event.round > trace.round else trace.text + event.text
            trace.round = event.round
        case Synthesised():
            pass  # its sentences are in the verdict
        case AnswerChecked():
            trace.verified.append(event)
        case Warned():
            trace.warnings.append(event)
        case InstructionFlagged():
            trace.flags.append(event)
        case Instructed():
            trace.instructions.append(event)
        case Failed():
            trace.failed = event
        case Finished():
            trace.report = event.report
        case _:
            return False
    return True


def all_passages(trace: RunTrace) -> Iterable[Passage]:
    """Yield every passage the run looked at, each chunk once."""
    seen: set[str] = set()
    groups = [part.passages() for part in (*trace.parts.values(), trace.whole)]
    for passages in (*groups, *(viewpoint.passages for viewpoint in trace.perspectives)):
        for passage in passages:
            if passage.chunk.id not in seen:
                seen.add(passage.chunk.id)
                yield passage
