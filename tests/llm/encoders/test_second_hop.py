import numpy as np
import pytest

from core.llm.encoders.rerankers import NoReranker
from core.llm.encoders.second_hop import SecondHop, completing, standardised
from tests.making import passage

TEXTS = (
    "The Long Night is a film directed by Ada Berg.",
    "The Longest Night is a film of 1936.",
    "She was born in Oslo and died in Rome.",
)
FILM, OTHER, PERSON = (passage(text, score=score) for text, score in zip(TEXTS, (1.0, 0.9, 0.7), strict=True))
QUESTION = "Where was the director of the film The Long Night born?"
ALL = [FILM, OTHER, PERSON]


def to_person(ids):
    return {(FILM.chunk.id, PERSON.chunk.id): (0.2, "Ada Berg")}


def test_the_next_passage_is_the_one_that_meets_what_is_not_met_yet():
    met = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 0.8]])
    gains, led = completing(np.zeros(3), met, np.ones(3))
    assert led == [-1, -1, -1]
    assert np.argsort(-gains).tolist() == [0, 2, 1]
    assert gains.tolist() == pytest.approx([1.9, 0.1, 0.8])
    known = np.array([0.0, 5.0, 0.0])
    assert np.argmax(completing(known, met, np.ones(3))[0]) == 1


def test_what_a_chosen_passage_leads_to_is_chosen_next_and_stands_behind_it():
    hops = np.zeros((3, 3))
    hops[2, 0] = 2.0
    gains, led = completing(np.array([1.0, 0.5, 0.0]), np.zeros((3, 1)), np.ones(1), hops)
    assert np.argsort(-gains).tolist() == [0, 2, 1] and led == [-1, -1, 0]


def test_behind_a_reranker_comes_what_the_first_passage_leads_to_and_it_says_so():
    inner = NoReranker()
    assert [p.chunk for p in inner.rerank(QUESTION, ALL)] == [FILM.chunk, OTHER.chunk, PERSON.chunk]
    found = SecondHop(inner, to_person).rerank(QUESTION, ALL)
    assert [p.chunk for p in found] == [FILM.chunk, PERSON.chunk, OTHER.chunk]
    assert [p.rank_after for p in found] == [1, 2, 3] and [p.rank_before for p in found] == [1, 3, 2]
    assert found[1].why[-1].startswith("second hop from") and found[1].why[-1].endswith("by Ada Berg")
    assert found[1].scores["hop"] == 1.0 and "hop" not in found[0].scores
    assert all("rerank" in p.scores for p in found)


def test_where_nothing_leads_on_the_order_of_the_reranker_stays():
    found = SecondHop(NoReranker(), lambda ids: {}).rerank(QUESTION, ALL)
    assert found == NoReranker().rerank(QUESTION, ALL)
    assert SecondHop(NoReranker(), to_person).rerank(QUESTION, []) == []


def test_the_hop_carries_the_name_of_the_reranker_it_follows():
    assert SecondHop(NoReranker(), to_person).name == "none"


def test_scores_of_any_scale_are_compared_by_their_spread():
    assert standardised([1.0, 2.0, 3.0]) == pytest.approx(standardised([-50.0, 0.0, 50.0]))
    assert standardised([7.0, 7.0]).tolist() == [0.0, 0.0]
