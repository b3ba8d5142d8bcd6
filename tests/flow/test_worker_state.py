"""A worker is sent of the state what its node reads, and no more."""

import pytest

from core.bootstrap import flow
from core.flow.graph import NODES, PART_NEEDS, QUESTION_NEEDS
from core.llm.builtin import BuiltinLLM
from tests.flow.scripted import CHAIN, ScriptedTasks

ASKED = "Who makes the dry pump of ETCH-07?"
# Sent beside the needs: the part with what it builds on. A question's worker begins without evidence.
SENT = {"gather": {*QUESTION_NEEDS, "own"}, "work": {*PART_NEEDS, "part", "before"}}


class ReadKeys(dict[str, object]):
    """A state that keeps which of its keys are read."""

    def __init__(self, held: dict[str, object]) -> None:
        super().__init__(held)
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> object:
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: object = None) -> object:
        self.read.add(key)
        return super().get(key, default)


@pytest.mark.parametrize("name", SENT)
def test_a_worker_is_sent_exactly_what_its_node_reads(name, flow_run, library):
    state = flow_run(ScriptedTasks(Understand=CHAIN)).ask(ASKED, strategy="plan")
    compose = flow(library.settings, library.knowledge, library.embedder)
    part = state["plan"].parts[0]
    held = ReadKeys({**state, "part": part, "before": ()})
    NODES[name](compose(BuiltinLLM(), lambda event: None), held)  # type: ignore[arg-type]
    assert held.read == SENT[name]
