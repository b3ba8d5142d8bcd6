"""Words as rules compare them: what the search holds for one word, they hold for one word."""

import pytest

from core.llm.builtin.answer.word_matching import likeness, words_of


@pytest.mark.parametrize(
    "asked, said", [("1200", "1,200"), ("Geneve", "Genève"), ("Fuhrer", "Führer’s"), ("1200", "1\u202f200")]
)
def test_one_word_written_in_two_ways_is_one(asked, said):
    (one,), (other,) = words_of(asked), words_of(f"of {said}")
    assert likeness(one.key, other.key) == 1.0
    assert other.start == 3
