"""Runs, jobs, feedback and the cache."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.domain import Feedback, Report
from core.errors import NotFound
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.activity.conversations import ConversationStore
from core.knowledge.stores.activity.run_search import RunSearch
from core.knowledge.stores.migrations import MIGRATIONS, migrate
from core.knowledge.stores.records import Job, Run, RunFilter
from core.knowledge.stores.value_cache import CacheStore
from core.trace import Asked, Stamped, Wrote
from core.work.jobs.job_ledger import Ledger


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


def test_runs_and_jobs_keep_the_order_they_came_in_when_the_clock_is_set_back(library: KnowledgeBase) -> None:
    asked = [("r1", "a", 900.0), ("r2", "b", 500.0), ("r3", "a", 100.0)]
    for number, conversation, at in asked:
        run = Run(id=number, conversation=conversation, question=f"{number}?", started=at, status="running")
        library.runs.save_run(run)
    assert [run.id for run in library.runs.interrupted()] == ["r1", "r2", "r3"]
    assert [run.id for run in library.runs.list("a")] == ["r1", "r3"]
    assert [run.id for run in library.runs.list("a", limit=1)] == ["r3"]
    assert [run.id for run in library.runs.list()] == ["r3", "r2", "r1"]
    assert [card.id for card in RunSearch(library.database).find(RunFilter())[0]] == ["r3", "r2", "r1"]
    assert [(c.id, c.title) for c in ConversationStore(library.database).list()] == [
        ("a", "r1?"),
        ("b", "r2?"),
    ]
    for number, at in (("r2", 950.0), ("r1", 600.0)):
        ended = library.runs.get(number).model_copy(update={"status": "done", "finished": at})
        library.runs.save_run(ended)
        library.runs.save_run(ended)  # written again, it keeps its place
    assert [(n, run.id) for n, run in library.runs.finished_since(0)] == [(1, "r2"), (2, "r1")]
    library.runs.delete("r1")
    ended = library.runs.get("r3").model_copy(update={"status": "done", "finished": 1.0})
    library.runs.save_run(ended)
    assert [run.id for _, run in library.runs.finished_since(2)] == ["r3"]  # no number is given twice
    with library.database.writing() as connection:
        connection.execute("UPDATE runs SET report = '{}' WHERE id = 'r3'")
    ((_, damaged),) = library.runs.finished_since(2)
    assert (damaged.id, damaged.report) == ("r3", None)  # those behind it are read
    library.jobs.put(*(Job(id=f"j{at}", path="/f", name="f", created=at) for at in (9.0, 5.0, 7.0)))
    assert [job.created for job in library.jobs.list()] == [7.0, 5.0, 9.0]
    assert [job.id for job in Ledger(library.jobs).unfinished()] == ["j9.0", "j5.0", "j7.0"]
    first = library.jobs.next_queued()
    assert first is not None and first.created == 9.0


def test_runs_of_an_earlier_schema_are_numbered_by_their_times_and_gaps_are_read_from_where_they_were() -> (
    None
):
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as catalog:
        for migration in MIGRATIONS[:16]:
            migration(catalog)
        catalog.execute("PRAGMA user_version = 16")
        rows = [("r1", 3.0, 9.0), ("r2", 1.0, 5.0), ("r3", 2.0, 7.0)]
        catalog.executemany(
            "INSERT INTO runs (id, conversation, question, status, started, finished)"
            " VALUES (?, 'a', 'Why?', 'done', ?, ?)",
            rows,
        )
        catalog.execute("INSERT INTO learnt_state VALUES ('someone gaps seen', '7.0')")
        migrate(catalog)
        numbered = catalog.execute("SELECT id, n, ended FROM runs ORDER BY id").fetchall()
        assert numbered == [("r1", 3, 3), ("r2", 1, 1), ("r3", 2, 2)]
        assert catalog.execute("SELECT body FROM learnt_state").fetchone() == ("2",)
        values = "('r4', 'a', 'Why?', 'done', 0.5, 0.7)"
        catalog.execute(
            f"INSERT INTO runs (id, conversation, question, status, started, finished) VALUES {values}"
        )
        assert catalog.execute("SELECT n, ended FROM runs WHERE id = 'r4'").fetchone() == (4, 4)


def test_a_job_that_an_older_edition_saved_is_read_with_the_stage_as_it_is_called_now(
    library: KnowledgeBase,
) -> None:
    saved = Job(id="j", path="/f", name="f", stage="enrich").model_dump_json()
    with library.jobs.database.writing() as connection:
        connection.execute(
            "INSERT INTO jobs (id, status, created, body) VALUES ('j', 'done', 1.0, ?)",
            (saved.replace('"enrich"', '"distil"'),),
        )
    assert library.jobs.get("j").stage == "enrich"
