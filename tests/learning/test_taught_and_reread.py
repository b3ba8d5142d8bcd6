"""What readers taught stays when a document is read again by a newer version."""

import pytest

from core.assistant import Assistant
from tests.learning.conftest import BETTER, ask, judge, stored


def poorer(assistant: Assistant, word: str) -> str:
    """Let the library hold what an earlier version read, which left a chunk out; return the document."""
    knowledge = assistant.library.knowledge
    (document_id,) = {chunk.document_id for chunk in knowledge.chunks() if word in chunk.text}
    with knowledge.database.writing() as connection:
        connection.execute("UPDATE documents SET reading = 'earlier' WHERE id = ?", (document_id,))
        connection.execute(
            "DELETE FROM chunks WHERE document_id = ? AND text LIKE '%DP-3 is made by%'", (document_id,)
        )
    return document_id


def test_verdicts_verified_answers_and_removed_tags_stay(assistant: Assistant) -> None:
    library, knowledge = assistant.library, assistant.library.knowledge
    report = ask(assistant)
    (chunk_id,) = {p.chunk.id for p in report.passages if "6.5 hours" in p.chunk.text}
    tag = knowledge.tags(chunk_id)[0]
    judge(assistant, report, "wrong", f"passage:{chunk_id}")
    judge(assistant, report, "corrected", "answer", BETTER)
    judge(assistant, report, "wrong", f"tag:{chunk_id}:{tag.name}")
    document = poorer(assistant, "6.5 hours")
    learnt = {name: stored(assistant)[name] for name in ("verified_answers", "usefulness")}
    assert all(learnt.values())
    (job,) = library.wait(library.rereading.start())
    assert (job.outcome, job.document_id, job.reason) == ("reread", document, "")
    assert any("DP-3 is made by" in chunk.text for chunk in knowledge.chunks(document))
    assert {name: stored(assistant)[name] for name in learnt} == learnt
    assert [atom.chunk_id for atom in knowledge.atoms([chunk_id]) if atom.verified_by] == [chunk_id]
    assert tag.name not in {each.name for each in knowledge.tags(chunk_id)}, "it came back"
    assert knowledge.tags(chunk_id) or knowledge.document(document).summary
    assert knowledge.check() == []


@pytest.mark.parametrize("change", [("6.5 hours", "seven hours"), (". It is", ".\n---\nIt is")])
def test_a_passage_that_a_reader_changed_is_not_undone_unasked(
    assistant: Assistant, change: tuple[str, str]
) -> None:
    library, knowledge = assistant.library, assistant.library.knowledge
    (chunk,) = [chunk for chunk in knowledge.chunks() if "6.5 hours" in chunk.text]
    library.revise(chunk.id, chunk.text.replace(*change))
    document = poorer(assistant, "wet clean")
    earlier = library.rereading.earlier()
    assert [each.id for each in earlier.edited] == [document] and not earlier.ready
    assert library.rereading.start() == []
    library.wait(library.rereading.start([document]))
    assert chunk.text in [each.text for each in knowledge.chunks(document)], "it was asked for"
    assert not library.rereading.earlier().edited
