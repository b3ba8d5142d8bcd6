"""Groups documents by what they are about: the topmost level of summaries, made of vectors and tags alone.

As RAPTOR (arXiv 2401.18059) clusters passages into a tree whose upper nodes stand for what is below them. A
group has no words of its own: it is named by the tags that it has and others have not, weighed as in BERTopic
(arXiv 2203.05794, class-based tf-idf).
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.ports import Vectors
from core.text.topic_terms import is_topic_term

MIN_DOCUMENTS = 4  # documents that are worth grouping
MAX_GROUPS = 8
TAGS_PER_GROUP = 3  # tags that name a group
MAX_CLUSTERED_DOCUMENTS = 1_000  # documents that are clustered; each other joins the group it is nearest to


@dataclass(frozen=True)
class DocumentTopic:
    """Documents about one thing, the most typical first, and the tags that name it."""

    terms: tuple[str, ...]
    documents: tuple[str, ...]


def document_topics(
    vectors: Mapping[str, Vectors], tags: Mapping[str, Counter[str]]
) -> tuple[DocumentTopic, ...]:
    """Return groups of the documents, the largest first; none of fewer than four.

    `vectors` holds a vector of shape (d,) a document, `tags` how many of its passages carry each tag.
    """
    ids = sorted(vectors)
    if len(ids) < MIN_DOCUMENTS:
        return ()
    matrix = np.stack([vectors[each] for each in ids])
    matrix = matrix / np.linalg.norm(matrix, axis=1, keepdims=True).clip(1e-9)
    groups = _grouped(matrix)
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    found = [
        DocumentTopic(
            _named([tags.get(ids[at], Counter()) for at in each], tags),
            tuple(ids[at] for at in each[np.argsort(-(matrix[each] @ matrix[each].mean(axis=0)))]),
        )
        for each in members
    ]
    return tuple(sorted(found, key=lambda topic: (-len(topic.documents), topic.documents)))


def _grouped(matrix: Vectors) -> NDArray[np.intp]:
    """Return a number of a group per row: Ward's linkage, cut at about the square root of the documents.

    Who stands alone joins the group it is nearest to.
    """
    from scipy.cluster.hierarchy import fcluster, linkage  # slow to load

    many = min(MAX_GROUPS, max(2, round(math.sqrt(len(matrix)))))
    step = -(-len(matrix) // MAX_CLUSTERED_DOCUMENTS)
    drawn = matrix[::step]
    groups = fcluster(linkage(drawn, "ward"), t=many, criterion="maxclust")
    numbers, sizes = np.unique(groups, return_counts=True)
    centres = np.stack(
        [drawn[groups == group].mean(axis=0) for group in numbers[sizes >= min(2, sizes.max())]]
    )
    return np.asarray(np.argmax(matrix @ centres.T, axis=1), np.intp)


def _named(inside: Sequence[Counter[str]], everywhere: Mapping[str, Counter[str]]) -> tuple[str, ...]:
    """Return the tags that most of a group's documents carry and few others, one spelling of each.

    What more than half of all documents carry parts nothing; names of people and firms, codes and clauses
    are no topics.
    """
    spread = Counter(tag for own in everywhere.values() for tag in own)
    own = Counter(
        tag
        for document in inside
        for tag in document
        if 2 * spread[tag] <= len(everywhere) and is_topic_term(tag)
    )
    times = sum((Counter({tag: math.log1p(n) for tag, n in each.items()}) for each in inside), Counter[str]())
    worth = {
        tag: times[tag] * (count / len(inside)) * math.log(1 + len(everywhere) / spread[tag])
        for tag, count in own.items()
    }
    chosen: list[str] = []
    for tag in sorted(worth, key=lambda each: (-worth[each], each)):
        low = tag.casefold()
        if not any(low in other.casefold() or other.casefold() in low for other in chosen):
            chosen.append(tag)
        if len(chosen) == TAGS_PER_GROUP:
            break
    return tuple(chosen)
