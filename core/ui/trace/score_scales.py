"""What the figures of a passage mean: one relevance for the list, and the scale of every layer's score."""

from collections.abc import Sequence

from core.domain import Passage
from core.i18n.messages import mark

SCALES = {
    "keyword": mark("BM25: rare words of the question weigh more; no upper limit"),
    "chunk": mark("cosine of the meanings; 1 is the same"),
    "atom": mark("cosine with a question or statement made from it; 1 is the same"),
    "section": mark("cosine with the summary of its section"),
    "document": mark("cosine with the summary of its document"),
    "graph": mark("share of a random walk over the graph (personalised PageRank); the whole graph makes 1"),
    "rerank": mark("what decides the order; the first has 1 with late interaction"),
    "hop": mark("how surely a better passage leads to this one; 0 to 1"),
    "learnt": mark("how far readers' judgements move it; 0 is not at all"),
    "table": mark("1: rows computed by a query"),
    "theme": mark("1: says the theme that is asked about"),
}
RELEVANCE = mark(
    "Relevance within this list: the first has 100, whatever the question. It compares no two lists."
)


def deciding(passages: Sequence[Passage]) -> list[float]:
    """Return the score that decides the list: reranking's where all have it, else that of the search."""
    if all("rerank" in passage.scores for passage in passages):
        return [passage.scores["rerank"] for passage in passages]
    return [passage.score for passage in passages]


def relevance(passages: Sequence[Passage]) -> list[float]:
    """Return each passage's deciding score as a share (0 to 1) of the list's best."""
    scores = deciding(passages)
    best = max(scores, default=0.0)
    return [max(0.0, score / best) if best > 0 else 0.0 for score in scores]
