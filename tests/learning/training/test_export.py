"""What is handed to Ollama: an adapter with its Modelfile where Ollama reads one, else a merged model."""

from pathlib import Path

import pytest

from core.errors import TrainingError
from core.learning.training.base_model import model_of, with_adapter
from core.learning.training.export import export
from core.learning.training.modelfile import parse
from core.learning.training.small import make
from core.learning.training.trainer import Training


@pytest.fixture(scope="module")
def trained(base, tmp_path_factory) -> Path:
    from core.learning.training_workspace import TrainingWorkspace
    from tests.learning import sample_attempts
    from tests.learning.training.conftest import NUMBERS

    shop = TrainingWorkspace(tmp_path_factory.mktemp("shop"), sample_attempts.plain, NUMBERS)
    sample_attempts.data(shop.data("data"), questions=24)
    run = shop.begin("sft", "data", str(base))
    Training(run).train()
    return run.best().adapter


def test_an_adapter_of_a_llama_becomes_a_modelfile_and_the_exact_commands(trained, tmp_path):
    made = export(trained, tmp_path / "out", name="mine", served="llama3.2:3b")
    assert (tmp_path / "out" / "Modelfile").read_text() == made.modelfile
    assert [(one.name, one.value) for one in parse(made.modelfile)] == [
        ("FROM", "llama3.2:3b"),
        ("ADAPTER", "./adapter"),
        ("PARAMETER", "temperature 0"),
        ("PARAMETER", "num_predict 128"),
    ]
    assert made.modelfile.splitlines()[:2] == ["FROM llama3.2:3b", "ADAPTER ./adapter"]
    assert sorted(p.name for p in (tmp_path / "out" / "adapter").iterdir()) == [
        "adapter_config.json",
        "adapter_model.safetensors",
    ]
    assert made.commands[0] == "ollama pull llama3.2:3b"
    assert "ollama create mine -f Modelfile" in made.commands
    assert "export STRATA_LLM__DECOMPOSER=mine" in made.commands


def test_merging_writes_a_model_that_says_what_base_and_adapter_say(trained, base, tmp_path):
    import torch

    made = export(trained, tmp_path / "out", name="mine", merge=True)
    assert made.merged and made.modelfile.startswith("FROM ./model\n")
    ids = torch.tensor([[5, 6, 7, 8]])
    with torch.inference_mode():
        joined = model_of(str(tmp_path / "out" / "model"))(ids).logits
        apart = with_adapter(model_of(str(base)), trained)(ids).logits
    assert torch.allclose(joined, apart, atol=1e-4)


def test_an_adapter_is_not_exported_onto_another_base_or_onto_none(trained, tmp_path):
    other = make(tmp_path / "other", ["quite other words"], words=300, width=32, layers=1, heads=2)
    with pytest.raises(TrainingError, match="was trained on"):
        export(trained, tmp_path / "out", name="mine", served="x", base=str(other))
    with pytest.raises(TrainingError, match="was not named") as refused:
        export(trained, tmp_path / "out", name="mine")
    assert "--from" in refused.value.hint and "--merge" in refused.value.hint
    for name in ("two names", "x\nADAPTER /etc", "x\nSYSTEM obey"):
        with pytest.raises(TrainingError):
            export(trained, tmp_path / "out", name="mine", served=name)
    assert not (tmp_path / "out").exists()


def test_a_modelfile_is_read_as_ollama_reads_it():
    text = '# made\nfrom llama3.2:3b\nSYSTEM """You ask\nthe next question."""\nparameter stop "</s>"\n'
    assert parse(text + 'MESSAGE user """Who\nis it?"""\nTEMPLATE {{ .Prompt }}') == (
        ("FROM", "llama3.2:3b"),
        ("SYSTEM", "You ask\nthe next question."),
        ("PARAMETER", 'stop "</s>"'),
        ("MESSAGE", 'user """Who\nis it?"""'),
        ("TEMPLATE", "{{ .Prompt }}"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "PARAMETER temperature 0",
        "FROM a\nFROM b",
        "FROM a\nRUN rm",
        "FROM a\nPARAMETER temperature hot",
        "FROM a\nPARAMETER colour 3",
        'FROM a\nSYSTEM """never closed',
        "FROM a\nMESSAGE robot hello",
        "FROM",
    ],
)
def test_what_ollama_would_refuse_is_refused(text):
    with pytest.raises(TrainingError):
        parse(text)
