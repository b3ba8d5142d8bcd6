import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.domain import Evidence
from core.errors import LLMError, LLMUnavailable, ModelMissing, Stopped
from core.llm import prompting
from core.llm.cache import CachedLLM
from core.llm.ollama.client import OllamaLLM
from core.tasks import (
    Answer,
    Bridge,
    Bridged,
    Describe,
    Described,
    ProposeNext,
    Understand,
    Understood,
    Written,
)
from tests.doubles import Ear, MemoryCache
from tests.ollama_double import Asked, Fault, Model, OllamaDouble

GATED = '{"composite": true, "reason": "two hops", "level": "L2", "parts": []}'
EVIDENCE = tuple(
    Evidence(n=n, text=f"The pump number {n} is serviced every {n},000 hours in hall {n}. " * 5, source="SOP")
    for n in range(1, 13)
)


def saying(text: str):
    """Return a brain that always says this."""
    return lambda asked: text


def open_llm(double: OllamaDouble, **options) -> OllamaLLM:
    defaults = {"models": {"routing": "qwen3:4b", "generation": "qwen3:4b"}, "pause": 0.01}
    return OllamaLLM(double.host, **{**defaults, **options})


def test_a_structured_task_comes_back_in_its_type_with_the_story_of_the_call():
    with OllamaDouble(brain=saying(GATED)) as double:
        reply = open_llm(double).run(Understand(question="Who leads the maker of X?"), Understood)
    assert (reply.composite, reply.reason) == (True, "two hops")
    call = reply.call
    assert (call.task, call.engine, call.repairs, call.trimmed) == ("Understand", "qwen3:4b", 0, 0)
    assert call.tokens_in > 50 and call.tokens_out > 5 and call.seconds > 0
    assert "Who leads the maker of X?" in call.prompt
    assert call.prompt_hash == prompting.fingerprint(Understand, "en")
    assert (call.reply, call.notes, call.cached, call.fallback) == (GATED, (), False, "")


def test_the_request_holds_schema_window_length_seed_and_no_thinking():
    with OllamaDouble(brain=saying(GATED)) as double:
        open_llm(double, num_ctx=4096, num_predict=300, seed=3, keep_alive="1h").run(
            Understand(question="?"), Understood
        )
        body = double.chats()[0]
    assert body["options"] == {"num_ctx": 4096, "num_predict": 300, "temperature": 0.0, "seed": 3}
    assert (body["think"], body["stream"], body["keep_alive"]) == (False, True, "1h")
    assert body["format"]["required"] == list(Understood.model_json_schema()["properties"])
    assert "call" not in body["format"]["properties"]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


def test_a_model_that_cannot_stop_thinking_thinks_little():
    models = (Model("gpt-oss:20b", ("completion", "thinking")),)
    with OllamaDouble(brain=saying(GATED), models=models) as double:
        open_llm(double, models={}).run(Understand(question="?"), Understood)
        assert double.chats()[0]["think"] == "low"


def test_prose_is_heard_as_it_comes_and_asked_for_without_a_schema():
    ear = Ear()
    statement = "泵每2000小时保养一次 [1]。Nothing else is known."
    with OllamaDouble(brain=saying(statement), piece_chars=5) as double:
        reply = open_llm(double).run(Answer(question="?", evidence=EVIDENCE[:1]), Written, ear)
        assert "format" not in double.chats()[0]
    assert reply.text == ear.text == statement
    assert len(ear.pieces) > 3


def test_roles_without_a_model_get_what_is_there_and_never_an_embedding_model():
    with OllamaDouble(brain=saying(GATED)) as double:
        assert open_llm(double, models={}).run(Understand(question="?"), Understood).call.engine == "qwen3:4b"
        vision = open_llm(double, models={}).model("vision")
    assert vision == "llava:7b"


def test_pictures_go_to_a_model_that_can_see():
    seen = []

    def look(asked: Asked) -> str:
        seen.append(asked.images)
        return '{"text": "A pump."}'

    with OllamaDouble(brain=look) as double:
        reply = open_llm(double, models={}).run(Describe(image="aGVsbG8="), Described)
    assert (reply.text, reply.call.engine, seen) == ("A pump.", "llava:7b", [("aGVsbG8=",)])


def test_without_a_model_that_can_see_the_error_says_what_to_get():
    with (
        OllamaDouble(models=(Model("qwen3:4b"),)) as double,
        pytest.raises(ModelMissing, match="can read pictures") as caught,
    ):
        open_llm(double, models={}).run(Describe(image="aGVsbG8="), Described)
    assert "ollama pull" in caught.value.hint


def test_a_model_that_is_not_there_is_named_with_the_command_that_gets_it():
    with OllamaDouble() as double, pytest.raises(ModelMissing, match="nope:7b") as caught:
        open_llm(double, models={"routing": "nope:7b"}).run(Understand(question="?"), Understood)
    assert "ollama pull nope:7b" in caught.value.hint


def test_evidence_that_does_not_fit_is_left_out_from_the_end_and_counted():
    seen = []

    def read(asked: Asked) -> str:
        seen.append(asked.user)
        return '{"parts": [{"id": 1, "answer": "every 1,000 hours", "citations": [1], "found": true}]}'

    with OllamaDouble(brain=read) as double:
        llm = open_llm(double, num_ctx=2048, num_predict=512)
        call = llm.run(Bridge(question="How often?", evidence=EVIDENCE), Bridged).call
    assert 0 < call.trimmed < 12
    assert f"<<<[{12 - call.trimmed}] " in seen[0]
    assert f"<<<[{13 - call.trimmed}] " not in seen[0]
    assert "How often?" in seen[0]
    assert "did not fit" in call.notes[0]
    assert call.tokens_in < 1536


def test_a_question_too_long_for_the_window_is_refused_before_it_is_sent():
    with OllamaDouble() as double:
        with pytest.raises(LLMError, match="window leaves") as caught:
            open_llm(double, num_ctx=1024).run(Understand(question="why " * 5000), Understood)
        assert not double.chats()
    assert "STRATA_LLM__NUM_CTX" in caught.value.hint


def test_a_prompt_the_server_cuts_is_noticed():
    with OllamaDouble(brain=saying('{"parts": []}'), window=1024) as double:
        llm = open_llm(double, num_ctx=4096)
        call = llm.run(Bridge(question="?", evidence=EVIDENCE), Bridged).call
    assert call.tokens_in == 1024 - (1024 - 4) // 2
    assert any("cut the prompt" in note for note in call.notes)


def test_the_window_stays_the_same_for_every_task_so_that_the_model_is_loaded_once():
    with OllamaDouble(brain=lambda asked: GATED if asked.format else "x") as double:
        llm = open_llm(double, models={})
        llm.run(Understand(question="Who?"), Understood)
        llm.run(Understand(question="Who else?"), Understood)
        llm.run(Answer(question="Who?", evidence=EVIDENCE[:2]), Written)
        assert (double.reloads, double.loaded) == (0, {"qwen3:4b": 8192})


def test_stop_works_before_the_first_word_and_the_server_notices():
    ear = Ear(end=Stopped("stopped"), after_checks=3)
    with OllamaDouble(brain=saying(GATED)) as double:
        double.next(Fault("slow_first", seconds=20))
        began = time.monotonic()
        with pytest.raises(Stopped):
            open_llm(double).run(Understand(question="?"), Understood, ear)
        assert time.monotonic() - began < 1.5
        wait_until(lambda: double.cancelled == 1)
    assert not any(t.name == "ollama-stream" for t in threading.enumerate())


def test_stop_works_while_the_server_does_not_even_name_its_models():
    ear = Ear(end=Stopped("stopped"), after_checks=2)
    with OllamaDouble(brain=saying(GATED), tags_latency=20) as double:
        llm = open_llm(double, models={})
        began = time.monotonic()
        with pytest.raises(Stopped):
            llm.run(Understand(question="?"), Understood, ear)
        with pytest.raises(Stopped):
            CachedLLM(llm, MemoryCache(), llm.version).run(Understand(question="?"), Understood, ear)
        assert time.monotonic() - began < 1.5


def test_the_listener_is_asked_at_least_every_fifth_of_a_second():
    ear = Ear()
    with OllamaDouble(brain=saying(GATED), latency=0.7) as double:
        open_llm(double).run(Understand(question="?"), Understood, ear)
    gaps = [b - a for a, b in zip(ear.checks, ear.checks[1:], strict=False)]
    assert len(gaps) >= 4
    assert statistics.median(gaps) < 0.2 and max(gaps) < 0.6  # a busy machine may be late once


def test_stop_in_the_middle_of_prose_keeps_what_was_heard():
    class Impatient(Ear):
        def check(self) -> None:
            if len(self.text) > 20:
                raise Stopped("stopped")

    ear = Impatient()
    with OllamaDouble(brain=saying("word " * 200), piece_latency=0.02) as double:
        with pytest.raises(Stopped):
            open_llm(double).run(Answer(question="?"), Written, ear)
        wait_until(lambda: double.cancelled == 1)
    assert 20 < len(ear.text) < 500


def test_no_more_calls_run_at_once_than_allowed():
    with OllamaDouble(brain=saying(GATED), latency=0.15) as double:
        llm = open_llm(double, parallel=2)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: llm.run(Understand(question=f"{n}?"), Understood), range(8)))
        assert double.busiest == 2


def test_a_call_that_waits_for_its_turn_can_be_stopped():
    with OllamaDouble(brain=saying(GATED)) as double:
        double.next(Fault("slow_first", seconds=1.0))
        llm = open_llm(double, parallel=1)
        first = threading.Thread(target=llm.run, args=(Understand(question="1?"), Understood))
        first.start()
        wait_until(lambda: double.busy == 1)
        with pytest.raises(Stopped):
            llm.run(Understand(question="2?"), Understood, Ear(end=Stopped("stopped"), after_checks=2))
        assert len(double.chats()) == 1
        first.join()
        llm.run(Understand(question="3?"), Understood)  # the place was given back


def test_nothing_at_the_address_is_said_at_once():
    began = time.monotonic()
    with pytest.raises(LLMUnavailable, match="Nothing answers"):
        OllamaLLM("127.0.0.1:9", {"routing": "x"}, pause=0.01).run(Understand(question="?"), Understood)
    assert time.monotonic() - began < 2


def test_the_version_names_weights_wording_and_options_and_is_empty_without_a_server():
    with OllamaDouble() as double:
        llm = open_llm(double)
        gate, route = llm.version(Understand(question="?")), llm.version(ProposeNext(question="?"))
        assert double.find("qwen3:4b").digest in gate
        assert gate != route
        assert gate != open_llm(double, temperature=0.5).version(Understand(question="?"))
        assert gate == llm.version(Understand(question="another"))
    assert OllamaLLM("127.0.0.1:9", {"routing": "x"}).version(Understand(question="?")) == ""


def wait_until(true, seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
