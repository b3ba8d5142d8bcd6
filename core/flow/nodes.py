"""The flow's nodes: each calls one step and says what happened. No clock, no try, no graph library."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.agents.council import Council
from core.domain import Level, Outcome, PartAnswer, Passage, Plan, SubQuestion, Verdict
from core.flow.convening import convene
from core.flow.foresight import foresee
from core.flow.state import State
from core.forecast.forecaster import Forecaster
from core.language import detect_language
from core.ports import Tell
from core.steps.aggregator import Aggregator
from core.steps.direct import Directory
from core.steps.extender import Extender
from core.steps.follow_up import FollowUpReader
from core.steps.gate import Gatekeeper
from core.steps.gatherer import Gatherer
from core.steps.guard import flag_orders
from core.steps.loop import KnowledgeLoop
from core.steps.planner import Planner, refer
from core.steps.presenter import Findings, Presenter
from core.steps.router import Router
from core.steps.sufficiency import Sufficiency
from core.steps.synthesiser import Synthesiser
from core.steps.verifier import Verifier
from core.steps.wording import say
from core.steps.worker import Worker
from core.tasks import Call
from core.trace import (
    FollowedUp,
    GateDecided,
    Happened,
    InstructionFlagged,
    PartAnswered,
    Planned,
    Reranked,
    RouteChosen,
    Synthesised,
    Verified,
    WaveStarted,
    Wrote,
)


@dataclass(frozen=True)
class Nodes:
    """Steps in, events and state updates out."""

    tell: Tell
    follow_up: FollowUpReader
    router: Router
    gatekeeper: Gatekeeper
    planner: Planner
    directory: Directory
    gatherer: Gatherer
    worker: Worker
    loop: KnowledgeLoop
    aggregator: Aggregator
    sufficiency: Sufficiency
    synthesiser: Synthesiser
    verifier: Verifier
    extender: Extender
    forecaster: Forecaster
    council: Council
    presenter: Presenter = field(default_factory=Presenter)
    second_round: bool = True

    # -- reading the question ----------------------------------------------------------------

    def understand(self, state: State) -> State:
        question = state["question"].strip()
        language = detect_language(question)
        read = self.follow_up.read(question, state.get("history", ()), language)
        if read.question != question:
            self.tell(
                FollowedUp(
                    cause="understand", question=question, read_as=read.question, calls=_made(read.call)
                )
            )
        return {"language": language, "read_as": read.question, "round": 1, "calls": list(_made(read.call))}

    def route(self, state: State) -> State:
        asked = state.get("asked_level")
        if asked is not None:
            self.tell(RouteChosen(cause="route", level=asked, reason="chosen by the reader", overridden=True))
            return {"level": asked}
        routed = self.router.route(state["read_as"], state["scope"], state["language"])
        calls = _made(routed.call)
        self.tell(RouteChosen(cause="route", level=routed.level, reason=routed.reason, calls=calls))
        return {"level": routed.level, "calls": list(calls)}

    def gate(self, state: State) -> State:
        gated = self.gatekeeper.decide(state["read_as"], state["language"])
        calls = _made(gated.call)
        self.tell(GateDecided(cause="gate", composite=gated.composite, reason=gated.reason, calls=calls))
        return {"composite": gated.composite, "calls": list(calls)}

    def plan(self, state: State) -> State:
        planned = self.planner.plan(state["read_as"], state["language"])
        self.tell(Planned(cause="plan", plan=planned.plan, calls=planned.calls))
        return {"plan": planned.plan, "calls": list(planned.calls)}

    # -- finding evidence --------------------------------------------------------------------

    def look_up(self, state: State) -> State:
        found = self.directory.look_up(state["read_as"], state["scope"])
        self.tell(
            Reranked(
                cause="look_up", question=state["read_as"], reranker="verified atoms first", passages=found
            )
        )
        return {"own": found} if found else {}

    def gather(self, state: State) -> State:
        heard = Heard(self.tell)
        gathered = self.gatherer.gather(
            state["read_as"], state["scope"], heard.tell, "factual", None, state["language"]
        )
        calls = list(gathered.calls)
        return {"own": gathered.passages, "calls": calls, "untold": heard.untold(calls)}

    def next_wave(self, state: State) -> State:
        answers = state.get("answers", [])
        parts = tuple(
            part.model_copy(update={"question": refer(part.question, answers)})
            for part in ready(state.get("plan"), answers)
        )
        if parts:
            number = state.get("waves", 0) + 1
            self.tell(WaveStarted(wave=number, parts=parts, cause="next_wave"))
            return {"wave": parts, "waves": number}
        return {"wave": ()}

    def work(self, state: State) -> State:
        part = state["part"]
        heard = Heard(self.tell)
        worked = self.worker.work(part, state["before"], state["scope"], state["language"], heard.tell)
        calls = heard.untold(worked.calls)
        self.tell(
            PartAnswered(cause=f"work#{part.id}", answer=worked.answer, sub_question=part.id, calls=calls)
        )
        return {"answers": [worked.answer], "calls": list(worked.calls)}

    def walk(self, state: State) -> State:
        walked = self.loop.walk(state["read_as"], state["scope"], self.tell, state["language"])
        return {"walked": walked.passages, "calls": list(walked.calls)}

    def aggregate(self, state: State) -> State:
        evidence = self.aggregator.aggregate(
            state["read_as"], state.get("own", ()), state.get("answers", []), state.get("walked", ())
        )
        related = self.sufficiency.related(state["read_as"], evidence)
        unknown = self.sufficiency.unknown(state["read_as"], state["scope"]) if related else ()
        self.tell(
            Reranked(
                cause="aggregate",
                question=state["read_as"],
                reranker=self.aggregator.reranker.name,
                passages=evidence,
            )
        )
        for chunk_id, text in flag_orders(evidence):
            self.tell(InstructionFlagged(cause="aggregate", chunk_id=chunk_id, text=text))
        return {"evidence": evidence, "related": related, "unknown": unknown}

    def forecast(self, state: State) -> State:
        return foresee(self.forecaster, state, self.tell)

    def convene(self, state: State) -> State:
        return convene(self.council, self.verifier, state, self.tell)

    # -- answering ---------------------------------------------------------------------------

    def reason(self, state: State) -> State:
        part = SubQuestion(id=1, question=state["read_as"])
        worked = self.worker.read(part, state["evidence"], (), state["language"])
        self.tell(PartAnswered(cause="reason", answer=worked.answer, calls=worked.calls))
        return {"answers": [worked.answer], "calls": list(worked.calls)}

    def synthesise(self, state: State) -> State:
        turn = state["round"]
        draft = self.synthesiser.synthesise(
            state["read_as"],
            settled(state),
            state["evidence"],
            state["language"],
            lambda text: self.tell(Wrote(cause="synthesise", text=text, round=turn)),
        )
        self.tell(Synthesised(cause="synthesise", sentences=draft.sentences, calls=draft.calls))
        return {"draft": draft, "calls": list(draft.calls)}

    def verify(self, state: State) -> State:
        checked = self.verifier.verify(
            state["read_as"],
            state["draft"].sentences,
            settled(state),
            state["evidence"],
            state["language"],
            state["unknown"],
        )
        self.tell(
            Verified(cause="verify", verdict=checked.verdict, round=state["round"], calls=checked.calls)
        )
        return {"verdict": checked.verdict, "calls": list(checked.calls)}

    def extend(self, state: State) -> State:
        plan = state.get("plan") or Plan(question=state["read_as"])
        extended = self.extender.extend(
            plan, settled(state), state["verdict"], state["evidence"], state["language"]
        )
        self.tell(Planned(cause="extend", plan=extended.plan, round=2, calls=extended.calls))
        return {"plan": extended.plan, "round": 2, "calls": list(extended.calls)}

    def present(self, state: State) -> State:
        return {"report": self.presenter.present(findings(state))}


@dataclass
class Heard:
    """Passes events on and remembers which calls they carried, so that every call is told exactly once."""

    pass_on: Tell
    told: list[Call] = field(default_factory=list)

    def tell(self, event: object) -> None:
        if isinstance(event, Happened):
            self.told += event.calls
        self.pass_on(event)

    def untold(self, calls: Sequence[Call]) -> tuple[Call, ...]:
        """Return the calls that no event carried."""
        return tuple(call for call in calls if not any(call is told for told in self.told))


# -- plain questions about the state ---------------------------------------------------------


def ready(plan: Plan | None, answers: Sequence[PartAnswer]) -> tuple[SubQuestion, ...]:
    """Return the parts whose needs are answered and which are not."""
    done = {answer.id for answer in answers}
    parts = plan.parts if plan else ()
    return tuple(part for part in parts if part.id not in done and set(part.depends_on) <= done)


def settled(state: State) -> tuple[PartAnswer, ...]:
    """Return one answer a part: what a second round found in place of what the first did not."""
    plan = state.get("plan")
    again = {part.id: part.again for part in plan.parts if part.again} if plan else {}
    found: dict[int, PartAnswer] = {}
    for answer in sorted(state.get("answers", []), key=lambda a: a.id):
        place = again.get(answer.id) or answer.id
        if place not in found or (answer.found and not found[place].found):
            found[place] = answer
    return tuple(found.values())


def carried(part: SubQuestion, answers: Sequence[PartAnswer]) -> tuple[Passage, ...]:
    """Return what the parts this one depends on rest on, best first and in turn."""
    needed = [answer.passages[:2] for answer in answers if answer.id in part.depends_on and answer.found]
    return tuple(passage for rank in range(2) for passages in needed for passage in passages[rank : rank + 1])


def findings(state: State, *, partial: bool = False) -> Findings:
    """Return what there is to present, whatever the flow had reached."""
    draft = state.get("draft")
    language = state.get("language") or detect_language(state["question"])
    plan = state.get("plan")
    notes = list(state.get("notes", []))
    verdict = state.get("verdict")
    if verdict is None and not state.get("related", True):
        verdict = Verdict(outcome=Outcome.NOTHING)
    if state.get("hurried"):
        notes.append(say("hurried", language))
    return Findings(
        question=state["question"],
        read_as=state.get("read_as", state["question"]),
        level=state.get("level", Level.FACTUAL),
        language=language,
        text=draft.text if draft else "",
        sentences=draft.sentences if draft else (),
        verdict=verdict,
        plan=plan,
        parts=settled(state) if plan else (),
        evidence=state.get("evidence", ()),
        calls=tuple(state.get("calls", [])),
        forecast=state.get("forecast"),
        council=state.get("council"),
        notes=tuple(notes),
        partial=partial,
    )


def _made(call: Call | None) -> tuple[Call, ...]:
    return (call,) if call else ()
