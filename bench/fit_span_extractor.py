"""Fits the adapters of the span extractor (`core/llm/encoders/span_extractor.py`), one a run.

Questions with their answers, and near misses (of the same thing, but not said), over public passages: those
of `bench/reader_questions/`, written by language models standing in for readers, who saw the passage and
nothing of this program, and MuSiQue's single steps; the `.jsonl` there hold passages too, written in families
of one kind of document about different things. Each question is also read beside passages that are like it
(of its family first) and do not hold its answer. Loss: cross entropy of start and end, the first token
standing for "not here" (SQuAD 2.0).

What is reported is not what was fitted: a twentieth of the files of questions, each over passages of its own.

    python -m bench.fit_span_extractor                     fits (half an hour on two cores) and reports
    python -m bench.fit_span_extractor --write c --seed 5  ... and is the adapter c of those that are averaged
    python -m bench.fit_span_extractor --on c --earlier 0.4  continues an adapter in use, with a share
                                                   of the questions of other files than --whole
    python -m bench.fit_span_extractor --report            reports on the adapters in use, each and together
"""

import argparse
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch.nn import functional as F

from bench.span_data import SIMILAR_PASSAGES, Asked, questions
from bench.span_network import ReaderNetwork, adapter_of
from core.llm.encoders import span_extractor
from core.llm.encoders.embedders import packaged_folder
from core.llm.encoders.precision import fast_precision, processor_flags
from core.llm.encoders.span_extractor import ADAPTERS, QUESTION_TOKENS, WINDOW_TOKENS, SpanExtractor

# Files that are not fitted: of each writer of passages one.
HELD_OUT = frozenset(
    (
        *("pool016", "docs003", "docs006", "pkg004", "more005"),
        *(f"written_{letter}03" for letter in "abcdefghijklm"),
    )
)
PASSAGE_WORDS = 110  # of a passage that are read while fitting
EPOCHS, RATE, WARM = 3, 1e-3, 0.06
BATCH_TOKENS = 2_400  # of a batch


@dataclass(frozen=True)
class Pair:
    """Question and passage as tokens: answer at [start, end] (0: not here), the passage from `body` on."""

    ids: tuple[int, ...]
    body: int
    start: int = 0
    end: int = 0


def main() -> None:
    """Fit, report, and with --write add or replace an adapter."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "strata-bench" / "answers"
    )
    parser.add_argument("--write", metavar="NAME", help="the letter of the adapter that is written")
    parser.add_argument("--report", action="store_true", help="fit nothing")
    parser.add_argument("--on", metavar="NAME", help="go on from this adapter in use")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--rate", type=float, default=RATE, help="of learning, at its highest")
    parser.add_argument("--earlier", type=float, default=1.0, help="share of the questions of other files")
    parser.add_argument("--whole", default="written_*", help="files that are read whole, a pattern")
    given = parser.parse_args()
    asked, texts = questions(given.folder)
    held = [one for one in asked if one.file in HELD_OUT]
    tried = [*([] if len(ADAPTERS) < 2 else [[each] for each in ADAPTERS]), list(ADAPTERS)]
    if not given.report:
        torch.manual_seed(given.seed)
        begun = ReaderNetwork(adapter=adapter_file(given.on) if given.on else None)
        chosen = random.Random(given.seed)
        fitted = [one for one in asked if fnmatch(one.file, given.whole) or chosen.random() < given.earlier]
        fitted = [one for one in fitted if one.file not in HELD_OUT]
        network = fit(begun, fitted, texts, given.epochs, given.rate, given.seed)
        name = adapter_file(given.write or "new")
        adapter = name if given.write else Path(tempfile.mkdtemp()) / name.name
        save_file(dict(adapter_of(network)), adapter)
        tried = [[adapter]]
    for adapters in tried:
        print(f"adapters: {', '.join(each.name for each in adapters)}")
        extractor = SpanExtractor(fast_precision(processor_flags()), adapters=adapters)
        report(extractor, [one for one in held if not one.family], texts)
        report(extractor, [one for one in held if one.family], texts)


def adapter_file(name: str) -> Path:
    """Return the file of one of the adapters."""
    return Path(span_extractor.__file__).with_name(f"span_extractor_{name}.safetensors")


class Pairs:
    """Makes questions and passages into tokens."""

    def __init__(self, texts: Mapping[str, str], seed: int) -> None:
        self._texts = texts
        self._tokenizer = Tokenizer.from_file(str(packaged_folder() / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        known = self._tokenizer.get_vocab()
        self._first, self._separator = known["[CLS]"], known["[SEP]"]
        self.random = random.Random(seed)

    def of(self, asked: Sequence[Asked]) -> list[Pair]:
        """Return each question beside its passage, and those with an answer beside a like one as well."""
        found = [self._pair(one.question, one.passage, one.answer) for one in asked]
        found += [
            self._pair(one.question, self.random.choice(one.like), "")
            for one in asked
            if one.answer and one.like
        ]
        return [pair for pair in found if pair is not None]

    def _pair(self, question: str, passage: str, answer: str) -> Pair | None:
        text = self._window(passage, answer)
        asked = self._tokenizer.encode(question, add_special_tokens=False).ids[:QUESTION_TOKENS]
        encoded = self._tokenizer.encode(text, add_special_tokens=False)
        body = len(asked) + 2
        room = WINDOW_TOKENS - body - 1
        ids = (self._first, *asked, self._separator, *encoded.ids[:room], self._separator)
        if not answer:
            return Pair(ids, body)
        at = text.find(answer) if answer in text else text.lower().find(answer.lower())
        inside = [
            i for i, (a, b) in enumerate(encoded.offsets[:room]) if a < at + len(answer) and b > at >= 0
        ]
        return Pair(ids, body, body + inside[0], body + inside[-1]) if inside else None

    def _window(self, passage: str, answer: str) -> str:
        """Return the title and some of the words of a passage, those around the answer if it has one."""
        title, _, text = self._texts[passage].partition("\n")
        words = text.split(" ")
        if len(words) <= PASSAGE_WORDS:
            return f"{title}\n{text}"
        if answer:
            at = len(text[: max(0, text.lower().find(answer.lower()))].split(" "))
            first = max(
                0, min(len(words) - PASSAGE_WORDS, at - self.random.randrange(10, PASSAGE_WORDS - 20))
            )
        else:
            first = self.random.randrange(len(words) - PASSAGE_WORDS)
        return f"{title}\n{' '.join(words[first : first + PASSAGE_WORDS])}"


def fit(
    network: ReaderNetwork,
    asked: Sequence[Asked],
    texts: Mapping[str, str],
    rounds: int,
    rate: float,
    seed: int,
) -> ReaderNetwork:
    """Return the network fitted by AdamW with a linear schedule."""
    torch.set_num_threads(1)  # two take more than twice the processor's time: the products are small
    pairs = Pairs(texts, seed)
    slow = [*network.norms.values(), network.segments]
    fast = [*network.lora.values(), *network.head.parameters()]
    groups = [{"params": fast, "lr": rate}, {"params": slow, "lr": rate / 5}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    epochs = [batches(pairs.of(asked), pairs.random) for _ in range(rounds)]
    steps = sum(map(len, epochs))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (WARM * steps)) * max(0.02, 1 - step / steps)
    )
    started, network = time.time(), network.train()
    for step, batch in enumerate(batch for epoch in epochs for batch in epoch):
        loss = loss_of(network, batch)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(
                f"step {step} of {steps}, loss {loss.item():.2f}, {time.time() - started:.0f} s", flush=True
            )
    return network


def batches(pairs: Sequence[Pair], by: random.Random) -> list[list[Pair]]:
    """Return the pairs in batches of about one length, `BATCH_TOKENS` each, in random order."""
    found: list[list[Pair]] = []
    for pair in sorted(pairs, key=lambda one: len(one.ids) + by.random() * 16):
        if found and len(pair.ids) * (len(found[-1]) + 1) <= BATCH_TOKENS:
            found[-1].append(pair)
        else:
            found.append([pair])
    by.shuffle(found)
    return found


def loss_of(network: ReaderNetwork, batch: Sequence[Pair]) -> torch.Tensor:
    """Return the mean cross entropy of start and end over the first token and those of the passage."""
    width = max(len(pair.ids) for pair in batch)
    ids = torch.zeros((len(batch), width), dtype=torch.long)
    mask = torch.zeros((len(batch), width), dtype=torch.bool)
    second = mask.clone()
    for row, pair in enumerate(batch):
        ids[row, : len(pair.ids)] = torch.tensor(pair.ids)
        mask[row, : len(pair.ids)] = True
        second[row, pair.body : len(pair.ids)] = True
    may = second.clone()
    may[:, 0] = True
    may[torch.arange(len(batch)), [len(pair.ids) - 1 for pair in batch]] = False  # the mark of the end
    logits = network(ids, second, mask).masked_fill(~may[..., None], -1e4)
    ends = [torch.tensor([getattr(pair, side) for pair in batch]) for side in ("start", "end")]
    return (F.cross_entropy(logits[..., 0], ends[0]) + F.cross_entropy(logits[..., 1], ends[1])) / 2


def report(extractor: SpanExtractor, asked: Sequence[Asked], texts: Mapping[str, str]) -> None:
    """Print how well answers differ from near misses, and the right passage and place are found."""
    own: list[float] = []
    near: list[float] = []
    first, placed = [], []
    for one in asked:
        names = (one.passage, *(one.like[: SIMILAR_PASSAGES - 1] if one.answer else ()))
        best = [reading.best() for reading in extractor.read(one.question, [texts[name] for name in names])]
        scores = [span.score if span else -99.0 for span in best]
        (own if one.answer else near).append(scores[0])
        if one.answer and best[0] is not None:
            first.append(scores[0] == max(scores))
            span_text = texts[one.passage][best[0].start : best[0].end].lower()
            placed.append(span_text in one.answer.lower() or one.answer.lower() in span_text)
    apart = _area(np.array(own), np.array(near))
    print(f"{len(own)} questions, {len(near)} near misses; AUROC: {apart:.3f}")
    print(
        f"own passage before {SIMILAR_PASSAGES - 1} like ones: {np.mean(first):.3f}; its answer:"
        f" {np.mean(placed):.3f}"
    )


def _area(own: NDArray[np.float64], near: NDArray[np.float64]) -> float:
    return float((own[:, None] > near[None, :]).mean())


if __name__ == "__main__":
    main()
