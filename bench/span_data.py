"""The questions that the span extractor is fitted on, each with passages that are like its own.

Of `reader_questions/` the `.tsv` name passages of `span_passages`; the `.jsonl` hold their own,
written in families of one kind of document about different things. And MuSiQue's single steps.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from bench.data import bench_data
from bench.span_passages import document_passages, package_passages, pool_passages

QUESTIONS = Path(__file__).parent / "reader_questions"
WRITTEN = "written/"  # what the names of passages begin with that were written for their questions
OTHER_PASSAGES = 6_000  # passages without a question among which like ones are looked for
SIMILAR_PASSAGES = 8  # like passages that are kept for a question


@dataclass(frozen=True)
class Asked:
    """A question over a passage; no answer for a near miss. `like` are passages that do not hold it."""

    file: str
    passage: str
    question: str
    answer: str
    like: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """Return what the names of passages of one family begin with, "" where there is none."""
        return self.passage.rsplit("/", 1)[0] + "/" if self.passage.startswith(WRITTEN) else ""


def questions(folder: Path) -> tuple[list[Asked], dict[str, str]]:
    """Return the questions whose passages are there, and the passages by name."""
    written = [one for file in sorted(QUESTIONS.glob("*.tsv")) for one in _written(file)] + list(_steps())
    texts = dict([*pool_passages(), *document_passages(folder)])
    for file in sorted(QUESTIONS.glob("*.jsonl")):
        for name, text, asked in _families(file):
            texts[name] = text
            written += [Asked(file.stem, name, question, answer) for question, answer in asked]
    texts |= dict(package_passages({one.passage for one in written if one.passage[:4] in ("pkg/", "doc/")}))
    found = [
        one for one in written if one.passage in texts and one.answer.lower() in texts[one.passage].lower()
    ]
    print(f"{len(found)} of {len(written)} questions over {len({one.passage for one in found})} passages")
    return with_like(found, texts), texts


def _written(file: Path) -> Iterator[Asked]:
    for line in file.read_text("utf-8").splitlines()[1:]:  # the first line says who wrote them
        passage, question, answer = line.split("\t")
        yield Asked(file.stem, passage, question, answer)


def _families(file: Path) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yield name and text of each passage written with its questions, and these with their answers."""
    for number, line in enumerate(file.read_text("utf-8").splitlines()):
        held = json.loads(line)
        asked = [(question, answer) for question, answer in held["questions"]]
        yield f"{WRITTEN}{file.stem}/{held['family']}/{number}", held["passage"], asked


def _steps() -> Iterator[Asked]:
    """Yield MuSiQue's single steps that are questions and refer to no other step."""
    seen: set[str] = set()
    for line in bench_data("musique", "questions.jsonl").open(encoding="utf-8"):
        for step in json.loads(line).get("decomposition", ()):
            text, gold, answer = step["question"], step.get("gold_id"), step.get("answer")
            if gold and answer and text not in seen and "#" not in text and ">>" not in text:
                seen.add(text)
                yield Asked("musique", f"musique/{gold}", text, answer)


def with_like(asked: Sequence[Asked], texts: Mapping[str, str]) -> list[Asked]:
    """Return the questions with the passages most like each by tf-idf that do not hold its answer."""
    own = sorted({one.passage for one in asked})
    rest = sorted(texts.keys() - set(own))
    names = [*own, *random.Random(3).sample(rest, min(OTHER_PASSAGES, len(rest)))]
    vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english", token_pattern=r"(?u)\b\w+\b")
    pool = vectors.fit_transform([texts[name] for name in names]).T.tocsr()
    near = vectors.transform([one.question for one in asked]) @ pool
    families: dict[str, list[str]] = {}
    for one in {one.passage: one for one in asked if one.family}.values():
        families.setdefault(one.family, []).append(one.passage)
    found = []
    for at, one in enumerate(asked):
        row = near.getrow(at)
        near_it = (names[row.indices[i]] for i in np.argsort(-row.data)[:30])
        family = families.get(one.family, [])
        order = dict.fromkeys((*family, *near_it))
        like = [name for name in order if name != one.passage and not _holds(texts[name], one.answer)]
        found.append(
            Asked(
                one.file,
                one.passage,
                one.question,
                one.answer,
                tuple(like[: 2 * len(family) or SIMILAR_PASSAGES]),
            )
        )
    return found


def _holds(text: str, answer: str) -> bool:
    return bool(answer) and answer.lower() in text.lower()
