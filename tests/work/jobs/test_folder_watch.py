"""Watched folders: what appears is read, what goes is taken out, and what is only away is kept."""

import shutil
from collections.abc import Callable
from pathlib import Path

from core.work.jobs.folder_watch import FolderScan, watch
from core.work.jobs.job_queue import JobQueue
from tests.work.queues import Make, notes


def looks(runner: JobQueue, paths: list[Path], *steps: Callable[[], object]) -> list[FolderScan]:
    """Watch, and do a step before each look but the first."""
    left = list(steps)

    def pause() -> bool:
        runner.wait(timeout=30)
        if not left:
            return False
        left.pop(0)()
        return True

    return list(watch(runner, runner.knowledge, paths, pause=pause))  # type: ignore[attr-defined]


def titles(runner: JobQueue) -> list[str]:
    return sorted(each.title for each in runner.knowledge.documents())  # type: ignore[attr-defined]


def wait_a_look() -> None:
    """Let a look pass."""


def test_watching_a_folder_reads_what_appears_and_takes_out_what_goes(start: Make, tmp_path: Path) -> None:
    runner = start()
    folder = notes(tmp_path / "in", 2)
    seen = looks(
        runner,
        [folder],
        lambda: (folder / "new.md").write_text("# New\nA new pump."),
        wait_a_look,
        lambda: (folder / "note0.md").unlink(),
    )
    assert [(len(look.queued), len(look.gone)) for look in seen] == [(2, 0), (0, 0), (1, 0), (0, 1)]
    assert titles(runner) == ["New", "Note 1"]


def test_what_was_deleted_while_nobody_watched_is_taken_out_at_the_first_look(
    start: Make, tmp_path: Path
) -> None:
    runner = start()
    folder = notes(tmp_path / "in", 3)
    notes(folder / "deep", 1, sections=1)
    beside = notes(tmp_path / "in beside", 1, sections=2)
    runner.wait(runner.submit([folder, beside]), timeout=30)
    runner.wait(runner.submit([folder / "note2.md"], "other"), timeout=30)
    (beside / "note0.md").unlink()
    (folder / "note0.md").unlink()
    (folder / "note2.md").unlink()
    shutil.rmtree(folder / "deep")
    [first] = looks(runner, [folder])
    gone = [folder / "deep" / "note0.md", folder / "note0.md", folder / "note2.md"]
    assert sorted(map(Path, first.gone)) == gone
    assert first.away == []
    assert {job.outcome for job in map(runner.get, first.queued)} == {"known"}
    left = {(entry.path, entry.collection) for entry in runner.knowledge.entries()}  # type: ignore[attr-defined]
    assert left == {
        (str(folder / "note1.md"), "default"),
        (str(folder / "note2.md"), "other"),
        (str(beside / "note0.md"), "default"),
    }


def test_a_folder_that_is_empty_or_missing_when_the_watch_starts_keeps_what_the_library_has(
    start: Make, tmp_path: Path
) -> None:
    runner = start()
    folder = notes(tmp_path / "disk", 2)
    runner.wait(runner.submit([folder]), timeout=30)
    disk = folder.rename(tmp_path / "elsewhere")
    seen = looks(runner, [folder], folder.mkdir, wait_a_look)
    assert [look.gone for look in seen] == [[], [], []]
    assert [[(away.path, away.kept) for away in look.away] for look in seen] == [[(folder, 2)], [], []]
    assert titles(runner) == ["Note 0", "Note 1"]
    (disk / "note1.md").unlink()
    seen = looks(runner, [folder], lambda: (folder.rmdir(), disk.rename(folder)))
    assert [len(look.gone) for look in seen] == [0, 1]
    assert titles(runner) == ["Note 0"]


def test_a_watched_folder_that_disappears_keeps_its_files_and_an_emptied_one_does_not(
    start: Make, tmp_path: Path
) -> None:
    runner = start()
    folder, other = notes(tmp_path / "disk", 2), notes(tmp_path / "other", 1, sections=2)
    away = tmp_path / "elsewhere"
    seen = looks(
        runner,
        [folder, other],
        lambda: folder.rename(away),
        lambda: away.rename(folder),
        lambda: (other / "note0.md").unlink(),
    )
    assert [len(look.gone) for look in seen] == [0, 0, 0, 1]
    assert [[each.kept for each in look.away] for look in seen] == [[], [2], [], []]
    assert [len(look.queued) for look in seen] == [3, 0, 0, 0]
    assert titles(runner) == ["Note 0", "Note 1"]


def test_a_file_that_is_there_but_left_out_of_listings_is_not_taken_for_deleted(
    start: Make, tmp_path: Path
) -> None:
    runner = start()
    folder = notes(tmp_path / "in", 1)
    hidden = folder / ".note.md"
    hidden.write_text("# Hidden\nNamed outright.")
    runner.wait(runner.submit([hidden]), timeout=30)
    [first] = looks(runner, [folder])
    assert (first.gone, first.away) == ([], [])
    assert titles(runner) == ["Hidden", "Note 0"]
    hidden.unlink()
    [first] = looks(runner, [folder])
    assert first.gone == [str(hidden)]


def test_a_single_watched_file_goes_with_its_deletion_and_stays_with_its_missing_folder(
    start: Make, tmp_path: Path
) -> None:
    runner = start()
    one, two = notes(tmp_path / "one", 1) / "note0.md", notes(tmp_path / "two", 2) / "note1.md"
    seen = looks(runner, [one, two], one.unlink, lambda: two.parent.rename(tmp_path / "elsewhere"))
    assert [look.gone for look in seen] == [[], [str(one)], []]
    assert [[(away.path, away.kept) for away in look.away] for look in seen] == [[], [], [(two, 1)]]
