"""Tags a question names are counted out of it, and words of the library's form are paired."""

from core.retrieval.topics import alike, topics_of
from core.tasks import TagPair

TAGS = (
    "Yield",
    "helium",
    "leak",
    "vacuum pump",
    "yield",
    "ETCH-01",
    "mass flow controller",
    "etching",
    "漏率",
)


def test_named_tags_come_first_the_longest_before_and_each_once():
    assert topics_of("Did the vacuum pump leak, and what of the yield?", TAGS) == (
        "vacuum pump",
        "Yield",
        "leak",
    )
    assert topics_of("氦气的漏率是多少？", TAGS) == ("漏率",)
    assert topics_of("Who is it?", (*TAGS, "WHO")) == ()
    assert topics_of("What does the WHO say?", (*TAGS, "WHO")) == ("WHO",)


def test_a_proposed_topic_counts_only_if_the_library_has_it():
    assert topics_of("Who is it?", TAGS, ("Helium", "no such tag")) == ("helium",)
    assert len(topics_of("yield helium leak vacuum pump etching", TAGS, TAGS)) == 5


def test_initials_and_misspelt_words_are_paired_and_codes_are_not():
    assert alike("Is the MFC fine after etchng in ETCH-02?", TAGS) == [
        TagPair(said="MFC", meant="mass flow controller"),
        TagPair(said="etchng", meant="etching"),
    ]
