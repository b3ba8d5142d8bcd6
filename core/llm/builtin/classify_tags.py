"""The rule for ClassifyTags: terms whose vectors lie close are a class, named by its most central term."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.tasks import Classified, ClassifyTags, TagClass

_MIN_CLASS_DISTANCE = 0.7  # mean cosine distance from which two groups are two classes
_MIN_CLASS_TERMS = 3  # terms of a class

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


def classify(task: ClassifyTags, embed: Embed | None) -> Classified:
    """Cluster the terms by average linkage of their vectors' cosine distance; the largest groups are classes.

    Without an embedder similarity is unknown, so there are no classes.
    """
    terms = list(dict.fromkeys(task.terms))
    if embed is None or len(terms) < _MIN_CLASS_TERMS:
        return Classified()
    from scipy.cluster.hierarchy import fcluster, linkage  # slow to load

    vectors = np.asarray(embed(terms), np.float64)
    groups = fcluster(
        linkage(vectors, "average", metric="cosine"), t=_MIN_CLASS_DISTANCE, criterion="distance"
    )
    found: list[TagClass] = []
    for group in range(1, int(groups.max()) + 1):
        members = np.flatnonzero(groups == group)
        if len(members) < _MIN_CLASS_TERMS:
            continue
        centre = vectors[members].mean(axis=0)
        order = members[np.argsort(-(vectors[members] @ centre), kind="stable")]
        found.append(TagClass(name=terms[order[0]], terms=tuple(terms[at] for at in order)))
    found.sort(key=lambda each: -len(each.terms))
    return Classified(classes=tuple(found[: task.most]))
