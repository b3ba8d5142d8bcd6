"""Learnt pairs of what people say and the library's term for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import NotFound
from core.knowledge.base import IndexableDocument, KnowledgeBase


def test_a_pair_is_kept_once_counted_up_and_taken_away(folder: Path, library: KnowledgeBase) -> None:
    library.learn_tag_pair("Heart  races", "palpitations", evidence="the reader said so")
    library.learn_tag_pair("heart races", "palpitations", "samples", "2 answers")
    library.learn_tag_pair("puck", "electrostatic chuck")
    library.close()
    with KnowledgeBase(folder, "test") as again:
        first, second = again.tag_pairs()
        assert (first.said, first.meant, first.times) == ("Heart races", "palpitations", 2)
        assert (first.teacher, first.evidence) == ("samples", "2 answers")
        assert second.said == "puck" and second.times == 1 and second.at >= first.at > 0
        again.unlearn_tag_pair("HEART races", "palpitations")
        assert [pair.said for pair in again.tag_pairs()] == ["puck"]
        with pytest.raises(NotFound, match="no pair"):
            again.unlearn_tag_pair("heart races", "palpitations")


@pytest.mark.parametrize(("text", "meant"), [("Puck", "puck!"), ("", "chuck"), ("puck", " ")])
def test_terms_that_are_one_make_no_pair(library: KnowledgeBase, text: str, meant: str) -> None:
    with pytest.raises(ValueError, match="two different terms"):
        library.learn_tag_pair(text, meant)


def test_the_library_says_what_it_calls_by_name_and_what_stands_together(
    library: KnowledgeBase, add: Callable[..., IndexableDocument]
) -> None:
    add("Copper", "Copper and tungsten plugs.")
    assert library.co_occur("copper", "tungsten") and not library.co_occur("copper", "helium")
    assert library.contains_words("plugs") and not library.contains_words("helium")
    assert not library.is_known_name("tungsten")
