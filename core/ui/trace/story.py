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
class PartStory:
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
class Story:
    """A run's events sorted into what a reader looks for."""

    asked: Asked | None = None
    followed: FollowedUp | None = None
    route: RouteChosen | None = None
    gate: GateDecided | None = None
    plans: list[Planned] = field(default_factory=list)
    waves: list[WaveStarted] = field(default_factory=list)
    parts: dict[int, PartStory] = field(default_factory=dict)
    whole: PartStory = field(default_factory=PartStory)
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

    def part(self, sub_question: int | None) -> PartStory:
        """Return the part with this id, or the whole question's."""
        if sub_question is None:
            return self.whole
        return self.parts.setdefault(sub_question, PartStory(id=sub_question))

    def planned_parts(self) -> tuple[SubQuestion, ...]:
        return tuple(sorted(self.plan.parts, key=lambda part: part.id)) if self.plan is not None else ()

    def in_its_sides(self, part: PartStory) -> bool:
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


def read_story(events: Sequence[Stamped]) -> Story:
    """Fold a run's events, in any order among parallel siblings, into its story."""
    story = Story()
    begun: dict[tuple[str, int | None], float] = {}
    last: dict[int | None, float] = {}
    for stamped in events:
        event = stamped.event
        story.seconds = max(story.seconds, stamped.at)
        story.ahead = event.ahead if isinstance(event, Queued) else 0
        story.calls += [
            TimedCall(at=stamped.at, step=event.cause, sub_question=event.sub_question, call=call)
            for call in event.calls
        ]
        if isinstance(event, StepStarted):
            begun[event.step, event.sub_question] = stamped.at
            last[event.sub_question] = stamped.at
            story.step, story.step_part = event.step, event.sub_question
        elif isinstance(event, StepFinished):
            start = begun.pop((event.step, event.sub_question), stamped.at)
            story.spans.append(StepSpan(event.step, event.sub_question, start, stamped.at))
        elif isinstance(event, Searching):
            before = last.get(event.sub_question, stamped.at)
            last[event.sub_question] = stamped.at
            story.part(event.sub_question).steps.append(Step(event, stamped.at, stamped.at - before))
        else:
            _question(story, event) or _part(story, event) or _council(story, event) or _answer(story, event)
    story.spans += [StepSpan(step, part, start, story.seconds) for (step, part), start in begun.items()]
    story.spans.sort(key=lambda span: (span.start, -(span.end - span.start)))
    return story


def _question(story: Story, event: object) -> bool:
    match event:
        case Asked():
            story.asked = event
            story.whole.asked = event.question
        case FollowedUp():
            story.followed = event
            story.whole.asked = event.read_as
        case RouteChosen():
            story.route = event
        case GateDecided():
            story.gate = event
        case Planned():
            story.plans.append(event)
        case WaveStarted():
            story.waves.append(event)
            for asked in event.parts:
                part = story.part(asked.id)
                part.asked, part.begun = asked.question, True
        case _:
            return False
    return True


def _part(story: Story, event: object) -> bool:
    match event:
        case PartAnswered():
            story.part(event.sub_question).answer = event.answer
        case Reused():
            _reused(story, event)
        case _:
            return False
    return True


def _reused(story: Story, event: Reused) -> None:
    if event.cause == "revise":
        story.pinned = event.passages
        return
    part = story.part(event.sub_question)
    part.reused, part.kept = event.run, event.passages
    if event.answer is not None:
        part.answer, part.kept, part.asked = event.answer, event.answer.passages, event.answer.question


def _council(story: Story, event: object) -> bool:
    match event:
        case RolesPlanned():
            story.roles = event
        case PerspectiveGiven():
            story.perspectives.append(event)
        case Settled():
            story.council = event.council
        case _:
            return False
    return True


def _answer(story: Story, event: object) -> bool:
    match event:
        case Wrote():
            story.text = event.text if event.round > story.round else story.text + event.text
            story.round = event.round
        case Synthesised():
            pass  # its sentences stand in the verdict
        case AnswerChecked():
            story.verified.append(event)
        case Warned():
            story.warnings.append(event)
        case InstructionFlagged():
            story.flags.append(event)
        case Instructed():
            story.instructions.append(event)
        case Failed():
            story.failed = event
        case Finished():
            story.report = event.report
        case _:
            return False
    return True


def all_passages(story: Story) -> Iterable[Passage]:
    """Yield every passage the run looked at, each chunk once."""
    seen: set[str] = set()
    groups = [part.passages() for part in (*story.parts.values(), story.whole)]
    for passages in (*groups, *(given.passages for given in story.perspectives)):
        for passage in passages:
            if passage.chunk.id not in seen:
                seen.add(passage.chunk.id)
                yield passage
