"""Batches of one caller are computed side by side, and come in order."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from core.llm.encoders.embedders import packaged_folder
from core.llm.encoders.minilm import MiniLM
from core.run_slots import CORES

ROOT = Path(__file__).resolve().parents[3]


class Meeting:
    """Operators that compute with torch's public ones; once `begun`, two passes wait for each other."""

    begun = None

    def _reorder_linear_weight(self, weight, rows):
        return weight.t().contiguous()

    def _linear_pointwise(self, x, weight, bias, attr, scalars, algorithm):
        if self.begun is not None:
            self.begun.wait(timeout=20)
        product = torch.addmm(bias, x, weight)
        return torch.nn.functional.gelu(product) if attr == "gelu" else product


def compute_side_by_side():
    """Fail unless two batches are computed at the same time, and come in order."""
    operators = Meeting()
    model = MiniLM(packaged_folder() / "model.safetensors", operators=operators)
    inputs = [(torch.full((2, wide), 1000 + wide), torch.ones(2, wide, dtype=torch.bool)) for wide in (4, 9)]
    alone = [model.forward(*each) for each in inputs]
    operators.begun = threading.Barrier(2)
    for found, expected in zip(model.forward_each(inputs), alone, strict=True):
        np.testing.assert_allclose(found, expected, atol=2e-5)


@pytest.mark.skipif(CORES < 2, reason="passes side by side need two cores")
def test_batches_are_computed_side_by_side_and_come_in_order():
    called = f"from {__name__} import compute_side_by_side as run; run()"
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}  # where the suite has workers it leaves each but one
    subprocess.run([sys.executable, "-c", called], env=environment, cwd=ROOT, check=True)
