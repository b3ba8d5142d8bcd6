"""File names as text: any bytes a file system allows have a written form, and go back to the same file.

A name of a Unix file is any bytes. Python keeps those that are not UTF-8 as lone surrogates, which no
database, JSON or terminal takes. Here each is written `\\xe9`, as are control characters, which would
otherwise reach a terminal; other lone surrogates (Windows) are written `\\ud83d`. A name that itself holds
such a sequence has its backslashes written `\\x5c`, so that reading it back is exact.
"""

import os
import re
from pathlib import Path

# Bytes of a name we give a file of ours; file systems take 255, and a suffix may be added
MAX_NAME_BYTES = 200

_ODD = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}")
_CHARACTERS = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff\\]")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_WRITTEN = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})")
_ESCAPED_BYTES_FROM = 0xDC00  # where Python keeps the bytes 0x80 to 0xff that are not UTF-8


def text_of(path: Path | str) -> str:
    """Return the path as text that every store, reply and terminal takes; `path_of` is the inverse."""
    name = str(path)
    return _CHARACTERS.sub(_write, name) if _ODD.search(name) else name


def path_of(text: str) -> Path:
    """Return the path that `text_of` wrote."""
    return Path(_WRITTEN.sub(_read, text))


def real_path(path: Path) -> str:
    """Return the place a path leads to, its links followed, as text."""
    return text_of(os.path.realpath(path))


def is_plain(path: Path) -> bool:
    """Say whether libraries that speak UTF-8 can open the path by its name."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def storable(name: str, longest: int = MAX_NAME_BYTES) -> str:
    """Return the last part of a name as any file system takes it, shortened before its suffix.

    Never empty, never hidden, never a way up; no mark turns the direction of writing around, so that the
    suffix that is read is the one it has.
    """
    last = _TURNING.sub("", name.replace("\0", "").replace("\\", "/").rsplit("/", 1)[-1])
    plain = text_of(last).strip().lstrip(".")
    if len(plain.encode()) <= longest:
        return plain or "unnamed"
    suffix = Path(plain).suffix if len(Path(plain).suffix.encode()) <= 16 else ""
    stem = plain.removesuffix(suffix).encode()[: longest - len(suffix.encode())]
    return stem.decode("utf-8", "ignore") + suffix


def _write(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x80:
        return f"\\x{code:02x}"
    return (
        f"\\x{code - _ESCAPED_BYTES_FROM:02x}"
        if _ESCAPED_BYTES_FROM + 0x80 <= code < _ESCAPED_BYTES_FROM + 0x100
        else f"\\u{code:04x}"
    )


def _read(found: re.Match[str]) -> str:
    if found.group(2):
        return chr(int(found.group(2), 16))
    code = int(found.group(1), 16)
    return chr(code if code < 0x80 else _ESCAPED_BYTES_FROM + code)
