"""Random walks over sparse hops: what spreads, how far, and the hops in two steps."""

import numpy as np
import pytest
from scipy import sparse

from core.knowledge.search import pagerank as rules
from core.knowledge.search.pagerank import PersonalisedPageRank


def pagerank(size: int, edges: dict[tuple[int, int], float]) -> PersonalisedPageRank:
    """Return the PageRank over edges (from, to) -> weight, each node's made to add up to 1."""
    dense = np.zeros((size, size))
    for (start, end), weight in edges.items():
        dense[end, start] = weight
    return PersonalisedPageRank(sparse.csc_matrix(dense / np.maximum(dense.sum(axis=0), 1e-9)))


def test_the_push_gives_the_page_rank_of_the_dense_formula_but_for_the_precision() -> None:
    random = np.random.default_rng(1)
    dense = random.random((60, 60)) * (random.random((60, 60)) < 0.1)
    dense[0] += 0.01
    dense /= dense.sum(axis=0)
    seeds = {3: 2.0, 7: 1.0}
    start = np.zeros(60)
    for node, mass in seeds.items():
        start[node] = mass
    exact = 0.2 * np.linalg.solve(np.eye(60) - 0.8 * dense, start)
    nodes, masses = PersonalisedPageRank(sparse.csc_matrix(dense)).spread(seeds, 0.8)
    found = np.zeros(60)
    found[nodes] = masses
    assert found.sum() == pytest.approx(3.0, abs=1e-5)
    assert np.abs(found - exact).sum() < 3.0 * 2 * rules.MAX_UNSPREAD_MASS
    assert np.argsort(-found)[:10].tolist() == np.argsort(-exact)[:10].tolist()


def test_pagerank_touches_only_what_the_seeds_lead_to() -> None:
    nodes, masses = pagerank(6, {(0, 1): 1, (1, 0): 1, (3, 4): 1, (4, 3): 1}).spread({0: 1.0}, 0.5)
    assert nodes.tolist() == [0, 1] and masses[0] > masses[1] > 0
    assert len(pagerank(3, {}).spread({}, 0.5)[0]) == 0


def test_hops_lead_directly_or_through_one_node_and_name_it() -> None:
    hops = pagerank(5, {(0, 3): 3, (0, 4): 1, (3, 1): 1, (4, 1): 1, (4, 2): 1, (1, 2): 1}).hops([0, 1, 2])
    assert hops[0, 1].share == pytest.approx(0.75 + 0.125) and hops[0, 1].through == 3
    assert hops[0, 2].share == pytest.approx(0.125) and hops[0, 2].through == 4
    assert hops[1, 2].share == pytest.approx(1.0) and hops[1, 2].through == 2
    assert set(hops) == {(0, 1), (0, 2), (1, 2)}
    assert pagerank(5, {}).hops([]) == {}
