"""Word and PowerPoint of 1997 to 2003: converted by LibreOffice where it is installed, else said."""

import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.domain import Parsed
from core.errors import EncryptedFile, LimitExceeded, ParseError, UnsupportedFormat
from core.ingest.limits import MEBIBYTE, PATIENCE
from core.ingest.parsers.office_97.office_sockets import PROFILE, profile_address, remove_sockets
from core.ingest.parsers.office_97.ole_words import old_office_words
from core.runtime.work_clock import WorkClock
from core.runtime.worker_folders import end_processes_in

_TARGETS = {"application/msword": "docx", "application/vnd.ms-powerpoint": "pptx"}
_KINDS = {"application/msword": "Word document", "application/vnd.ms-powerpoint": "PowerPoint presentation"}
_OFFICE = "/org.openoffice.Office.Common/Security/Scripting"
_NET = "/org.openoffice.Inet/Settings"
_NOWHERE = "127.0.0.1", "9"  # nobody answers there: what a document links to is not fetched
_SETTINGS = (
    (_NET, "ooInetProxyType", "2"),
    *((_NET, f"ooInet{kind}ProxyName", _NOWHERE[0]) for kind in ("HTTP", "HTTPS", "FTP")),
    *((_NET, f"ooInet{kind}ProxyPort", _NOWHERE[1]) for kind in ("HTTP", "HTTPS", "FTP")),
    (_NET, "ooInetNoProxy", ""),
    (_OFFICE, "DisableMacrosExecution", "true"),
    (_OFFICE, "BlockUntrustedRefererLinks", "true"),
    ("/org.openoffice.Office.Writer/Content/Update", "Link", "2"),  # never
)
_LOOK_SECONDS = 0.25  # seconds between two looks at what it has worked
_MACOS = Path("/Applications/LibreOffice.app/Contents/MacOS/soffice")


def _macos() -> str | None:
    return str(_MACOS) if _MACOS.exists() else None


@dataclass(frozen=True)
class LegacyParser:
    """Reads .doc and .ppt through LibreOffice; `inner` reads what it makes of them.

    Of one that LibreOffice does not open, takes too long or writes too much over, the words alone are read.
    Macros never run, and nothing is fetched that a document links to.
    """

    inner: Callable[[Path, str], Parsed]
    seconds: float = 60.0
    written_mb: int = 1024
    media_types: tuple[str, ...] = tuple(_TARGETS)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        office = shutil.which("soffice") or shutil.which("libreoffice") or _macos()
        if office is None:
            raise UnsupportedFormat(
                f"{name} is a {_KINDS[media_type]} from before 2007: only LibreOffice reads it.",
                hint=f"Install LibreOffice, or save the file as .{_TARGETS[media_type]} and add that.",
            )
        try:
            with tempfile.TemporaryDirectory() as folder:
                made = self._converted(office, path, name, Path(folder), _TARGETS[media_type])
                parsed = self.inner(made, name)
        except EncryptedFile:
            raise
        except ParseError as error:
            if words := old_office_words(path, name, media_type, str(error)):
                return words
            raise
        return parsed.model_copy(update={"media_type": media_type})

    def _converted(self, office: str, path: Path, name: str, folder: Path, target: str) -> Path:
        source = folder / "source"
        shutil.copyfile(path, source)
        _settle(folder / PROFILE / "user")
        command = [
            office,
            "--headless",
            "--norestore",
            f"-env:UserInstallation={profile_address(folder / PROFILE)}",
            *("--convert-to", target, "--outdir", str(folder), str(source)),
        ]
        try:
            with _started(command, folder, self.written_mb * MEBIBYTE) as process:
                try:
                    self._watch(process, name, folder)
                except LimitExceeded:
                    end_processes_in(folder)  # else it would be waited for
                    raise
        finally:  # `soffice` only starts the program that does the work, which may have lost it
            end_processes_in(folder)
            remove_sockets(folder)
        made = folder / f"source.{target}"
        if not made.exists():
            raise ParseError(f"LibreOffice could not open {name}.")
        return made

    def _watch(self, process: subprocess.Popen[bytes], name: str, folder: Path) -> None:
        """Wait until it has ended. Raises LimitExceeded where it works too long or writes too much."""
        whole = psutil.Process(process.pid)
        clock = WorkClock(whole, PATIENCE)
        before, going = _written(folder), True
        while going:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=_LOOK_SECONDS)
                going = False
            if _written(folder) - before >= self.written_mb * MEBIBYTE:
                raise LimitExceeded(f"LibreOffice wrote more than {self.written_mb:,} MB over {name}.")
            with suppress(psutil.NoSuchProcess):
                if going and clock.seconds(whole.children(recursive=True)) > self.seconds:
                    raise LimitExceeded(f"LibreOffice took longer than {self.seconds:g} seconds over {name}.")


@contextmanager
def _started(command: Sequence[str], folder: Path, most: int) -> Iterator[subprocess.Popen[bytes]]:
    """Start the program with its temporary files in the folder; the system lets no file of it grow larger."""
    usual, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    environment = {**os.environ, "TMPDIR": str(folder)}
    least = most if usual == resource.RLIM_INFINITY else min(most, usual)
    resource.setrlimit(resource.RLIMIT_FSIZE, (least, hard))
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (usual, hard))
    with process:
        yield process


def _written(folder: Path) -> int:
    """Return how many bytes lie in the folder; its files and folders may go meanwhile."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += Path(place, name).lstat().st_size
    return total


def _settle(user: Path) -> None:
    """Write the settings LibreOffice is to start with into the folder of a profile that is new."""
    items = "".join(
        f'<item oor:path="{place}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for place, name, value in _SETTINGS
    )
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(
        f'<oor:items xmlns:oor="http://openoffice.org/2001/registry">{items}</oor:items>', encoding="utf-8"
    )
