"""What the figures of a passage mean: one relevance for the list, and the scale of every layer's score."""

from collections.abc import Sequence

from core.domain import Passage

SCALES = {
    "keyword": "BM25: rare words of the question weigh more; no upper limit",
    "chunk": "cosine of the meanings; 1 is the same",
    "atom": "cosine with a question or statement made from it; 1 is the same",
    "section": "cosine with the summary of its section",
    "document": "cosine with the summary of its document",
    "graph": "share of a walk over the graph (personalised PageRank); the whole graph makes 1",
    "rerank": "what decides the order; the first has 1 with late interaction",
    "hop": "how surely a better passage leads to this one; 0 to 1",
    "learnt": "how far readers' judgements move it; 0 is not at all",
    "table": "1: rows computed by a query",
}
RELEVANCE = "Relevance within this list: the first has 100, whatever the question. It compares no two lists."


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
