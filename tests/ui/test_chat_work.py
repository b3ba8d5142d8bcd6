"""What the chat offers around an answer: files, and the way on where nothing answers."""

from core.assistant import Assistant
from core.i18n import messages
from core.knowledge.stores.records import Job
from core.ui.chat import attachments
from core.ui.shared import session
from tests.ui import long_run
from tests.ui.conftest import Open, figures, page_text, settle

ABSENT = "Who won the chess olympiad of 1972?"


def test_where_nothing_answers_the_ways_on_are_offered(assistant: Assistant, open_page: Open) -> None:
    run = assistant.questions.ask(ABSENT)
    assistant.questions.wait(run, 60)
    at = open_page(session.CHAT, conversation=assistant.questions.run(run).conversation)
    assert "What to try next" in page_text(at)
    at.button(key=f"reword_{run}").click().run()
    assert not at.exception


def test_a_file_that_is_attached_is_read_before_its_question_is_asked(
    assistant: Assistant, open_page: Open
) -> None:
    at = open_page(session.CHAT)
    box = at.chat_input[0].upload("seals.md", b"# Seals\n\nThe seal of pump P-9 is changed every 70 days.\n")
    box.set_value("How often is the seal of pump P-9 changed?").run()
    settle(assistant)
    at.run()
    run = at.query_params[session.RUN]
    report = assistant.questions.wait(run if isinstance(run, str) else run[0], 60)
    assert "70 days" in report.answer


def test_an_earlier_answer_of_the_conversation_stands_in_short_until_it_is_asked_for(
    assistant: Assistant, open_page: Open
) -> None:
    for n, run in enumerate(("talk1", "talk2", "talk3")):
        report = long_run.REPORT.model_copy(update={"run": run})
        held = {"id": run, "conversation": "talk", "report": report, "started": 1_763_700_000.0 + n}
        assistant.questions.store.save_run(long_run.run().model_copy(update=held))
    for address, whole, short, away in (("", "talk3", "talk2", ["talk1"]), ("talk1", "talk1", "talk2", [])):
        at = open_page(session.CHAT, conversation="talk", run=address)
        assert {button.key for button in at.button if button.key and button.key.startswith("course_")} == {
            f"course_{whole}"
        }
        assert page_text(at).count("8 of 9 sentences supported") == 3 - len(away)
        assert ("1 earlier question" in [each.label for each in at.expander]) is bool(away)
        assert f"answer_{short}" not in figures(at)
        at.session_state[f"earlier_{short}"] = True
        at.run()
        assert f"answer_{short}" in figures(at)


def test_what_is_put_away_is_not_opened(assistant: Assistant, open_page: Open) -> None:
    """A rerun of a long conversation opens the reports that are drawn, no others."""
    store = assistant.questions.store
    for n in range(4):
        report = long_run.REPORT.model_copy(update={"run": f"away{n}"})
        held = {"id": f"away{n}", "conversation": "away", "report": report, "started": 1_763_700_000.0 + n}
        store.save_run(long_run.run().model_copy(update=held))
    whole = store.get("away0")
    with store.database.writing() as connection:  # as no report is today; nor is it read for gaps
        connection.execute("UPDATE runs SET report = '{}', ended = NULL WHERE id = 'away0'")
    at = open_page(session.CHAT, conversation="away")
    assert page_text(at).count("8 of 9 sentences supported") == 2
    store.save_run(whole)
    at.session_state["put_away_away"] = True
    at.run()
    assert page_text(at).count("8 of 9 sentences supported") == 4


def test_an_empty_library_asks_for_files_and_answers_nothing(empty: Assistant, open_page: Open) -> None:
    at = open_page(session.CHAT)
    at.chat_input[0].set_value(ABSENT).run()
    assert empty.questions.runs() == []
    assert "The library is empty" in page_text(at)


def test_why_an_attached_file_was_not_read_is_said_in_the_readers_language_and_names_it_once() -> None:
    job = Job(id="j", path="empty.pdf", name="empty.pdf", reason="empty.pdf is empty.")
    with messages.speaking("zh"):
        assert attachments.refusal(job) == "empty.pdf 是空的。"
        other = job.model_copy(update={"reason": "The file is empty now."})
        assert attachments.refusal(other).startswith("empty.pdf: ")
