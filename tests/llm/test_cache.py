import pytest

from core.errors import LLMUnavailable
from core.llm.cache import CachedLLM, InMemoryCachedLLM
from core.llm.fallback import FallbackLLM
from core.llm.ollama.client import OllamaLLM
from core.tasks import Answer, Enrich, Enriched, Task, Understand, Understood, Written
from tests.doubles import Ear, MemoryCache, ScriptedLLM
from tests.ollama_double import Model, OllamaDouble

YES = Understood(level="L2", parts=(), composite=True, reason="两步")
NO = Understood(level="L2", parts=(), composite=False)
GATE = Understand(question="?")


def one(task: Task) -> str:
    return "model@1"


def test_the_same_task_is_done_once():
    inner = ScriptedLLM(YES, NO)
    llm = CachedLLM(inner, MemoryCache(), one)
    first, second = llm.run(GATE, Understood), llm.run(GATE, Understood)
    assert (first.composite, first.reason) == (second.composite, second.reason) == (True, "两步")
    assert (first.call.cached, second.call.cached) == (False, True)
    assert second.call.engine == "scripted"
    assert len(inner.asked) == 1


def test_a_kept_reply_does_not_tell_of_the_failures_of_the_first_again():
    with OllamaDouble() as double:
        double.next("no_done")
        llm = CachedLLM(OllamaLLM(double.host, pause=0.01), MemoryCache(), one)
        first, second = llm.run(GATE, Understood), llm.run(GATE, Understood)
    assert (first.call.failed, second.call.failed) == (1, 0)


def test_another_task_or_another_model_is_done_anew():
    inner = ScriptedLLM(YES, NO, YES, NO)
    cache = MemoryCache()
    llm = CachedLLM(inner, cache, one)
    llm.run(GATE, Understood)
    llm.run(Understand(question="??"), Understood)
    llm.run(Understand(question="?", language="zh"), Understood)
    CachedLLM(inner, cache, lambda task: "model@2").run(GATE, Understood)
    assert len(inner.asked) == 4


def test_failures_and_fallbacks_and_rules_are_not_kept():
    cache = MemoryCache()
    failing = ScriptedLLM(LLMUnavailable("away"))
    with pytest.raises(LLMUnavailable):
        CachedLLM(failing, cache, one).run(GATE, Understood)
    CachedLLM(FallbackLLM(failing, then=ScriptedLLM(NO, engine="other")), cache, one).run(GATE, Understood)
    CachedLLM(ScriptedLLM(YES, engine="built-in"), cache, one).run(GATE, Understood)
    assert not cache.kept


def test_while_the_weights_are_not_known_nothing_is_kept_or_looked_up():
    cache = MemoryCache()
    inner = ScriptedLLM(YES)
    llm = CachedLLM(inner, cache, lambda task: "")
    llm.run(GATE, Understood)
    llm.run(GATE, Understood)
    assert len(inner.asked) == 2 and not cache.kept


def test_kept_prose_is_heard_at_once():
    llm = CachedLLM(ScriptedLLM(Written(text="It is old.")), MemoryCache(), one)
    llm.run(Answer(question="?"), Written)
    ear = Ear()
    assert llm.run(Answer(question="?"), Written, ear).call.cached
    assert ear.text == "It is old."


def test_what_cannot_be_read_any_more_is_done_anew():
    cache = MemoryCache()
    llm = CachedLLM(ScriptedLLM(YES, NO), cache, one)
    llm.run(GATE, Understood)
    cache.kept = dict.fromkeys(cache.kept, b"{}")
    assert not llm.run(GATE, Understood).composite


def test_new_weights_under_an_old_name_do_not_get_old_replies():
    cache = MemoryCache()
    for window in (4096, 8192):  # another digest
        with OllamaDouble(brain=lambda asked: '{"level": "L2", "parts": []}') as double:
            double.models = (Model("qwen3:4b", window=window),)
            ollama = OllamaLLM(double.host)
            llm = CachedLLM(ollama, cache, ollama.version)
            assert not llm.run(GATE, Understood).call.cached
            assert llm.run(GATE, Understood).call.cached
            assert len(double.chats()) == 1
    assert len(cache.kept) == 2


def test_replies_of_rules_are_kept_in_memory_and_the_longest_unused_goes_first():
    inner = ScriptedLLM(
        lambda task: Understood(level="L2", parts=(), composite=task.question == "1"), engine="built-in"
    )
    llm = InMemoryCachedLLM(inner, most=2)
    for question in ("1", "2", "1", "3", "1", "2"):
        reply = llm.run(Understand(question=question), Understood)
        assert reply.composite is (question == "1")
    assert [task.question for task in inner.asked] == ["1", "2", "3", "2"]
    assert llm.run(Understand(question="2"), Understood).call.cached
    llm.forget()
    assert not llm.run(Understand(question="2"), Understood).call.cached


def test_what_rules_read_in_a_document_is_not_kept_and_kept_prose_is_heard():
    inner = ScriptedLLM(Enriched(), engine="built-in")
    llm = InMemoryCachedLLM(inner)
    for _ in range(2):
        assert not llm.run(Enrich(title=""), Enriched).call.cached
    reply = InMemoryCachedLLM(ScriptedLLM(Written(text="It is old."), engine="built-in"))
    reply.run(Answer(question="?"), Written)
    ear = Ear()
    assert reply.run(Answer(question="?"), Written, ear).call.cached
    assert ear.text == "It is old."
