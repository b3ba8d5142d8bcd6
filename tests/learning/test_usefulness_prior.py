"""Usefulness as a Beta posterior: bounded, by tag and type of question, undone by its opposite."""

import pytest

from core.knowledge.learned.usefulness import UsefulnessCount
from core.learning.usefulness_prior import LearntReranker, named_tags, question_type, shift
from core.llm.encoders.rerankers import NoReranker
from tests.making import passage

TEXTS = [f"Passage {n} about arcing." for n in range(10)]


def ranked(
    rows: list[UsefulnessCount], question: str = "Why is there arcing?", most: float = 0.2
) -> list[str]:
    held = [passage(text, score=1.0 - n / 100) for n, text in enumerate(TEXTS)]
    reranker = LearntReranker(
        NoReranker(),
        lambda ids, kind: [row for row in rows if row.chunk_id in ids and row.type == kind],
        lambda ids: dict.fromkeys(ids, ("arcing",)),
        most,
    )
    return [one.chunk.text for one in reranker.rerank(question, held)]


def judged(n: int, good: int, bad: int, type: str = "why", tag: str = "arcing") -> UsefulnessCount:
    return UsefulnessCount(passage(TEXTS[n]).chunk.id, tag, type, good, bad)


def test_without_verdicts_nothing_moves():
    assert shift(0, 0, 0.1) == 0.0
    assert ranked([]) == TEXTS


@pytest.mark.parametrize(("good", "bad"), [(1, 0), (0, 1), (1000, 0), (0, 1000), (7, 3)])
def test_the_shift_never_passes_its_bound(good, bad):
    assert abs(shift(good, bad, 0.1)) <= 0.1


def test_more_of_the_same_verdict_moves_further():
    assert 0 < shift(1, 0, 0.1) < shift(4, 0, 0.1) < shift(20, 0, 0.1)
    assert 0 > shift(0, 1, 0.1) > shift(0, 4, 0.1)


def test_a_useful_passage_rises_a_little_and_a_useless_one_sinks_a_little():
    assert ranked([judged(5, 8, 0)]).index(TEXTS[5]) in (3, 4)
    assert ranked([judged(5, 0, 8)]).index(TEXTS[5]) in (6, 7)


def test_the_verdict_counts_only_for_its_type_of_question_and_its_tag():
    assert ranked([judged(5, 8, 0)], "When was the arcing seen?") == TEXTS
    assert ranked([judged(5, 8, 0, tag="helium")]) == TEXTS


def test_a_passage_that_moved_says_so():
    held = [passage(text, score=1.0 - n / 100) for n, text in enumerate(TEXTS)]
    reranker = LearntReranker(
        NoReranker(), lambda ids, kind: [judged(5, 8, 0)], lambda ids: dict.fromkeys(ids, ("arcing",))
    )
    moved = next(one for one in reranker.rerank("Why is there arcing?", held) if one.chunk.text == TEXTS[5])
    assert 0 < moved.scores["learnt"] <= 0.1
    assert moved.why == ("readers: useful 8 of 8 times for such questions",)
    assert [one.rank_after for one in reranker.rerank("Why is there arcing?", held)] == list(range(1, 11))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Why did yield fall?", "why"),
        ("How many wafers were lost?", "how many"),
        ("清洗需要多久？", "how many"),
        ("Who signed it?", "who"),
        ("谁签署了报告？", "who"),
        ("When was it replaced?", "when"),
        ("Where does the team sit?", "where"),
        ("How is it cleaned?", "how"),
        ("Is the pump dry?", "whether"),
        ("Which pump is used?", "what"),
    ],
)
def test_the_type_of_a_question_is_read_from_its_words(question, kind):
    assert question_type(question) == kind


def test_only_tags_the_question_names_count():
    assert named_tags("Why does the helium leak?", ["helium leak", "chuck"]) == ("helium leak",)
    assert named_tags("Why?", ["helium"]) == ("",)
    assert named_tags("氦气泄漏的原因", ["泄漏"]) == ("泄漏",)
