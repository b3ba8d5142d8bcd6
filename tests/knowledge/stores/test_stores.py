"""Runs, jobs, feedback and the cache."""

from pathlib import Path

import pytest

from core.domain import Feedback, Report
from core.errors import NotFound
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.conversations import ConversationStore
from core.knowledge.stores.records import Job, Run
from core.knowledge.stores.value_cache import CacheStore
from core.trace import Asked, Stamped, Wrote


def test_a_run_and_its_events_are_kept_as_they_happen(folder: Path, library: KnowledgeBase) -> None:
    library.runs.save_run(Run(id="r1", conversation="c1", question="Why?", status="running", started=10.0))
    events = [
        Stamped(seq=0, at=0.0, event=Asked(question="Why?")),
        Stamped(seq=1, at=0.5, event=Wrote(text="Because ")),
        Stamped(seq=2, at=0.7, event=Wrote(text="of 粒子.")),
    ]
    library.runs.append("r1", events[:2])
    library.runs.append("r1", events[1:])
    library.close()
    with KnowledgeBase(folder, "test") as again:
        assert again.runs.events("r1") == events and again.runs.events("r1", after=1) == events[2:]
        assert [run.id for run in again.runs.interrupted()] == ["r1"]
        done = again.runs.get("r1").model_copy(
            update={"status": "done", "finished": 12.0, "report": Report(run="r1", question="Why?")}
        )
        again.runs.save_run(done)
        assert again.runs.get("r1") == done and again.runs.interrupted() == []
        assert again.runs.events("r1") == events
        again.runs.delete("r1")
        assert again.runs.events("r1") == [] and again.runs.list() == []
        with pytest.raises(NotFound):
            again.runs.get("r1")
        with pytest.raises(NotFound):
            again.runs.append("r1", events)


def test_conversations_are_named_after_their_first_question(library: KnowledgeBase) -> None:
    for number, (conversation, question) in enumerate([("a", "First?"), ("b", "Other?"), ("a", "Second?")]):
        run = Run(id=f"r{number}", conversation=conversation, question=question, started=float(number))
        library.runs.save_run(run)
    found = ConversationStore(library.database).list()
    assert [(c.id, c.title, c.runs, c.updated) for c in found] == [
        ("a", "First?", 2, 2.0),
        ("b", "Other?", 1, 1.0),
    ]
    assert [run.question for run in library.runs.list("a")] == ["First?", "Second?"]
    assert [run.id for run in library.runs.list(limit=2)] == ["r2", "r1"]
    conversations = ConversationStore(library.database)
    conversations.rename("a", "  Chucks and\nseals ")
    assert [c.title for c in conversations.list(words="chucks second")] == ["Chucks and seals"]
    assert conversations.list(words="chucks other") == []
    conversations.delete("a")
    assert [c.id for c in conversations.list()] == ["b"]
    assert library.runs.list("a") == []
    with pytest.raises(NotFound):
        conversations.rename("a", "gone")


def test_jobs_wait_in_line_and_outlive_a_crash(folder: Path, library: KnowledgeBase) -> None:
    jobs = [Job(id=f"j{n}", path=f"/f/{n}.pdf", name=f"{n}.pdf", created=1.0) for n in range(3)]
    library.jobs.put(*jobs)
    first = library.jobs.next_queued()
    assert first == jobs[0]
    library.jobs.put(
        jobs[0].model_copy(update={"status": "running", "stage": "embed", "done": 3, "total": 9})
    )
    library.close()
    with KnowledgeBase(folder, "test") as again:
        assert [job.id for job in again.jobs.interrupted()] == ["j0"]
        assert again.jobs.get("j0").done == 3
        assert again.jobs.next_queued() == jobs[1]
        assert [job.id for job in again.jobs.list()] == ["j2", "j1", "j0"]
        again.jobs.delete("j2")
        with pytest.raises(NotFound):
            again.jobs.get("j2")


def test_feedback_is_only_ever_added_to_and_can_be_undone(library: KnowledgeBase) -> None:
    right = Feedback(run="r1", target="answer", verdict="right")
    wrong = Feedback(run="r2", target="sentence:2", verdict="corrected", correction="It is 60 °C.")
    number = library.feedback.give(right)
    library.feedback.give(wrong)
    assert library.feedback.list() == [right, wrong] and library.feedback.list("r2") == [wrong]
    library.feedback.undo(number)
    library.feedback.undo(number)
    assert library.feedback.list() == [wrong]
    assert [(given.feedback, given.undone) for given in library.feedback.history()] == [
        (right, True),
        (wrong, False),
    ]
    with pytest.raises(NotFound):
        library.feedback.undo(99)


def test_the_cache_keeps_what_fits_and_lets_the_longest_unused_go(tmp_path: Path) -> None:
    cache = CacheStore(tmp_path / "cache.sqlite", most_bytes=1000)
    for number in range(9):
        cache.put(f"k{number}", bytes(100))
    assert cache.size() == 900 and cache.get("k0") == bytes(100) and cache.get("none") is None
    cache.put("k0", b"changed")
    cache.put("new", bytes(300))
    assert cache.size() <= 1000
    assert cache.get("new") == bytes(300) and cache.get("k0") == b"changed" and cache.get("k1") is None
    cache.put("huge", bytes(2000))
    assert cache.get("huge") is None and cache.get("new") is not None
    size = cache.size()
    cache.close()
    again = CacheStore(tmp_path / "cache.sqlite", most_bytes=1000)
    assert again.size() == size and again.get("new") == bytes(300)
    again.close()


def test_files_and_images_are_kept_with_their_document(library: KnowledgeBase, tmp_path: Path) -> None:
    source = tmp_path / "report.pdf"
    source.write_bytes(b"%PDF")
    kept = library.keep_original("abc123", source, "../../evil.pdf")
    assert kept == library.original("abc123") and kept.name == "evil.pdf" and kept.read_bytes() == b"%PDF"
    library.external.images.write("abc123", "page-0.png", b"png")
    assert library.image("abc123", "page-0.png") == b"png" and library.image("abc123", "none.png") is None
    assert library.original("unknown") is None
    with pytest.raises(ValueError):
        library.original("../abc")
