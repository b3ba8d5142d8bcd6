"""Fits the weights by which passages are ordered for a question whose answer is in one place.

Pairwise logistic regression (Burges et al., RankNet, ICML 2005, with a linear scorer) over the signals of
`core/llm/encoders/fact_reranker.py`: a passage that holds what is accepted, in the right document, is better
than each that does not. A question's pairs share its weight. Questions: `answers/` of the public data, what
looks something up; those with an odd id are fitted, those with an even one only reported. They are over the
same documents. What is ordered is what the product's own search returns.

    python -m bench.fit_fact_reranker                       fitted weights, and figures beside today's
    python -m bench.fit_fact_reranker --more FILE           with further questions over the same documents
    python -m bench.fit_fact_reranker --folder LIBRARY      over a library that holds the documents already
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from bench.answers import over
from bench.data import bench_data
from core.assistant import Assistant
from core.cli.eval_answers import read_answer_questions, read_into
from core.domain import Passage
from core.evaluation.selective_answers import LOOKED_UP, AnswerQuestion, Parity, passage_figures, ranked
from core.llm.encoders.fact_reranker import WEIGHTS, FactReranker
from core.retrieval.search_port import EVERYTHING

Floats = NDArray[np.float64]
INVERSE_REGULARISATION = 1.0  # inverse of the regularisation


@dataclass(frozen=True)
class Pool:
    """A question with the n passages that the search returned for it, and their signals."""

    question: AnswerQuestion
    passages: tuple[Passage, ...]
    signals: Floats  # (n, 5)
    right: NDArray[np.bool_]  # (n,): holds what is accepted, in the right document

    def ordered(self, weights: Floats | None) -> list[Passage]:
        """Return the passages best first; without weights as the search returned them."""
        if weights is None:
            return list(self.passages)
        return [self.passages[n] for n in np.argsort(-(self.signals @ weights), kind="stable")]


@dataclass
class Recorder:
    """A reranker that keeps what it is given first: all that the search returned."""

    by: FactReranker
    given: list[Sequence[Passage]] = field(default_factory=list)
    name: str = "recorder"

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        """Return the passages as the reranker orders them."""
        self.given.append(passages)
        return self.by.rerank(question, passages)


def main() -> None:
    """Fit on the odd ids and report on both halves."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--more", type=Path, action="append", default=[], help="JSONL as of answers/")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "strata-bench" / "answers"
    )
    given = parser.parse_args()
    files = (bench_data("answers", "answers.jsonl"), *given.more)
    asked = [q for file in files for q in read_answer_questions(file) if q.answers and q.kind in LOOKED_UP]
    with over(given.folder) as assistant:
        read_into(assistant, bench_data("docs"))
        names = {one.id: one.name for one in assistant.library.contents.documents()}

        def file_of(document: str) -> str:
            return names.get(document, "")

        pools = list(pools_of(assistant, asked, file_of))
    fitted = fit([pool for pool in pools if pool.question.parity() == "odd"])
    present = np.asarray(list(WEIGHTS.values()))
    for name, weights in (("present", present), ("fitted", fitted)):
        held = ", ".join(f'"{key}": {weight:.1f}' for key, weight in zip(WEIGHTS, weights, strict=True))
        print(f"{name:10} {{{held}}}")
    halves: tuple[tuple[Parity, str], ...] = (("odd", "fitted"), ("even", "not fitted"))
    for parity, half in halves:
        report([pool for pool in pools if pool.question.parity() == parity], parity, half, fitted, file_of)


def report(
    pools: Sequence[Pool], parity: Parity, said: str, fitted: Floats, file_of: Callable[[str], str]
) -> None:
    """Print how often the first 1, 3 and 10 passages of each order hold what is accepted."""
    print(f"{parity} ids ({said}): {len(pools)} questions, {sum(p.right.any() for p in pools)} with a piece")
    present = np.asarray(list(WEIGHTS.values()))
    for name, weights in (("search", None), ("present", present), ("fitted", fitted)):
        rows = [ranked(pool.question, pool.ordered(weights), file_of) for pool in pools]
        figures = passage_figures(rows)
        shares = "  ".join(f"{key} {share:.2f}" for key, share in figures.items() if key != "questions")
        print(f"  {name:10} {shares}")


def pools_of(
    assistant: Assistant, questions: Sequence[AnswerQuestion], file_of: Callable[[str], str]
) -> Iterator[Pool]:
    """Yield what the search returns for each question, before it is ordered. Raises KnowledgeError."""
    gatherer = assistant.library.gatherer()
    facts = FactReranker(gatherer.retriever.embedder, gatherer.knowledge.tokens, gatherer.knowledge)
    for question in questions:
        recorder = Recorder(facts)
        replace(gatherer, facts=recorder).gather(question.question, EVERYTHING, lambda event: None)
        found = next(iter(recorder.given), ())
        if found:
            right = [
                file_of(passage.chunk.document_id) in question.files
                and question.appears_in(passage.chunk.passage_text())
                for passage in found
            ]
            signals = facts.signals(question.question, found)
            yield Pool(question, tuple(found), signals, np.asarray(right, bool))


def fit(pools: Sequence[Pool]) -> Floats:
    """Return the weights by which right passages stand before wrong ones: (5,)."""
    differences, weigh = [], []
    for pool in pools:
        better, worse = pool.signals[pool.right], pool.signals[~pool.right]
        pairs = (better[:, None] - worse[None]).reshape(-1, pool.signals.shape[1])
        differences.append(pairs)
        weigh.append(np.full(len(pairs), 1 / max(1, len(pairs))))
    rows, shares = np.concatenate(differences), np.concatenate(weigh)
    sides = np.repeat([1, 0], len(rows))
    model = LogisticRegression(C=INVERSE_REGULARISATION, fit_intercept=False, max_iter=3000)
    model.fit(np.concatenate([rows, -rows]), sides, sample_weight=np.tile(shares, 2))
    found: Floats = model.coef_[0]
    return found


if __name__ == "__main__":
    main()
