"""The flow of a question as a graph; the only module that knows LangGraph."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from langsmith.run_helpers import tracing_context

from core.domain import Level
from core.flow.nodes import Nodes, carried
from core.flow.partial_rerun import must_reread
from core.flow.progress import ready
from core.flow.state import State
from core.trace import StepFinished, StepStarted

NODES: Mapping[str, Callable[[Nodes, State], State]] = {
    "revise": Nodes.revise,
    "understand": Nodes.understand,
    "look_up": Nodes.look_up,
    "gather": Nodes.gather,
    "next_wave": Nodes.next_wave,
    "work": Nodes.work,
    "bridge": Nodes.bridge,
    "knowledge_loop": Nodes.knowledge_loop,
    "aggregate": Nodes.aggregate,
    "forecast": Nodes.forecast,
    "convene": Nodes.convene,
    "synthesise": Nodes.synthesise,
    "check": Nodes.check,
    "apply_instructions": Nodes.apply_instructions,
    "extend": Nodes.extend,
    "present": Nodes.present,
}
# What a worker is sent of the state: for a part, beside the part itself, and for the question as a whole.
PART_NEEDS = ("scope", "language", "pinned", "proposed", "effort")
QUESTION_NEEDS = ("read_as", "scope", "language", "seeks", "proposed", "topics", "effort", "earlier")
MAX_SUPERSTEPS = 160  # two rounds of at most five waves need about fifty; an instruction, a few more


def run_graph(nodes: Nodes, state: State, parallel: int = 6) -> State:
    """Run the graph from the state given and return the last one. Raises what a step raises."""
    config: RunnableConfig = {
        "recursion_limit": MAX_SUPERSTEPS,
        "max_concurrency": parallel,
        "configurable": {"nodes": nodes},
    }
    # Nothing leaves the machine, whatever the environment says about LangSmith.
    with tracing_context(enabled=False):
        return compiled().invoke(state, config)  # type: ignore[no-any-return]


@cache
def compiled() -> Any:
    """Return the graph, compiled once: that takes longer than a whole question does."""
    graph = StateGraph(State)
    for name, node in NODES.items():
        graph.add_node(name, _with_step_events(name, node))  # type: ignore[call-overload]
    graph.add_conditional_edges(START, _begin, ["understand", "revise", "aggregate"])
    graph.add_conditional_edges(
        "revise", _revised, ["understand", "next_wave", "knowledge_loop", "gather", "look_up"]
    )
    graph.add_conditional_edges(
        "understand", _understood, ["look_up", "gather", "next_wave", "knowledge_loop", "present"]
    )
    graph.add_edge("look_up", "gather")
    graph.add_conditional_edges("next_wave", _wave, ["work", "gather", "aggregate"])
    graph.add_edge("work", "bridge")
    graph.add_edge("bridge", "next_wave")
    graph.add_conditional_edges("gather", _gathered, ["bridge", "aggregate"])
    graph.add_conditional_edges("knowledge_loop", _looped, ["next_wave", "aggregate"])
    graph.add_conditional_edges(
        "aggregate", _aggregated, ["apply_instructions", "forecast", "convene", "synthesise", "present"]
    )
    graph.add_conditional_edges("apply_instructions", _instructed, ["next_wave", "aggregate"])
    graph.add_conditional_edges("forecast", _forecast, ["synthesise", "present"])
    graph.add_edge("convene", "present")
    graph.add_edge("synthesise", "check")
    graph.add_conditional_edges("check", _checked, ["apply_instructions", "extend", "present"])
    graph.add_conditional_edges("extend", _extended, ["next_wave", "present"])
    graph.add_edge("present", END)
    return graph.compile()


def _with_step_events(
    name: str, node: Callable[[Nodes, State], State]
) -> Callable[[State, RunnableConfig], State]:
    """Return the node so that it emits start and finish events and records its model calls."""

    def run(state: State, config: RunnableConfig) -> State:
        nodes: Nodes = config["configurable"]["nodes"]
        part = state.get("part")
        step = f"{name}#{part.id}" if part else name
        number = part.id if part else None
        with nodes.computing(), nodes.call_log.step() as calls:
            nodes.emit(StepStarted(step=step, sub_question=number))
            update = node(nodes, state)
            nodes.emit(StepFinished(step=step, sub_question=number))
        return {**update, "calls": calls}

    return run


# -- routing: node names and Sends, from predicates of the state ---------------------


def _begin(state: State) -> str:
    if state.get("hurried"):
        return "aggregate"
    return "revise" if "earlier" in state else "understand"


def _revised(state: State) -> list[str]:
    """Route a rerun: through the same nodes as before, except where the reader's edits require others."""
    if "level" not in state:  # the earlier run stopped before reading the question
        return ["understand"]
    earlier, edits, plan = state["earlier"], state["edits"], state.get("plan")
    if plan and edits.parts is None and state["strategy"] == "loop":
        return ["knowledge_loop"]
    if plan and (edits.parts or len(plan.parts) > 1 or state["strategy"] == "plan"):
        return ["next_wave"]
    if must_reread(earlier, edits):
        return ["understand"]
    if edits.parts is None and (earlier.loop_passages or state["strategy"] == "loop"):
        return ["knowledge_loop", "gather"]
    return ["look_up"] if state["level"] is Level.DIRECT else ["gather"]


def _understood(state: State, config: RunnableConfig) -> list[str]:
    """Route by level; a recalled answer is finished. L3 and L4 build on the evidence of L2."""
    if state.get("verdict"):
        return ["present"]
    if state["strategy"] == "loop":
        return ["knowledge_loop"] if state.get("plan") else ["knowledge_loop", "gather"]
    if state.get("plan"):
        return ["next_wave"]
    if state["level"] is Level.DIRECT:
        return ["look_up"]
    effort = state.get("effort") or config["configurable"]["nodes"].effort
    by_loop = state["composite"] and effort == "thorough" and state["level"] is not Level.FACTUAL
    return ["knowledge_loop", "gather"] if by_loop else ["gather"]


def _wave(state: State) -> str | list[Send]:
    """Send the parts that are ready to their workers, and the original question with the first of them."""
    if not state["wave"]:
        return "aggregate" if "own" in state else "gather"
    answers = state.get("answers", [])
    shared = _only(state, PART_NEEDS)
    sends = [
        Send("work", {**shared, "part": part, "before": carried(part, answers)}) for part in state["wave"]
    ]
    if "own" not in state:
        sends.append(Send("gather", _only(state, QUESTION_NEEDS)))
    return sends


def _only(state: State, keys: Sequence[str]) -> State:
    return {key: state[key] for key in keys if key in state}  # type: ignore[literal-required,return-value]


def _looped(state: State) -> str:
    """Let the parts of a plan, where rules answer, decide what the loop's answer may claim."""
    return "next_wave" if state.get("plan") else "aggregate"


def _gathered(state: State) -> str:
    return "bridge" if state.get("wave") else "aggregate"


def _aggregated(state: State, config: RunnableConfig) -> str:
    if config["configurable"]["nodes"].inbox:
        return "apply_instructions"
    if state.get("level") is Level.CREATIVE and state["related"] and not state.get("hurried"):
        return "convene"
    foretold = state.get("level") is not Level.PREDICTIVE or "forecast" in state
    return _answering(state) if foretold else "forecast"


def _forecast(state: State) -> str:
    return "present" if state["forecast"] else _answering(state)


def _answering(state: State) -> str:
    if not state["related"]:
        return "present"
    return "synthesise"


def _extended(state: State) -> str:
    """Start another round only where the plan has grown."""
    return "next_wave" if ready(state.get("plan"), state.get("answers", [])) else "present"


def _instructed(state: State) -> str:
    return "next_wave" if ready(state.get("plan"), state.get("answers", [])) else "aggregate"


def _checked(state: State, config: RunnableConfig) -> str:
    nodes: Nodes = config["configurable"]["nodes"]
    if nodes.inbox and not state.get("hurried"):
        return "apply_instructions"
    effort = state.get("effort") or nodes.effort
    wanted = nodes.second_round and effort == "thorough" and state["verdict"].missing
    again = wanted and state["round"] == 1 and not state.get("hurried")
    return "extend" if again else "present"
