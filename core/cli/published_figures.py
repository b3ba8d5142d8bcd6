"""What PIKE-RAG's paper reports on public questions, to stand beside a score.

arXiv 2501.11551, tables 4 to 6: GPT-4 (1106-preview) and text-embedding-ada-002, 500 questions of each
development set over the pooled passages of those questions, in percent. Our files hold other samples:
compare loosely.
"""

from collections.abc import Iterable

SOURCE = "PIKE-RAG, arXiv 2501.11551, tables 4 to 6 (GPT-4, 500 other questions of the same set)"
METHODS = (
    "Zero-Shot CoT", "Naive RAG w/ R", "Naive RAG w/ H-R", "Self-Ask", "Self-Ask w/ R", "Self-Ask w/ H-R",
    "GraphRAG Local", "GraphRAG Global", "PIKE-RAG",
)  # fmt: skip
# EM and F1 of each method, in their order
FIGURES: dict[str, tuple[tuple[float, float], ...]] = {
    "hotpotqa": (
        (32.60, 43.94), (56.80, 72.67), (54.80, 70.25), (28.80, 43.61), (44.80, 63.08), (47.20, 64.24),
        (0.00, 10.66), (0.00, 7.42), (61.20, 76.26),
    ),
    "2wiki": (
        (35.67, 41.40), (51.20, 59.74), (51.40, 59.73), (23.80, 37.49), (46.80, 64.17), (48.00, 63.99),
        (0.00, 11.83), (0.00, 7.35), (66.80, 75.19),
    ),
    "musique": (
        (12.93, 22.90), (32.00, 43.31), (30.40, 41.30), (16.40, 27.27), (28.40, 42.54), (29.80, 44.05),
        (0.60, 9.62), (0.00, 5.16), (46.40, 56.62),
    ),
}  # fmt: skip


def published(names: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return method -> EM and F1 (shares) for the first of the names that is a known data set."""
    for name in names:
        known = next((key for key in FIGURES if key in name.casefold().replace("-", "")), None)
        if known:
            rows = zip(METHODS, FIGURES[known], strict=True)
            return {method: {"em": round(em / 100, 4), "f1": round(f1 / 100, 4)} for method, (em, f1) in rows}
    return {}
