"""Scene changes in moving pictures, and a selection of them spread over the whole length."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE_PIXELS = 64  # pixels of a picture as it is compared
_MIN_SCENE_CHANGE = 0.04  # mean difference of two grey pictures (0 to 1) that makes a new scene
_MIN_LOCAL_CHANGE, _MIN_CHANGED_SHARE = 0.25, 0.002  # or so great a difference in such a share of them
Grey = NDArray[np.float32]
_Place = TypeVar("_Place")


def grey_of(picture: "Image") -> Grey:
    """Return a picture reduced for comparison: (64, 64), 0 black to 1 white."""
    small = picture.convert("L").resize((SIDE_PIXELS, SIDE_PIXELS))
    return np.asarray(small, dtype=np.float32) / np.float32(255)


def differs(one: Any, other: Any) -> bool:
    """Say whether two pictures differ as a whole, or altogether in a part, as by a new line of text."""
    apart = np.abs(one - other)
    return bool(apart.mean() > _MIN_SCENE_CHANGE or (apart > _MIN_LOCAL_CHANGE).mean() > _MIN_CHANGED_SHARE)


def thinned(places: Sequence[_Place], times: Sequence[float], most: int) -> list[_Place]:
    """Return at most `most` of the places; those closest after the one before are dropped first."""
    remaining = list(zip(places, times, strict=True))
    while len(remaining) > max(1, most):
        gaps = [after[1] - before[1] for before, after in pairwise(remaining)]
        del remaining[gaps.index(min(gaps)) + 1]
    return [place for place, _ in remaining]
