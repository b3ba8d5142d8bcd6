"""The questions that rules write of statements: only where the shape is clear, and then as one would ask."""

import pytest

from core.llm.extractive import asking, asking_zh
from core.tasks import Atomise, Atoms

TECHNICAL = asking.Around(title="Manual", technical=True)
ENGLISH = {
    "Ann Lee (3 May 1950 – 7 June 2001) was a Norwegian film and television actor.": (
        "Who was Ann Lee?",
        "When was Ann Lee born?",
        "When did Ann Lee die?",
    ),
    "Oslo Tower is a building in Oslo.": ("What is Oslo Tower?",),
    "Canberra Town is the capital of Australia.": (
        "What is Canberra Town?",
        "What is the capital of Australia?",
    ),
    "Oslo Tower was built by Ann Lee in 1950.": (
        "When was Oslo Tower built by Ann Lee?",
        "Who built Oslo Tower?",
    ),
    "Red River was first released on May 3, 1984 in Canada.": ("When was Red River first released?",),
    "Norvac Works is located in the north of Bergen.": ("Where is Norvac Works located?",),
    "Ann Lee joined Norvac Works in 1999, and left soon.": ("When did Ann Lee join Norvac Works?",),
    "Ann Lee wrote Red River.": ("Who wrote Red River?",),
    "Red River has 12 chapters.": ("How many chapters does Red River have?",),
    "Red River has an area of 30 km2.": ("What is the area of Red River?",),
}
OF_MANUALS = {
    "The focus ring must be replaced every 400 RF hours.": ("How often must the focus ring be replaced?",),
    "The maximum pressure is 760 Torr.": ("What is the maximum pressure?",),
    "Seal bands are inspected every 3 months.": ("How often are seal bands inspected?",),
    "The leak rate must be below 1.5 mTorr per minute.": ("What is the limit of the leak rate?",),
    "Wet clean of chamber B takes 6.5 hours.": ("How long does wet clean of chamber B take?",),
    "The chuck is made by Nordvak Ceramics.": ("By whom is the chuck made?",),
    "Two persons must be present during every opening.": (
        "How many persons must be present during every opening?",
    ),
    "152 wafers were scrapped at a cost of 129,200 EUR.": ("How many wafers were scrapped?",),
    "When the seal band wears, helium leaks into the chamber.": ("What happens when the seal band wears?",),
    "If the leak rises, inspect the seal band.": ("What must be done if the leak rises?",),
    "To exchange the pump, close the gate valve first.": ("How do you exchange the pump?",),
    "Vibration above 4.5 mm/s raises alarm E-160.": ("What happens when the vibration is above 4.5 mm/s?",),
}
PASSED_OVER = (
    "It was built in 1950.",  # nobody knows what
    "There is a pump in the room.",
    "However, the film was not released in 1950.",
    "He said that the tower was built in 1950.",
    "What is the pressure?",
    "Frequent causes are a loose cable and a worn network.",
    "List of Works was opened in 1950.",
    "The film was released in 1950.",  # outside a manual the reader would ask which
    "Wipe the liner and the showerhead with isopropanol.",
)
CHINESE = {
    "密封带每 3 个月检查一次。": "密封带多久检查一次？",
    "静电吸盘由 Nordvak Ceramics 供货，交货期 14 周。": "静电吸盘由谁供货？",
    "更换静电吸盘之后，ETCH-03 的氦气泄漏量稳定在 0.6 sccm。": (
        "更换静电吸盘之后，ETCH-03 的氦气泄漏量稳定在多少？"
    ),
    "ETCH-03 位于 2 号厂房。": "",  # a number, no place
    "ETCH-03 位于北区。": "ETCH-03 位于哪里？",
    "A77 的目标是 92%。": "A77 的目标是多少？",
    "A77大学于1950年成立。": "A77大学是什么时候成立的？",
    "它是一种泵。": "",
    "这意味着A77的专利广为人知。": "",
}


@pytest.mark.parametrize(("statement", "questions"), ENGLISH.items())
def test_a_clear_statement_answers_the_questions_one_would_ask(statement, questions):
    assert tuple(asking.ask(statement, asking.Around())) == questions


@pytest.mark.parametrize(("statement", "questions"), OF_MANUALS.items())
def test_in_a_manual_the_thing_is_a_name(statement, questions):
    assert tuple(asking.ask(statement, TECHNICAL)) == questions


@pytest.mark.parametrize("statement", PASSED_OVER)
def test_a_statement_that_is_not_surely_read_is_passed_over(statement):
    assert not list(asking.ask(statement, asking.Around()))


@pytest.mark.parametrize(("statement", "question"), CHINESE.items())
def test_chinese_is_asked_by_the_word_that_stands_for_the_answer(statement, question):
    assert list(asking_zh.ask(statement, f"静电吸盘 {statement}")) == ([question] if question else [])


def test_labels_and_lists_are_asked_for_by_the_title(engine):
    first = engine.run(
        Atomise(title="Report R-1: Edge", heading="", text="Author: Ann Lee. Date: 3 May 2025."), Atoms
    )
    assert first.questions == ("Who is the author of Report R-1?", "What is the date of Report R-1?")
    steps = "1. Close the valve.\n2. Open the lid.\n3. Wipe the liner."
    listed = engine.run(Atomise(title="SOP-1 Clean", heading="3 Procedure", text=steps), Atoms)
    assert listed.questions == ("What are the steps of SOP-1 Clean?",)
    decided = engine.run(
        Atomise(title="周会", heading="三、决定", text="1. 换泵。\n2. 换阀门。\n3. 换环。"), Atoms
    )
    assert decided.questions == ("《周会》做出了哪些决定？",)


def test_a_pronoun_is_asked_about_only_where_it_is_known_what_it_stands_for(engine):
    text = "The dry pump is loud. It takes 6.5 hours."
    told = engine.run(Atomise(title="Manual", heading="Pumps", text=text), Atoms)
    assert told.questions == ("How long does the dry pump take?",)
    alone = engine.run(Atomise(title="Manual", heading="3.2 Ring", text="It takes 6.5 hours."), Atoms)
    assert not alone.questions and alone.statements == ("3.2 Ring: It takes 6.5 hours.",)
    itself = engine.run(
        Atomise(
            title="SOP-1", heading="1 Purpose", text="This procedure describes cleaning. It takes 2 hours."
        ),
        Atoms,
    )
    assert itself.questions == ("What does SOP-1 describe?", "How long does SOP-1 take?")


def test_a_text_gets_at_most_six_questions(engine):
    text = " ".join(f"Tower{n} House was built in 19{n}." for n in range(10, 30))
    assert len(engine.run(Atomise(title="Towers", heading="", text=text), Atoms).questions) == 6
