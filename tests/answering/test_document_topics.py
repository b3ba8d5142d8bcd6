"""Documents are grouped by what they are about and named by what sets a group apart."""

from collections import Counter

import numpy as np

from core.answering.document_topics import document_topics


def library(groups: dict[str, int], width: int = 16) -> tuple[dict, dict]:
    """Return vectors about one direction a group, and tags: one of the group, one of all, one of a person."""
    random = np.random.default_rng(7)
    vectors, tags = {}, {}
    for at, (word, many) in enumerate(groups.items()):
        for number in range(many):
            vectors[f"{word}-{number}"] = np.eye(width)[at] + random.normal(0, 0.05, width)
            tags[f"{word}-{number}"] = Counter({word: 3, "disclaimer": 1, "Mei Tanaka": 2, "PN-4410": 2})
    return vectors, tags


def test_documents_of_one_direction_are_one_topic_named_by_what_others_lack():
    found = document_topics(*library({"pump": 7, "valve": 5, "furnace": 4}))
    assert [(topic.terms, len(topic.documents)) for topic in found] == [
        (("pump",), 7),
        (("valve",), 5),
        (("furnace",), 4),
    ]
    assert all({each.split("-")[0] for each in topic.documents} == set(topic.terms) for topic in found)


def test_few_documents_are_not_grouped_and_many_are_all_told():
    assert document_topics(*library({"pump": 3})) == ()
    found = document_topics(*library({"pump": 900, "valve": 600, "furnace": 300}))
    assert sum(len(topic.documents) for topic in found) == 1800
    assert all(len({each.split("-")[0] for each in topic.documents}) == 1 for topic in found)
