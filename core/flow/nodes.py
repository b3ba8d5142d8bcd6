"""The flow's nodes: each calls one step and says what happened. No clock, no try, no graph library."""

from dataclasses import dataclass, field, replace

from core.answering.aggregate import Aggregator
from core.answering.answer import Synthesiser
from core.answering.extend import Extender
from core.answering.follow_up import FollowUpReader
from core.answering.gate import Gatekeeper
from core.answering.injection import flag_orders
from core.answering.knowledge_loop import KnowledgeLoop
from core.answering.plan import Planner, refer
from core.answering.present import Presenter
from core.answering.reader_wishes import understood
from core.answering.review import Verifier
from core.answering.route import Router
from core.answering.sufficiency import Sufficiency
from core.answering.verified_recall import Recaller
from core.answering.work import Worker
from core.domain import Plan, SubQuestion
from core.flow.forecasting import foresee
from core.flow.instructions import Inbox, heed
from core.flow.perspectives import convene
from core.flow.progress import Heard, ready
from core.flow.progress import carried as carried
from core.flow.progress import findings as findings
from core.flow.progress import settled as settled
from core.flow.rework import kept, read_again, untouched
from core.flow.state import State
from core.flow.verified import recalled
from core.forecast.forecaster import Forecaster
from core.perspectives.council import Council
from core.ports import Tell
from core.retrieval.direct_lookup import Directory
from core.retrieval.gatherer import Gatherer
from core.tasks import Call
from core.text.tokens import detect_language
from core.trace import (
    EvidenceTrimmed,
    FollowedUp,
    GateDecided,
    InstructionFlagged,
    PartAnswered,
    Planned,
    Reranked,
    Reused,
    RouteChosen,
    Synthesised,
    Verified,
    WaveStarted,
    WordsMapped,
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
    fact_checker: Verifier | None = None  # of a council's facts; None: as every answer's
    presenter: Presenter = field(default_factory=Presenter)
    second_round: bool = True
    inbox: Inbox = field(default_factory=Inbox)  # what the reader says meanwhile
    recaller: Recaller | None = None  # None: verified answers are not looked up

    def listening(self, inbox: Inbox) -> "Nodes":
        """Return nodes that hear what is put into this inbox."""
        return replace(self, inbox=inbox)

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
        read_as, pairs = self.gatherer.bridge.read(read.question)
        if pairs:
            self.tell(WordsMapped(cause="understand", pairs=tuple(pairs)))
        return {"language": language, "read_as": read_as, "round": 1, "calls": list(_made(read.call))}

    def route(self, state: State) -> State:
        if held := recalled(self.recaller, state, self.tell):
            return held
        asked = state.get("asked_level")
        if asked is not None:
            self.tell(RouteChosen(cause="route", level=asked, reason="chosen by the reader", overridden=True))
            return {"level": asked}
        routed = self.router.route(state["read_as"], state["scope"], state["language"])
        calls = _made(routed.call)
        self.tell(RouteChosen(cause="route", level=routed.level, reason=routed.reason, calls=calls))
        return {"level": routed.level, "seeks": routed.seeks, "calls": list(calls)}

    def gate(self, state: State) -> State:
        gated = self.gatekeeper.decide(state["read_as"], state["language"])
        calls = _made(gated.call)
        self.tell(GateDecided(cause="gate", composite=gated.composite, reason=gated.reason, calls=calls))
        return {"composite": gated.composite, "calls": list(calls)}

    def plan(self, state: State) -> State:
        planned = self.planner.plan(state["read_as"], state["language"])
        self.tell(Planned(cause="plan", plan=planned.plan, calls=planned.calls))
        return {"plan": planned.plan, "calls": list(planned.calls)}

    def revise(self, state: State) -> State:
        return read_again(state, self.tell, self.planner.most)

    def heed(self, state: State) -> State:
        return heed(state, self.inbox.take(), self.tell, self.planner.most)

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
        earlier = state.get("earlier")
        if earlier and untouched(earlier, earlier.own, state["scope"]):
            self.tell(Reused(cause="gather", run=earlier.run, passages=earlier.own))
            return {"own": earlier.own}
        heard = Heard(self.tell)
        gathered = self.gatherer.gather(
            state["read_as"],
            state["scope"],
            heard.tell,
            state.get("seeks", "factual"),
            None,
            state["language"],
        )
        calls = list(gathered.calls)
        return {"own": gathered.passages, "calls": calls, "untold": heard.untold(calls)}

    def next_wave(self, state: State) -> State:
        heeded = self.heed(state) if self.inbox else {}
        plan = heeded.get("plan", state.get("plan"))
        answers, same = list(state.get("answers", [])), dict(state.get("same", {}))
        before = len(answers)
        while True:
            parts = tuple(
                part.model_copy(update={"question": refer(part.question, answers)})
                for part in ready(plan, answers)
            )
            found = [again for part in parts if (again := kept(part, state, same)) is not None]
            if not found:
                break
            for again in found:
                same[again.answer.id] = again.origin
                answers.append(again.answer)
                self.tell(again.event("next_wave"))
        update: State = {**heeded, "answers": answers[before:], "same": same, "wave": parts}
        if parts:
            update["waves"] = state.get("waves", 0) + 1
            self.tell(WaveStarted(wave=update["waves"], parts=parts, cause="next_wave"))
        return update

    def work(self, state: State) -> State:
        part = state["part"]
        heard = Heard(self.tell)
        before = (*state.get("pinned", ()), *state["before"])
        worked = self.worker.work(part, before, state["scope"], state["language"], heard.tell)
        calls = heard.untold(worked.calls)
        self.tell(
            PartAnswered(cause=f"work#{part.id}", answer=worked.answer, sub_question=part.id, calls=calls)
        )
        return {"answers": [worked.answer], "calls": list(worked.calls)}

    def walk(self, state: State) -> State:
        earlier = state.get("earlier")
        if earlier and untouched(earlier, earlier.walked, state["scope"]):
            self.tell(Reused(cause="walk", run=earlier.run, passages=earlier.walked))
            return {"walked": earlier.walked}
        walked = self.loop.walk(state["read_as"], state["scope"], self.tell, state["language"])
        return {"walked": walked.passages, "calls": list(walked.calls)}

    def aggregate(self, state: State) -> State:
        evidence = self.aggregator.aggregate(
            state["read_as"],
            state.get("own", ()),
            state.get("answers", []),
            state.get("walked", ()),
            state.get("pinned", ()),
        )
        narrowed = understood(state.get("wishes", [])).narrow(evidence)
        if len(narrowed) < len(evidence):
            out = tuple(p.chunk.id for p in evidence if p not in narrowed)
            self.tell(EvidenceTrimmed(cause="aggregate", kept=len(narrowed), left_out=out))
            evidence = narrowed
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
        return convene(self.council, self.fact_checker or self.verifier, state, self.tell)

    # -- answering ---------------------------------------------------------------------------

    def reason(self, state: State) -> State:
        part = SubQuestion(id=1, question=state["read_as"])
        worked = self.worker.read(part, state["evidence"], (), state["language"])
        self.tell(PartAnswered(cause="reason", answer=worked.answer, calls=worked.calls))
        return {"answers": [worked.answer], "calls": list(worked.calls)}

    def synthesise(self, state: State) -> State:
        turn = state["round"]
        wish = understood(state.get("wishes", []))
        draft = self.synthesiser.synthesise(
            wish.beside(state["read_as"]),
            settled(state),
            state["evidence"],
            state["language"],
            lambda text: self.tell(Wrote(cause="synthesise", text=text, round=turn)),
            wish.sentences,
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


def _made(call: Call | None) -> tuple[Call, ...]:
    return (call,) if call else ()
