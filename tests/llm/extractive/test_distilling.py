from core.llm.extractive.lexicon import CLASSES
from core.tasks import Atomise, Atoms, Extracted, ExtractRelations, Summarise, Summary, TagChunk, Tagged

FAB = (
    "The mass flow controller (MFC) of ETCH-03 failed; see SOP-112 and alarm A-207. "
    "The drop in yield was caused by a worn O-ring. 负责人：王强。北方华创有限公司位于北京市。"
)


def test_statements_stand_alone_their_pronouns_replaced(engine):
    text = "Ann Lee (born 3 May 1950) is a writer. She was raised in Oslo. Her first book sold well."
    atoms = engine.run(Atomise(title="Ann Lee (writer)", heading="", text=text), Atoms)
    assert atoms.statements == (
        "Ann Lee (born 3 May 1950) is a writer.",
        "Ann Lee was raised in Oslo.",
        "Ann Lee's first book sold well.",
    )


def test_a_sentence_without_a_name_says_its_heading(engine):
    text = "The dry pump is loud. It must be serviced often. 1. Close the gate valve."
    atoms = engine.run(Atomise(title="Manual", heading="Manual > Venting", text=text), Atoms)
    assert "The dry pump must be serviced often." in atoms.statements
    assert "Venting: Close the gate valve." in atoms.statements


def test_names_codes_acronyms_and_chinese_names_are_entities(engine):
    found = {
        entity.name: entity for entity in engine.run(ExtractRelations(title="", text=FAB), Extracted).entities
    }
    assert found["ETCH-03"].kind == "equipment" and found["SOP-112"].kind == "document"
    assert found["A-207"].kind == "alarm" and found["王强"].kind == "person"
    assert found["mass flow controller"].aliases == ("MFC",)
    assert found["北方华创有限公司"].kind == "organisation"


def test_set_phrases_become_relations(engine):
    def relations(title, text):
        reply = engine.run(ExtractRelations(title=title, text=text), Extracted)
        return {(r.subject, r.predicate, r.object) for r in reply.relations}

    film = relations(
        "Jaws", "Jaws is a 1975 film directed by Steven Spielberg. It was written by Peter Benchley."
    )
    assert film == {("Jaws", "directed by", "Steven Spielberg"), ("Jaws", "written by", "Peter Benchley")}
    assert ("北方华创有限公司", "located in", "北京市") in relations("", FAB)
    assert ("报警", "caused by", "真空泵油不足") in relations("", "报警由真空泵油不足引起。")
    spouse = relations("Lothair II", "Lothair II was married to Teutberga, daughter of Boso the Elder.")
    assert ("Teutberga", "child of", "Boso the Elder") in spouse


def test_every_relation_is_between_entities_of_the_reply(engine):
    reply = engine.run(ExtractRelations(title="Log", text=FAB), Extracted)
    known = {entity.name for entity in reply.entities}
    assert reply.relations and all({r.subject, r.object} <= known for r in reply.relations)


def test_tags_carry_classes_and_only_allowed_ones(engine):
    tags = engine.run(TagChunk(text=FAB, classes=CLASSES), Tagged).tags
    classes = {tag.name: tag.tag_class for tag in tags}
    assert len(tags) <= 8 and classes["ETCH-03"] == "equipment"
    only = engine.run(TagChunk(text=FAB, classes=("equipment",)), Tagged).tags
    assert only and {tag.tag_class for tag in only} == {"equipment"}


def test_a_summary_quotes_and_leaves_out_what_was_said_before(engine):
    text = "ETCH-03 raised alarm E-217. The alarm E-217 was caused by a seal band. Lunch was at noon."
    summary = engine.run(Summarise(title="E-217", before="", text=text), Summary).summary
    assert all(sentence.strip(" .") in text for sentence in summary.split(". "))
    assert "E-217" in summary
    assert engine.run(Summarise(title="", before="", text=""), Summary).summary == ""
