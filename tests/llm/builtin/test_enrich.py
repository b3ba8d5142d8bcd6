"""The rule for Enrich: what a piece plainly says, and nothing that it only seems to say."""

import pytest

from core.llm.builtin import BuiltinLLM
from core.llm.builtin.enrich.relations import relations_of, relations_zh
from core.llm.builtin.enrich.statement_questions import questions_of, questions_zh
from core.tasks import Enrich, Enriched, EnrichedPiece, PieceFacts, TagClass

CLASSES = (
    TagClass(name="equipment", terms=("pump", "mass flow controller")),
    TagClass(name="编号", terms=("alarm",)),
)
FAB = (
    "The mass flow controller (MFC) of the etcher ETCH-03 failed; see alarm A-207. "
    "Mass-flow controllers fail. 负责人：王强。"
)


@pytest.fixture(scope="module")
def engine() -> BuiltinLLM:
    return BuiltinLLM()


def enrich(engine, text: str, title: str = "", heading: str = "", **more) -> PieceFacts:
    task = Enrich(title=title, pieces=(EnrichedPiece(n=7, text=text, heading=heading),), **more)
    (facts,) = engine.run(task, Enriched).pieces
    assert facts.n == 7
    return facts


def test_statements_stand_alone_their_pronouns_replaced(engine):
    text = "Ann Lee (born 3 May 1950) is a writer. She was raised in Oslo. Her first book sold well."
    assert enrich(engine, text, "Ann Lee (writer)").statements == (
        "Ann Lee (born 3 May 1950) is a writer.",
        "Ann Lee was raised in Oslo.",
        "Ann Lee's first book sold well.",
    )


def test_a_sentence_without_a_name_says_its_heading(engine):
    text = "The dry pump is loud. It must be serviced often. 1. Close the gate valve."
    stated = enrich(engine, text, "Manual", "Venting").statements
    assert "The dry pump must be serviced often." in stated
    assert "Venting: Close the gate valve." in stated
    text = "The dry pump is loud. It is important to service it. It is unclear whether it leaks."
    stated = enrich(engine, text, "Manual").statements  # these stand for no thing
    assert stated[1:] == ("Manual: It is important to service it.", "Manual: It is unclear whether it leaks.")


def test_a_noun_stands_for_the_title_only_where_the_text_calls_the_title_so(engine):
    text = "Red River is a 1948 American film. The film was released late. The river is long."
    stated = enrich(engine, text, "Red River").statements
    assert "Red River was released late." in stated
    assert any("The river is long." in each for each in stated)


def test_kinds_come_from_the_text_or_from_the_classes_in_use(engine):
    kinds = {e.name: e.kind for e in enrich(engine, FAB, classes=CLASSES).entities}
    assert kinds["ETCH-03"] == "etcher"
    assert kinds["王强"] == "person"
    assert kinds["A-207"] == "thing"  # nothing says what it is: "see alarm" is no article and noun
    several = enrich(engine, "We lost parts of the SV40 and of several L1 copies.").entities
    assert {e.name: e.kind for e in several} == {"SV40": "thing", "L1": "thing"}
    assert {e.name: e.kind for e in enrich(engine, "Velm is a town by the sea.").entities} == {"Velm": "town"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("After the exchange ETCH-03 shows 19 particles.", "thing"),
        ("Since the repair PMP-7 runs without alarms.", "thing"),
        ("Nobody may open the chamber CH-12 without a permit.", "chamber"),
    ],
)
def test_a_noun_that_only_says_when_is_no_kind(engine, text: str, kind: str) -> None:
    (thing,) = [entity for entity in enrich(engine, text).entities if "-" in entity.name]
    assert thing.kind == kind


STATED = {
    "Jaws is a 1975 film directed by Steven Spielberg.": {("Jaws", "directed by", "Steven Spielberg")},
    "Ottla Ring was written by Ann Lee and Bo Berg.": {
        ("Ottla Ring", "written by", "Ann Lee"),
        ("Ottla Ring", "written by", "Bo Berg"),
    },
    "Port Velm is the capital of Sandrey.": {("Port Velm", "capital of", "Sandrey")},
    "Brandt Works supplies ETCH-03 with oil.": {("Brandt Works", "supplies", "ETCH-03")},
    "The chuck is made by Brandt Works.": {("chuck", "made by", "Brandt Works")},
    # two names in a sentence are no relation, nor is what is denied, said by somebody or continues
    "Brandt Works and ETCH-03 were in the news.": set(),
    "Ann Lee was not directed by Bo Berg.": set(),
    "Ann Lee said Bo Berg left.": set(),
    "Ottla Ring is supplied by Brandt Works engineers.": set(),
    "Ottla Ring was directed by Bo Berg's friend.": set(),
    "After Velm, Ann Lee was asked about Bo Berg.": set(),
    "Velm Park is managed by the Department of Parks and Recreation.": set(),
    "Velm is one of the results of Sandrey.": set(),
    # what holds only within bounds, and what may be one name with the word before "and"
    "Velm is the only part of Sandrey that borders on another state.": set(),
    "Velm is the largest town in Sandrey.": {("Velm", "largest town in", "Sandrey")},
    "Ottla is an aircraft produced by Brandt Works and Design Co.": set(),
    "Velm is the gateway to North and South Sandrey.": set(),
    # the name may be that of who did it and for whom
    "Ottla Ring was directed by Ann Lee for Brandt Works.": set(),
    # the sentence is not over where the name is
    "Velm is a trade route from Sandrey to Ottla.": set(),
    "Brandt Works helped Ann Lee to leave.": set(),
    "The Velmers were absorbed into the Sandrey (Old Sandrey) people.": set(),
    "METHODS Participants completed the Sandrey Questionnaire.": set(),
    "Velm das Ottlas is a town.": set(),
    "Music was composed by Ann Lee.": set(),
    "Velm is sponsored by the Committee on Culture.": set(),
    "Ottla is owned by Brandt Works, Inc.": {("Ottla", "owned by", "Brandt Works, Inc.")},
    "Velm is registered with Sandrey.org under a number.": set(),
}


def test_relations_stand_only_where_a_sentence_plainly_says_them():
    for sentence, expected in STATED.items():
        assert set(relations_of(sentence, "", technical=True)) == expected, sentence
    (result,) = relations_of(
        "The Foundation is a subsidiary of Brandt Works.", "The Artist Foundation of Velm"
    )
    assert result.subject == "The Artist Foundation of Velm"
    (result,) = relations_of("The Bengals defeated the Oilers 61-7.", "")
    assert result.object == "Oilers"
    assert set(relations_zh("密封圈由北方公司供货，交货期六周。")) == {("密封圈", "由…供货", "北方公司")}
    assert set(relations_zh("维尔姆港位于桑德雷岛。")) == {("维尔姆港", "位于", "桑德雷岛")}
    assert set(relations_zh("该设备由北方公司供货。")) == set()


def test_a_guessed_pronoun_carries_no_relation(engine):
    text = "Bo Berg lived in Velm. He was married to Ann Lee."
    facts = enrich(engine, text, "Chronicle of Velm")
    assert "Bo Berg was married to Ann Lee." in facts.statements
    assert facts.relations == ()


def test_a_pronoun_means_the_title_only_while_nothing_else_was_named(engine):
    text = "The works were begun in Sandrey by Bo Berg. It was built by Ann Lee."
    assert enrich(engine, text, "Velm Tower").relations == ()
    assert enrich(engine, "It was built by Ann Lee.", "Velm Tower").relations
    assert enrich(engine, "They were written by Ann Lee.", "Velm Songs").relations == ()


def test_tags_know_one_spelling_no_words_of_grammar_and_the_classes_in_use(engine):
    tags = {
        tag.name.lower(): tag.tag_class
        for tag in enrich(engine, FAB, heading="3 Pumps", classes=CLASSES).tags
    }
    assert tags["mass flow controller"] == "equipment"
    assert sum("flow" in name for name in tags) == 1
    assert tags["pumps"] == "equipment"
    rows = (
        "Table tags. 2 rows. Columns: Said (text), Meant (text).\n"
        "Said: leak; Meant: vent\nSaid: drip; Meant: vent"
    )
    task = Enrich(title="", pieces=(EnrichedPiece(n=1, text=rows, prose=False),))
    (facts,) = engine.run(task, Enriched).pieces
    assert {"said", "meant"}.isdisjoint(tag.name.lower() for tag in facts.tags)
    assert facts.statements == facts.questions == () and facts.summary == ""


def test_who_is_cited_is_no_topic(engine):
    text = "The Krebs cycle fails (Chen et al., 2017; Lee and Ho, 2019), as Ann Ho says. See Ode & Wu (2020)."
    tags = {tag.name for tag in enrich(engine, text).tags}
    assert {"Krebs", "Ann Ho"} <= tags and not tags & {"Chen", "Lee", "Ho", "Ode", "Wu"}


def test_a_summary_quotes_and_knows_what_was_said_before(engine):
    first = "The dry pump is serviced every 2,000 hours by two persons. Lunch was at noon."
    second = (
        "The dry pump is serviced every 2,000 hours by two persons. The seal band is measured at four points."
    )
    pieces = (EnrichedPiece(n=1, text=first), EnrichedPiece(n=2, text=second, goes_on=True))
    one, two = engine.run(Enrich(title="Log", pieces=pieces), Enriched).pieces
    assert all(part in first for part in one.summary.split(". "))
    alone = engine.run(Enrich(title="Log", pieces=(EnrichedPiece(n=2, text=second),)), Enriched).pieces[0]
    result = Enrich(title="Log", before=one.summary, pieces=(EnrichedPiece(n=2, text=second, goes_on=True),))
    assert engine.run(result, Enriched).pieces[0] == two
    assert alone.summary and two.summary and enrich(engine, "").summary == ""


def test_an_option_nobody_ticked_is_not_told(engine):
    text = (
        "☒ The case was closed by the agency\n☐ The child was placed into a foster home\n"
        "☒ The police of the town was told\n☐ Yes ☒ No Were services given to the family of the child?\n"
        "☐ Yes ☐ No Was the family of the child heard?"
    )
    facts = enrich(engine, text, "Report", "Actions taken:")
    assert "foster" not in facts.summary and "heard" not in facts.summary
    assert "☐ Yes ☒ No Were services" in facts.summary
    assert facts.statements == (
        "Actions taken: ☒ The case was closed by the agency",
        "Actions taken: ☒ The police of the town was told",
        "Actions taken: ☐ Yes ☒ No Were services given to the family of the child?",
    )


ASKED = {
    "The focus ring must be replaced every 400 RF hours.": "How often must the focus ring be replaced?",
    "The maximum pressure is 760 Torr.": "What is the maximum pressure?",
    "Wet clean of chamber B takes 6.5 hours.": "How long does wet clean of chamber B take?",
    "The chuck is made by Brandt Works.": "By whom or what is the chuck made?",
    "Velm Tower was built by Ann Lee in 1950.": "When was Velm Tower built by Ann Lee?",
    "Brandt Works is located in the north of Velm.": "Where is Brandt Works located?",
    "When the seal band wears, helium leaks into the room.": "What happens when the seal band wears?",
    "If the leak rises, inspect the seal band.": "What must be done if the leak rises?",
    "To exchange the pump, close the gate valve first.": "How do you exchange the pump?",
    "Red River has 12 chapters.": "How many chapters does Red River have?",
    "Ann Lee (3 May 1950 – 7 June 2001) is a singer of songs.": "",
    "Ann Lee (3 May 1950 – 7 June 2001) is the founder and the head of Velm Works.": "",
    "Port Velm is a town in the north of Sandrey.": "What is Port Velm?",
    "It was built in 1950.": "",  # nobody knows what
    "There is a pump in the room.": "",
    "He said that the tower was built in 1950.": "",
    "What is the pressure?": "",
}


@pytest.mark.parametrize(("statement", "question"), ASKED.items())
def test_a_statement_of_clear_shape_answers_its_question(statement, question):
    assert next(questions_of(statement, "Manual", True), "") == question


def test_chinese_statements_are_asked_where_the_answer_stands():
    asked = {
        "密封带每3个月检查一次。": ["密封带多久检查一次？"],
        "静电吸盘由 Brandt 供货，交货期 14 周。": ["静电吸盘由谁供货？"],
        "维尔姆港位于桑德雷岛。": ["维尔姆港位于哪里？"],
        "换泵需要6个小时。": ["换泵需要多长时间？"],
        "它位于桑德雷岛。": [],
    }
    assert {statement: list(questions_zh(statement)) for statement in asked} == asked


@pytest.mark.parametrize(
    ("text", "named", "not_named"),
    [
        (
            "☐ Initiated efforts to help\n☒ Placement with the crew\n☐ Initiated again",
            "",
            "Initiated|Placement",
        ),
        ("(a) Included in the profit. (b) Mainly leases. Included before. Mainly so.", "", "Included|Mainly"),
        ("Neck: Supple, no mass\nNeck: Supple as before", "", "Supple|Neck"),
        ("It was said by Supple and by Petrov that it leaks.", "Supple|Petrov", ""),  # firm within a sentence
        ("See the Nordholm Guide Release 23.7.R1 of the plant.", "Nordholm Guide Release 23.7.R1", "R1"),
        ("A fall of HbA1c 6.8% and of HbA1c 7.1% was seen.", "HbA1c", "HbA1c 6"),
        ("It stood in 0.5 M H₂SO₄ and in M HCl for a day.", "", "M H"),
        ("Age: 1 Year 9 Months Gender: Male", "", "Year 9 Months Gender|Year 9"),
        ("License: WA-MD-45782 Date: 1 May", "WA-MD-45782", "WA-MD-45782 Date"),
        ("The box Not Applicable This 90-day report is kept.", "", "Applicable This 90-day|90-day"),
        ("As told in (Fig. 5) and (Fig. 6) by Wang.", "Wang", "Fig"),
        ("Using AutoGen helps. Using AutoGen is easy.", "AutoGen", "Using AutoGen"),
        (
            "We met Brown University and the University of Waterloo.",
            "Brown University|University of Waterloo",
            "",
        ),
        ("Cite Chen et al. (Chen et al., 2017; Lee et al., 2019).", "Chen|Lee", ""),
        (
            "It leaks (Figure 1A, Fig. 2B and C, Supplementary file 3). Bay 3A too.",
            "Bay 3A",
            "1A|2B|Supplementary",
        ),
        ("We told them. CC Ring@example.org or Ann Lee@example.org of it.", "", "CC Ring|CC|Ann Lee|Ring"),
    ],
)
def test_only_things_are_entities(engine, text, named, not_named):
    found = {entity.name for entity in enrich(engine, text).entities}
    assert {name for name in named.split("|") if name} <= found
    assert not found & {*not_named.split("|")}
