"""Personalised PageRank that touches only what lies near the seeds, and hops of two steps.

The transition matrix is kept by columns: column j holds where the mass of node j goes, and adds up to 1.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Ints = NDArray[np.int32]
Places = NDArray[np.int64]
Floats = NDArray[np.float32]

MAX_UNSPREAD_MASS = 1e-2  # of the whole mass that may be left unspread
MIN_NODE_MASS = 1e-4  # of the whole mass: a node with less to pass on waits until more comes
MAX_ROUNDS = 60


class Hop(NamedTuple):
    """The mass that flows from one node to another in two steps, and the node most of it passes."""

    share: float
    through: int


class PersonalisedPageRank:
    """The transitions of a graph, as sparse columns. Reading is safe from many threads."""

    def __init__(self, matrix: Any) -> None:
        self.size = int(matrix.shape[1])
        self._starts: Places = matrix.indptr.astype(np.int64)
        self._rows: Ints = matrix.indices.astype(np.int32)
        self._shares: Floats = matrix.data.astype(np.float32)

    def spread(self, seeds: Mapping[int, float], damping: float) -> tuple[Places, Floats]:
        """Return the nodes that a personalised PageRank reaches and the mass of each; the masses add up to
        those of the seeds, but for `MAX_UNSPREAD_MASS` and for what nodes without edges cannot pass on.

        Forward push (Andersen, Chung, Lang, "Local graph partitioning using PageRank vectors", 2006, section
        3): every node keeps 1 - damping of what reaches it and passes on the rest, in rounds in which all
        nodes with enough to pass on do so at once. So the work depends on what is near, not on the library.
        """
        total = float(sum(seeds.values()))
        estimate = np.zeros(self.size, np.float32)
        waiting = np.zeros(self.size, np.float32)
        for number, mass in seeds.items():
            waiting[number] += mass / total if total > 0 else 0.0
        place = np.zeros(self.size, np.int64)
        active = np.flatnonzero(waiting)
        for _ in range(MAX_ROUNDS):
            if not len(active):
                break
            moving = waiting[active]
            if float(moving.sum()) < MAX_UNSPREAD_MASS:
                break
            waiting[active] = 0.0
            estimate[active] += np.float32(1 - damping) * moving
            entries, lengths = _positions(self._starts, active)
            passed = self._shares[entries] * np.repeat(np.float32(damping) * moving, lengths)
            reached = self._rows[entries]
            np.add.at(waiting, reached, passed)
            active = _once(reached[waiting[reached] > MIN_NODE_MASS], place)  # no other node got any
        estimate += waiting
        near = np.flatnonzero(estimate != 0)
        return near, estimate[near] * np.float32(total)

    def hops(self, nodes: Sequence[int]) -> dict[tuple[int, int], Hop]:
        """Return (from, to) -> the hop in at most two steps, as places in `nodes`; only those there are."""
        asked = np.asarray(nodes, np.int64)
        if not len(asked):
            return {}
        # What leads into the nodes asked for, read by rows: a thing that thousands name is not gone through.
        first, many = _positions(self._starts, asked)
        last, few = _positions(self._by_row.indptr, asked)
        leaving, entering = self._rows[first], self._by_row.indices[last]
        middles = np.union1d(np.intersect1d(leaving, entering), asked)
        there = _dense(leaving, many, self._shares[first], middles)  # (n, middles): first steps
        onward = _dense(entering, few, self._by_row.data[last], middles)  # second steps, by where they end
        direct = onward[:, np.searchsorted(middles, asked)].T  # (n, n): from, to
        found: dict[tuple[int, int], Hop] = {}
        for a in range(len(asked)):
            steps = onward * there[a]
            best = steps.argmax(axis=1)
            whole = steps.sum(axis=1) + direct[a]
            for b in np.flatnonzero(whole).tolist():
                if b != a:
                    at_once = direct[a, b] >= steps[b, best[b]]
                    through = asked[b] if at_once else middles[best[b]]
                    found[a, b] = Hop(float(whole[b]), int(through))
        return found

    @cached_property
    def _by_row(self) -> Any:
        parts = (self._shares, self._rows, self._starts)
        return sparse.csc_array(parts, shape=(self.size, self.size)).tocsr()


def _once(nodes: NDArray[Any], place: Places) -> NDArray[Any]:
    """Return each node once; `place` is room for a number of each node of the graph."""
    numbers = np.arange(len(nodes))
    place[nodes] = numbers
    first: NDArray[Any] = nodes[place[nodes] == numbers]
    return first


def _positions(starts: NDArray[Any], nodes: NDArray[Any]) -> tuple[Places, Places]:
    """Return where the entries of the nodes' columns (or rows) stand, one after the other, and how many each
    has."""
    lengths = starts[nodes + 1] - starts[nodes]
    ends = np.cumsum(lengths)
    whole = int(ends[-1]) if len(ends) else 0
    return np.arange(whole) + np.repeat(starts[nodes] - (ends - lengths), lengths), lengths


def _dense(columns: NDArray[Any], lengths: NDArray[Any], values: Floats, selected: Places) -> Floats:
    """Return sparse rows, one after the other, as (rows, selected): those columns only, which are sorted."""
    at = np.minimum(np.searchsorted(selected, columns), len(selected) - 1)
    present = selected[at] == columns
    found = np.zeros((len(lengths), len(selected)), np.float32)
    found[np.repeat(np.arange(len(lengths)), lengths)[present], at[present]] = values[present]
    return found
