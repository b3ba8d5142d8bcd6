"""A full box of files stays on the page until all uploads of its session are over."""

import time
from typing import Any

import pytest

from core.accounts.person import Person
from core.assistant import Assistant
from core.ui.corpus import upload_panel
from core.ui.serving.awaited_uploads import MAX_SESSIONS, AwaitedUploads
from core.ui.shared import session
from tests.ui.conftest import Open


class Dropped:
    def __init__(self, name: str, size: int = 1) -> None:
        self.file_id, self.name, self.size = name, name, size


def test_a_session_is_quiet_once_each_upload_has_ended() -> None:
    uploads = AwaitedUploads()
    assert uploads.quiet("a") == float("inf")
    uploads.given("/_stcore/upload_file/one/a")
    uploads.given("/_stcore/upload_file/one/b")
    uploads.given("/_stcore/upload_file/two/c")
    uploads.ended("/_stcore/upload_file/one/a")
    assert uploads.quiet("a") == uploads.quiet("c") == 0
    uploads.ended("/_stcore/upload_file/one/b")
    assert 0 < uploads.quiet("a") < 60 and uploads.quiet("c") == 0


def test_the_sessions_that_are_quiet_for_longest_are_forgotten() -> None:
    uploads = AwaitedUploads()
    for n in range(MAX_SESSIONS + 1):
        uploads.given(f"/_stcore/upload_file/{n}/file-{n}")
    assert uploads.quiet("file-0") == float("inf") and uploads.quiet("file-1") == 0


def test_a_full_box_stays_beside_the_next_until_its_session_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = AwaitedUploads()
    monkeypatch.setattr(upload_panel, "AWAITED", uploads)
    monkeypatch.setattr(upload_panel, "STAYS_SECONDS", 0.02)
    boxes = upload_panel._Boxes()
    many: list[Any] = [Dropped(f"file-{n}") for n in range(upload_panel.MANY_FILES + 1)]
    assert not boxes.fill(0, many[:-1]) and boxes.drawn() == [0]
    assert boxes.fill(0, many) and not boxes.fill(0, many)  # a run beside it asks, too
    assert boxes.drawn() == [0, 1]
    uploads.ended("/_stcore/upload_file/one/" + many[-1].file_id)
    uploads.given("/_stcore/upload_file/one/late")
    time.sleep(0.05)
    boxes.clear()
    assert boxes.drawn() == [0, 1]
    uploads.ended("/_stcore/upload_file/one/late")
    boxes.clear()
    assert boxes.drawn() == [0, 1]  # the browser has yet to say so
    time.sleep(0.05)
    boxes.clear()
    assert boxes.drawn() == [1]


def test_a_full_box_of_who_may_no_longer_add_files_leaves_the_page(
    assistant: Assistant, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page would otherwise be drawn anew without end."""
    at = open_page(session.CORPUS)
    boxes = upload_panel._Boxes(full={0: ("file-0", 0.0)}, open=1)
    at.session_state[session.UPLOADS] = boxes
    monkeypatch.setattr(session, "person", lambda: Person(name="Ada", role="reader"))
    at.run(timeout=20)
    assert not at.exception and not at.file_uploader
    assert boxes.drawn() == [1]
