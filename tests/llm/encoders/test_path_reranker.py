"""Learnt order: trees over what is known of passages beside those taken, and which of these come first."""

import numpy as np
import pytest

from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.path_reranker import (
    ALONE,
    BESIDE,
    FIRST_PLACES,
    MAX_LEARNT,
    PathReranker,
    Trees,
    chosen,
    packaged_trees,
)
from core.llm.encoders.rerankers import LateInteractionReranker
from tests.llm.encoders.test_rerankers import Tokens
from tests.making import passage

QUESTION = "Who was the director of The Long Night born to?"
FILM = passage(
    "The Long Night is a film directed by Ada Quill.", title="The Long Night", score=0.9, chunk=0.8
)
AGAIN = passage("The Long Night ran in 40 cinemas.", title="Cinemas", score=0.8, chunk=0.7)
PERSON = passage("She was born in 1921 to a miller.", title="Ada Quill (director)", score=0.1, graph=0.2)
PASSAGES = [FILM, AGAIN, PERSON]


class Words:
    """Words of passages as a library knows them: of the question those of four letters or more, all alike."""

    def word_matches(self, text, chunk_ids):
        words = [word for word in text.lower().split() if len(word) > 3]
        texts = {each.chunk.id: each.chunk.passage_text().lower() for each in PASSAGES}
        matches = [[float(word in texts.get(chunk, "")) for word in words] for chunk in chunk_ids]
        return np.full(len(words), 1 / len(words)), np.array(matches).reshape(len(chunk_ids), len(words))


def one_split(signal: str, above: float) -> Trees:
    """A tree that gives `above` where the signal is over a half, else 0."""
    whole = {"feature": [[at(signal), 0, 0]], "left": [[1, 1, 2]], "right": [[2, 1, 2]]}
    parts = {"threshold": [[0.5, 9.0, 9.0]], "value": [[0.0, 0.0, above]]}
    return Trees(**{name: np.array(rows) for name, rows in (whole | parts).items()}, depth=1, begin=-1.0)


def at(signal: str) -> int:
    return (*ALONE, *BESIDE).index(signal)


@pytest.fixture(scope="module")
def late():
    embedder = PackagedEmbedder(precision="float32")
    return LateInteractionReranker(embedder, Tokens(embedder, PASSAGES))


def test_trees_add_up_the_leaves_a_row_comes_to():
    signals = np.zeros((2, len(ALONE) + len(BESIDE)))
    signals[1, at("named")] = 1.0
    assert one_split("named", 3.0)(signals).tolist() == [-1.0, 2.0]


def test_what_a_taken_passage_names_and_the_question_does_not_is_told_from_what_repeats_it(late):
    found = PathReranker(late, Words()).candidates(QUESTION, PASSAGES)
    beside = found.beside([0], [found.ties(0)])
    assert beside[:, BESIDE.index("named and not asked")].tolist() == [0.0, 0.0, 1.0]
    assert beside[:, BESIDE.index("names one")].tolist() == [0.0, 1.0, 0.0]
    assert found.alone[:, ALONE.index("asked")].tolist() == [1.0, 0.0, 0.0]
    assert found.alone.shape == (3, len(ALONE)) and beside.shape == (3, len(BESIDE))
    assert found.beside([], []).shape == (3, len(BESIDE))


def test_each_place_is_given_beside_those_taken_before(late):
    reranker = PathReranker(late, Words(), one_split("named and not asked", 4.0))
    ranked = reranker.rerank(QUESTION, PASSAGES)
    assert [each.chunk.id for each in ranked] == [each.chunk.id for each in (FILM, PERSON, AGAIN)]
    assert [(each.rank_before, each.rank_after) for each in ranked] == [(1, 1), (2, 2), (3, 3)]
    scores = [each.scores["rerank"] for each in ranked]
    assert scores == sorted(scores, reverse=True) and 0 < scores[-1] < scores[0] <= 1


def test_what_no_token_tells_of_is_left_to_the_late_interaction(late):
    reranker = PathReranker(late, Words())
    assert reranker.rerank(QUESTION, []) == []
    assert reranker.rerank(QUESTION, [FILM]) == late.rerank(QUESTION, [FILM])
    assert reranker.rerank("导演是谁？", PASSAGES) == late.rerank("导演是谁？", PASSAGES)


def test_all_passages_come_back_and_those_behind_the_learnt_ones_in_their_order(late):
    many = [passage(f"Passage {n} of the film.", title=f"Film {n}", score=1 / (n + 1)) for n in range(60)]
    ranked = PathReranker(late, Words()).rerank(QUESTION, many)
    assert sorted(each.chunk.id for each in ranked) == sorted(each.chunk.id for each in many)
    assert [each.chunk.id for each in ranked[MAX_LEARNT:]] == [each.chunk.id for each in many[MAX_LEARNT:]]


def test_the_packaged_trees_fit_the_signals(late):
    trees = packaged_trees()
    assert trees.feature.max() < len(ALONE) + len(BESIDE)
    found = PathReranker(late, Words()).candidates(QUESTION, PASSAGES)
    taken, chances = chosen(found, trees)
    assert sorted(taken) == [0, 1, 2] and len(taken) <= FIRST_PLACES
    assert all(0 < chance < 1 for chance in chances) and chances == sorted(chances, reverse=True)
