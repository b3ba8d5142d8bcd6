"""The flow's nodes: each calls one step and emits events. No clock, no error handling, no graph library."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace

from core.answering.aggregate import Aggregator
from core.answering.answer import Synthesiser
from core.answering.answer_checking import AnswerChecker
from core.answering.compared_values import decided
from core.answering.injection_flags import flag_orders
from core.answering.knowledge_loop import KnowledgeLoop
from core.answering.library_overview import LibraryOverview
from core.answering.open_parts import answered_by_sentences
from core.answering.part_references import compared, lacks_referenced_answer, referred, unasked
from core.answering.part_worker import PartWorker, read_for
from core.answering.present import Presenter
from core.answering.run_instructions import combined
from core.answering.second_round import SecondRound
from core.answering.sufficiency import Sufficiency
from core.answering.understand import Understander
from core.answering.verified_recall import Recaller
from core.domain import Effort, PartAnswer, Plan, SubQuestion
from core.flow.forecasting import foresee
from core.flow.instructions import Inbox, apply_instructions
from core.flow.partial_rerun import read_again, reused_answer, untouched
from core.flow.progress import carried as carried
from core.flow.progress import findings as findings
from core.flow.progress import parts_to_answer, parts_to_report, ready, to_write
from core.flow.progress import settled as settled
from core.flow.state import State
from core.flow.understand_step import understand
from core.flow.viewpoints_step import convene
from core.forecast.forecaster import Forecaster
from core.perspectives.council import Council
from core.ports import CallLog, Emit
from core.retrieval.direct_lookup import DirectLookup
from core.retrieval.gatherer import Gatherer, joined
from core.trace import (
    AnswerChecked,
    EvidenceTrimmed,
    InstructionFlagged,
    PartAnswered,
    Planned,
    Reranked,
    Reused,
    Synthesised,
    WaveStarted,
    Wrote,
)


@dataclass(frozen=True)
class Nodes:
    """Steps in, events and state updates out."""

    emit: Emit
    call_log: CallLog
    understander: Understander
    directory: DirectLookup
    overview: LibraryOverview
    gatherer: Gatherer
    worker: PartWorker
    loop: KnowledgeLoop
    aggregator: Aggregator
    sufficiency: Sufficiency
    synthesiser: Synthesiser
    checker: AnswerChecker
    extender: SecondRound
    forecaster: Forecaster
    council: Council
    presenter: Presenter = field(default_factory=Presenter)
    second_round: bool = True
    effort: Effort = "balanced"  # where the reader chose none
    inbox: Inbox = field(default_factory=Inbox)  # what the reader says meanwhile
    recaller: Recaller | None = None  # None: verified answers are not looked up
    computing: Callable[[], AbstractContextManager[None]] = nullcontext  # held by a step while it computes

    def listening(self, inbox: Inbox) -> "Nodes":
        """Return nodes that read what is put into this inbox."""
        return replace(self, inbox=inbox)

    def in_turn(self, computing: Callable[[], AbstractContextManager[None]]) -> "Nodes":
        """Return nodes whose steps queue for a slot to compute among the other runs."""
        return replace(self, computing=computing)

    def by_rules(self) -> "Nodes":
        """Return nodes for an engine that reads all that is found at once, as no model has to."""
        return replace(
            self,
            understander=replace(self.understander, plans_loop=True),
            worker=replace(self.worker, writes=False),
            aggregator=replace(self.aggregator, reading=None),
            synthesiser=replace(self.synthesiser, read=0),
            forecaster=replace(self.forecaster, llm=None),
        )

    # -- reading the question ----------------------------------------------------------------

    def understand(self, state: State) -> State:
        return understand(self.understander, self.overview, self.recaller, state, self.emit, self.effort)

    def revise(self, state: State) -> State:
        return read_again(state, self.emit, self.understander.max_parts)

    def apply_instructions(self, state: State) -> State:
        return apply_instructions(state, self.inbox.take(), self.emit, self.understander.max_parts)

    # -- finding evidence --------------------------------------------------------------------

    def look_up(self, state: State) -> State:
        found = self.directory.look_up(state["read_as"], state["scope"])
        self.emit(
            Reranked(
                cause="look_up", question=state["read_as"], reranker="verified atoms first", passages=found
            )
        )
        return {"own": found} if found else {}

    def gather(self, state: State) -> State:
        earlier = state.get("earlier")
        if earlier and untouched(earlier, earlier.own, state["scope"]):
            self.emit(Reused(cause="gather", run=earlier.run, passages=earlier.own))
            return {"own": earlier.own}
        gathered = self.gatherer.for_effort(self._effort(state)).gather(
            state["read_as"],
            state["scope"],
            self.emit,
            state.get("seeks", "factual"),
            None,
            state["language"],
            state.get("proposed", ()),
            state.get("topics", ()),
        )
        return {"own": tuple(joined(gathered.passages, state.get("own", ())))}

    def next_wave(self, state: State) -> State:
        instructed = self.apply_instructions(state) if self.inbox else {}
        plan = instructed.get("plan", state.get("plan"))
        answers, same = list(state.get("answers", [])), dict(state.get("same", {}))
        before = len(answers)
        while True:
            answers += self._without_search(plan, answers)
            parts = tuple(referred(part, answers) for part in ready(plan, answers))
            found = [again for part in parts if (again := reused_answer(part, state, same)) is not None]
            if not found:
                break
            for again in found:
                same[again.answer.id] = again.origin
                answers.append(again.answer)
                self.emit(again.event("next_wave"))
        update: State = {**instructed, "answers": answers[before:], "same": same, "wave": parts}
        if parts:
            update["waves"] = state.get("waves", 0) + 1
            self.emit(WaveStarted(wave=update["waves"], parts=parts, cause="next_wave"))
        return update

    def _without_search(self, plan: Plan | None, answers: Sequence[PartAnswer]) -> list[PartAnswer]:
        """Emit and return the answers of parts that need no search.

        These are comparisons that the values of their sides decide, and parts that cannot be asked because
        what they depend on was not found.
        """
        done: list[PartAnswer] = []
        while True:
            known = [*answers, *done]
            new = [made for part in ready(plan, known) if (made := self._done(part, plan, known)) is not None]
            if not new:
                return done
            for answer in new:
                done.append(answer)
                self.emit(PartAnswered(cause="next_wave", answer=answer, sub_question=answer.id))

    def _done(self, part: SubQuestion, plan: Plan | None, known: Sequence[PartAnswer]) -> PartAnswer | None:
        if lacks_referenced_answer(part, known):
            return compared(part, known) or unasked(part, plan)
        return decided(part, plan, known) if plan is not None else None

    def work(self, state: State) -> State:
        part = state["part"]
        before = (*state.get("pinned", ()), *state["before"])
        gathered = self.worker.for_effort(self._effort(state)).gather(
            part, before, state["scope"], state["language"], self.emit, state.get("proposed", ())
        )
        return {"gathered": [gathered]}

    def bridge(self, state: State) -> State:
        """Answer the parts of the wave that was gathered, together."""
        wave = {part.id for part in state["wave"]}
        found = sorted(
            (one for one in state.get("gathered", []) if one.part.id in wave), key=lambda one: one.part.id
        )
        asked = parts_to_answer(state.get("plan"), self._effort(state))
        read = read_for(state.get("answers", []))
        worker = self.worker.for_effort(self._effort(state))
        answers = worker.bridge(state["read_as"], found, state["language"], asked, read)
        for answer in answers:
            self.emit(PartAnswered(cause="bridge", answer=answer, sub_question=answer.id))
        return {"answers": list(answers)}

    def knowledge_loop(self, state: State) -> State:
        earlier = state.get("earlier")
        if earlier and untouched(earlier, earlier.loop_passages, state["scope"]):
            self.emit(Reused(cause="knowledge_loop", run=earlier.run, passages=earlier.loop_passages))
            return {"loop_passages": earlier.loop_passages}
        found = self.loop.run(state["read_as"], state["scope"], self.emit, state["language"])
        return {"loop_passages": found.passages}

    def aggregate(self, state: State) -> State:
        evidence = self.aggregator.for_effort(self._effort(state)).aggregate(
            state["read_as"],
            state.get("own", ()),
            state.get("answers", []),
            state.get("loop_passages", ()),
            state.get("pinned", ()),
            read_for(state.get("answers", [])),
        )
        narrowed = combined(state.get("wishes", [])).narrow(evidence)
        if len(narrowed) < len(evidence):
            out = tuple(p.chunk.id for p in evidence if p not in narrowed)
            self.emit(EvidenceTrimmed(cause="aggregate", kept=len(narrowed), left_out=out))
            evidence = narrowed
        related = self.sufficiency.related(state["read_as"], evidence)
        unknown = self.sufficiency.unknown(state["read_as"], state["scope"]) if related else ()
        self.emit(
            Reranked(
                cause="aggregate",
                question=state["read_as"],
                reranker=self.aggregator.reranker.name,
                passages=evidence,
            )
        )
        for chunk_id, text in flag_orders(evidence):
            self.emit(InstructionFlagged(cause="aggregate", chunk_id=chunk_id, text=text))
        return {"evidence": evidence, "related": related, "unknown": unknown}

    def forecast(self, state: State) -> State:
        return foresee(self.forecaster, state, self.emit, self._effort(state))

    def convene(self, state: State) -> State:
        thorough = self._effort(state) == "thorough"
        council = replace(self.council, deliberates=self.council.deliberates or thorough)
        return convene(council, self.checker, state, self.emit)

    # -- answering ---------------------------------------------------------------------------

    def synthesise(self, state: State) -> State:
        wish = combined(state.get("wishes", []))
        draft = self.synthesiser.synthesise(
            wish.beside(state["read_as"]),
            to_write(state),
            state["evidence"],
            state["language"],
            (lambda text: None) if self._reviews_first(state) else self._writes(state),
            wish.sentences,
        )
        self.emit(Synthesised(cause="synthesise", sentences=draft.sentences))
        return {"draft": draft}

    def check(self, state: State) -> State:
        parts = parts_to_report(state)
        verdict = self.checker.check(
            state["read_as"],
            state["draft"].sentences,
            parts,
            state["evidence"],
            state["language"],
            state["unknown"],
            state["draft"].outcome,
            state["draft"].confidence,
        )
        answered = answered_by_sentences(parts, verdict.sentences, state["evidence"])
        for answer in answered:
            self.emit(PartAnswered(cause="check", answer=answer, sub_question=answer.id))
        if self._reviews_first(state):
            self._writes(state)(state["draft"].text)
        self.emit(AnswerChecked(cause="check", verdict=verdict, round=state["round"]))
        return {"verdict": verdict, "answers": list(answered)}

    def _reviews_first(self, state: State) -> bool:
        """Say whether the answer is checked before it is shown, not while it is read."""
        return self._effort(state) == "thorough" and not state.get("hurried")

    def _effort(self, state: State) -> Effort:
        return state.get("effort") or self.effort

    def _writes(self, state: State) -> Callable[[str], None]:
        return lambda text: self.emit(Wrote(cause="synthesise", text=text, round=state["round"]))

    def extend(self, state: State) -> State:
        plan = state.get("plan") or Plan(question=state["read_as"])
        extended = self.extender.extend(plan, settled(state), state["evidence"])
        if extended is plan:
            return {"round": 2}
        self.emit(Planned(cause="extend", plan=extended, round=2))
        return {"plan": extended, "round": 2}

    def present(self, state: State) -> State:
        return {"report": self.presenter.present(findings(state))}
