"""Uploads of one name: the last one stays, whatever the others were doing, and none of them fails."""

import io
from pathlib import Path

from core.bootstrap import build
from core.settings import Settings, StoreSettings

TIMES = 6


def test_of_uploads_of_one_name_the_last_stays_and_none_fails(tmp_path: Path) -> None:
    assistant = build(Settings(store=StoreSettings(path=tmp_path / "library")), warm=False)
    try:
        texts = [f"# Report {n}\n\nThe pump P-{n} is old.\n".encode() for n in range(TIMES)]
        queued = [assistant.library.upload("report.md", io.BytesIO(text)) for text in texts]
        others = [
            assistant.library.upload(f"other {n}.md", io.BytesIO(b"# Other\n" + b"x" * n)) for n in range(3)
        ]
        jobs = assistant.library.wait([*queued, *others], timeout=120)
        assert {(job.status, job.outcome) for job in jobs} == {("done", "read")}, jobs
        titles = {each.name: each.title for each in assistant.library.contents.documents()}
        assert titles["report.md"] == f"Report {TIMES - 1}" and len(titles) == 4
        assert jobs[TIMES - 1].reason == ""
        assert not [path for path in (tmp_path / "library" / "uploads").rglob("*") if path.is_file()]
    finally:
        assistant.close()


def test_uploads_of_one_name_in_two_collections_do_not_wait_for_each_other(tmp_path: Path) -> None:
    assistant = build(Settings(store=StoreSettings(path=tmp_path / "library")), warm=False)
    try:
        for collection in ("a", "b"):
            text = f"# {collection}\n\nThe pump of {collection} is old.\n".encode()
            assistant.library.wait([assistant.library.upload("report.md", io.BytesIO(text), collection)])
        assert len(assistant.library.contents.documents()) == 2
    finally:
        assistant.close()
