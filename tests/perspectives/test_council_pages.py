"""What a reader sees of a council."""

from core.assistant import Assistant
from core.domain import Level
from core.ui.shared import session
from tests.ui.conftest import Open, assistant, figures, open_page, page_text  # noqa: F401

QUESTION = "How could we reduce particles on ETCH-03?"
ROLE = "Night *shift*: cares about the wet clean of the chamber"


def test_the_trace_shows_each_role_and_what_became_of_its_proposals(
    assistant: Assistant,  # noqa: F811
    open_page: Open,  # noqa: F811
) -> None:
    run = assistant.questions.ask(QUESTION, level=Level.CREATIVE, roles=("maintenance", "quality", ROLE))
    report = assistant.questions.wait(run, 60)
    assert report.council is not None
    pages = [
        open_page(session.TRACE, run=run, at=f"role:{given.role.id}") for given in report.council.perspectives
    ]
    content = "\n".join(map(page_text, pages))
    for words in ("Maintenance", "Quality", "Night *shift*"):
        assert words in content
    said_there = [s.text for given in report.council.perspectives for s in given.argument]
    assert said_there and all(text[:40] in "\n".join(map(figures, pages)) for text in said_there)
    assert "ideas need a model" in page_text(open_page(session.TRACE, run=run, at="council"))


def test_a_source_of_a_role_opens(assistant: Assistant, open_page: Open) -> None:  # noqa: F811
    run = assistant.questions.ask(QUESTION, level=Level.CREATIVE)
    council = assistant.questions.wait(run, 60).council
    assert council is not None
    page = open_page(session.TRACE, run=run, at=f"role:{council.perspectives[0].role.id}")
    source = next(button for button in page.button if str(button.key).startswith("read_"))
    source.click().run()
    assert not page.exception


def test_perspectives_can_be_chosen_where_the_level_is_creative(
    assistant: Assistant,  # noqa: F811
    open_page: Open,  # noqa: F811
) -> None:
    page = open_page(session.CHAT)
    assert not [box for box in page.multiselect if box.key == session.ROLES]
    page.selectbox(key=session.LEVEL).set_value(Level.CREATIVE).run()
    box = page.multiselect(key=session.ROLES)
    assert "Safety" in box.options
    assert not page.exception
