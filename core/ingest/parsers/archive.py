"""Archives: every member read as a section, nothing ever written where the archive says."""

import io
import re
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, Self

from core.domain import Parsed
from core.errors import EncryptedFile, LimitExceeded, ParseError
from core.ingest.limits import MEBIBYTE
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.unpacked import PACKED_TYPES, Unpacked
from core.text.filenames import text_of

_PIECE = MEBIBYTE
_MOST_MEMBERS = 5000
_MAX_UNPACKED_RATIO = 200  # unpacked to packed; text does not reach it, bombs exceed it by far
_UNCHECKED_BYTES = 10 * MEBIBYTE  # below this no ratio is looked at
_TAR = re.compile(r"\.tar$", re.I)
_IGNORED = ("__MACOSX/", ".DS_Store", "Thumbs.db")
Member = tuple[str, Callable[[], IO[bytes] | None] | None]


@dataclass(frozen=True)
class ArchiveParser:
    """Reads .zip, .tar and their compressed kinds; `inner` reads a member."""

    inner: Callable[[Path, str], Parsed]
    unpacked_mb: int = 1024
    nesting: int = 4
    media_types: tuple[str, ...] = ("application/zip", "application/x-tar", *PACKED_TYPES)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        if self.nesting <= 0:
            raise LimitExceeded(f"{name} lies too deep in archives within archives.")
        draft = Draft(name, media_type)
        draft.title = _TAR.sub("", _stem(name))  # not its first member's
        left = self.unpacked_mb * MEBIBYTE
        count = 0
        with _members(path, name, media_type, draft) as members, tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "member"
            for inside, opener in members:
                count += 1
                if opener is None:
                    draft.skipped.append(f"{inside} was not read: it is a link or a device, not a file.")
                    continue
                if count > _MOST_MEMBERS:
                    raise LimitExceeded(f"{name} holds more than {_MOST_MEMBERS:,} files.")
                with Part(draft, inside):
                    left -= _unpack(opener, target, left, path.stat().st_size, f"{inside} in {name}")
                    self._member(draft, target, inside)
        return draft.parsed()

    def _member(self, draft: Draft, path: Path, inside: str) -> None:
        try:
            draft.take(self.inner(path, PurePosixPath(inside).name or inside), inside, 1)
        except LimitExceeded:
            raise
        except ParseError as error:
            draft.skipped.append(f"{inside} was not read: {error}")


@contextmanager
def _members(path: Path, name: str, media_type: str, draft: Draft) -> Iterator[Iterator[Member]]:
    """Open an archive and give its files by their names inside."""
    if media_type == "application/zip":
        with zipfile.ZipFile(path) as archive:
            if any(member.flag_bits & 0x1 for member in archive.infolist()):
                raise EncryptedFile(f"{name} is protected by a password.")
            yield _zipped(archive)
        return
    if media_type == "application/x-tar":
        with path.open("rb") as plain:
            yield _tarred(plain, draft)
        return
    with io.BufferedReader(Unpacked(path, media_type)) as packed:
        begins_as_tar = _is_header(packed.read(tarfile.BLOCKSIZE))
    unpacked = Unpacked(path, media_type)
    with io.BufferedReader(unpacked) as packed:
        yield _tarred(packed, draft) if begins_as_tar else iter([(_stem(name), lambda: packed)])
        if unpacked.damaged:
            draft.lost("The packed data is damaged; what stands before the damage was read.")


def _stem(name: str) -> str:
    return name.rsplit(".", 1)[0] if "." in name else name


def _zipped(archive: zipfile.ZipFile) -> Iterator[Member]:
    for member in archive.infolist():
        if not member.is_dir() and not _ignored(member.filename):
            yield _inside(member.filename), lambda member=member: archive.open(member)  # type: ignore[misc]


def _is_header(block: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(block, tarfile.ENCODING, "surrogateescape")
    except tarfile.TarError:
        return False
    return True


def _tarred(packed: IO[bytes], draft: Draft) -> Iterator[Member]:
    """Yield the files of an archive; past a header that is damaged the next sound one is looked for."""
    damaged = 0

    class Header(tarfile.TarInfo):
        @classmethod
        def frombuf(cls, buf: Any, encoding: str, errors: str) -> Self:
            nonlocal damaged
            try:
                return super().frombuf(buf, encoding, errors)
            except tarfile.HeaderError:
                damaged += any(buf)
                raise

    archive = tarfile.open(fileobj=packed, mode="r|", ignore_zeros=True, tarinfo=Header)  # noqa: SIM115
    for member in archive:
        if member.isfile() and not _ignored(member.name):
            yield _inside(member.name), lambda member=member: archive.extractfile(member)  # type: ignore[misc]
        elif not member.isdir() and not _ignored(member.name):
            yield _inside(member.name), None  # links and devices are never followed
    if damaged:
        draft.lost("A part of the archive is damaged; the files in it were left out.")


def _inside(name: str) -> str:
    """Return what a member is called within the archive: no drive, no way up, no root."""
    steps = [step for step in name.replace("\\", "/").split("/") if step not in ("", ".", "..")]
    return text_of("/".join(steps)) or "unnamed"


def _ignored(inside: str) -> bool:
    return inside.startswith(_IGNORED[0]) or inside.endswith(_IGNORED[1:])


def _unpack(opener: Callable[[], IO[bytes] | None], target: Path, left: int, packed: int, name: str) -> int:
    """Write a member to `target` and return its size. Raises LimitExceeded where it unfolds to too much."""
    size = 0
    stream = opener()
    with target.open("wb") as out:
        while stream is not None and (piece := stream.read(_PIECE)):
            size += len(piece)
            if size > left or (size > _UNCHECKED_BYTES and size > _MAX_UNPACKED_RATIO * packed):
                raise LimitExceeded(f"{name} unpacks to too much: it looks like a decompression bomb.")
            out.write(piece)
    return size
