import pytest

from core.errors import (
    BudgetExceeded,
    LLMInterrupted,
    LLMTimeout,
    LLMUnavailable,
    MalformedReply,
    ModelMissing,
    Stopped,
)
from core.llm.fallback import FallbackLLM
from core.llm.ollama.client import OllamaLLM
from core.tasks import Answer, Understand, Understood, Written
from tests.doubles import Ear, ScriptedLLM
from tests.ollama_double import Fault, OllamaDouble

YES, NO = Understood(level="L2", parts=(), composite=True), Understood(level="L2", parts=(), composite=False)
GATE = Understand(question="?")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_preferred_one_answers_and_nothing_is_said():
    llm = FallbackLLM(ScriptedLLM(YES, engine="big"), then=ScriptedLLM(NO))
    reply = llm.run(GATE, Understood)
    assert (reply.composite, reply.call.engine, reply.call.fallback) == (True, "big", "")


def test_the_other_one_answers_and_says_why():
    broken = ScriptedLLM(MalformedReply("it sang"))
    reply = FallbackLLM(broken, then=ScriptedLLM(NO, engine="built-in")).run(GATE, Understood)
    assert (reply.composite, reply.call.engine, reply.call.fallback) == (False, "built-in", "it sang")


@pytest.mark.parametrize("error", [Stopped("stop"), BudgetExceeded("spent")])
def test_what_ends_a_run_is_not_answered_by_anybody(error):
    then = ScriptedLLM(NO)
    with pytest.raises(type(error)):
        FallbackLLM(ScriptedLLM(error), then=then).run(GATE, Understood)
    assert not then.asked


@pytest.mark.parametrize("error", [LLMUnavailable("away"), LLMTimeout("silent")])
def test_a_server_that_is_away_is_left_alone_for_a_while_and_then_tried_by_one(error):
    clock = Clock()
    prefer = ScriptedLLM(error, YES)
    llm = FallbackLLM(prefer, then=ScriptedLLM(NO), cooldown=10, clock=clock)
    assert llm.run(GATE, Understood).call.fallback == str(error)
    clock.now = 9.0
    assert llm.run(GATE, Understood).call.fallback == f"{error} (it is asked again in 1 s)"
    assert len(prefer.asked) == 1
    clock.now = 10.5
    assert llm.run(GATE, Understood).composite
    assert llm.run(GATE, Understood).call.fallback == ""
    assert len(prefer.asked) == 3


def test_while_one_tries_the_server_again_the_others_do_not():
    clock = Clock()
    llm: FallbackLLM

    def meanwhile(task: Understand) -> Understood:
        inner.append(llm.run(GATE, Understood))
        return YES

    inner: list[Understood] = []
    prefer = ScriptedLLM(LLMUnavailable("away"), meanwhile, YES)
    llm = FallbackLLM(prefer, then=ScriptedLLM(NO), cooldown=10, clock=clock)
    llm.run(GATE, Understood)
    clock.now = 11
    assert llm.run(GATE, Understood).composite
    assert not inner[0].composite


@pytest.mark.parametrize("error", [ModelMissing("no such"), MalformedReply("it sang")])
def test_a_fault_of_one_task_does_not_close_the_server(error):
    prefer = ScriptedLLM(error, YES)
    llm = FallbackLLM(prefer, then=ScriptedLLM(NO), cooldown=10)
    assert llm.run(GATE, Understood).call.fallback
    assert llm.run(GATE, Understood).composite


def test_after_a_broken_stream_the_other_text_is_in_the_reply_and_not_mixed_into_what_was_heard():
    ear = Ear()
    with OllamaDouble(brain=lambda asked: "The pump is old and loud and must go.") as double:
        double.next(Fault("no_done", after=2))
        llm = FallbackLLM(
            OllamaLLM(double.host, pause=0.01), then=ScriptedLLM(Written(text="It is old [1]."))
        )
        reply = llm.run(Answer(question="?"), Written, ear)
    assert reply.text == "It is old [1]."
    assert "ended its reply" in reply.call.fallback
    assert "The pump is old".startswith(ear.text[:15]) and "[1]" not in ear.text


def test_without_a_stream_the_other_one_is_heard():
    ear = Ear()
    llm = FallbackLLM(ScriptedLLM(LLMUnavailable("away")), then=ScriptedLLM(Written(text="It is old.")))
    llm.run(Answer(question="?"), Written, ear)
    assert ear.text == "It is old."


def test_a_reply_that_breaks_off_closes_the_server_only_if_it_is_the_third_in_a_row():
    broken = LLMInterrupted("broke off")
    prefer = ScriptedLLM(
        broken, broken, YES, broken, broken, MalformedReply("it sang"), broken, broken, broken
    )
    llm = FallbackLLM(prefer, then=ScriptedLLM(NO), cooldown=10, clock=Clock())
    reasons = [llm.run(GATE, Understood).call.fallback for _ in range(10)]
    assert reasons[:3] == ["broke off", "broke off", ""]
    assert reasons[3:9] == ["broke off", "broke off", "it sang", "broke off", "broke off", "broke off"]
    assert reasons[9] == "broke off (it is asked again in 10 s)"
    assert len(prefer.asked) == 9


def test_every_conversation_that_came_to_nothing_is_counted_in_the_reply():
    result = '{"composite": true, "reason": "", "level": "L2", "parts": []}'
    with OllamaDouble(brain=lambda asked: result) as double:
        llm = FallbackLLM(OllamaLLM(double.host, pause=0.01), then=ScriptedLLM(NO))
        for faults in (
            (), ("no_done",), ("prose_instead",), ("died", "wrong_schema"), ("empty", "queue_full"),
            ("no_done", "died"), ("empty", "garbage"), ("prose_instead", "no_done", "empty"),
            ("unauthorised",),
        ):  # fmt: skip
            seen = len(double.chats())
            double.next(*faults)
            call = llm.run(GATE, Understood).call
            assert call.failed == len(faults), (faults, call)
            assert len(double.chats()) - seen == call.failed + (0 if call.fallback else 1)
