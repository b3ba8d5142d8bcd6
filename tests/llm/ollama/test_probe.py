"""What a model really does is found out by asking it, and decides what is sent to it."""

import json

import pytest

from core.domain import Evidence
from core.errors import MalformedReply
from core.llm.ollama.client import OllamaLLM
from core.llm.ollama.probe import Prober, Probes
from core.llm.ollama.server import OllamaServer
from core.llm.ollama.stream import Timeouts
from core.ports import ModelProbe
from core.tasks import Answer, Bridge, Bridged, Written
from tests.ollama_double import Model, OllamaDouble, Pace

THINKER = ("completion", "thinking")
EVIDENCE = (Evidence(n=1, text="The DP-3 is made by Norvac.", source="manual"),)


def probe(model: Model, **more) -> ModelProbe:
    with OllamaDouble(brain=lambda asked: "It warns ships.", models=(model,), **more) as double:
        return Prober(OllamaServer(double.host), timeouts=Timeouts(1, 20, 20)).probe(model.name)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (Model("good", ("completion",)), (True, True, False)),
        (Model("stubborn", THINKER, thinks="always"), (True, False, False)),
        (Model("tagged", THINKER, thinks="tagged"), (True, False, True)),
        (Model("untagged", THINKER, thinks="untagged"), (True, False, True)),
        (Model("formless", THINKER, heeds_format="while thinking"), (False, True, False)),
    ],
    ids=lambda held: getattr(held, "name", ""),
)
def test_what_public_reports_say_of_models_is_found_out(model, expected):
    found = probe(model)
    assert (found.format_holds, found.think_off_holds, found.leaks) == expected
    assert found.format_holds_thinking
    assert found.digest == model.digest


def test_how_fast_it_reads_and_writes_is_what_the_server_says():
    found = probe(Model("good", ("completion",)), pace=Pace(read=350, write=30, speed=50))
    assert (round(found.read_speed), round(found.write_speed)) == (350, 30)
    assert found.window == 8192 and not found.cut


def test_what_was_found_is_kept(tmp_path):
    Probes(tmp_path / "models" / "probes.json").keep(ModelProbe(model="m", digest="d", leaks=True))
    again = Probes(tmp_path / "models" / "probes.json")
    assert again.find("d") == ModelProbe(model="m", digest="d", leaks=True)
    assert again.find("other") is None
    (tmp_path / "models" / "probes.json").write_text("{broken")
    assert Probes(tmp_path / "models" / "probes.json").all() == ()


def test_a_schema_a_model_does_not_keep_to_is_not_sent_and_thoughts_get_room():
    model = Model("m", THINKER)
    found = ModelProbe(model="m", format_holds=False, think_off_holds=False)
    reply = json.dumps({"parts": [{"id": 1, "answer": "Norvac", "citations": [1]}]})
    with OllamaDouble(brain=lambda asked: reply, models=(model,)) as double:
        llm = OllamaLLM(double.host, probed=lambda digest: found)
        assert llm.run(Bridge(question="Who?", evidence=EVIDENCE), Bridged).parts[0].answer == "Norvac"
        body = double.chats()[0]
    assert "format" not in body and body["options"]["num_predict"] == 2048


@pytest.mark.parametrize("thinks", ["tagged", "untagged"])
def test_thoughts_in_the_answer_are_neither_shown_nor_kept(thinks):
    heard: list[str] = []

    class Ear:
        def heard(self, text: str) -> None:
            heard.append(text)

        def check(self) -> None: ...

    with OllamaDouble(
        brain=lambda asked: "Norvac makes it [1].", models=(Model("m", THINKER, thinks=thinks),)
    ) as double:
        reply = OllamaLLM(double.host).run(Answer(question="Who?", evidence=EVIDENCE), Written, Ear())
    assert reply.text == "Norvac makes it [1]."
    assert "user" not in "".join(heard)


def test_a_model_that_only_reasons_is_given_up():
    brain = "Okay, the user wants to know who makes it. Let me think about the manual."
    with OllamaDouble(brain=lambda asked: brain, models=(Model("m", ("completion",)),)) as double:
        with pytest.raises(MalformedReply, match="reasoning instead of an answer"):
            OllamaLLM(double.host).run(Answer(question="Who?", evidence=EVIDENCE), Written)
        assert double.chats()[1]["format"]["required"] == ["text"]
