"""A library on a disk that is really full: a sentence, nothing lost, and it continues when there is room."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from core.accounts.account_file import AccountFile
from core.assistant import Assistant
from core.bootstrap import build, maintenance_wiring
from core.domain import Feedback
from core.errors import DiskFull, StrataError
from core.knowledge.maintenance.backups import put_back
from core.knowledge.stores.vector_index.vectors import ChromaStore
from core.knowledge.stores.whole_files import write_whole
from core.settings import Settings
from core.work.checks.answer_records import AnswerRecord, AnswerRecords
from core.work.checks.role_choices import RoleChoices
from tests.ingest.ingestion_parts import ingestion
from tests.work import damage

QUESTION = "Why did the pump of ETCH-07 run hot?"
CHILLERS = "# Chiller\n\n" + "\n\n".join(f"Chiller CH-{n} keeps {n + 10} degrees." for n in range(400))


@dataclass(frozen=True)
class SmallDisk:
    """A file system of its own, of 64 MB."""

    folder: Path

    def fill(self, room: int) -> None:
        """Leave so many bytes."""
        about = os.statvfs(self.folder)
        subprocess.run(
            ["fallocate", "-l", str(about.f_bavail * about.f_frsize - room), self.folder / "filler"],
            check=True,
        )

    def free(self) -> None:
        (self.folder / "filler").unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield SmallDisk(folder)
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return damage.make(tmp_path_factory.mktemp("made"))


def test_a_small_file_that_finds_no_room_stays_as_it_was_and_leaves_nothing(disk: SmallDisk) -> None:
    folder = disk.folder / "library"
    accounts, roles = AccountFile(folder), RoleChoices(folder / "roles.json")
    record = AnswerRecord(at=1.0, of="x" * 4_096, groups={}, counts={})
    backup = disk.folder.parent / "backup"
    backup.mkdir()
    (backup / "words.bin").write_bytes(bytes(4_096))
    acts: tuple[Callable[[], object], ...] = (
        lambda: accounts.add("ann", "admin", None),
        lambda: roles.choose("vision", "m" * 4_096),
        lambda: AnswerRecords(folder).keep("answers", record),
        lambda: write_whole(folder / "cards.json", "[]" * 4_096),
        lambda: put_back(["words.bin"], backup, folder),
    )
    for act in acts:
        act()
    before = {path: path.read_bytes() for path in folder.iterdir()}
    disk.fill(0)
    for act in (lambda: accounts.add("eve", "reader", None), *acts[1:]):
        with pytest.raises(DiskFull):
            act()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_vectors_are_not_handed_over_where_hardly_any_room_is_left(disk: SmallDisk) -> None:
    """Chroma, whose disk fills up while it writes, may stand still for minutes."""
    folder = disk.folder / "chroma"
    store = ChromaStore(folder)
    index, vector, about = store.index("chunks"), np.ones((1, 8), np.float32), [{"document": "d"}]
    index.upsert(["a"], vector, about)
    disk.fill(500_000)
    with pytest.raises(DiskFull):
        index.upsert(["b"], vector, about)
    disk.free()
    index.upsert(["c"], vector, about)
    assert index.ids() == {"a", "c"}


@pytest.mark.parametrize("room", [0, 8_192])
@pytest.mark.parametrize(
    "write",
    [
        lambda store: store.index("atoms"),
        lambda store: store.index("chunks").delete(["0", "1"]),
        lambda store: store.drop("chunks"),
        lambda store: store.rename("chunks", "atoms"),
    ],
    ids=["make", "delete", "drop", "rename"],
)
def test_a_write_of_vectors_that_met_a_full_disk_holds_up_none_afterwards(
    disk: SmallDisk, write: Callable[[ChromaStore], object], room: int
) -> None:
    """Chroma, once its disk filled up in a write, stood still in the next, and the whole process with it."""
    store = ChromaStore(disk.folder / "chroma")
    ids, vectors, about = [str(n) for n in range(40)], np.ones((40, 8), np.float32), [{"document": "d"}] * 40
    for name in ("chunks", "sections"):
        store.index(name).upsert(ids, vectors, about)
    disk.fill(room)
    for _ in range(3):
        with pytest.raises(DiskFull):
            write(store)
    assert store.index("chunks").ids() == {*ids}
    disk.free()
    write(store)
    sections = store.index("sections")
    sections.upsert(["new"], vectors[:1], about[:1])
    assert sections.ids() == {*ids, "new"}


@pytest.mark.slow
def test_a_library_whose_disk_is_full_closes_and_reads_on_when_there_is_room(
    made: Path, disk: SmallDisk, caplog: pytest.LogCaptureFixture
) -> None:
    new = disk.folder.parent / "chillers.md"
    new.write_text(CHILLERS, "utf-8")
    folder = Path(shutil.copytree(made, disk.folder / "library"))
    into = ingestion(folder)
    disk.fill(0)
    with pytest.raises(DiskFull):
        list(into.ingest(new))
    into.knowledge.close()
    assert "The disk is full" in caplog.text
    disk.free()
    again = ingestion(folder)
    before = ingestion(made)
    try:
        assert damage.same(damage.answers(again.knowledge), damage.answers(before.knowledge))
        list(again.ingest(new))
        assert len(again.knowledge.documents()) == 4 and again.knowledge.check() == []
    finally:
        again.knowledge.close()
        before.knowledge.close()


def _ingest(assistant: Assistant, folder: Path) -> None:
    [job] = assistant.library.wait(assistant.library.ingest([folder.parent.parent / "chillers.md"]))
    if job.status != "done":
        raise StrataError(job.reason, hint=job.hint)


def _ask(assistant: Assistant, folder: Path) -> None:
    assert assistant.questions.wait(assistant.questions.ask("Which filter was changed?"), 120).answer


def _correct(assistant: Assistant, folder: Path) -> None:
    run = assistant.questions.runs(limit=5)[-1].id
    statement = "The filter was clogged."
    assistant.learning.give_feedback(
        Feedback(run=run, target="answer", verdict="corrected", correction=statement)
    )


def _back_up(assistant: Assistant, folder: Path) -> None:
    maintenance_wiring.back_up(_settings(folder), folder.parent / "backups", 3, lambda text: None)


def _settings(folder: Path) -> Settings:
    return Settings.model_validate({"store": {"path": folder}})


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that a question was asked."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "sources").mkdir()
    for name, text in damage.NOTES.items():
        (folder / "sources" / name).write_text(text, "utf-8")
    assistant = build(_settings(folder / "library"), warm=False)
    assistant.library.wait(assistant.library.ingest([folder / "sources"]))
    assistant.questions.wait(assistant.questions.ask(QUESTION))
    assistant.close()
    return folder / "library"


@pytest.mark.slow
@pytest.mark.parametrize("room", [0, 8_192, 65_536, 400_000])
@pytest.mark.parametrize("act", [_ingest, _ask, _correct, _back_up])
def test_whatever_meets_a_full_disk_says_so_and_goes_on_when_there_is_room(
    asked: Path, disk: SmallDisk, act: Callable[[Assistant, Path], None], room: int
) -> None:
    (disk.folder.parent / "chillers.md").write_text(CHILLERS, "utf-8")
    folder = Path(shutil.copytree(asked, disk.folder / "library"))
    assistant = build(_settings(folder), warm=False)
    documents = {document.id for document in assistant.library.contents.documents()}
    runs = {run.id for run in assistant.questions.runs(limit=50)}
    disk.fill(room)
    try:
        act(assistant, folder)  # there was room enough
    except StrataError as error:
        assert "full" in str(error) and "space" in error.hint
    assistant.close()
    disk.free()
    again = build(_settings(folder), warm=False)
    try:
        act(again, folder)
        assert documents <= {document.id for document in again.library.contents.documents()}
        assert runs <= {run.id for run in again.questions.runs(limit=50)}
        assert again.library.knowledge.check() == []
    finally:
        again.close()
