"""Each page, on a real assistant over a tiny library."""

import re

import pytest

from core.assistant import Assistant
from core.domain import Distilled
from core.errors import FeedbackError
from core.ui.shared import session
from core.ui.trace import run_tree
from core.ui.trace.run_trace import read_trace
from tests.ui.conftest import Open, figures, page_text, settle

QUESTION = "How long does the wet clean of a PE-300 chamber take?"


@pytest.fixture(scope="module")
def answered(assistant: Assistant) -> str:
    """A run that is done."""
    run = assistant.questions.ask(QUESTION)
    assistant.questions.wait(run, 60)
    return run


def test_the_empty_state_invites_with_questions_the_library_can_answer(
    assistant: Assistant, open_page: Open
) -> None:
    at = open_page(session.CHAT)
    assert at.title[0].value == "What would you like to know?"
    assert "2 documents" in page_text(at)
    labels = [button.label for button in at.button if (button.key or "").startswith("suggestion_")]
    assert len(labels) == len(assistant.library.suggestions(4))


def test_a_question_becomes_a_run_with_an_address(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.CHAT)
    at.chat_input[0].set_value(QUESTION).run()
    run = at.query_params[session.RUN]
    assistant.questions.wait(run, 60)
    at.run()
    assert "6.5 hours" in figures(at)
    assert at.query_params[session.CONVERSATION] == assistant.questions.run(run).conversation


def test_a_reload_with_the_run_in_the_address_shows_the_answer(answered: str, open_page: Open) -> None:
    at = open_page(session.CHAT, run=answered)
    assert QUESTION in page_text(at)
    assert "6.5 hours" in figures(at)
    assert any((button.key or "").startswith(f"source_{answered}") for button in at.button)


def test_a_conversation_reads_from_its_first_question_to_its_last(
    assistant: Assistant, open_page: Open
) -> None:
    first = assistant.questions.ask("How long does the wet clean take?")
    assistant.questions.wait(first, 60)
    second = assistant.questions.ask(
        "What is cleaned?", conversation=assistant.questions.run(first).conversation
    )
    assistant.questions.wait(second, 60)
    text = page_text(open_page(session.CHAT, run=second))
    assert text.index("How long does the wet clean take?") < text.index("What is cleaned?")


def test_earlier_conversations_stand_at_the_side(answered: str, open_page: Open) -> None:
    at = open_page(session.CHAT)
    assert any("How long does the wet clean" in button.label for button in at.sidebar.button)


def test_a_source_opens_with_the_place_it_came_from(answered: str, open_page: Open) -> None:
    at = open_page(session.CHAT, run=answered)
    source = next(b for b in at.button if (b.key or "").startswith(f"source_{answered}"))
    source.click().run()
    assert not at.exception
    assert "Cleaning" in page_text(at)


def test_a_thumb_is_kept(answered: str, assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.CHAT, run=answered)
    at.feedback(key=f"thumbs_{answered}").set_value(1).run()
    assert [given.verdict for given in assistant.learning.feedback(answered)][-1] == "right"


def test_a_comparison_told_by_its_sides_is_shown_with_its_steps(
    assistant: Assistant, open_page: Open
) -> None:
    run = assistant.questions.ask("Compare 2025-W10 and 2025-W11 by yield percent.")
    assistant.questions.wait(run, 60)
    at = open_page(session.CHAT, run=run)
    assert {"inspector_part_1", "inspector_part_2", "inspector_part_3"} <= {
        button.key for button in at.button
    }
    nodes = run_tree.tree(assistant.questions.run(run), read_trace(assistant.questions.events(run)))
    assert [node.state for node in nodes if node.id == "part:3"] == ["told by its sides"]


def test_a_question_the_library_cannot_answer_says_so(assistant: Assistant, open_page: Open) -> None:
    run = assistant.questions.ask("Who won the chess olympiad of 1972?")
    assistant.questions.wait(run, 60)
    at = open_page(session.CHAT, run=run)
    assert "Not in the library" in page_text(at) or "Something is missing" in page_text(at)


@pytest.mark.parametrize(
    "question", ["   ", "🙂🙂🙂", "x" * 10_000, "![a](https://evil.example/a.png) <img src=x>"]
)
def test_a_strange_question_leaves_the_page_standing(
    assistant: Assistant, open_page: Open, question: str
) -> None:
    at = open_page(session.CHAT)
    at.chat_input[0].set_value(question).run()
    assert not at.exception
    assert "Something went wrong in Strata itself" not in page_text(at)


def test_a_run_that_is_gone_is_said_plainly(assistant: Assistant, open_page: Open) -> None:
    assert "no longer in the library" in page_text(open_page(session.CHAT, run="nobody"))
    assert "no longer in the library" in page_text(open_page(session.TRACE, run="nobody"))


def test_every_node_of_a_run_opens(answered: str, assistant: Assistant, open_page: Open) -> None:
    run = assistant.questions.run(answered)
    nodes = run_tree.tree(run, read_trace(assistant.questions.events(answered)))
    assert {"question", "whole", "answer", "sentence:1", "calls", "call:0", "events"} <= {n.id for n in nodes}
    for node in {re.sub(r"\d+", "", node.id): node for node in nodes}.values():  # one of each kind
        at = open_page(session.TRACE, run=answered, at=node.id)
        assert "Something went wrong" not in page_text(at), node
        assert at.subheader


def test_the_runs_are_listed_and_narrowed(answered: str, assistant: Assistant, open_page: Open) -> None:
    other = assistant.questions.ask("When was the chuck replaced?", effort="quick")
    assistant.questions.wait(other, 60)
    at = open_page(session.TRACE)
    assert {f"run_open_{answered}", f"run_open_{other}"} <= {button.key for button in at.button}
    at.multiselect(key="runs.efforts").set_value(["quick"]).run()
    assert [b.key for b in at.button if (b.key or "").startswith("run_open_")] == [f"run_open_{other}"]
    at.text_input(key="runs.text").set_value("zeppelin").run()
    assert "No run fits these filters." in page_text(at)
    next(button for button in at.button if button.label == "Clear the filters").click().run()
    at.button(key=f"run_open_{answered}").click().run()
    assert at.query_params[session.RUN] == answered
    assert QUESTION in page_text(at)


def test_the_corpus_page_lists_what_is_there(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.CORPUS)
    assert {"yield-meeting.md", "weekly-yield.csv"} <= set(at.dataframe[0].value["File"])


def test_a_dropped_file_is_read(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.CORPUS)
    at.file_uploader[0].upload(
        "pump.txt", b"The roughing pump of ETCH-05 was overhauled in May 2024.", "text/plain"
    ).run()
    assert not at.exception
    settle(assistant)
    assert "pump.txt" in {document.name for document in assistant.library.contents.documents()}


def test_a_file_that_cannot_be_read_says_what_to_do(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.CORPUS)
    at.file_uploader[0].upload("empty.pdf", b"", "application/pdf").run()
    settle(assistant)
    at.run()
    job = next(job for job in assistant.library.jobs() if job.name == "empty.pdf")
    assert job.reason in page_text(at)


def test_the_knowledge_page_goes_from_document_to_chunk_to_entity_and_back(
    assistant: Assistant, open_page: Open
) -> None:
    document = next(d for d in assistant.library.contents.documents() if d.name == "yield-meeting.md")
    at = open_page(session.KNOWLEDGE, document=document.id)
    assert at.title[0].value.replace("\\", "") == document.title
    assert any(str(each.value).startswith("&emsp;**Cleaning**") for each in at.markdown)  # under its title
    chunk = assistant.library.contents.chunks(document_id=document.id)[0]
    at.button(key=f"outline_{chunk.id}").click().run()
    assert at.query_params[session.CHUNK] == chunk.id
    entity = assistant.library.contents.entities(chunk_id=chunk.id)[0]
    at.button(key=f"entity_{entity.id}").click().run()
    assert not at.exception
    assert at.query_params[session.NODE] == entity.id
    at.button(key=f"mention_{chunk.id}").click().run()
    assert at.query_params[session.CHUNK] == chunk.id


def test_the_rows_of_a_chunk_stand_below_their_columns_with_units(
    assistant: Assistant, open_page: Open
) -> None:
    chunk = next(each for each in assistant.library.contents.chunks() if each.table_id is not None)
    at = open_page(session.KNOWLEDGE, document=chunk.document_id, chunk=chunk.id)
    assert '"week", "product", "yield [%]"' in figures(at).replace("\\", "")


def test_an_open_chunk_is_said_in_short_and_a_summary_stays_plain_text(
    assistant: Assistant, open_page: Open
) -> None:
    document = next(d for d in assistant.library.contents.documents() if d.name == "yield-meeting.md")
    chunk = assistant.library.contents.chunks(document_id=document.id)[0]
    assert "In short" not in page_text(open_page(session.KNOWLEDGE, document=document.id, chunk=chunk.id))
    short = Distilled(chunk_summaries={chunk.id: "<b>Yield</b> [fell](x)."})
    assistant.library.knowledge.enrich(document.id, short, {})
    at = open_page(session.KNOWLEDGE, document=document.id, chunk=chunk.id)
    assert "**In short:** <b>Yield</b> [fell](x)." in page_text(at)
    assert any(r"\<b\>Yield\</b\>" in str(each.value).replace("\u2060", "") for each in at.markdown)
    assistant.library.knowledge.enrich(
        document.id, Distilled(chunk_summaries={chunk.id: chunk.text[:-1]}), {}
    )
    assert "In short" not in page_text(open_page(session.KNOWLEDGE, document=document.id, chunk=chunk.id))


@pytest.mark.parametrize("view", ["documents", "search", "entities", "tags", "tables"])
def test_every_list_of_the_knowledge_page_opens(assistant: Assistant, open_page: Open, view: str) -> None:
    assert "Something went wrong" not in page_text(open_page(session.KNOWLEDGE, view=view))


def test_the_library_can_be_searched(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.KNOWLEDGE, view="search")
    at.text_input(key=session.SEARCH).set_value("electrostatic chuck").run()
    assert "chamber B was replaced" in figures(at)
    for way in ("words", "meaning"):
        at.segmented_control(key=session.WAY).set_value(way).run()
        assert "chamber B was replaced" in figures(at)


def test_the_models_page_says_which_engine_answers(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.MODELS)
    assert "The built-in engine** answers now" in page_text(at)


def test_an_unknown_error_becomes_a_report_to_copy(assistant: Assistant, open_page: Open) -> None:
    def broken() -> None:
        from core.ui.shared import session as shown

        with shown.Guard():
            raise KeyError("a bug")

    from streamlit.testing.v1 import AppTest

    at = AppTest.from_function(broken).run()
    assert "Something went wrong in Strata itself" in at.error[0].value
    assert "KeyError" in at.code[0].value


def test_words_of_the_trade_are_shown_and_changed(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.KNOWLEDGE, view="words")
    own = at.text_area(key="vocabulary.own")
    assert own.value == "" and "etcher" in at.dataframe[0].value["English"][0]
    own.set_value('place = [{ en = "lighthouse", zh = "灯塔" }]')
    at.button[-1].click().run()
    assert ("lighthouse", "灯塔") in list(assistant.library.vocabulary().pairs("a lighthouse"))
    at.text_area(key="vocabulary.own").set_value("place = [")
    at.button[-1].click().run()
    assert "is no TOML" in at.error[0].value
    assistant.library.change_words("")


def test_a_chunk_is_changed_and_split_where_it_stands_and_found_at_once(
    assistant: Assistant, open_page: Open
) -> None:
    library = assistant.library.contents
    document = next(d for d in library.documents() if d.name == "yield-meeting.md")
    before = library.chunks(document_id=document.id)
    old = before[-1]
    assert library.atoms([old.id])
    at = open_page(session.KNOWLEDGE, document=document.id, chunk=old.id)
    at.button(key=f"edit_{old.id}").click().run()
    at.text_area(key=f"text_{old.id}").set_value(
        "The zirconium lid weighs 40 kg.\n---\nIt is due every 500 hours."
    )
    next(button for button in at.button if button.label == "Save and index again").click().run()
    assert not at.exception, at.exception
    after = library.chunks(document_id=document.id)
    assert [chunk.id for chunk in after[:-2]] == [chunk.id for chunk in before[:-1]]
    assert [chunk.text for chunk in after[-2:]] == [
        "The zirconium lid weighs 40 kg.",
        "It is due every 500 hours.",
    ]
    assert [chunk.order for chunk in after] == list(range(len(after)))
    assert [chunk.edited for chunk in after] == [False] * (len(after) - 2) + [True, True]
    assert "edited here. Its file holds the original" in page_text(at)
    assert at.query_params[session.CHUNK] == after[-2].id
    for leg in ("keyword", "semantic", "graph"):
        found = assistant.library.search("zirconium lid", 5, legs=[leg]).leg(leg)
        assert after[-2].id in [passage.chunk.id for passage in found], leg
        assert old.id not in [passage.chunk.id for passage in found]
    assert library.atoms([chunk.id for chunk in before[:-1]]), "the other chunks are enriched anew"
    assert not library.atoms([old.id])
    assert assistant.library.knowledge.check() == []
    with pytest.raises(FeedbackError):
        assistant.library.revise(after[-1].id, " \n---\n ")
