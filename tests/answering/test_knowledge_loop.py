"""The knowledge-aware loop proposes, retrieves, selects and reads, and knows when to end."""

import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.answering.knowledge_loop import KnowledgeLoop
from core.domain import Atom, Distilled, Scope, identify
from core.knowledge.base import KnowledgeBase
from core.llm.ollama.client import OllamaLLM
from core.tasks import Proposals, Propose, Select, Selection
from core.trace import Proposed
from tests.doubles import ScriptedLLM
from tests.making import library, passage
from tests.ollama_brain import read_back
from tests.ollama_double import Asked, OllamaDouble

TEXTS = ("The pump is a DP-3.", "The DP-3 is made by Norvac.", "Norvac was founded in 1987.")


class Axes:
    """Finds vectors by a text's number among the atoms: near for "atom n?", far for anything else."""

    def vector(self, text: str) -> np.ndarray:
        vector = np.full(384, 0.01, np.float32)
        for n in range(len(TEXTS)):
            if f"{n}" in text:
                vector[n] = 1.0
        return vector / np.linalg.norm(vector)


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with library(tmp_path, *TEXTS) as base:
        atoms = tuple(
            Atom(id=identify("a", text), chunk_id=passage(text).chunk.id, kind="question", text=f"atom {n}?")
            for n, text in enumerate(TEXTS)
        )
        document = passage(TEXTS[0]).chunk.document_id
        base.enrich(document, Distilled(atoms=atoms), {"atoms": np.eye(len(TEXTS), 384, dtype=np.float32)})
        yield base


def loop(knowledge: KnowledgeBase, *lines, **numbers) -> tuple[KnowledgeLoop, ScriptedLLM]:
    llm = ScriptedLLM(*lines)
    return KnowledgeLoop(llm, knowledge, Axes(), **numbers), llm


def run_loop(made: KnowledgeLoop):
    events: list = []
    found = made.run("Q", Scope(), events.append, "en")
    return found, [event for event in events if isinstance(event, Proposed)]


FIRST = Selection(index=0, reason="nearest")
ENOUGH = Proposals(enough=True)
OVERRULED = "its bound is higher than that of the model's choice"


def test_what_several_proposals_find_was_weighed_more_often_in_the_first_round(knowledge):
    both = Proposals(questions=("about 0", "about 0 and 1"))
    even, _ = loop(knowledge, both, Selection(index=None), exploration=0.0)
    _, (plain,) = run_loop(even)
    assert dict(zip(plain.candidates, plain.visits, strict=True)) == {"atom 0?": 2, "atom 1?": 1}
    made, _ = loop(knowledge, both, Selection(index=None), exploration=1.0)
    _, (result,) = run_loop(made)
    terms = {
        one: bound - plain.scores[plain.candidates.index(one)]
        for one, bound in zip(result.candidates, result.scores, strict=True)
    }
    assert terms["atom 1?"] == pytest.approx(math.sqrt(math.log(3)), abs=1e-3)
    assert terms["atom 0?"] == pytest.approx(math.sqrt(math.log(3) / 2), abs=1e-3)


def test_each_round_reads_the_whole_chunk_of_the_chosen_atom(knowledge):
    made, llm = loop(
        knowledge, Proposals(questions=("about 0",)), FIRST, Proposals(questions=("about 1",)), FIRST, ENOUGH
    )
    found, rounds = run_loop(made)
    assert [p.chunk.text for p in found.passages] == list(TEXTS[:2])
    assert [event.reason for event in rounds] == ["nearest", "nearest", "enough is known"]
    assert rounds[0].candidates == ("atom 0?",)
    last = llm.asked[-1]
    assert isinstance(last, Propose)
    assert [e.text for e in last.context] == list(TEXTS[:2])
    assert last.asked == ("about 0", "about 1")


def test_a_chunk_is_not_read_twice(knowledge):
    made, _ = loop(
        knowledge,
        Proposals(questions=("about 0",)),
        FIRST,
        Proposals(questions=("about 0 and 2",)),
        FIRST,
        ENOUGH,
    )
    found, rounds = run_loop(made)
    assert [p.chunk.text for p in found.passages] == [TEXTS[0], TEXTS[2]]
    assert rounds[1].candidates == ("atom 2?",)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([Proposals()], "nothing was proposed"),
        ([Proposals(questions=("about 0",)), Selection(index=None, reason="none helps")], "none helps"),
        ([Proposals(questions=("about 0",)), Selection(index=9)], ""),
        ([Proposals(questions=("nothing near",))], "no candidate in the library"),
    ],
)
def test_it_ends_where_nothing_is_proposed_found_or_chosen(knowledge, lines, reason):
    made, _ = loop(knowledge, *lines)
    found, rounds = run_loop(made)
    assert found.passages == ()
    assert [event.reason for event in rounds] == [reason]


def test_it_ends_after_its_rounds(knowledge):
    made, llm = loop(knowledge, lambda task: FIRST if isinstance(task, Select) else _about(task), rounds=2)
    found, rounds = run_loop(made)
    assert len(found.passages) == len(rounds) == 2
    assert len(llm.asked) == 4


def _about(task: Propose) -> Proposals:
    return Proposals(questions=(f"about {len(task.context)}",))


def test_the_highest_bound_is_read_and_what_was_weighed_before_falls_behind(knowledge):
    both = Proposals(questions=("about 0", "about 1"))
    every = Proposals(questions=("about 0", "about 2"))
    second = Selection(index=1, reason="it says more")
    lines = [both, second, every, second, ENOUGH]
    found, rounds = run_loop(loop(knowledge, *lines, exploration=1.0)[0])
    assert found.passages[0].chunk.text == TEXTS[1]  # equal otherwise: the model's choice tells
    assert rounds[1].candidates == ("atom 2?", "atom 0?") and rounds[1].visits == (1, 2)
    assert rounds[1].scores[0] > rounds[1].scores[1]
    assert found.passages[1].chunk.text == TEXTS[2] and rounds[1].chosen == 0
    assert rounds[1].reason == OVERRULED
    flat_found, flat = run_loop(loop(knowledge, *lines, exploration=0.0)[0])
    assert flat_found.passages[1].chunk.id != flat_found.passages[0].chunk.id
    assert flat[1].chosen == 1 and flat[1].reason == "it says more"
    assert flat[1].scores[1] - flat[1].scores[0] == pytest.approx(KnowledgeLoop.liked, abs=1e-3)


def test_a_text_that_would_add_words_of_the_question_goes_before_one_that_would_not(knowledge):
    both = Proposals(questions=("about 0", "about 2"))
    made, _ = loop(knowledge, both, Selection(index=0), ENOUGH, liked=0.0)
    events: list = []
    found = made.run("When was the firm founded?", Scope(), events.append, "en")
    assert [passage.chunk.text for passage in found.passages] == [TEXTS[2]]


@pytest.mark.parametrize(("liked", "read", "reason"), [(0.4, 1, "it says more"), (0.3, 2, OVERRULED)])
def test_the_choice_of_a_served_model_is_one_arms_evidence_beside_the_bounds(
    knowledge, liked: float, read: int, reason: str
):
    """What was weighed before and not read falls behind, unless the choice is worth more; over the wire."""
    proposed = iter(("about 0 and 1", "about 1 and 2", ""))

    def brain(asked: Asked) -> str:
        task = read_back(asked.system, asked.user)
        if isinstance(task, Select):
            wanted = "atom 1?" if task.context else "atom 0?"
            return json.dumps({"index": task.candidates.index(wanted), "reason": "it says more"})
        question = next(proposed)
        return json.dumps({"questions": [question] if question else [], "enough": not question})

    with OllamaDouble(brain) as double:
        llm = OllamaLLM(double.host)
        made = KnowledgeLoop(llm, knowledge, Axes(), exploration=1.0, adds=0.0, liked=liked)
        found, rounds = run_loop(made)
    assert len(double.chats()) == 5
    assert rounds[0].candidates[rounds[0].chosen] == "atom 0?"
    assert dict(zip(rounds[1].candidates, rounds[1].visits, strict=True)) == {"atom 1?": 2, "atom 2?": 1}
    assert found.passages[1].chunk.text == TEXTS[read] and rounds[1].reason == reason
