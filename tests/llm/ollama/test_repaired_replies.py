"""A reply that cannot be read as it is: unwrapped, asked for again once, or reported."""

import pytest

from core.errors import LLMError, LLMUnavailable, MalformedReply, SettingsError
from core.llm.ollama.client import OllamaLLM
from core.tasks import Answer, Written
from tests.doubles import Ear
from tests.llm.ollama.gating import GATED, PROSE, brain, gate, open_llm
from tests.ollama_double import Asked, Fault, Model, OllamaDouble


@pytest.mark.parametrize("kind", ["fenced", "think_in_content"])
def test_wrapping_is_taken_off_without_asking_again(double, kind):
    double.next(kind)
    reply = gate(open_llm(double))
    assert reply.composite
    assert reply.call.repairs == 0
    assert len(double.chats()) == 1


@pytest.mark.parametrize(
    "kind", ["length_cut", "prose_instead", "wrong_schema", "empty", "only_thinking", "flood"]
)
def test_a_reply_that_cannot_be_read_is_mended_once_with_what_was_wrong(double, kind):
    double.next(kind)
    call = gate(open_llm(double)).call
    assert call.repairs == 1
    first, second = double.chats()
    assert [m["role"] for m in second["messages"]] == ["system", "user", "assistant", "user"]
    assert "cannot be used" in second["messages"][3]["content"]
    assert second["messages"][:2] == first["messages"]


def test_the_mending_says_what_is_wrong_and_gives_a_cut_reply_more_room(double):
    double.next("wrong_schema", "prose_instead", "length_cut")
    llm = open_llm(double, num_predict=200)
    with pytest.raises(MalformedReply, match="no JSON object"):
        gate(llm)
    assert "parts: Field required" in double.chats()[1]["messages"][3]["content"]
    gate(llm)
    cut, mended = double.chats()[2:]
    assert "cut off for its length" in mended["messages"][3]["content"]
    assert (cut["options"]["num_predict"], mended["options"]["num_predict"]) == (200, 400)
    assert cut["options"]["num_ctx"] == mended["options"]["num_ctx"]


def test_two_useless_replies_are_a_malformed_reply_and_no_third_try(double):
    double.next("prose_instead", "only_thinking")
    with pytest.raises(MalformedReply, match="Understand, twice: it was thought about"):
        gate(open_llm(double))
    assert len(double.chats()) == 2


def test_a_flood_of_white_space_is_turned_off_and_noted(double):
    double.next("flood")
    call = gate(open_llm(double)).call
    assert any("white space" in note for note in call.notes)
    assert double.cancelled <= 1


def test_thoughts_in_prose_are_never_heard(double):
    double.next("think_in_content")
    double.piece_chars = 3
    ear = Ear()
    reply = open_llm(double).run(Answer(question="?"), Written, ear)
    assert reply.text == ear.text == PROSE


@pytest.mark.parametrize("kind", ["error_mid_stream", "no_done"])
def test_prose_that_was_heard_is_not_said_twice(double, kind):
    double.next(Fault(kind, after=3))
    ear = Ear()
    with pytest.raises(LLMUnavailable):
        open_llm(double).run(Answer(question="?"), Written, ear)
    assert PROSE.startswith(ear.text) and ear.text
    assert len(double.chats()) == 1


def test_empty_prose_is_asked_for_again(double):
    double.next("empty")
    ear = Ear()
    reply = open_llm(double).run(Answer(question="?"), Written, ear)
    assert (reply.text, ear.text, reply.call.repairs) == (PROSE, PROSE, 1)


def test_prose_cut_for_its_length_is_kept_and_noted(double):
    double.next("length_cut")
    reply = open_llm(double).run(Answer(question="?"), Written)
    assert PROSE.startswith(reply.text)
    assert any("cut off" in note for note in reply.call.notes)


def test_lines_cut_anywhere_even_inside_a_character_arrive_whole(double):
    text = "良率为 93.1 % – température 20 °C 🙂 [1]. " * 20
    double.brain = lambda asked: text
    double.piece_chars = 1
    assert open_llm(double).run(Answer(question="?"), Written).text == text.strip()


def test_an_old_server_without_done_reason_and_capabilities_is_understood():
    with OllamaDouble(brain=brain, old=True) as double:
        llm = open_llm(double)
        assert gate(llm).composite
        assert llm.model("generation") == "qwen3:4b"


def test_thinking_that_comes_apart_from_the_content_is_left_out():
    def always_on(asked: Asked) -> str:
        return GATED

    with OllamaDouble(brain=always_on, models=(Model("gpt-oss:20b", ("completion", "thinking")),)) as double:
        assert gate(open_llm(double)).composite


def test_one_fault_in_five_calls_at_random_still_gives_replies_or_named_errors():
    with OllamaDouble(brain=brain, fault_rate=0.2, seed=11) as double:
        llm = open_llm(double)
        done = failed = 0
        for _ in range(40):
            try:
                done += gate(llm).composite
            except LLMError:
                failed += 1
    assert done >= 34 and done + failed == 40


def test_only_http_and_https_are_spoken():
    for host in (
        "file:///etc/passwd",
        "ftp://127.0.0.1",
        "http://user:word@127.0.0.1",
        "http://127.0.0.1:99999",
    ):
        with pytest.raises(SettingsError):
            OllamaLLM(host)
