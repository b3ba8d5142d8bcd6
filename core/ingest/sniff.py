"""What a file is, found in its bytes; the name only decides between kinds of text."""

from pathlib import Path

from core.errors import EmptyFile, UnsupportedFormat
from core.ingest.containers import office_of_ole, office_of_zip
from core.ingest.textkinds import kind_of_text

_HEAD = 64 * 1024
_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"{\\rtf", "application/rtf"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"II+\x00", "image/tiff"),
    (0, b"MM\x00+", "image/tiff"),
    (8, b"WEBP", "image/webp"),
    (8, b"AVI ", "video/x-msvideo"),
    (0, b"FLV\x01", "video/x-flv"),
    (0, b"\x1aE\xdf\xa3", "video/x-matroska"),
    (4, b"ftypqt", "video/quicktime"),
    (4, b"ftypM4A", "audio/mp4"),
    (4, b"ftypheic", "image/heic"),
    (4, b"ftypavif", "image/avif"),
    (4, b"ftyp", "video/mp4"),
    (4, b"moov", "video/quicktime"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (257, b"ustar", "application/x-tar"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (8, b"WAVE", "audio/wav"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"MZ", "application/x-msdownload"),
    (0, b"\x7fELF", "application/x-executable"),
    (0, b"PAR1", "application/vnd.apache.parquet"),
)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def sniff(path: Path, name: str) -> str:
    """Return the media type of the file at `path`, called `name` by its owner.

    Raises ParseError (EmptyFile, EncryptedFile, UnsupportedFormat), each naming the file, and OSError.
    """
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    if not head.strip(b"\x00 \t\r\n"):
        blank = ": it holds only blanks or zero bytes" if head else ""
        raise EmptyFile(f"{name} is empty{blank}.")
    return _of_magic(head) or _of_container(head, path, name) or _of_text(head, path, name)


def _of_magic(head: bytes) -> str | None:
    if b"%PDF-" in head[:1024] and not head.lstrip().startswith((b"<", b"{", b"PK")):
        return "application/pdf"
    if (
        head.startswith(b"BM")
        and len(head) > 26
        and head[14:18] in (b"\x28\0\0\0", b"\x7c\0\0\0", b"\x6c\0\0\0")
    ):
        return "image/bmp"
    for offset, magic, media_type in _MAGIC:
        if head[offset : offset + len(magic)] == magic and not _is_text(head, magic):
            return media_type
    return None


def _is_text(head: bytes, magic: bytes) -> bool:
    """Short magics such as "BZh" or "MZ" may begin a plain text; a binary has zero bytes early."""
    return len(magic) <= 3 and magic.isalpha() and b"\x00" not in head[:1024] and head[:256].isascii()


def _of_container(head: bytes, path: Path, name: str) -> str | None:
    if head.startswith(_ZIP):
        return office_of_zip(path, name)
    if head.startswith(_OLE):
        return office_of_ole(path, name)
    return None


def _of_text(head: bytes, path: Path, name: str) -> str:
    media_type = kind_of_text(head, Path(name).suffix.lower() or path.suffix.lower())
    if media_type is None:
        raise UnsupportedFormat(f"{name} is neither text nor a format Strata knows.")
    return media_type
