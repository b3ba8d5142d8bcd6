"""Turns a run into a tree: question, parts, searches and reranking, answer and its sentences, calls."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain import Outcome, Plan, SubQuestion, Support
from core.i18n.escaping import shorten
from core.i18n.messages import plain, plain_n, say_plain, t, tn
from core.knowledge.stores.records import AT_WORK, Run
from core.text.open_references import worded
from core.trace import Proposed, Reranked, Searched, TableQueried
from core.ui.chat import answer_layout
from core.ui.shared import display_text, trust_level
from core.ui.trace import event_lines, event_words
from core.ui.trace.part_states import STATES
from core.ui.trace.run_trace import PartTrace, RunTrace, Step

MAX_LABEL_CHARACTERS = 120


@dataclass(frozen=True)
class TreeNode:
    """A line of the tree. `label` is foreign text as it is; `kind` is our word for what it is."""

    id: str
    parent: str
    kind: str
    label: str
    state: str = ""
    colour: display_text.Colour = "gray"
    seconds: float | None = None
    folded: bool = False


def tree(run: Run, trace: RunTrace, *, compared: bool = False) -> list[TreeNode]:
    """Return the nodes, each after its parent, in the order in which they are read."""
    again = trace.asked is not None and bool(trace.asked.parent)
    nodes = list(_nodes(run, trace))
    if (compared or again) and run.status not in AT_WORK:
        nodes.insert(
            0,
            TreeNode(
                "changes",
                "",
                plain("Compared") if compared else plain("Worked on again"),
                plain("What changed"),
            ),
        )
    return nodes


def first(nodes: Sequence[TreeNode]) -> str:
    """Return the node that is shown at first: what changed where a run was worked on again."""
    return "changes" if any(node.id == "changes" for node in nodes) else "question"


def part_state(trace: RunTrace, part: PartTrace | None) -> tuple[str, str, display_text.Colour]:
    """Return a part's state: its name, and the word and colour a reader sees.

    Once a run is over, a part nobody worked on was left if the run was cut short; else what it asks was
    answered with the question as a whole. What no passage says may be what the forecast tells.
    """
    name = part.status() if part is not None else "waiting"
    over = trace.report is not None or trace.failed is not None
    if over and name in ("waiting", "running"):
        name = "left" if trace.report is None or _cut(trace) else "joined"
    if name == "missing" and part is not None:
        is_forecast = trace.report is not None and trace.report.forecast is not None
        name = "forecast" if is_forecast else "sides" if trace.in_its_sides(part) else name
    shown = STATES[name]
    return name, say_plain(shown.word), shown.colour


def part_words(trace: RunTrace, asked: SubQuestion) -> str:
    """Return what a part asks; where an answer it waits for is not there, by what that part asks for."""
    part_trace = trace.parts.get(asked.id)
    return _worded(trace, (part_trace.asked if part_trace is not None else "") or asked.question)


def planned_words(trace: RunTrace, asked: SubQuestion) -> str:
    """Return what a part was to ask before any answer came."""
    return _worded(trace, asked.question)


def _worded(trace: RunTrace, question: str) -> str:
    return worded(question, {part.id: part.question for part in trace.planned_parts()})


def _cut(trace: RunTrace) -> bool:
    report = trace.report
    return report is not None and (report.partial or report.outcome is Outcome.UNFINISHED)


def _nodes(run: Run, trace: RunTrace) -> Iterator[TreeNode]:
    state, colour = _outcome(run, trace)
    yield TreeNode("question", "", plain("Question"), run.question, state, colour, trace.seconds)
    made = trace.plan
    if made is not None and made.parts:
        counted = tn("{n:,} part", "{n:,} parts", len(made.parts))
        yield TreeNode("plan", "question", plain("Plan"), order(made), counted)
    for asked in trace.planned_parts():
        yield from _part(trace, asked)
    if not trace.whole.empty():
        yield from _whole(trace)
    yield from _council(trace)
    yield from _answer(trace)
    yield from _end(trace)


def order(plan: Plan) -> str:
    """Say in which order the parts are worked on."""
    if plan.execution == "mixed":
        return plain_n("in {n} wave", "in {n} waves", len(plan.waves()))
    return say_plain(event_words.EXECUTIONS[plan.execution])


def _outcome(run: Run, trace: RunTrace) -> tuple[str, display_text.Colour]:
    report = trace.report or run.report
    if report is None:
        word, colour = display_text.RUN_STATUS[run.status]
        return say_plain(word), colour
    word, colour, _ = display_text.OUTCOMES[report.outcome]
    return say_plain(word), colour


def _part(trace: RunTrace, part: SubQuestion) -> Iterator[TreeNode]:
    part_trace = trace.parts.get(part.id)
    _, word, colour = part_state(trace, part_trace)
    if part_trace is not None and part_trace.reused:
        word = plain("{word}, as before", word=word)
    label = part_words(trace, part)
    node = f"part:{part.id}"
    yield TreeNode(
        node,
        "question",
        plain("Part {id}", id=part.id),
        label,
        word,
        colour,
        trace.took(part.id),
        folded=True,
    )
    if part_trace is not None:
        yield from _steps(node, part_trace.steps)


def _whole(trace: RunTrace) -> Iterator[TreeNode]:
    evidence = trace.whole
    label = plain("For the question as a whole") if trace.planned_parts() else evidence.asked
    found = plain_n("{n:,} passage", "{n:,} passages", len(evidence.passages()))
    took, folded = sum(step.seconds for step in evidence.steps), bool(trace.parts)
    yield TreeNode("whole", "question", plain("Evidence"), label, found, "gray", took, folded=folded)
    yield from _steps("whole", evidence.steps)


def _steps(parent: str, steps: Sequence[Step]) -> Iterator[TreeNode]:
    for n, step in enumerate(steps):
        entry = event_lines.event_line(step.event)
        kind, label = _called(step, entry)
        yield TreeNode(f"{parent}/{n}", parent, kind, label, _result_count(step), "gray", step.seconds)


def _called(step: Step, entry: event_words.Line) -> tuple[str, str]:
    match step.event:
        case Searched():
            return say_plain(event_words.SEARCHES[step.event.kind]), step.event.query
        case Reranked():
            return plain("Reranked"), step.event.reranker
        case TableQueried():
            return plain("Queried a table"), step.event.table
        case Proposed():
            return plain("Round {round}", round=step.event.round), step.event.reason or " · ".join(
                step.event.questions
            )
        case _:
            return entry.label, entry.text


def _result_count(step: Step) -> str:
    match step.event:
        case Searched() | Reranked():
            return tn("{n:,} passage", "{n:,} passages", len(step.event.passages))
        case TableQueried():
            return (
                plain("failed") if step.event.failure else tn("{n:,} row", "{n:,} rows", len(step.event.rows))
            )
        case _:
            return ""


def _council(trace: RunTrace) -> Iterator[TreeNode]:
    if not trace.perspectives:
        return
    settled = (
        tn("{n:,} idea", "{n:,} ideas", len(trace.council.proposals)) if trace.council else t("working …")
    )
    yield TreeNode(
        "council", "question", plain("Council"), plain("What the points of view make of it"), settled
    )
    for viewpoint in trace.perspectives:
        perspective = viewpoint.perspective
        failed = bool(perspective.failure)
        state = (
            plain("could not take part")
            if failed
            else tn("{n:,} statement", "{n:,} statements", len(perspective.argument))
        )
        yield TreeNode(
            f"role:{perspective.role.id}",
            "council",
            plain("View"),
            perspective.role.name,
            state,
            "orange" if failed else "gray",
        )


def _answer(trace: RunTrace) -> Iterator[TreeNode]:
    report = trace.report
    if report is None:
        return
    if report.forecast is not None:
        steps = tn("{n:,} step", "{n:,} steps", len(report.forecast.points))
        yield TreeNode("forecast", "question", plain("Forecast"), report.forecast.series.name, steps)
    supported = sum(s.support is Support.SUPPORTED for s in report.sentences)
    summary = (
        plain("{supported} of {sentences} supported", supported=supported, sentences=len(report.sentences))
        if report.sentences
        else plain("no sentence")
    )
    yield TreeNode(
        "answer",
        "question",
        plain("Answer"),
        answer_layout.plain(report.answer).lstrip("- "),
        summary,
        folded=len(trace.parts) > 3 or report.forecast is not None,  # the chart shows the forecast
    )
    for n, sentence in enumerate(report.sentences, 1):
        word, colour = trust_level.of_sentence(sentence)
        yield TreeNode(
            f"sentence:{n}", "answer", f"{n}", answer_layout.plain(sentence.text), say_plain(word), colour
        )


def _end(trace: RunTrace) -> Iterator[TreeNode]:
    notes = len(trace.warnings) + len(trace.flags) + (len(trace.verdict.notes) if trace.verdict else 0)
    if trace.verified or notes or trace.failed:
        label = plain("What the check found")
        summary, colour = (
            (plain("failed"), "red")
            if trace.failed
            else (tn("{n:,} note", "{n:,} notes", notes) if notes else "", "gray")
        )
        yield TreeNode(
            "check", "question", plain("Check"), label, summary, "red" if colour == "red" else "gray"
        )
    if trace.calls:
        tokens = sum(m.call.tokens_in + m.call.tokens_out for m in trace.calls if not m.call.cached)
        summary = tn("{n:,} token", "{n:,} tokens", tokens) if tokens else plain("no tokens")
        label = plain(
            "{calls}: when, how long, how many tokens",
            calls=plain_n("{n:,} call", "{n:,} calls", len(trace.calls)),
        )
        took = sum(made.call.seconds for made in trace.calls)
        yield TreeNode("calls", "question", plain("Calls"), label, summary, "gray", took, folded=True)
        for n, made in enumerate(trace.calls):
            yield _call(n, made.call.task, made.call.engine, made.call.seconds, made.sub_question)
    yield TreeNode("events", "question", plain("Events"), plain("Everything that happened, one by one"), "")


def _call(n: int, task: str, engine: str, seconds: float, part: int | None) -> TreeNode:
    where = plain(", part {part}", part=part) if part is not None else ""
    label = f"{display_text.engine(engine)}{where}"
    return TreeNode(f"call:{n}", "calls", event_words.task(task), label, "", "gray", seconds)


def drawn(nodes: Sequence[TreeNode], chosen: str, run: str) -> dict[str, object]:
    """Return the tree as the component draws it."""
    depth: dict[str, int] = {"": 0}
    rows = []
    for node in nodes:
        depth[node.id] = depth[node.parent] + 1
        rows.append(
            {
                "id": node.id,
                "parent": node.parent,
                "depth": depth[node.id],
                "kind": node.kind,
                "label": shorten(node.label, MAX_LABEL_CHARACTERS),
                "state": node.state,
                "colour": node.colour,
                "time": "" if node.seconds is None else display_text.seconds(node.seconds),
                "folded": node.folded,
            }
        )
    return {"rows": rows, "chosen": chosen, "run": run, "label": plain("The run, step by step")}
