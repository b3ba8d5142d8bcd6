"""The properties of an Outlook message in its compound file, by [MS-OXMSG] and [MS-OXPROPS]."""

import codecs
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from core.i18n.messages import mark

if TYPE_CHECKING:
    from olefile import OleFileIO

UNICODE, STRING, BINARY, OBJECT = "001F", "001E", "0102", "000D"  # types of properties
_STREAM = 2  # what olefile calls it
_LATIN = 28590  # the code page before that of ISO 8859-1
_MESSAGE_CODE_PAGE, INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE
_PROPERTIES = "__properties_version1.0"
_ENTRY = struct.Struct("<IIQ")  # tag of a property, flags, value
_TOP, _NESTED, _PART = 32, 24, 8  # bytes before the properties of a file, of a message in one, of others
_DAMAGED = mark("Its properties are damaged; what could be read of them was kept.")
_TEXT_DAMAGED = mark("Its text is damaged; what could be read of it was kept.")
_DAMAGED_BY_TAG = {
    0x1000: _TEXT_DAMAGED,
    0x1009: _TEXT_DAMAGED,
    0x1013: _TEXT_DAMAGED,
    0x3701: mark("An attachment is damaged; what could be read of it was kept."),
}
_CODE_PAGES = {  # that Python names otherwise
    20127: "ascii",
    20866: "koi8-r",
    20932: "euc_jp",
    28605: "iso8859-15",
    50220: "iso2022_jp",
    51932: "euc_jp",
    51949: "euc_kr",
    54936: "gb18030",
    65001: "utf-8",
}


@dataclass(frozen=True)
class MapiStorage:
    """A message, a recipient or an attachment."""

    ole: "OleFileIO"
    path: tuple[str, ...] = ()
    header: int = _TOP
    code_page: str = "cp1252"
    lost: list[str] = field(default_factory=list)  # what of the message is damaged
    numbers: dict[int, int] = field(init=False, repr=False)  # properties of fixed length by their tags

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", dict(self._numbers()))

    def binary(self, tag: int, kind: str = BINARY) -> bytes:
        """Return the value of a property, nothing where it has none; of a damaged one what there is."""
        return self._stream(f"__substg1.0_{tag:04X}{kind}", _DAMAGED_BY_TAG.get(tag, _DAMAGED))

    def _stream(self, called: str, loss: str) -> bytes:
        entry = self._entry(called)
        if entry is None or entry.entry_type != _STREAM:
            return b""
        data = b""
        with (
            suppress(OSError),
            self.ole.openstream([*self.path, called]) as stream,
        ):  # its sectors may be gone
            data = bytes(stream.read())
        if len(data) < entry.size:
            self.lost.append(loss)
        return data

    def _entry(self, *names: str) -> Any:
        """Return what lies under a name in it, None where nothing does; olefile itself asks each in turn."""
        entry = self.ole.root
        for name in (*self.path, *names):
            entry = entry.kids_dict.get(name.lower()) if entry is not None else None
        return entry

    def string(self, tag: int) -> str:
        """Return the value of a property that is text, with "\\n" as its line ends."""
        if wide := self.binary(tag, UNICODE):
            text = wide.decode("utf-16-le", "replace")
        else:
            text = self.binary(tag, STRING).decode(self.code_page, "replace")
        return text.rstrip("\x00").replace("\r\n", "\n").replace("\r", "\n")

    def strings(self, *tags: int) -> Iterator[str]:
        """Yield the texts of these properties that are not empty."""
        yield from (text for tag in tags if (text := self.string(tag).strip()))

    def within(self, prefix: str) -> "Iterator[MapiStorage]":
        """Yield its recipients or attachments in their order."""
        depth = len(self.path)
        for entry in sorted(self.ole.listdir(streams=False, storages=True)):
            if len(entry) == depth + 1 and tuple(entry[:depth]) == self.path and entry[-1].startswith(prefix):
                yield MapiStorage(self.ole, tuple(entry), _PART, self.code_page, self.lost)

    def message(self, tag: int) -> "MapiStorage | None":
        """Return the message that is the value of a property, None where it is none."""
        called = f"__substg1.0_{tag:04X}{OBJECT}"
        if self._entry(called, _PROPERTIES) is None:
            return None
        return MapiStorage(self.ole, (*self.path, called), _NESTED, self.code_page).in_its_code_page()

    def in_its_code_page(self) -> "MapiStorage":
        """Return a message whose texts of one byte a sign are in the code page it names."""
        named = self.encoding(_MESSAGE_CODE_PAGE) or self.encoding(INTERNET_CODE_PAGE)
        return replace(self, code_page=named) if named else self

    def encoding(self, tag: int) -> str:
        """Return the encoding that a property names as a code page, "" where none is known."""
        number = self.numbers.get(tag, 0)
        for name in (_CODE_PAGES.get(number, f"cp{number}"), f"iso8859-{number - _LATIN}"):
            try:
                return codecs.lookup(name).name
            except LookupError:
                continue
        return ""

    def _numbers(self) -> Iterator[tuple[int, int]]:
        data = self._stream(_PROPERTIES, _DAMAGED)[self.header :]
        for tag, _, value in _ENTRY.iter_unpack(data[: len(data) // _ENTRY.size * _ENTRY.size]):
            yield tag >> 16, value
