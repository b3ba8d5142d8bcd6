"""A file's way into the library is said in stages, with an honest rest."""

from core.knowledge.records import Job
from core.ui import queue


def job(**known: object) -> Job:
    return Job.model_validate({"id": "1", "path": "a.pdf", "name": "a.pdf", "status": "running", **known})


def test_the_four_stages_count_alike() -> None:
    assert queue.progress(job(stage="embed", done=5, total=10)) == 0.625


def test_a_stage_that_does_not_know_its_size_shows_no_more_than_its_beginning() -> None:
    assert queue.progress(job(stage="distil")) == 0.75


def test_the_rest_is_told_from_the_pace_so_far() -> None:
    assert queue.remaining(job(stage="embed", done=10, total=40, started=100.0), now=110.0) == 30.0


def test_the_rest_is_not_told_before_there_is_a_pace() -> None:
    assert queue.remaining(job(stage="embed", done=0, total=40, started=100.0), now=110.0) is None


def test_the_present_stage_stands_out() -> None:
    assert (
        queue.stages(job(stage="chunk", done=2, total=9))
        == "parse → **chunk 2 of 9** → :gray[embed] → :gray[distil]"
    )
