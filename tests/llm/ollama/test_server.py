import time

import pytest

from core.errors import LLMError, LLMUnavailable, ModelMissing, SettingsError
from core.llm.ollama.client import OllamaLLM
from core.llm.ollama.server import OllamaServer, address
from core.tasks import Understand, Understood
from tests.ollama_double import MODELS, Fault, Model, OllamaDouble


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("localhost", "http://localhost:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        (":56789", "http://127.0.0.1:56789"),
        ("http://model-box", "http://model-box:80"),
        ("HTTPS://model-box", "https://model-box:443"),
        ("https://model-box:8443/ollama/", "https://model-box:8443/ollama"),
        ("[::1]:11434", "http://[::1]:11434"),
        (" 10.0.0.5 ", "http://10.0.0.5:11434"),
    ],
)
def test_an_address_is_read_as_ollama_reads_it(host, url):
    assert address(host) == url


@pytest.mark.parametrize(
    "host", ["ftp://x", "file:///etc", "http://a:b@x", "x:port", "http://x?y=1", "x:70000"]
)
def test_an_address_that_is_none_is_refused(host):
    with pytest.raises(SettingsError, match="OLLAMA_HOST"):
        address(host)


def test_version_and_liveness():
    with OllamaDouble() as double:
        server = OllamaServer(double.host)
        assert server.version() == "0.33.0"
        assert server.alive()
    gone = OllamaServer("127.0.0.1:9")
    assert not gone.alive()
    with pytest.raises(LLMUnavailable, match="Nothing answers"):
        gone.version()
    with pytest.raises(LLMUnavailable):
        gone.models()


def test_models_come_with_what_they_can_do():
    with OllamaDouble() as double:
        found = {model.name: model for model in OllamaServer(double.host).models()}
    assert list(found) == [model.name for model in MODELS]
    assert found["qwen3:4b"].can("completion") and not found["qwen3:4b"].can("vision")
    assert (found["qwen3:4b"].context_length, found["qwen3:4b"].size) == (40960, 2_019_393_189)
    assert found["qwen3:4b"].details == "qwen3 4.0B Q4_K_M"
    assert found["all-minilm:latest"].capabilities == ("embedding",)


def test_an_old_server_that_does_not_say_is_guessed_by_family():
    with OllamaDouble(old=True) as double:
        chosen = OllamaServer(double.host).choose({})
    assert chosen == {"routing": "qwen3:4b", "extraction": "qwen3:4b", "generation": "qwen3:4b"}


def test_roles_are_filled_with_what_is_wanted_then_with_what_is_there():
    with OllamaDouble() as double:
        server = OllamaServer(double.host)
        assert server.choose({}) == {
            "routing": "qwen3:4b", "extraction": "qwen3:4b", "generation": "qwen3:4b", "vision": "llava:7b",
        }  # fmt: skip
        assert server.choose({"generation": "llava:7b", "extraction": "big"}) == {
            "routing": "llava:7b", "extraction": "big", "generation": "llava:7b", "vision": "llava:7b",
        }  # fmt: skip


def test_a_server_without_models_gives_no_roles():
    with OllamaDouble(models=()) as double:
        assert OllamaServer(double.host).choose({}) == {}
        assert OllamaServer(double.host).models() == []


def test_a_name_without_tag_means_latest():
    with OllamaDouble() as double:
        server = OllamaServer(double.host)
        assert server.find("all-minilm").name == "all-minilm:latest"
        assert server.digest("all-minilm") == double.find("all-minilm").digest
        assert server.find("nope") is None
        assert server.digest("nope") == ""


def test_running_models_tell_their_live_window():
    with OllamaDouble(brain=lambda asked: '{"level": "L1", "parts": []}') as double:
        assert OllamaServer(double.host).running() == {}
        OllamaLLM(double.host, num_ctx=4096).run(Understand(question="?"), Understood)
        assert OllamaServer(double.host).running() == {"qwen3:4b": 4096}


def test_a_pull_tells_how_far_it_is():
    with OllamaDouble() as double:
        steps = list(OllamaServer(double.host).pull("llama3.2"))
    assert (steps[0].status, steps[-1].status) == ("pulling manifest", "success")
    shares = [step.done / step.total for step in steps if step.total]
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1


def test_a_pull_that_is_closed_is_cancelled_at_the_server():
    with OllamaDouble(piece_latency=0.05) as double:
        pull = OllamaServer(double.host).pull("llama3.2")
        next(pull)
        pull.close()
        for _ in range(100):
            if double.cancelled:
                break
            double.closing.wait(0.02)
        assert double.cancelled == 1


def test_a_pull_of_an_unknown_model_names_it():
    with OllamaDouble() as double, pytest.raises(ModelMissing, match="no model called lama"):
        list(OllamaServer(double.host).pull("lama"))


@pytest.mark.parametrize("kind", ["no_done", "error_mid_stream", "reset"])
def test_a_pull_that_breaks_off_says_that_it_can_go_on(kind):
    with OllamaDouble() as double:
        double.next(Fault(kind, after=4))
        with pytest.raises(LLMError):
            list(OllamaServer(double.host).pull("llama3.2"))


def test_something_that_is_not_ollama_is_recognised():
    with OllamaDouble() as double:
        server = OllamaServer(double.host + "/elsewhere")
        with pytest.raises(LLMUnavailable, match="not Ollama"):
            server.version()


def test_new_models_are_seen_after_a_pull():
    with OllamaDouble(models=(Model("qwen3:4b"),)) as double:
        server = OllamaServer(double.host)
        assert server.find("llama3.2") is None
        list(server.pull("llama3.2"))
        double.models = (*double.models, Model("llama3.2:latest"))
        assert server.find("llama3.2") is not None


def test_a_server_that_is_away_is_not_asked_for_its_models_again_at_once():
    with OllamaDouble(tags_latency=5) as double:
        server = OllamaServer(double.host, timeout=0.3)
        began = time.monotonic()
        for _ in range(5):
            with pytest.raises(LLMError):
                server.models(fresh=False)
        assert time.monotonic() - began < 0.9
