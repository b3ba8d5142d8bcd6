import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import BudgetExceeded, LLMUnavailable, Stopped
from core.llm.budget import Budget, BudgetedLLM
from core.llm.cache import CachedLLM
from core.llm.ollama.client import OllamaLLM
from core.tasks import Understand, Understood
from tests.doubles import Ear, MemoryCache, ScriptedLLM
from tests.ollama_double import Fault, OllamaDouble

SAID = '{"composite": true, "reason": "", "level": "L2", "parts": []}'
YES = Understood(level="L2", parts=(), composite=True)
GATE = Understand(question="?")


def test_used_up_calls_or_tokens_end_it_before_the_next_call():
    for budget, what in ((Budget(calls=2), "2 model calls"), (Budget(tokens=20), "20 tokens")):
        inner = ScriptedLLM(YES)
        llm = BudgetedLLM(inner, budget)
        llm.run(GATE, Understood)
        llm.run(GATE, Understood)
        with pytest.raises(BudgetExceeded, match=what):
            llm.run(GATE, Understood)
        assert len(inner.asked) == 2


def test_rules_and_kept_replies_cost_nothing():
    rules = BudgetedLLM(ScriptedLLM(YES, engine="built-in"), Budget(calls=1))
    kept = BudgetedLLM(CachedLLM(ScriptedLLM(YES), MemoryCache(), lambda task: "m"), Budget(calls=2))
    for _ in range(5):
        rules.run(GATE, Understood)
        kept.run(GATE, Understood)
    other = Understand(question="Another?")
    kept.run(other, Understood)
    with pytest.raises(BudgetExceeded):
        kept.run(Understand(question="A third?"), Understood)


def test_a_call_that_fails_is_counted():
    llm = BudgetedLLM(ScriptedLLM(LLMUnavailable("away")), Budget(calls=1))
    with pytest.raises(LLMUnavailable):
        llm.run(GATE, Understood)
    with pytest.raises(BudgetExceeded):
        llm.run(GATE, Understood)


def test_parallel_calls_cannot_overdraw_together():
    with OllamaDouble(brain=lambda asked: SAID, latency=0.05) as double:
        llm = BudgetedLLM(OllamaLLM(double.host, parallel=8), Budget(calls=5))

        def call(n: int) -> bool:
            try:
                return llm.run(Understand(question=f"{n}?"), Understood).composite
            except BudgetExceeded:
                return False

        with ThreadPoolExecutor(12) as pool:
            assert sum(pool.map(call, range(12))) == 5
        assert len(double.chats()) == 5


def test_seconds_end_a_call_that_is_under_way():
    with OllamaDouble(brain=lambda asked: SAID) as double:
        double.next(Fault("slow_first", seconds=20))
        llm = BudgetedLLM(OllamaLLM(double.host), Budget(seconds=0.4))
        with pytest.raises(BudgetExceeded, match=r"0\.4 seconds"):
            llm.run(GATE, Understood)
        with pytest.raises(BudgetExceeded):
            llm.check()


def test_stop_ends_the_call_under_way_and_every_later_one():
    stop = threading.Event()
    with OllamaDouble(brain=lambda asked: SAID) as double:
        double.next(Fault("slow_first", seconds=20))
        llm = BudgetedLLM(OllamaLLM(double.host), Budget(), stop)
        threading.Timer(0.2, stop.set).start()
        with pytest.raises(Stopped):
            llm.run(GATE, Understood)
        with pytest.raises(Stopped):
            llm.run(GATE, Understood)
        assert len(double.chats()) == 1


def test_the_listener_of_the_caller_is_still_heard_and_asked():
    ear = Ear(end=Stopped("enough"), after_checks=0)
    with pytest.raises(Stopped, match="enough"):
        BudgetedLLM(ScriptedLLM(YES), Budget()).run(GATE, Understood, ear)
