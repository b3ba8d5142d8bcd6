"""Calls are recorded where they are made: each is carried by one event of its own step."""

from concurrent.futures import ThreadPoolExecutor

from core.llm.call_log import ContextCallLog
from core.tasks import Proposals, Propose
from core.trace import StepFinished, StepStarted
from tests.doubles import ScriptedLLM


def asked(log: ContextCallLog, times: int) -> None:
    llm = log.around(ScriptedLLM(lambda task: Proposals(questions=("Who?",))))
    for _ in range(times):
        llm.run(Propose(question="?"), Proposals)


def test_every_call_of_a_step_is_told_once_and_listed():
    log, result = ContextCallLog(), []
    emit = log.recording(result.append)
    with log.step() as calls:
        emit(StepStarted(step="work"))
        asked(log, 2)
        emit(StepFinished(step="work"))
        emit(StepFinished(step="again"))
    assert [len(event.calls) for event in result] == [0, 2, 0]
    assert list(result[1].calls) == calls
    asked(log, 1)
    emit(StepFinished(step="outside"))
    assert len(calls) == 2 and result[-1].calls == ()


def test_steps_side_by_side_keep_their_own_calls():
    log = ContextCallLog()

    def step(times: int) -> int:
        with log.step() as calls:
            asked(log, times)
        return len(calls)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(step, range(8))) == list(range(8))
