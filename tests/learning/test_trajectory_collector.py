"""Attempts with context sampling are kept as they are made, and a collection resumes where it stopped."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.answering.knowledge_loop import KnowledgeLoop
from core.domain import Atom, Distilled, identify
from core.errors import TrainingError
from core.evaluation.answer_scores import answer_f1, exact_match
from core.knowledge.base import KnowledgeBase
from core.learning.exploration import Explorer
from core.learning.proposer_comparison import compare
from core.learning.trajectories import Known, read_trajectories
from core.learning.trajectory_collector import Collector, LoggedLoop
from core.llm.call_log import ContextCallLog
from core.tasks import NextQuestion, Proposals, Propose, ProposeNext, Select, Selection
from tests.doubles import ScriptedLLM
from tests.making import library, passage

TEXTS = tuple(f"Fact {n} of the pump." for n in range(6))
SHARES = (1.0, 0.5, 0.3, 0.3, 0.3, 0.2)  # how near each atom is to "about 0"


class Slopes:
    """Finds vectors by the number in a text; "about 0" is near atom 0 and less so to the others."""

    def vector(self, text: str) -> np.ndarray:
        vector = np.zeros(384, np.float32)
        number = next((n for n in range(len(TEXTS)) if str(n) in text), 0)
        if "about" in text:
            vector[: len(SHARES)] = np.roll(SHARES, number)
        else:
            vector[number] = 1.0
        return vector / np.linalg.norm(vector)


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with library(tmp_path / "library", *TEXTS) as base:
        atoms = tuple(
            Atom(id=identify("a", text), chunk_id=passage(text).chunk.id, kind="question", text=f"atom {n}?")
            for n, text in enumerate(TEXTS)
        )
        document = passage(TEXTS[0]).chunk.document_id
        base.enrich(document, Distilled(atoms=atoms), {"atoms": np.eye(len(TEXTS), 384, dtype=np.float32)})
        yield base


def chunk(number: int) -> str:
    return passage(TEXTS[number]).chunk.id


def say(task):
    """Propose "about 0" once and "about 1" then; choose the first; ask at once for a trained one."""
    match task:
        case Propose():
            return Proposals(questions=(f"about {len(task.asked)}",), enough=len(task.asked) >= 2)
        case ProposeNext():
            return NextQuestion(question="" if task.asked else "about 3", enough=bool(task.asked))
        case Select():
            return Selection(index=0)
    raise AssertionError(task)


def explorer(knowledge: KnowledgeBase, gold: int = 3) -> Explorer:
    """An explorer whose answer is right once the gold chunk was read."""
    return Explorer(
        llm=ScriptedLLM(say),
        knowledge=knowledge,
        vector=Slopes().vector,
        answer=lambda known, ids: "right" if chunk(gold) in ids else "wrong",
        judge=lambda said, golds: (exact_match(said, golds), answer_f1(said, golds)),
        threshold=0.6,
        wide_threshold=0.1,
        top_k=1,
        wide_k=6,
    )


def loop(knowledge: KnowledgeBase, **numbers) -> LoggedLoop:
    log = ContextCallLog()
    llm = log.around(ScriptedLLM(say))
    return LoggedLoop(KnowledgeLoop(llm, knowledge, Slopes(), top_k=1, threshold=0.6, **numbers), log)


KNOWN = Known(id="q", question="Q?", answers=("right",), gold=((chunk(3), "another chunk of it"),))


def test_what_is_not_among_the_best_enters_the_pool_and_one_of_it_is_read_besides(knowledge):
    made = explorer(knowledge)
    pool = made.pool()
    attempt = made.explore(KNOWN, 1, pool)
    first = attempt.rounds[0]
    assert first.proposals == ("about 0",)
    assert [found.chunk_id for found in first.candidates] == [chunk(0)]
    assert {found.chunk_id for found in first.spare} == {chunk(n) for n in range(1, 6)}
    assert first.sampled == chunk(1)  # the best score of those that entered
    assert [(read.chunk_id, read.sampled) for read in attempt.read[:2]] == [
        (chunk(0), False),
        (chunk(1), True),
    ]
    assert attempt.ended == "enough is known" and attempt.calls == 4
    assert min(pool.visits.values()) == 1 and pool.visits[chunk(1)] == 2
    again = made.pool([attempt])
    assert (again.scores, again.visits) == (pool.scores, pool.visits)


def test_many_attempts_find_a_path_that_the_greedy_one_misses(knowledge, tmp_path):
    collector = Collector(loop(knowledge), explorer(knowledge), tmp_path / "attempts.jsonl", attempts=6)
    attempts = list(collector.collect([KNOWN]))
    assert [attempt.attempt for attempt in attempts] == list(range(7))
    assert not attempts[0].right and attempts[0].collected == 0.0
    assert any(attempt.right and attempt.complete for attempt in attempts[1:])
    assert len({tuple(read.chunk_id for read in attempt.read) for attempt in attempts[1:]}) > 2
    assert read_trajectories(collector.file) == attempts


def test_a_collection_cut_off_goes_on_as_if_it_had_not_been(knowledge, tmp_path):
    whole = Collector(loop(knowledge), explorer(knowledge), tmp_path / "whole.jsonl", attempts=4)
    attempts = list(whole.collect([KNOWN]))
    cut = replace(whole, file=tmp_path / "cut.jsonl")
    under_way = cut.collect([KNOWN])
    for _ in range(3):
        next(under_way)
    with cut.file.open("ab") as half:
        half.write(b'{"question": {"id": "q", "que')
    assert list(cut.collect([KNOWN])) == attempts
    assert cut.file.read_bytes() == whole.file.read_bytes()


def test_a_question_set_with_duplicates_is_not_attempted(knowledge, tmp_path):
    collector = Collector(loop(knowledge), explorer(knowledge), tmp_path / "attempts.jsonl", attempts=1)
    with pytest.raises(TrainingError, match="are the same"):
        list(collector.collect([KNOWN, KNOWN]))
    assert not collector.file.exists()


def test_sampling_needs_a_wider_net_than_the_loop(knowledge):
    with pytest.raises(ValueError, match="K' > K"):
        replace(explorer(knowledge), wide_k=1)


def test_a_trained_decomposer_asks_in_one_call_and_is_compared_with_the_loop(knowledge):
    proposers = {"untrained": loop(knowledge), "trained": loop(knowledge, one_call=True)}
    found = compare(proposers, explorer(knowledge), [KNOWN])
    assert found["untrained"].collected == 0.0 and found["untrained"].f1 == 0.0
    assert found["trained"].collected == 1.0 and found["trained"].f1 == 1.0
    assert found["trained"].calls == 2.0 < found["untrained"].calls
