"""The Learning view and the controls that teach, through Streamlit's own test driver."""

import pytest

from core.assistant import Assistant
from core.domain import Feedback
from core.ui.evaluation import selftest_view
from core.ui.knowledge import asked_again_view
from core.ui.shared import session
from tests.ui.conftest import Open, page_text

QUESTION = "How long does the wet clean of a PE-300 chamber take?"


@pytest.fixture(scope="module")
def run(assistant: Assistant) -> str:
    asked = assistant.questions.ask(QUESTION)
    assistant.questions.wait(asked, 60)
    return asked


def test_every_change_stands_with_its_effect_and_is_undone(assistant, run, open_page: Open):
    given = Feedback(run=run, target="answer", verdict="corrected", correction="Plan 6.5 hours for it.")
    (change,) = assistant.learning.give_feedback(given)
    assert assistant.learning.reasker.wait_until_idle(30)
    at = open_page(session.KNOWLEDGE, view="learning")
    result = page_text(at)
    assert f"Verified answer: {QUESTION}" in result
    assert "Before: " in result
    assert "**" not in result.partition("Before: ")[2].partition("\n")[0]
    assert "holds" in result
    assert any("answered differently" in expander.label for expander in at.expander)
    assert {"Cited before", "Cited after"} <= set(at.dataframe[0].value.columns)
    at.button(key=f"undo_list_{change.id}").click().run()
    assert "undone" in page_text(at)
    assert assistant.learning.verified(QUESTION) is None


def test_a_word_is_taught_and_two_meanings_are_refused(assistant, open_page: Open):
    at = open_page(session.KNOWLEDGE, view="learning")
    for meant in ("arcing", "sparks"):
        at.text_input[0].set_value("zapping")
        at.text_input[1].set_value(meant)
        next(button for button in at.button if button.label == "Teach").click().run()
    assert [pair.meant for pair in assistant.library.knowledge.tag_pairs()] == ["arcing"]
    assert "already judged" in page_text(at)


def test_a_question_set_with_a_question_twice_is_refused(open_page: Open):
    at = open_page(session.KNOWLEDGE, view="learning")
    at.text_area[0].set_value("Who leads it?\nwho leads it")
    next(button for button in at.button if button.label == "Save").click().run()
    assert "twice" in page_text(at)


def test_gaps_are_listed_and_dismissed(assistant, open_page: Open):
    assistant.questions.wait(assistant.questions.ask("Who won the chess olympiad of 1972?"), 60)
    at = open_page(session.KNOWLEDGE, view="learning", learn="gaps")
    assert "Who won the chess olympiad of 1972?" in page_text(at)
    learned = assistant.library.knowledge.learned.gaps
    (gap,) = assistant.learning.gaps("open")
    learned.put(gap.model_copy(update={"asked": 2, "last_asked": gap.at}))
    at.run()
    assert "asked again 2 times · last on " in page_text(at)
    next(button for button in at.button if button.label == "Dismiss").click().run()
    assert assistant.learning.gaps("open") == []


def test_a_self_test_is_run_and_drawn(assistant, open_page: Open):
    at = open_page(session.EVALUATION, view="selftest")
    assert "No test was made yet" in page_text(at)
    at.button(key="learning.test").click().run()
    assert [metric.label for metric in at.metric][:2] == ["Passage first", "Passage among 5"]
    drawn = selftest_view.figure(assistant.learning.self_tests())
    assert drawn.data[0].name == "passage among 5"


def test_the_headline_of_an_update_names_the_documents():
    from core.knowledge.learned.gaps import Difference, Update

    held = Difference(id="d", question="q", of="gap", source="g", before="", after="b", because=("SOP-112",))
    titles = {"x": "SOP-112"}
    assert asked_again_view.headline(Update(new=("x",), differences=(held,)), titles).endswith(
        "because of SOP\\-112"
    )
    assert asked_again_view.headline(Update(new=("x",)), titles) == "No answer changed, after 1 new document"


def test_a_thumb_pressed_the_other_way_takes_the_first_back(assistant, run, open_page: Open):
    at = open_page(session.CHAT, run=run)
    at.feedback(key=f"thumbs_{run}").set_value(1).run()
    assert assistant.learning.verified(QUESTION) is not None
    at.feedback(key=f"thumbs_{run}").set_value(0).run()
    assert assistant.learning.verified(QUESTION) is None
    assert [given.verdict for given in assistant.learning.feedback(run)] == ["wrong"]
