"""Texts are computed side by side, each by itself, in order, and nobody keeps a pass from the others."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from core.llm.encoders.embedders import packaged_folder
from core.llm.encoders.minilm import MiniLM
from core.runtime.run_slots import CORES

ROOT = Path(__file__).resolve().parents[3]
TEXTS = [list(range(1000, 1000 + length)) for length in (1, 7, 8, 9, 63, 64, 65, 200, 256, 3)]


def compute_side_by_side() -> None:
    """Fail unless a model with several passes begins the next text before the first is taken."""
    model = MiniLM(packaged_folder() / "model.safetensors")
    free = model._requests.qsize()
    begun = model.hidden(TEXTS)
    next(begun)
    assert free - model._requests.qsize() == free - 1 >= 1
    assert [len(states) for states in begun] == [len(text) for text in TEXTS[1:]]
    assert model._requests.qsize() == free


@pytest.mark.skipif(CORES < 2, reason="passes side by side need two cores")
def test_texts_are_computed_side_by_side() -> None:
    called = f"from {__name__} import compute_side_by_side as run; run()"
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}  # where the suite has workers it leaves each but one
    subprocess.run([sys.executable, "-c", called], env=environment, cwd=ROOT, check=True)


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_text_is_computed_alike_whatever_is_beside_it(precision) -> None:
    model = MiniLM(packaged_folder() / "model.safetensors", precision)
    together = list(model.hidden(TEXTS))
    assert [states.shape for states in together] == [(len(text), 384) for text in TEXTS]
    for text, states in zip(TEXTS, together, strict=True):
        (alone,) = model.hidden([text])
        assert np.array_equal(alone, states)
    assert list(model.hidden([])) == []


def test_who_takes_no_more_leaves_the_passes_to_others() -> None:
    model = MiniLM(packaged_folder() / "model.safetensors")
    free = model._requests.qsize()
    for _ in range(3):
        begun = model.hidden(TEXTS)
        next(begun)
        begun.close()
    assert model._requests.qsize() == free
    with pytest.raises(IndexError):
        list(model.hidden([[1000], [10**6]]))  # no such token
    assert model._requests.qsize() == free


def test_callers_at_the_same_time_get_the_states_of_their_own_texts() -> None:
    model = MiniLM(packaged_folder() / "model.safetensors")
    expected = list(model.hidden(TEXTS))
    found: dict[int, list[np.ndarray]] = {}

    def ask(number: int) -> None:
        found[number] = list(model.hidden(TEXTS[number:] + TEXTS[:number]))

    threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(len(TEXTS))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(found) == list(range(len(TEXTS)))
    for number, states in found.items():
        turned = expected[number:] + expected[:number]
        assert all(np.array_equal(a, b) for a, b in zip(states, turned, strict=True))
