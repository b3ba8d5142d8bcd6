"""A folder of training data: samples and pairs per split, and a card that says what it is made of."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from core.domain import Value
from core.errors import TrainingError
from core.learning.context_sampling import pools_of
from core.learning.journal import read, write
from core.learning.samples import SPLITS, Pair, Sample, SampleMaker, Split
from core.learning.trajectories import Trajectory

CARD = "card.json"
CONTEXTS = "contexts.jsonl"
R = TypeVar("R", Sample, Pair)


class Contexts(Value):
    """The dictionaries S and V of Algorithm 2 as the attempts at a question left them.

    `scores`: passages that were found but not among the best, with their best cosine; `visits`: how often the
    bandit drew each, plus one.
    """

    question_id: str
    scores: dict[str, float]
    visits: dict[str, int]


class Card(Value):
    """What a data set holds: counts per file, hashes (SHA-256) of the files, where it comes from."""

    name: str
    sources: dict[str, str]  # file of trajectories -> its hash
    engines: tuple[str, ...]
    trajectories: int
    right: int  # that led to a right answer
    questions: dict[str, int]  # split -> questions
    files: dict[str, int]  # file -> lines
    hashes: dict[str, str]
    stops: int

    @property
    def digest(self) -> str:
        """Name the data by its content."""
        joined = "".join(f"{name}:{self.hashes[name]};" for name in sorted(self.hashes))
        return hashlib.sha256(joined.encode("ascii")).hexdigest()[:16]


def build(
    folder: Path, maker: SampleMaker, trajectories: Sequence[Trajectory], sources: Sequence[Path]
) -> Card:
    """Write the data set of these trajectories and return its card. Raises TrainingError."""
    samples, pairs = maker.samples(trajectories), maker.pairs(trajectories)
    files: dict[str, int] = {}
    for split in SPLITS:
        kinds: tuple[tuple[str, Sequence[Sample | Pair]], ...] = (("sft", samples), ("dpo", pairs))
        for kind, rows in kinds:
            mine = [row for row in rows if row.split == split]
            write(folder / f"{kind}-{split}.jsonl", mine)
            files[f"{kind}-{split}.jsonl"] = len(mine)
    drawn = contexts(trajectories)
    write(folder / CONTEXTS, drawn)
    files[CONTEXTS] = len(drawn)
    ids: dict[str, set[str]] = {split: set() for split in SPLITS}
    both: tuple[Sample | Pair, ...] = (*samples, *pairs)
    for row in both:
        ids[row.split].add(row.question_id)
    card = Card(
        name=folder.name,
        sources={path.name: file_hash(path) for path in sources},
        engines=tuple(sorted({one.engine for one in trajectories if one.engine})),
        trajectories=len(trajectories),
        right=sum(one.right or one.complete for one in trajectories),
        questions={split: len(split_ids) for split, split_ids in ids.items()},
        files=files,
        hashes={name: file_hash(folder / name) for name in files},
        stops=sum(sample.stop for sample in samples),
    )
    (folder / "README.md").write_text(card_readme(card), "utf-8")
    (folder / CARD).write_text(card.model_dump_json(indent=2), "utf-8")
    return card


def contexts(trajectories: Sequence[Trajectory]) -> list[Contexts]:
    """Return the bandit's statistics for each question after its last attempt, in their order."""
    return [
        Contexts(question_id=key, scores=pool.scores, visits=pool.visits)
        for key, (_, pool) in pools_of(trajectories, exploration=0.0).items()
    ]


def opened(folder: Path) -> Card:
    """Return the card of a data set whose files are as they were written. Raises TrainingError."""
    path = folder / CARD
    if not path.is_file():
        raise TrainingError(
            f"{folder} is no training data: it has no {CARD}.", hint="Make it with `strata train data`."
        )
    card = Card.model_validate_json(path.read_text("utf-8"))
    for name, wanted in card.hashes.items():
        if not (folder / name).is_file() or file_hash(folder / name) != wanted:
            raise TrainingError(
                f"{name} is not as its card says: it was changed or cut short.",
                hint="Make the data anew with `strata train data`; a run must be able to say what it learnt.",
            )
    return card


def samples_of(folder: Path, split: Split) -> list[Sample]:
    """Return the samples of a split. Raises TrainingError for duplicates or a question of another split."""
    return _sound([read(folder / f"sft-{name}.jsonl", Sample) for name in SPLITS], split)


def pairs_of(folder: Path, split: Split) -> list[Pair]:
    """Return the pairs of a split. Raises TrainingError likewise."""
    return _sound([read(folder / f"dpo-{name}.jsonl", Pair) for name in SPLITS], split)


def _sound(splits: Sequence[Sequence[R]], wanted: Split) -> list[R]:
    home: dict[str, Split] = {}
    texts: Counter[str] = Counter()
    for rows in splits:
        for row in rows:
            if home.setdefault(row.question_id, row.split) != row.split:
                raise TrainingError(
                    f"Question {row.question_id} stands in two splits.",
                    hint="Make the data anew with `strata train data`: it keeps a question in one split.",
                )
            texts[row.model_dump_json()] += 1
    twice = sum(count - 1 for count in texts.values())
    if twice:
        raise TrainingError(
            f"{twice} lines of the training data stand there twice.",
            hint="Make the data anew with `strata train data`: it leaves duplicates out.",
        )
    return list(splits[SPLITS.index(wanted)])


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def card_readme(card: Card) -> str:
    """Return the data card as Markdown."""
    rows = "\n".join(
        f"| {name} | {count} | `{card.hashes[name][:16]}` |" for name, count in card.files.items()
    )
    sources = "\n".join(f"- {name} (`{digest[:16]}`)" for name, digest in card.sources.items())
    splits = ", ".join(f"{count} {split}" for split, count in card.questions.items())
    return f"""# Training data: {card.name}

Samples for a decomposer: given a question, the passages read so far and what was asked already, the next
atomic question, or that enough is known. Made from attempts over a library (PIKE-RAG, Algorithms 2 and 3).

- {card.trajectories} trajectories by {", ".join(card.engines) or "an unnamed engine"},
  {card.right} of them to a right answer or to all passages it rests on; only those became samples.
- Questions: {splits}. A question stands in one split only, chosen by a hash of its words.
- {card.stops} samples say stop. No conversation stands there twice.
- Digest of the whole: `{card.digest}`

| file | lines | SHA-256 |
|---|---|---|
{rows}

`sft-*.jsonl`: `messages` in chat format (system, user, assistant). `dpo-*.jsonl`: `prompt`, `chosen`,
`rejected`: the way on of the better and of the worse path from the same point. `contexts.jsonl`: per question
the passages that were found but not among the best, `scores` (S, best cosine) and `visits` (V, times drawn by
upper confidence bounds, plus one).

The passages stand in the samples word for word: whoever gets this data gets them.

Sources
{sources}
"""
