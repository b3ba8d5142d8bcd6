"""What was removed can be restored until the library is closed; after a kill nothing of it stays."""

from pathlib import Path

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.settings import Settings, StoreSettings


def opened(folder: Path) -> Assistant:
    return build(Settings(store=StoreSettings(path=folder / "library")), warm=False)


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_text("# Pump\n\nThe pump of ETCH-07 is XYLQUOR.\n")
    return path


def files_saying(word: bytes, folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.md") if word in path.read_bytes()]


def test_what_was_removed_is_gone_after_a_crash(note: Path, tmp_path: Path) -> None:
    first = opened(tmp_path)
    (job,) = first.library.wait(first.library.ingest([note]))
    note.unlink()
    first.library.move_to_trash([job.document_id])
    assert first.library.in_trash() == ["Pump"] and files_saying(b"XYLQUOR", tmp_path)
    first.library.knowledge.close()  # the process ends here: nothing else is closed
    second = opened(tmp_path)
    try:
        assert second.library.in_trash() == [] and not files_saying(b"XYLQUOR", tmp_path)
    finally:
        second.close()
        first.library.queue.close()


def test_a_document_comes_back_from_the_trash_and_goes_with_the_library(note: Path, tmp_path: Path) -> None:
    assistant = opened(tmp_path)
    (job,) = assistant.library.wait(assistant.library.ingest([note]))
    note.unlink()
    assistant.library.move_to_trash([job.document_id])
    (back,) = assistant.library.wait(assistant.library.restore_from_trash())
    assert back.document_id == job.document_id
    assistant.library.move_to_trash([job.document_id])
    assert files_saying(b"XYLQUOR", tmp_path)
    assistant.close()
    assert not files_saying(b"XYLQUOR", tmp_path)
