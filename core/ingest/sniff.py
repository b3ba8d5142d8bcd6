"""What a file is, found in its bytes; the name only decides between kinds of text."""

import re
from pathlib import Path

import filetype

from core.errors import EmptyFile, UnsupportedFormat
from core.ingest.containers import office_of_ole, office_of_zip
from core.ingest.textkinds import kind_of_text

_HEAD_BYTES = 64 * 1024
_OURS = {  # what `filetype` calls otherwise
    "application/x-sqlite3": "application/vnd.sqlite3",
    "application/x-rar-compressed": "application/vnd.rar",
    "audio/x-wav": "audio/wav",
    "audio/x-flac": "audio/flac",
    "video/x-m4v": "video/mp4",
    "image/apng": "image/png",
}
_TEXTUAL = frozenset({"application/rtf", "application/postscript"})  # kinds of file that are text inside
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_MAIL = "message/rfc822"
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_PDF = re.compile(
    rb"(?:^|[\x00-\x1f\x80-\xff])%PDF-"
)  # within 1,024 bytes, but not in the midst of a line of text
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def sniff(path: Path, name: str) -> str:
    """Return the media type of the file at `path`, called `name` by its owner.

    Raises ParseError (EmptyFile, EncryptedFile, UnsupportedFormat), each naming the file, and OSError.
    """
    with path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
    if not head.strip(b"\x00 \t\r\n"):
        blank = ": it holds only blanks or zero bytes" if head else ""
        raise EmptyFile(f"{name} is empty{blank}.")
    return _of_magic(head) or _of_container(head, path, name) or _of_text(head, path, name)


def _of_magic(head: bytes) -> str | None:
    """Return the media type that the first bytes tell (by the package `filetype`), or None."""
    if _PDF.search(head[:1024]) and not head.lstrip().startswith((b"<", b"{", b"PK")):
        return "application/pdf"
    if head.startswith(b"PAR1"):
        return "application/vnd.apache.parquet"
    if head.startswith((*_ZIP, _OLE)):
        return None  # a container: decided by its members
    found: str | None = filetype.guess_mime(head)
    if found is None or (found not in _TEXTUAL and _is_text(head)):
        return None
    return _OURS.get(found, found)


def _is_text(head: bytes) -> bool:
    """Say whether letters such as "BZh" or "MZ" only begin a plain text; a binary has zero bytes early."""
    return b"\x00" not in head[:1024] and head[:256].isascii()


def _of_container(head: bytes, path: Path, name: str) -> str | None:
    if head.startswith(_ZIP):
        return office_of_zip(path, name)
    if head.startswith(_OLE):
        return office_of_ole(path, name)
    return None


def _of_text(head: bytes, path: Path, name: str) -> str:
    media_type = kind_of_text(head, Path(name).suffix.lower() or path.suffix.lower())
    if media_type is None and kind_of_text(_BLANK_LINE.split(head, 1)[0], "") == _MAIL:
        return _MAIL  # only what is attached to it is no text
    if media_type is None:
        raise UnsupportedFormat(f"{name} is neither text nor a format Strata knows.")
    return media_type
