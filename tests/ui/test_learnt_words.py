"""Learnt words and the classes of tags are seen and changed in Knowledge, and search follows them."""

from core.tasks import TagClass
from core.ui.shared import session


def field(at, name):
    return next(area for area in at.text_area if area.key == f"learnt.{name}")


def keep(at, name):
    number = {"pairs": 0, "classes": 1}[name]
    [button for button in at.button if button.label == "Keep these lines"][number].click().run()
    return at


def test_a_pair_that_is_written_is_read_from_then_on_and_one_taken_away_is_not(assistant, open_page):
    assistant.learning.keep_pairs([("dry vac", "pump")])
    at = open_page(session.KNOWLEDGE, view="words")
    assert any("1 word is read as another" in one.label for one in at.expander)
    assert field(at, "pairs").value == "dry vac = pump"
    field(at, "pairs").set_value("wet cleaning = wet clean")
    keep(at, "pairs")
    assert [(p.said, p.meant, p.teacher) for p in assistant.learning.tag_pairs()] == [
        ("wet cleaning", "wet clean", "reader")
    ]
    read, replaced = assistant.learning.gatherer().term_mapper.read("How long does the wet cleaning take?")
    assert replaced or "wet clean" in read
    field(at, "pairs").set_value("wet cleaning = wet clean\nno pair at all")
    keep(at, "pairs")
    assert "is no pair" in at.error[0].value
    assert len(assistant.learning.tag_pairs()) == 1
    assistant.learning.keep_pairs([])


def test_classes_are_changed_by_hand(assistant, open_page):
    at = open_page(session.KNOWLEDGE, view="words")
    field(at, "classes").set_value("part: chuck; focus ring | what wears\nact: wet clean")
    keep(at, "classes")
    part = TagClass(name="part", terms=("chuck", "focus ring"), description="what wears")
    made = (part, TagClass(name="act", terms=("wet clean",)))
    assert assistant.learning.classes() == made
    field(at, "classes").set_value("part: chuck\npart: ring")
    keep(at, "classes")
    assert "needs a name of its own" in at.error[0].value
    assert assistant.learning.classes() == made
    assistant.learning.keep_classes([])


def test_what_was_read_and_named_for_the_classes_is_seen(assistant, open_page):
    (chunk,) = [
        c
        for d in assistant.learning.knowledge.documents()
        for c in assistant.learning.knowledge.chunks(d.id)
        if "6.5" in c.text
    ]
    state = assistant.learning.knowledge.enrichment
    state.keep_factors({chunk.id: ("wet clean", "RF hour")})
    assistant.learning.keep_classes(
        [TagClass(name="upkeep", terms=("wet clean", "chuck"), description="what is done")]
    )
    at = open_page(session.KNOWLEDGE, view="learning", learn="classes")
    classes, sample = (frame.value for frame in at.dataframe)
    assert list(classes.iloc[0]) == ["upkeep", "what is done", "wet clean, chuck", 1]
    assert list(sample.iloc[0])[1:3] == ["wet clean, RF hour", "upkeep"]
    assert any("1 passage read of 1 document, 2 key factors" in one.value for one in at.caption)
    assert ("wet clean", "upkeep") in {
        (tag.name, tag.tag_class) for tag in assistant.learning.knowledge.tags(chunk.id)
    }
    state.keep_factors({})
    assistant.learning.keep_classes([])


def test_what_was_not_learnt_yet_is_said_not_counted(assistant, open_page):
    labels = [one.label for one in open_page(session.KNOWLEDGE, view="words").expander]
    assert "No word is read as another yet" in labels and "No class of tags yet" in labels
    assert not [label for label in labels if label.startswith("0 ")]
