"""What a tag is called: the spelling of its text, once for one name."""

from core.ingest.tag_names import TagNames


def test_a_word_in_capitals_is_not_small_for_standing_in_another() -> None:
    names = TagNames()
    assert names.name("DIA", "media of the DIA group") == "DIA"
    assert names.name("JSON", "it is kept in a.json") == "JSON"
    assert names.name("BOOKING ORDER", "x") == "booking order"
    assert names.name("Pump", "the pump failed") == "pump"


def test_a_code_keeps_its_capitals_and_a_word_that_opens_a_sentence_does_not() -> None:
    names = TagNames()
    text = "Chambers of PE-300 run A77. The chamber is cleaned."
    assert [names.name(content, text) for content in ("A77", "PE-300", "Chambers")] == [
        "A77",
        "PE-300",
        "chamber",
    ]
