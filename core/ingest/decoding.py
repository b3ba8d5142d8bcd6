"""Bytes to text: the encoding is found, never assumed. Damage to a stretch of a text costs that stretch."""

import codecs
import re
from typing import NamedTuple

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 64 * 1024
_WESTERN = frozenset(
    "àâäáãåæçèéêëìíîïñòóôöõøœùúûüÿßÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØŒÙÚÛÜŸ€£¥¢°±²³µ·×÷½¼¾§©®™–—‘’“”„…«»¿¡ªº•\xa0"
)
_MISREAD = re.compile(r"[²³½¼¾ªº](?=[^\W\d_])")
_PAIR = re.compile(rb"[\x81-\xfe][\x40-\xfe]")
_NOT_HANGUL = re.compile(rb"[\xc9-\xd7][\xa1-\xfe]")  # half of what is Chinese; nothing in Korean
_MIN_PAIRS = 8  # pairs
_COMMON_PAIR = re.compile(rb"[\xb0-\xd7\xa1-\xa9][\xa1-\xfe]")  # level 1 of GB 2312, its signs and letters
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_TEXT_CONTROL = frozenset(b"\t\n\r\f\x1b\x0b\x0c\x1a\x85")
_RUBBLE = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]+")
_TEXT_RUBBLE = re.compile(
    "[\x01-\x08\x0e-\x19\x1c-\x1f\x7f]*\x00[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]*"
    "|[\x01-\x08\x0e-\x19\x1c-\x1f\x7f]{4,}"
)  # what no text holds: zeros, and control characters on end
_SOUND_HEAD_BYTES = 8  # bytes; a binary tells itself here
_MIN_REST_BYTES, _MIN_REST_WORDS = 100, 10  # of a text whose first bytes are damaged
_BYTES_A_STRETCH = 4000  # bytes of a text that may hold one damaged stretch more
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH = re.compile(rb"[\x80-\xff]+")
_SOUND_SEQUENCES = (
    4  # sequences of UTF-8 to one damaged stretch; bytes of other encodings do not look like it
)


def encoding_of(data: bytes) -> str | None:
    """Return the encoding of the bytes, or None where they are not text."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    wide = _wide(data[:4096])
    if wide:
        return wide
    sample = data[:_SAMPLE_BYTES]
    if b"\x00" in sample or _binary(sample):
        return "utf-8" if _is_damaged_text(sample) else None
    if _is_utf8(data) or _is_damaged_utf8(sample):
        return "utf-8"
    return _guess(data)


def decode(data: bytes) -> str | None:
    """Return the text of the bytes with line ends as "\\n", or None where they are not text."""
    encoding = encoding_of(data)
    if encoding is None:
        return None
    return without_rubble(data.decode(encoding, errors="replace")).replace("\r\n", "\n").replace("\r", "\n")


def without_rubble(text: str) -> str:
    """Return the text with one sign for each damaged stretch, "\ufffd"."""
    return _TEXT_RUBBLE.sub("\ufffd", text)


def damaged_lines(data: bytes, text: str) -> list[int]:
    """Return the lines of a decoded text, from 0 on, that hold bytes which are no text."""
    if "\ufffd" not in text or text.count("\ufffd") <= data.count("\ufffd".encode()):
        return []
    return [number for number, line in enumerate(text.split("\n")) if "\ufffd" in line]


def clean(text: str) -> str:
    """Return the text without control characters and lone surrogates, which no store can hold."""
    return _CONTROL.sub("", text)


def _wide(head: bytes) -> str | None:
    """Recognise UTF-16 without a byte order mark by where its zero bytes stand."""
    if len(head) < 4 or head.count(0) < len(head) // 4:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    encoding = "utf-16-le" if odd > 4 * even else "utf-16-be" if even > 4 * odd else None
    if encoding is None:
        return None
    text = head[: len(head) // 2 * 2].decode(encoding, errors="replace")
    return encoding if text.count("\ufffd") + len(_CONTROL.findall(text)) <= len(text) // 50 else None


def _binary(head: bytes) -> bool:
    """Say whether control bytes are too many for text."""
    strange = sum(head.count(bytes([code])) for code in range(32) if code not in _TEXT_CONTROL)
    return strange > max(2, len(head) // 200)


def _is_damaged_text(sample: bytes) -> bool:
    """Say whether bytes with zeros or many control characters are UTF-8 that is damaged in a few places.

    A binary has them everywhere, and early: where the first bytes are damaged nothing else may be.
    """
    cleaned, stretches = _RUBBLE.subn(b" ", sample)
    if _RUBBLE.search(sample[:_SOUND_HEAD_BYTES]):
        alone = stretches == 1 and len(cleaned) >= _MIN_REST_BYTES
        return alone and _sequences(cleaned).faults == 0 and len(cleaned.split()) >= _MIN_REST_WORDS
    few = stretches <= max(2, len(sample) // _BYTES_A_STRETCH)
    faults = _sequences(cleaned).faults
    return few and faults <= 2 * stretches and 2 * len(cleaned) >= len(sample.rstrip(b"\x00"))


def _is_damaged_utf8(sample: bytes) -> bool:
    """Say whether most of what is over ASCII is UTF-8, in a text that is not wholly."""
    found = _sequences(sample)
    return found.sound >= _SOUND_SEQUENCES * max(1, found.faults)


class _Sequences(NamedTuple):
    """Sequences of bytes over ASCII: those of UTF-8, and others."""

    sound: int
    faults: int


def _sequences(sample: bytes) -> _Sequences:
    rest, sound = _MULTIBYTE.subn(b"", sample)
    return _Sequences(sound, len(_HIGH.findall(rest)))


def _is_utf8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(data)  # not final: a head may end inside a character
    except UnicodeDecodeError:
        return False
    return True


def _guess(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    sample = data[:_SAMPLE_BYTES]
    if _chinese(sample):
        return "gb18030"
    found = from_bytes(sample, threshold=0.3)
    best = found.best()
    if best is None:
        return "cp1252" if _plausible(sample, "cp1252") and _letters(sample) > 0.6 else None
    return "cp1252" if _is_european(best.encoding) and _western(sample) else best.encoding


def _chinese(sample: bytes) -> bool:
    """Say whether the bytes over ASCII are pairs of GB18030, nearly all of them common characters."""
    if not _plausible(sample, "gb18030"):
        return False
    pairs, common = len(_PAIR.findall(sample)), len(_COMMON_PAIR.findall(sample))
    if common < 0.85 * pairs or (pairs >= _MIN_PAIRS and not _NOT_HANGUL.search(sample)):
        return False
    return common >= 4 or _cjk_share(sample.decode("gb18030", errors="replace")) > 0.15


def _western(sample: bytes) -> bool:
    """Say whether the bytes over ASCII read as letters and signs of Western Europe (cp1252).

    The code pages of Europe differ in a few bytes only, and in a short text all look alike. A power or a
    fraction before a letter ("d³ugi") tells of another page, and so do õ and û among nothing but what
    Hungarian has as well.
    """
    text = sample.decode("cp1252", errors="replace")
    high = {char for char in text if ord(char) > 127}
    if not high or not high <= _WESTERN or _MISREAD.search(text):
        return False
    return not high & set("õûÕÛ") or bool(high & set("èêëçàâîïãôñœÈÊÇÀÂÎÃÔÑ"))


def _is_european(encoding: str) -> bool:
    return encoding.startswith(("cp125", "iso8859", "latin", "hp_", "mac", "cp8", "cp7", "cp437"))


def _plausible(sample: bytes, encoding: str) -> bool:
    text = sample.decode(encoding, errors="replace")
    return text.count("\ufffd") <= max(1, len(text) // 1000)


def _letters(sample: bytes) -> float:
    return sum(32 <= byte < 127 for byte in sample) / max(1, len(sample))


def _cjk_share(text: str) -> float:
    wide = sum("\u4e00" <= char <= "\u9fa5" for char in text)
    return wide / max(1, len(text.replace(" ", "")))
