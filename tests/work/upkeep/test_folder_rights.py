"""A library in a folder that is none, cannot be written to, or knows no locks is refused in a sentence."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.bootstrap import maintenance_wiring
from core.cli import main
from core.errors import KnowledgeError
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.folder_lock import claim, must_be_usable
from core.settings import Settings, StoreSettings
from tests.work import damage
from tests.work.failing_locks import without_locks
from tests.work.upkeep.test_library_repair import opened


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return damage.make(tmp_path_factory.mktemp("made"))


def strata(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `strata` as somebody who has only the rights that files give, not those of an administrator."""
    command = [sys.executable, "-c", "from core.cli import main; main()", *arguments]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", *command]
    return subprocess.run(
        command,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "STRATA_STORE__PATH": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def locked_away(library: Path, tmp_path: Path) -> Iterator[Path]:
    """A library that its owner may not write to."""
    folder = Path(shutil.copytree(library, tmp_path / "library"))
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="needs setpriv as root")
def test_a_folder_that_cannot_be_written_to_is_examined_and_refused_in_a_sentence(locked_away: Path) -> None:
    examined = strata(locked_away, "doctor")
    assert examined.returncode == 0, examined.stderr
    assert "3 documents" in examined.stdout and "Traceback" not in examined.stderr
    assert f"WARNING  {locked_away} cannot be written to: Permission denied." in examined.stdout
    asked = strata(locked_away, "documents")
    assert asked.returncode == 1 and "Traceback" not in asked.stderr
    assert f"{locked_away} cannot be written to" in asked.stderr and "STRATA_STORE__PATH" in asked.stderr


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root and setpriv")
def test_records_of_somebody_else_are_no_damage(library: Path, tmp_path: Path) -> None:
    """Another person of the machine reads, or writes to, a folder that lets everybody do so."""
    folder = Path(shutil.copytree(library, tmp_path / "library"))
    assert strata(folder, "accounts", "add", "ann", "--role", "admin", "--openid").returncode == 0
    records = [folder / "accounts.json", folder / "audit.sqlite"]
    for path in records:
        os.chown(path, 12345, 12345)
        path.chmod(0o666)
    added = strata(folder, "accounts", "add", "eve", "--role", "reader", "--openid")
    assert (added.returncode, added.stderr) == (0, "")
    for path in records:
        os.chown(path, 12345, 12345)
        path.chmod(0o600)
    for command in ("audit", "accounts list"):
        asked = strata(folder, *command.split())
        assert asked.returncode == 1 and "cannot be read: Permission denied." in asked.stderr, asked
        assert "Give yourself the right to read" in asked.stderr and "damaged" not in asked.stderr
    doctor = strata(folder, "doctor").stdout
    assert doctor.count("cannot be read: Permission denied.") == 2 and "mv " not in doctor, doctor
    for path in records:
        path.chmod(0o644)
    folder.chmod(0o555)
    told = strata(folder, "audit")
    folder.chmod(0o755)
    assert told.returncode == 0 and "eve" in told.stdout and "ann" in told.stdout, told.stderr


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="needs setpriv as root")
@pytest.mark.parametrize("rights", [0o000, 0o100, 0o500])
def test_the_app_over_a_folder_that_is_closed_to_it_is_refused_in_a_sentence(
    tmp_path: Path, rights: int
) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    folder.chmod(rights)
    run = strata(folder, "run")
    folder.chmod(0o700)
    assert run.returncode == 1 and "Traceback" not in run.stderr, run.stderr
    how = "written to" if rights == 0o500 else "read"
    assert f"{folder} cannot be {how}: Permission denied" in run.stderr


@pytest.mark.parametrize("kind", ["file", "below a file", "link to nothing", "long name", "other bytes"])
def test_a_path_that_can_be_no_folder_gives_a_sentence(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("x", "utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    place, expected = {
        "file": (path, "is a file, not a folder"),
        "below a file": (path / "below", "is a file, not a folder"),
        "link to nothing": (tmp_path / "link", "is a link to nothing"),
        "other bytes": (tmp_path / os.fsdecode(b"by\xffte"), "is no UTF-8"),
        "long name": (tmp_path / ("x" * 300), "cannot be read: File name too long"),
    }[kind]
    settings = Settings(store=StoreSettings(path=place))
    for act in (
        lambda: KnowledgeBase(place, "x"),
        lambda: maintenance_wiring.health_of(settings),
        lambda: maintenance_wiring.backups_of(settings, None),
        lambda: must_be_usable(place),
    ):
        with pytest.raises(KnowledgeError, match=expected) as result:
            act()
        assert "STRATA_STORE__PATH" in result.value.hint
    monkeypatch.setenv("STRATA_STORE__PATH", str(place))
    for command in (["audit"], ["accounts", "list"]):
        run = CliRunner().invoke(main, command)
        assert run.exit_code == 1 and expected in run.stderr, run.output


def as_owner(folder: Path, act: str) -> subprocess.CompletedProcess[str]:
    """Let somebody who has only the rights that files give repair or open a library."""
    what = {"repair": "print(damage.repair(folder))", "open": "print(opened(folder))"}[act]
    code = f"""
from pathlib import Path
from core.cli import main
from core.errors import KnowledgeError
from tests.work import damage
from tests.work.failing_locks import without_locks
from tests.work.upkeep.test_library_repair import opened
folder = Path({str(folder)!r})
try:
    {what}
except KnowledgeError as error:
    print("refused:", error, error.hint)
"""
    command = [sys.executable, "-c", code]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", *command]
    return subprocess.run(command, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="needs setpriv as root")
def test_a_repair_goes_on_once_a_subfolder_can_be_written_to_again(library: Path, tmp_path: Path) -> None:
    before = opened(library)
    folder = damage.damaged(library, tmp_path / "library", "catalog.sqlite", "30 bytes")
    shut = [path for path in (folder / "originals", *(folder / "originals").iterdir()) if path.is_dir()]
    for path in shut:
        path.chmod(0o555)
    refused = as_owner(folder, "repair")
    assert refused.stdout.startswith("refused: ") and "cannot be used" in refused.stdout, refused
    assert "STRATA_STORE__PATH" in refused.stdout and "Traceback" not in refused.stderr
    for path in shut:
        path.chmod(0o755)
    assert as_owner(folder, "repair").stdout.startswith("[")
    assert opened(folder) == before


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="needs setpriv as root")
def test_a_cache_that_cannot_be_written_to_stops_no_question(library: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(library, tmp_path / "library"))
    (folder / "seal.json").unlink()
    for name in ("graph", "keywords"):
        shutil.rmtree(folder / name)
        (folder / name).mkdir(mode=0o555)
    result = as_owner(folder, "open")
    assert result.returncode == 0 and str(opened(library)["titles"]) in result.stdout, result.stderr


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_network_folder_without_locks_is_refused_in_a_sentence(library: Path, tmp_path: Path) -> None:
    shim = without_locks(tmp_path)
    folder = shutil.copytree(library, tmp_path / "library")
    was = damage.files(folder)
    for kind, command in (
        ("flock", ("documents",)),
        ("flock", ("run",)),
        ("flock", ("accounts", "add", "ann", "--role", "admin", "--openid")),
        ("fcntl", ("documents",)),
        ("fcntl", ("doctor",)),
        ("fcntl", ("doctor", "--repair")),
        ("fcntl", ("accounts", "add", "ann", "--role", "admin", "--openid")),
    ):
        asked = strata(folder, *command, LD_PRELOAD=str(shim), NO_LOCKS=kind)
        assert asked.returncode == 1 and "Traceback" not in asked.stderr, (kind, command, asked.stderr)
        output = asked.stdout if command == ("doctor",) else asked.stderr
        assert "cannot be locked: No locks available" in output and "network folders" in output, (
            kind,
            command,
        )
        there = [name for name in damage.files(folder) if name != "accounts.json.lock"]
        assert there == was, (kind, command)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a place where no folder can be made")
def test_a_folder_that_cannot_be_made_is_not_taken_for_a_network_disk() -> None:
    with pytest.raises(KnowledgeError, match="cannot be made") as refused:
        claim(Path("/proc/nope"))
    assert "network" not in refused.value.hint
