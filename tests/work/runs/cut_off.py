"""Runs that wait for ever in the middle, to be killed there."""

import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from core.bootstrap import flow
from core.domain import Edits, SubQuestion
from core.knowledge.base import KnowledgeBase
from core.llm.budget import Budget, BudgetedLLM
from core.llm.encoders.embedders import PackagedEmbedder
from core.ports import LLM
from core.settings import Settings
from core.tasks import Answer, Understand
from core.work.runs.runner import Request, Runner
from tests.making import library
from tests.work.rerun_setup import Counting


def _runner(base: KnowledgeBase, limit: Callable[..., LLM], plain: LLM) -> Runner:
    return Runner(
        base.runs, limit, plain, flow(Settings(), base, PackagedEmbedder(precision="float32")), lambda: ""
    )


def run_for_ever(folder: Path, told: Connection) -> None:
    """Ask over an empty library, and tell the run once its question is being understood."""
    from tests.work.runs.test_runner import Stuck

    base, llm = KnowledgeBase(folder, "none"), Stuck(Understand)
    runner = _runner(base, lambda stop, model: BudgetedLLM(llm, Budget(), stop), llm)
    run = runner.start(Request(question="Is it there?", effort="thorough"))
    assert llm.waiting.wait(30)
    told.send(run)
    time.sleep(60)


def rerun_for_ever(folder: Path, told: Connection) -> None:
    """Answer a question, work on it again, and tell both runs once the second writes its answer."""
    with library(folder, "The pump is made by Norvac.") as base:
        llm = Counting()
        runner = _runner(base, lambda stop, model: llm, llm)
        first = runner.start(Request(question="Who makes the pump?"))
        runner.wait(first, 30)
        llm.hold = Answer
        parts = (SubQuestion(id=1, question="Which firm makes the pump?"),)
        again = runner.rerun(first, Edits(parts=parts))
        assert llm.waiting.wait(30)
        told.send((first, again))
        time.sleep(60)
