"""The double keeps to the protocol: asked with the plain client and with plain HTTP."""

import json
import signal
import subprocess
import sys

import httpx
import numpy as np
import ollama
import pytest

from core.llm.builtin import BuiltinLLM
from core.llm.ollama.client import OllamaLLM
from tests.conftest import ROOT
from tests.llm.test_prompting import sample
from tests.ollama_brain import tasks
from tests.ollama_double import Asked, Fault, Model, OllamaDouble


def echo(asked: Asked) -> str:
    return f"{asked.system}/{asked.user}"


@pytest.fixture
def double():
    with OllamaDouble(brain=echo, pullable=("llama3.2",)) as running:
        yield running


def post(double: OllamaDouble, path: str, body: object) -> httpx.Response:
    return httpx.post(double.host + path, json=body, trust_env=False)


def chat(double: OllamaDouble, user: str, **more: object) -> httpx.Response:
    body = {"model": "qwen3:4b", "messages": [{"role": "user", "content": user}], **more}
    return post(double, "/api/chat", body)


def test_the_plain_client_talks_to_it(double):
    client = ollama.Client(double.host, trust_env=False)
    with client:
        assert client.chat("llava:7b", [{"role": "user", "content": "hi"}]).message.content == "/hi"
        assert client.generate("llava:7b", "hi", system="be").response == "be/hi"
        assert [model.model for model in client.list().models][1] == "qwen3:4b"
        assert client.show("llava:7b").capabilities == ["completion", "vision"]
        assert client.embed("all-minilm", ["a", "b"]).embeddings[0] != []


@pytest.mark.parametrize(
    ("path", "body", "status", "text"),
    [
        ("/api/chat", {"model": "nope", "messages": []}, 404, "model 'nope' not found"),
        ("/api/chat", {"messages": []}, 400, "model is required"),
        ("/api/chat", {"model": "all-minilm"}, 400, '"all-minilm" does not support chat'),
        ("/api/chat", {"model": "llava:7b", "think": True}, 400, '"llava:7b" does not support thinking'),
        ("/api/show", {"model": "nope"}, 404, "model 'nope:latest' not found"),
        ("/api/embed", {"model": "nope"}, 404, 'model "nope" not found, try pulling it first'),
        ("/api/embed", {"model": "all-minilm", "input": [1]}, 400, "invalid input type"),
        ("/api/chat", {"model": "qwen3:4b", "format": "xml"}, 500, 'invalid format: "xml"; expected'),
    ],
)
def test_each_route_refuses_in_its_own_words(double, path, body, status, text):
    response = post(double, path, body)
    assert response.status_code == status
    assert response.json()["error"].startswith(text)


def test_other_routes_methods_and_hosts(double):
    def get(path: str, **more: object) -> httpx.Response:
        return httpx.get(double.host + path, trust_env=False, **more)

    assert get("/").text == "Ollama is running"
    assert get("/api/nope").status_code == 404
    assert get("/api/chat").status_code == 405
    assert get("/", headers={"Host": "evil.example:80"}).status_code == 403
    assert get("/api/version").json() == {"version": "0.33.0"}
    assert httpx.post(double.host + "/api/chat", trust_env=False).json() == {"error": "missing request body"}


def test_a_chat_streams_unless_told_otherwise_and_thinks_unless_told_otherwise(double):
    response = chat(double, "a<b>&c")
    assert response.headers["content-type"] == "application/x-ndjson"
    assert "\\u003c" in response.text
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert "".join(line["message"].get("thinking", "") for line in lines)
    assert "".join(line["message"]["content"] for line in lines) == "/a<b>&c"
    assert lines[-1]["done"] and lines[-1]["done_reason"] == "stop"
    quiet = chat(double, "x", think=False, stream=False).json()
    assert "thinking" not in quiet["message"] and quiet["done"]


def test_no_messages_load_and_unload(double):
    loaded = post(double, "/api/chat", {"model": "qwen3:4b"}).json()
    assert (loaded["done_reason"], loaded["message"]["content"]) == ("load", "")
    gone = post(double, "/api/chat", {"model": "qwen3:4b", "keep_alive": 0}).json()
    assert gone["done_reason"] == "unload"


def test_a_prompt_over_the_window_loses_its_beginning_silently(double):
    reply = chat(
        double, "START " + "word " * 2000 + "END", think=False, stream=False, options={"num_ctx": 1024}
    )
    assert reply.status_code == 200
    assert reply.json()["prompt_eval_count"] == 1024 - (1024 - 4) // 2
    content = reply.json()["message"]["content"]
    assert "START" not in content and content.endswith("END")


def test_another_window_loads_the_model_anew(double):
    for window in (2048, 2048, 4096, 4096, 2048):
        chat(double, "x", options={"num_ctx": window})
    assert double.reloads == 2
    running = httpx.get(double.host + "/api/ps", trust_env=False).json()["models"]
    assert running[0]["context_length"] == 2048 and running[0]["expires_at"]


def test_vectors_are_normalised_fixed_and_cut_then_normalised(double):
    def embed(**more: object) -> np.ndarray:
        body = {"model": "all-minilm", "input": ["a pump", "a pump", "etching"], **more}
        return np.array(post(double, "/api/embed", body).json()["embeddings"])

    whole, short = embed(), embed(dimensions=64)
    assert whole.shape == (3, 384) and short.shape == (3, 64)
    assert np.allclose(np.linalg.norm(whole, axis=1), 1, atol=1e-5)
    assert np.allclose(np.linalg.norm(short, axis=1), 1, atol=1e-5)
    assert np.array_equal(whole[0], whole[1]) and not np.allclose(whole[0], whole[2])
    assert post(double, "/api/embed", {"model": "all-minilm", "input": ""}).json()["embeddings"] == []
    old = post(double, "/api/embeddings", {"model": "all-minilm", "prompt": "a pump"}).json()["embedding"]
    assert np.linalg.norm(old) == pytest.approx(3, abs=1e-3)


def test_one_bad_text_fails_the_whole_batch(double):
    double.poison = "NaN"
    bad = post(double, "/api/embed", {"model": "all-minilm", "input": ["good", "NaN"]})
    assert (bad.status_code, bad.json()["error"]) == (400, "embedding contains NaN or Inf values")
    long = {"model": "all-minilm", "input": ["good", "word " * 2000], "truncate": False}
    assert "exceeds the context length" in post(double, "/api/embed", long).json()["error"]


def test_an_unknown_model_is_pulled_with_status_200_and_an_error_line(double):
    response = post(double, "/api/pull", {"model": "nope"})
    assert response.status_code == 200
    assert json.loads(response.text.splitlines()[-1]) == {"error": "pull model manifest: file does not exist"}
    assert post(double, "/api/pull", {"model": "llama3.2", "stream": False}).json() == {"status": "success"}


def test_delete_takes_a_model_away(double):
    url = double.host + "/api/delete"
    gone = httpx.request("DELETE", url, json={"model": "qwen3:4b"}, trust_env=False)
    assert (gone.status_code, gone.text) == (200, "")
    assert httpx.request("DELETE", url, json={"model": "qwen3:4b"}, trust_env=False).status_code == 404


def test_an_old_server_says_less():
    with OllamaDouble(brain=echo, old=True, models=(Model("llama2:latest"),)) as double:
        tags = httpx.get(double.host + "/api/tags", trust_env=False).json()["models"][0]
        assert "capabilities" not in tags
        body = {"model": "llama2", "messages": [{"role": "user", "content": "x"}], "stream": False}
        reply = post(double, "/api/chat", body).json()
        assert "done_reason" not in reply and reply["message"]["images"] is None
        assert double.loaded == {"llama2:latest": 2048}


def test_an_error_in_mid_stream_has_status_200_and_no_done(double):
    double.next(Fault("error_mid_stream", after=1))
    response = chat(double, "a long enough question to be said in several pieces", think=False)
    assert response.status_code == 200
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert "unexpected EOF" in lines[-1]["error"]
    assert not any(line.get("done") for line in lines)


def test_faults_at_random_come_again_with_the_same_seed():
    def run() -> list[int]:
        with OllamaDouble(brain=echo, fault_rate=0.5, fault_kinds=("queue_full",), seed=3) as double:
            return [chat(double, "x").status_code for _ in range(12)]

    first = run()
    assert first == run() and set(first) == {200, 503}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", tasks(), ids=lambda kind: kind.__name__)
def test_its_default_brain_does_every_task_of_strata_at_the_first_try(kind, language, thinking):
    task = sample(kind, language)
    reply = thinking.run(task, kind.reply)
    rule = BuiltinLLM().run(task, kind.reply)
    if kind.prose:  # the rules say more than the text, a model does not
        assert reply.text == rule.text.strip()
    else:
        assert reply.model_dump() == rule.model_dump()
    assert (reply.call.engine in ("qwen3:4b", "llava:7b"), reply.call.repairs) == (True, 0)


@pytest.fixture(scope="module")
def thinking():
    with OllamaDouble() as running:
        yield OllamaLLM(running.host)


def test_it_can_be_started_from_a_terminal():
    command = [sys.executable, "-m", "tests.ollama_double", "--port", "0", "--fault-rate", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        output = process.stdout.readline()
        try:
            assert httpx.get(output.split()[-1] + "/api/version", trust_env=False).status_code == 200
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(5) == 0
