"""Lays out a drawn graph: linked nodes stand close, and no label overlaps another.

Places come from repulsion among all nodes and attraction along links, cooled over the rounds (Fruchterman and
Reingold 1991); overlapping boxes are then pushed apart inside the drawing.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

GAP_PIXELS = 6.0  # between two labels
ROUNDS = 150  # of forces
MAX_ROUNDS_APART = 100  # of pushing overlapping boxes apart, before the drawing grows
GROWTH = 1.15  # factor of the height where there is no room
_GOLDEN = 2.399963  # radians: points turned by it lie spread on a disc

Places = NDArray[np.float64]


def place(
    boxes: Sequence[tuple[float, float]], links: Sequence[tuple[int, int]], width: float, height: float
) -> tuple[Places, float]:
    """Return the centres (n, 2) of the boxes and the height they need, in pixels; box 0 is in the middle.

    `boxes` are widths and heights, `links` pairs of their indices.
    """
    size = np.asarray(boxes, dtype=float).reshape(-1, 2)
    drawn = _linked(len(boxes), links)
    while True:
        room = np.array([width, height])
        places = _apart((drawn + 0.5) * room, size, room)
        if places is not None:
            return places, height
        height *= GROWTH


def _linked(count: int, links: Sequence[tuple[int, int]]) -> Places:
    """Return places (n, 2) in the unit square around the origin, by forces; node 0 stays in the centre."""
    turned = np.arange(count)
    reach = 0.5 * np.sqrt(turned / max(1, count - 1))
    at = np.stack([np.cos(turned * _GOLDEN) * reach, np.sin(turned * _GOLDEN) * reach], axis=1)
    pulls = np.zeros((count, count))
    for a, b in links:
        pulls[a, b] = pulls[b, a] = 1.0
    ideal = 0.8 / np.sqrt(max(1, count))
    for heat in np.linspace(0.08, 0.005, ROUNDS):
        apart = at[:, None, :] - at[None, :, :]
        far = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
        force = (apart / far[..., None] * (ideal**2 / far - pulls * far**2 / ideal)[..., None]).sum(axis=1)
        strength = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
        step = force / strength * np.minimum(strength, heat)
        step[0] = 0.0
        at = np.clip(at + step, -0.5, 0.5)
    return at


def _apart(at: Places, size: Places, room: Places) -> Places | None:
    """Return the places with overlapping boxes pushed apart inside `room`, None where that fails."""
    order = np.sign(np.arange(len(at))[:, None] - np.arange(len(at))[None, :])
    wanted = (size[:, None, :] + size[None, :, :]) / 2 + GAP_PIXELS
    edge = np.minimum(size / 2, room / 2)
    edge[:, 0] = edge[:, 0].max()  # the nodes are drawn about the middle, wherever the widest label is
    for _ in range(MAX_ROUNDS_APART):
        at = np.clip(at, edge, room - edge)
        apart = at[:, None, :] - at[None, :, :]
        over = wanted - np.abs(apart)
        overlaps = (over > 0.5).all(axis=2) & (order != 0)
        if not overlaps.any():
            return at
        way = np.where(apart == 0, order[..., None], np.sign(apart))
        least = over.argmin(axis=2)
        push = np.where(np.arange(2) == least[..., None], way * over, 0.0) * overlaps[..., None]
        at = at + 0.5 * push.sum(axis=1)
    return None
