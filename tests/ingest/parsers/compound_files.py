"""Writes compound files ([MS-CFB]) and Outlook messages in them ([MS-OXMSG]), since no library does."""

import struct
from collections.abc import Mapping, Sequence
from typing import Any

Tree = dict[str, Any]  # streams are bytes, storages trees
_SECTOR, _MINI, _CUTOFF = 512, 64, 4096  # bytes
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_STORAGE, _STREAM, _ROOT = 1, 2, 5


def compound(tree: Tree) -> bytes:
    """Return a compound file of these streams and storages."""
    names, kinds, held, links = ["Root Entry"], [_ROOT], [b""], [[_FREE, _FREE]]

    def enter(inner: Tree, parent: int) -> None:
        before = 0
        for name, value in inner.items():
            at = len(names)
            names.append(name)
            kinds.append(_STREAM if isinstance(value, bytes) else _STORAGE)
            held.append(value if isinstance(value, bytes) else b"")
            links.append([_FREE, _FREE])  # next one beside it, first one in it
            links[before or parent][0 if before else 1] = at
            before = at
            if not isinstance(value, bytes):
                enter(value, at)

    enter(tree, 0)
    small, small_chain, starts = b"", list[int](), dict[int, int]()
    body, chain = b"", list[int]()
    for at, data in enumerate(held):
        if not data:
            starts[at] = _END
        elif len(data) < _CUTOFF:
            starts[at] = len(small_chain)
            small += _padded(data, _MINI)
            small_chain += _chained(len(small_chain), len(small) // _MINI)
        else:
            starts[at] = len(chain)
            body += _padded(data, _SECTOR)
            chain += _chained(len(chain), len(body) // _SECTOR)
    mini_fat = b"".join(struct.pack("<I", each) for each in small_chain)
    held[0], starts[0] = small, len(chain) if small else _END
    parts = [
        small,
        mini_fat,
        b"".join(_entry(*each) for each in zip(names, kinds, links, starts_of(starts), held, strict=True)),
    ]
    begins = []
    for part, fill in zip(parts, (b"\0", b"\xff", b"\0"), strict=True):
        begins.append(len(chain) if part else _END)
        body += _padded(part, _SECTOR, fill)
        chain += _chained(len(chain), len(body) // _SECTOR)
    fats = 1
    while (len(chain) + fats) * 4 > fats * _SECTOR:
        fats += 1
    first = len(chain)
    chain += [_FAT] * fats
    body += _padded(b"".join(struct.pack("<I", each) for each in chain), _SECTOR, b"\xff")
    listed = [*range(first, first + fats), *[_FREE] * (109 - fats)]
    mini_sectors = -(-len(mini_fat) // _SECTOR)
    head = struct.pack("<8s16xHHHHH6x", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<9I", 0, fats, begins[2], 0, _CUTOFF, begins[1], mini_sectors, _END, 0)
    return head + struct.pack("<109I", *listed) + body


def starts_of(starts: Mapping[int, int]) -> list[int]:
    return [starts[at] for at in sorted(starts)]


def _padded(data: bytes, size: int, fill: bytes = b"\0") -> bytes:
    return data + fill * (-len(data) % size)


def _chained(first: int, end: int) -> list[int]:
    return [*range(first + 1, end), _END] if end > first else []


def _entry(name: str, kind: int, links: Sequence[int], start: int, data: bytes) -> bytes:
    written = name.encode("utf-16-le")
    head = struct.pack("<64sHBB3I", written, len(written) + 2, kind, 1, _FREE, *links)
    return head + bytes(36) + struct.pack("<IQ", start, len(data))


def properties(
    values: Mapping[int, str | bytes | Tree],
    numbers: Mapping[int, int] | None = None,
    header: int = 8,
    **more: Tree,
) -> Tree:
    """Return the storage of a message, recipient or attachment: strings are written as UTF-16."""
    tree: Tree = {}
    for tag, value in values.items():
        kind = "001F" if isinstance(value, str) else "0102" if isinstance(value, bytes) else "000D"
        tree[f"__substg1.0_{tag:04X}{kind}"] = value.encode("utf-16-le") if isinstance(value, str) else value
    listed = b"".join(
        struct.pack("<IIQ", tag << 16 | 3, 6, number) for tag, number in (numbers or {}).items()
    )
    return tree | {"__properties_version1.0": bytes(header) + listed} | more


def message(
    values: Mapping[int, str | bytes | Tree],
    numbers: Mapping[int, int] | None = None,
    recipients: Sequence[Tree] = (),
    attachments: Sequence[Tree] = (),
    header: int = 32,
) -> Tree:
    """Return an Outlook message; `header` is 24 in one that lies in another."""
    people = {f"__recip_version1.0_#{at:08X}": each for at, each in enumerate(recipients)}
    files = {f"__attach_version1.0_#{at:08X}": each for at, each in enumerate(attachments)}
    return properties(values, numbers, header, **people, **files)
