"""A file's way into the library is said in stages, with an honest rest."""

from pathlib import Path

from core.assistant import Assistant
from core.knowledge.stores.records import Job
from core.ui.corpus import ingestion_queue, ingestion_report
from tests.ui.conftest import settle


def job(**known: object) -> Job:
    return Job.model_validate({"id": "1", "path": "a.pdf", "name": "a.pdf", "status": "running", **known})


def test_the_four_stages_count_alike() -> None:
    assert ingestion_queue.progress(job(stage="embed", done=5, total=10)) == 0.625


def test_a_stage_that_does_not_know_its_size_shows_no_more_than_its_beginning() -> None:
    assert ingestion_queue.progress(job(stage="enrich")) == 0.75


def test_a_file_that_failed_is_not_shown_once_a_later_job_has_read_it() -> None:
    refused = job(id="1", path="a.msg", status="failed")
    other = job(id="2", path="b.msg", status="failed")
    read = job(id="3", path="a.msg", status="done")
    again = job(id="4", path="b.msg", status="done", collection="elsewhere")
    assert ingestion_queue.still_failed([again, read, other, refused]) == [other]
    assert ingestion_queue.still_failed([refused, read]) == [refused]


def test_the_report_says_of_every_file_what_came_of_it_and_why() -> None:
    frame = ingestion_report.reported(
        [
            job(status="done", outcome="read", reason="Page 2 is blank.", counts={"chunks": 4}, seconds=1.24),
            job(status="failed", outcome="refused", reason="a.pdf is empty.", hint="Review the copy."),
            job(status="cancelled", reason="Cancelled."),
        ]
    )
    assert list(frame["Outcome"]) == ["added", "not taken", "cancelled"]
    assert list(frame["What was skipped, and why"]) == [
        "Page 2 is blank.",
        "a.pdf is empty. Review the copy.",
        "Cancelled.",
    ]
    assert frame["Chunks"].iloc[0] == 4
    assert frame["Seconds"].iloc[0] == 1.2


def test_the_present_stage_stands_out() -> None:
    assert (
        ingestion_queue.stages(job(stage="chunk", done=2, total=9))
        == "parse → **chunk 2 of 9** → :gray[embed] → :gray[enrich]"
    )


def test_the_whole_is_estimated_from_files_that_were_read_and_not_from_few_of_them() -> None:
    read = [job(status="done", outcome="read")] * 4
    known = [job(status="done", outcome="known")] * 50
    assert ingestion_queue.remaining([*read, *known], open_=6, passed=20.0) == 30.0
    assert ingestion_queue.remaining([*read[:2], *known], open_=6, passed=20.0) is None


def test_the_report_does_not_speak_of_what_was_deleted(assistant: Assistant, tmp_path: Path) -> None:
    kept = {job.name for job in assistant.library.jobs() if job.status == "done"}
    (tmp_path / "soon-gone.md").write_text("# Soon gone\n\nLid 7 was opened on 3 May.\n", encoding="utf-8")
    (tmp_path / "empty.md").write_text("", encoding="utf-8")
    assistant.library.ingest([tmp_path / "soon-gone.md", tmp_path / "empty.md"], "demo")
    settle(assistant)
    held = {job.name: job for job in assistant.library.jobs()}
    assert set(held) == {*kept, "soon-gone.md", "empty.md"}
    assistant.library.move_to_trash([held["soon-gone.md"].document_id])
    assert {job.name for job in assistant.library.jobs()} == {*kept, "empty.md"}
