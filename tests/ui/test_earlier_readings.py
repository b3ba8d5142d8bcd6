"""The corpus page says quietly which documents an earlier version read, and reads them again at a press."""

from core.assistant import Assistant
from core.ui.shared import session
from tests.ui.conftest import Open, page_text, settle

LINE = "2 documents were read by an earlier version of Strata."


def test_a_press_reads_them_again(assistant: Assistant, open_page: Open) -> None:
    assert LINE not in page_text(open_page(session.CORPUS))
    knowledge = assistant.library.knowledge
    with knowledge.database.writing() as connection:
        connection.execute("UPDATE documents SET reading = 'earlier'")
    texts = sorted(chunk.text for chunk in knowledge.chunks())
    at = open_page(session.CORPUS)
    assert LINE in [caption.value for caption in at.caption]
    at.button(key="reread_earlier").click().run()
    assert not at.exception, at.exception
    assert at.toast[0].value == "2 documents are being read again."
    settle(assistant)
    assert LINE not in page_text(open_page(session.CORPUS))
    assert sorted(chunk.text for chunk in knowledge.chunks()) == texts
    assert not assistant.library.rereading.earlier().ready
