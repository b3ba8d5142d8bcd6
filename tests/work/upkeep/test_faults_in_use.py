"""A disk that fills up while vectors are made or something is learnt, locks that fail while the library is in
use: a sentence, what there is serves on, and it goes on afterwards."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Feedback
from core.errors import StrataError
from core.settings import Settings
from core.work.upkeep.reembed import JOB
from tests.work.failing_locks import without_locks
from tests.work.upkeep.test_folder_rights import strata
from tests.work.upkeep.test_full_disk import SmallDisk

QUESTION = "Why did the pump of ETCH-07 run hot?"
ROOMS = [0, 8_192, 65_536, 400_000]
PAIRS = [("How hot is the machine?", "The pump ran at 80 degrees."), ("What is broken?", "The filter.")]


def _settings(folder: Path, model: Path | None = None) -> Settings:
    return Settings.model_validate(
        {
            "store": {"path": folder},
            **({"embedding": {"backend": "sentence-transformers", "model": str(model)}} if model else {}),
        }
    )


@contextmanager
def opened(folder: Path, model: Path | None = None) -> Iterator[Assistant]:
    assistant = build(_settings(folder, model), warm=False)
    try:
        yield assistant
    finally:
        assistant.close()


def passages(assistant: Assistant) -> list[str]:
    return [hit.chunk.text for hit in assistant.library.search(QUESTION, 3).leg("semantic")]


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_vectors_that_find_no_room_leave_the_old_ones_serving(
    asked: Path,
    disk: SmallDisk,
    tiny: Path,
    room: int,
) -> None:
    folder = Path(shutil.copytree(asked, disk.folder / "library"))
    with opened(folder, tiny) as assistant:
        before, change = passages(assistant), assistant.library.reembedding
        assert change is not None and before
        disk.fill(room)
        change.start()
        job = change.wait(120)
        if job.status != "done":
            assert job.status == "failed" and "full" in job.reason and "space" in job.hint
            assert passages(assistant) == before
        disk.free()
        if job.status != "done":
            assistant.library.retry(JOB)
            assert change.wait(120).status == "done"
        after = passages(assistant)
        assert assistant.library.knowledge.check() == []
    with opened(folder, tiny) as again:
        assert passages(again) == after and again.library.knowledge.check() == []
        assert again.library.reembedding is None or again.library.reembedding.job().status == "done"


def _words(assistant: Assistant) -> None:
    assistant.learning.learn_words(PAIRS)


def _classes(assistant: Assistant) -> None:
    assistant.learning.learn_tags(PAIRS)


def _update(assistant: Assistant) -> None:
    assistant.learning.update()


def _verify(assistant: Assistant) -> None:
    run = assistant.questions.runs(limit=5)[-1].id
    assistant.learning.give_feedback(
        Feedback(run=run, target="answer", verdict="corrected", correction="The filter.")
    )


def _own_words(assistant: Assistant) -> None:
    assistant.library.change_words('pump = [{ en = "pump, booster" }]')


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("act", [_words, _classes, _update, _verify, _own_words])
def test_what_is_learnt_and_finds_no_room_is_said_and_learnt_later(
    asked: Path,
    disk: SmallDisk,
    act: Callable[[Assistant], None],
    room: int,
) -> None:
    folder = Path(shutil.copytree(asked, disk.folder / "library"))
    with opened(folder) as assistant:
        _verify(assistant)
        disk.fill(room)
        try:
            act(assistant)
        except StrataError as error:
            assert "full" in str(error) and "space" in error.hint
        disk.free()
        assert passages(assistant)
        act(assistant)
    with opened(folder) as again:
        act(again)
        assert again.library.knowledge.check() == []


MIDWAY = """
import sys
from pathlib import Path
from core.bootstrap import build, maintenance_wiring
from core.errors import StrataError
from core.settings import Settings

folder, fails = Path(sys.argv[1]), Path(sys.argv[2])
settings = Settings.model_validate({"store": {"path": folder}})
assistant = build(settings, warm=False)
note = folder.parent / "chiller.md"
note.write_text("# Chiller\\n\\nThe chiller keeps 12 degrees.\\n", "utf-8")


def ask():
    return assistant.questions.wait(assistant.questions.ask("What was changed?"), 60).answer


def read():
    return assistant.library.wait(assistant.library.ingest([note]), 60)[0].status


def back_up():
    return maintenance_wiring.back_up(settings, folder.parent / "backups", 3, lambda text: None).reason


def told():
    for act in (ask, read, back_up):
        try:
            print(act.__name__, "went:", repr(act()))
        except StrataError as error:
            print(act.__name__, "refused:", error, error.hint)


fails.touch()
told()
if sys.argv[3] == "back":
    fails.unlink()
    told()
try:
    assistant.close()
except StrataError as error:
    print("close refused:", error, error.hint)
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("then", ["back", "gone"])
def test_locks_that_fail_while_the_library_is_open_are_said_and_nothing_is_lost(
    asked: Path, tmp_path: Path, then: str
) -> None:
    folder, fails = Path(shutil.copytree(asked, tmp_path / "library")), tmp_path / "fails"
    with opened(folder) as assistant:
        before = passages(assistant)
    run = subprocess.run(
        [sys.executable, "-c", MIDWAY, folder, fails, then],
        cwd=Path(__file__).parents[3],
        env={
            **os.environ,
            "LD_PRELOAD": str(without_locks(tmp_path)),
            "NO_LOCKS": "both",
            "NO_LOCKS_WHEN": str(fails),
        },
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    said = [line for line in run.stdout.splitlines() if "refused" in line or "went" in line]
    assert all(f"{act} refused: " in line and "network folders" in line
               for act, line in zip(("ask", "read", "back_up"), said[:3], strict=True)), said  # fmt: skip
    assert "--repair" not in run.stdout
    if then == "back":
        assert [line.split(":")[0] for line in said[3:]] == ["ask went", "read went", "back_up went"], said
    fails.unlink(missing_ok=True)
    doctor = strata(folder, "doctor")
    assert doctor.returncode == 0 and "ERROR" not in doctor.stdout, doctor
    with opened(folder) as again:
        assert passages(again)[0] == before[0] and again.library.knowledge.check() == []
