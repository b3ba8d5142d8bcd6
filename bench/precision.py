"""The packaged embedder in float32, bfloat16, int8 and as int8 ONNX: `python -m bench.precision`.

Speed for one question and for passages in batches, agreement with float32 (mean cosine), and the recall@5 and
nDCG@10 of an exact search by cosine alone over the first passages of a pool (those of the questions asked
among them). ONNX is made here with torch's exporter and onnxruntime's dynamic quantisation, one scale per
channel (needs onnx and onnxscript, extra `bench`). All run on the threads the machine gives them.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from bench.data import bench_data
from bench.retrieval import POOLS
from core.evaluation.retrieval_scores import GoldQuestion, measures, read_questions, read_records
from core.llm.encoders.embedders import PackagedEmbedder, packaged_folder
from core.llm.encoders.precision import Precision

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]  # texts -> (n, 384), norm 1
BATCH_TOKENS = 4096


class Onnx:
    """The packaged weights as an ONNX graph with int8 weights, batched by length as Strata batches."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        import torch
        from onnxruntime.quantization import QuantType, quantize_dynamic
        from sentence_transformers import SentenceTransformer
        from tokenizers import Tokenizer

        bert = SentenceTransformer(str(packaged_folder()), device="cpu")[0].get_submodule("model").eval()

        class Hidden(torch.nn.Module):
            """The last hidden states alone."""

            def __init__(self) -> None:
                super().__init__()
                self.bert = bert

            def forward(self, input_ids: Any, attention_mask: Any) -> Any:
                return self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state

        ids = torch.randint(1000, 5000, (2, 16))
        sizes = {0: torch.export.Dim("batch"), 1: torch.export.Dim("tokens", max=256)}
        torch.onnx.export(
            Hidden(),
            (ids, torch.ones_like(ids)),
            folder / "whole.onnx",
            dynamo=True,
            dynamic_shapes={"input_ids": sizes, "attention_mask": sizes},
            input_names=["input_ids", "attention_mask"],
            output_names=["hidden"],
            verbose=False,
        )
        quantize_dynamic(
            folder / "whole.onnx", folder / "int8.onnx", weight_type=QuantType.QInt8, per_channel=True
        )
        self._session = onnxruntime.InferenceSession(folder / "int8.onnx", providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(packaged_folder() / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(PackagedEmbedder.window)

    def embed(self, texts: Sequence[str]) -> Vectors:
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        vectors = np.zeros((len(ids), PackagedEmbedder.dimension), np.float32)
        order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
        while order:
            width = len(ids[order[-1]])
            batch, order = order[-max(1, BATCH_TOKENS // width) :], order[: -max(1, BATCH_TOKENS // width)]
            padded = np.zeros((len(batch), width), np.int64)
            mask = np.zeros_like(padded)
            for row, index in enumerate(batch):
                padded[row, : len(ids[index])] = ids[index]
                mask[row, : len(ids[index])] = 1
            (hidden,) = self._session.run(None, {"input_ids": padded, "attention_mask": mask})
            pooled = (hidden * mask[..., None]).sum(1) / mask.sum(1)[:, None]
            vectors[batch] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return vectors


def packaged(precision: Precision) -> Embed:
    """Return the packaged embedder's `embed`, texts cut to its window."""
    embedder = PackagedEmbedder(precision=precision)

    def embed(texts: Sequence[str]) -> Vectors:
        return embedder.embed([_cut(text, embedder) for text in texts])

    return embed


def _cut(text: str, embedder: PackagedEmbedder) -> str:
    spans = embedder.token_spans(text)
    return text if len(spans) <= embedder.window - 2 else text[: spans[embedder.window - 3][1]]


def measure(
    embed: Embed, passages: dict[str, str], asked: Sequence[GoldQuestion]
) -> tuple[Vectors, dict[str, float]]:
    """Return the passages' vectors, and ms a question (median), passages a second, recall@5, nDCG@10."""
    embed(["The model is loaded before anything is timed."])
    took = []
    questions = []
    for question in asked:
        began = time.perf_counter()
        questions.append(embed([question.text])[0])
        took.append(1000 * (time.perf_counter() - began))
    began = time.perf_counter()
    vectors = embed(list(passages.values()))
    seconds = time.perf_counter() - began
    names = list(passages)
    order = np.argsort(-(np.stack(questions) @ vectors.T), axis=1)[:, :10]
    found = measures([[names[n] for n in row] for row in order], [question.gold for question in asked])
    return vectors, {
        "ms a question": float(np.median(took)),
        "passages a second": len(passages) / seconds,
        "recall@5": 100 * found["recall@5"],
        "ndcg@10": 100 * found["ndcg@10"],
    }


def main() -> None:
    """Measure each precision on the same texts and print a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pool", choices=POOLS, default="scifact")
    parser.add_argument("--passages", type=int, default=2000)
    asked = parser.parse_args()
    corpus, questions = (bench_data(name) for name in POOLS[asked.pool][:2])
    records = read_records(corpus)[: asked.passages]
    passages = {str(row["id"]): f"{row['title']}\n{row['text']}" for row in records}
    chosen = [question for question in read_questions(questions) if question.gold <= passages.keys()]
    models: dict[str, Embed] = {name: packaged(name) for name in get_args(Precision)}
    scratch = tempfile.TemporaryDirectory(prefix="strata-onnx-")
    if find_spec("onnx") and find_spec("onnxscript"):
        models["ONNX int8"] = Onnx(Path(scratch.name)).embed
    else:
        print("ONNX int8 is left out: onnx or onnxscript is not installed (extra `bench`)")
    print(f"{asked.pool}: {len(passages)} passages, {len(chosen)} questions whose passages are among them")
    print(
        "| | ms a question | passages a second | recall@5 | nDCG@10 | cosine to float32 |\n"
        + "|---" * 6
        + "|"
    )
    exact: Vectors | None = None
    for name, embed in models.items():
        vectors, row = measure(embed, passages, chosen)
        exact = vectors if exact is None else exact
        cosine = float((exact * vectors).sum(axis=1).mean())
        print(f"| {name} | " + " | ".join(f"{value:.1f}" for value in row.values()) + f" | {cosine:.4f} |")
    scratch.cleanup()


if __name__ == "__main__":
    main()
