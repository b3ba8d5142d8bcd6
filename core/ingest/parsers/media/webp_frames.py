"""The frames of an animated WebP (RFC 9649): for a damaged one libwebp refuses the whole file."""

import io
import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_HEADER = 12  # RIFF, size, WEBP
_TAGS = (b"VP8X", b"ICCP", b"ANIM", b"ANMF", b"EXIF", b"XMP ")
_BITSTREAMS = (b"ALPH", b"VP8 ", b"VP8L")
_PLACE = 16  # bytes of a frame before its bitstream: offsets, size, duration, flags
_NO_BLENDING = 0x02
_ANIMATION, _ALPHA = 0x02, 0x10


class _Frame(NamedTuple):
    """A frame as it is in the file, and whether its picture can be decoded."""

    payload: bytes
    sound: bool

    @property
    def area(self) -> tuple[int, int, int, int]:
        x, y, width, height = (int.from_bytes(self.payload[at : at + 3], "little") for at in range(0, 12, 3))
        return 2 * x, 2 * y, width + 1, height + 1

    def covers(self, canvas: tuple[int, int]) -> bool:
        """Say whether nothing of the frames before is seen beside it or through it."""
        opaque = self.payload[_PLACE : _PLACE + 4] == b"VP8 " or self.payload[15] & _NO_BLENDING
        return self.area == (0, 0, *canvas) and bool(opaque)


class SoundFrames(NamedTuple):
    """An animation of the frames that can be shown; numbers from 1 of those that cannot."""

    data: bytes
    damaged: list[int]
    built_on_them: list[int]


def sound_frames(data: bytes, pixels: int) -> SoundFrames | None:
    """Return what is sound of a damaged animation; None where all or nothing is, and of a still picture."""
    chunks = [*_chunks(data)]
    frames = [_Frame(payload, _is_sound(payload, pixels)) for tag, payload, _ in chunks if tag == b"ANMF"]
    areas = [frame.area for frame in frames if frame.sound]
    if not areas or (len(areas) == len(frames) and all(intact for *_, intact in chunks)):
        return None
    canvas = max(x + width for x, _, width, _ in areas), max(y + height for _, y, _, height in areas)
    shown: list[bytes] = []
    damaged: list[int] = []
    built: list[int] = []
    ground = True  # whether what the next frame is drawn on is as it was
    for number, frame in enumerate(frames, start=1):
        ground = frame.sound and (ground or frame.covers(canvas))
        if ground:
            shown.append(frame.payload)
        else:
            (built if frame.sound else damaged).append(number)
    return SoundFrames(_animation(shown, canvas), damaged, built) if shown else None


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes, bool]]:
    """Yield tag, payload and whether both are right; behind a wrong size the next frame is sought."""
    at = _HEADER
    while at + 8 <= len(data):
        tag, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        end = at + 8 + size
        behind = end + size % 2
        fits = behind == len(data) or data[behind : behind + 4] in _TAGS or _contains_frame(data, behind + 8)
        if not fits:
            found = data.find(b"ANMF", at + 8)
            end = behind = found if found >= 0 else len(data)
        kind = b"ANMF" if _contains_frame(data, at + 8) else tag
        yield kind, data[at + 8 : end], fits and tag == kind
        at = behind


def _contains_frame(data: bytes, at: int) -> bool:
    return data[at + _PLACE : at + _PLACE + 4] in _BITSTREAMS


def _is_sound(payload: bytes, pixels: int) -> bool:
    """Say whether a frame's picture can be decoded, as a WebP of its own."""
    from PIL import Image

    _, _, width, height = _Frame(payload, sound=True).area
    if width * height > pixels:
        return False
    try:
        with Image.open(io.BytesIO(_riff([_header((width, height), _ALPHA), payload[_PLACE:]]))) as alone:
            alone.load()
    except (OSError, EOFError, SyntaxError, ValueError):
        return False
    return True


def _animation(frames: Sequence[bytes], canvas: tuple[int, int]) -> bytes:
    parts = [_header(canvas, _ANIMATION | _ALPHA), _chunk(b"ANIM", b"\xff\xff\xff\xff\0\0")]
    return _riff([*parts, *(_chunk(b"ANMF", frame) for frame in frames)])


def _header(canvas: tuple[int, int], flags: int) -> bytes:
    width, height = canvas
    payload = bytes([flags, 0, 0, 0]) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return _chunk(b"VP8X", payload)


def _chunk(tag: bytes, payload: bytes) -> bytes:
    return tag + struct.pack("<I", len(payload)) + payload + b"\0" * (len(payload) % 2)


def _riff(chunks: Sequence[bytes]) -> bytes:
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body
