"""Outlook messages (.msg): a compound file whose streams are the properties of the message."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, message_from_string
from email.policy import default
from email.utils import format_datetime
from functools import partial
from pathlib import Path

from core.domain import Parsed
from core.errors import DamagedFile, EncryptedFile, UnsupportedFormat
from core.ingest.parsers.mail.compressed_rtf import unpacked_rtf
from core.ingest.parsers.mail.internet_message import content_of
from core.ingest.parsers.mail.mail_content import (
    MIN_PICTURE_BYTES,
    Inner,
    MailAttachment,
    MailBody,
    MailContent,
    MailDocument,
    headers_of,
)
from core.ingest.parsers.mail.mapi_storage import INTERNET_CODE_PAGE, MapiStorage
from core.ingest.parsers.markup.html import decoded

_CLASS, _SUBJECT, _HEADERS, _MESSAGE_ID = 0x001A, 0x0037, 0x007D, 0x1035
_SENDERS = ((0x0042, 0x5D02, 0x0065), (0x0C1A, 0x5D01, 0x0C1F))  # name, address by SMTP, address
_RECIPIENT = (0x3001, 0x39FE, 0x3003)
_TYPE = 0x0C15
_TYPES = {"To": 1, "Cc": 2}
_NAMES_OF = {"To": 0x0E04, "Cc": 0x0E03}  # of all its recipients
_TIMES = (0x0039, 0x0E06)  # when it was sent, when it came
_BODY, _HTML, _RTF = 0x1000, 0x1013, 0x1009
_DATA, _METHOD, _MIME, _FLAGS, _HIDDEN = 0x3701, 0x3705, 0x370E, 0x3714, 0x7FFE
_FILE_NAMES = (0x3707, 0x3704, 0x3001)
_BY_VALUE = (0, 1)  # methods of an attachment that lies in the message
_INSIDE = 0x4  # flag of a picture inside the text
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_SEALED = ("smime.p7m", "message.rpmsg")
_FIRST_LINE = re.compile(r"\A(?![\w-]+:)[^\n]*\n")  # "Microsoft Mail Internet Headers Version 2.0"


@dataclass(frozen=True)
class OutlookParser:
    """Reads .msg; `inner` reads an attachment, `nesting` says how deep."""

    inner: Inner
    nesting: int = 4
    media_types: tuple[str, ...] = ("application/vnd.ms-outlook",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        import olefile

        with olefile.OleFileIO(str(path)) as ole:
            mail = _mail(MapiStorage(ole).in_its_code_page(), name)
            return MailDocument(self.inner, self.nesting).of(mail, name, media_type)


def _mail(message: MapiStorage, name: str) -> MailContent:
    """Return what a message holds. Raises EncryptedFile and DamagedFile."""
    attached = list(message.within("__attach_version1.0_#"))
    if signed := _signed(message, attached, name):
        return signed
    subject = message.string(_SUBJECT)
    headers = _headers(message)
    if message.lost and not (subject or headers):
        raise DamagedFile(f"{name} is a damaged Outlook message, and nothing in it can be read.")
    pictures = [part for part in attached if _is_inside(part)]
    others = [part for part in attached if part not in pictures]
    return MailContent(
        subject=" ".join(subject.split()),
        headers=headers,
        body=partial(_body, message, name),
        attachments=lambda: [_attachment(part, number) for number, part in enumerate(others)],
        inline=lambda: [
            _attachment(part, number)
            for number, part in enumerate(pictures, start=len(others))
            if len(part.binary(_DATA)) >= MIN_PICTURE_BYTES
        ],
        lost=message.lost,
    )


def _signed(message: MapiStorage, attached: Sequence[MapiStorage], name: str) -> MailContent | None:
    """Return what a signed message holds, which is one attachment; None for others. Raises EncryptedFile."""
    for part in attached:
        kind, called = part.string(_MIME).lower(), next(part.strings(*_FILE_NAMES), "").lower()
        if kind == "multipart/signed":
            inner = content_of(message_from_bytes(part.binary(_DATA), policy=default))
            subject, headers = message.string(_SUBJECT), _headers(message)
            return replace(inner, subject=subject, headers=headers, lost=message.lost)
        if called in _SEALED and len(attached) == 1:
            raise EncryptedFile(
                f"{name} is an encrypted or sealed message.",
                hint="Open it in Outlook, save its text and attachments as files, and add those.",
            )
    return None


def _headers(message: MapiStorage) -> dict[str, str]:
    """Return the headers it came with, else those that its properties make: a draft has not been sent."""
    headers: dict[str, str] = {}
    recipients = list(message.within("__recip_version1.0_#"))
    for key, tag in _NAMES_OF.items():
        people = [_person(each, *_RECIPIENT) for each in recipients if each.numbers.get(_TYPE) == _TYPES[key]]
        headers[key] = ", ".join(filter(None, people)) or message.string(tag)
    headers["From"] = next(filter(None, (_person(message, *tags) for tags in _SENDERS)), "")
    headers["Message-ID"] = message.string(_MESSAGE_ID)
    headers["Date"] = next((_time(message.numbers[tag]) for tag in _TIMES if message.numbers.get(tag)), "")
    came = _FIRST_LINE.sub("", message.string(_HEADERS))
    headers.update(headers_of(message_from_string(came, policy=default)))
    return {key: value for key, value in headers.items() if value}


def _person(storage: MapiStorage, name: int, *addresses: int) -> str:
    """Return "Ann Lee <ann@x.org>", or the one that is known; names in a directory are no addresses."""
    called = storage.string(name)
    address = next((text for tag in addresses if "@" in (text := storage.string(tag))), "")
    return f"{called} <{address}>" if called and address and called != address else called or address


def _time(value: int) -> str:
    """Return a FILETIME (tenths of microseconds since 1601) as a header writes it."""
    with suppress(OverflowError):
        return format_datetime(_EPOCH + timedelta(microseconds=value // 10))
    return ""


def _body(message: MapiStorage, name: str) -> MailBody | None:
    if (text := message.string(_BODY)).strip():
        return MailBody("plain", text)
    if html := message.binary(_HTML):
        return MailBody("html", _page(html, message.encoding(INTERNET_CODE_PAGE), name))
    if page := message.string(_HTML):
        return MailBody("html", page)
    if packed := message.binary(_RTF):
        return MailBody("rtf", data=unpacked_rtf(packed))
    return None


def _page(html: bytes, encoding: str, name: str) -> str:
    with suppress(LookupError, UnicodeDecodeError):
        return html.decode(encoding)
    return decoded(html, name)


def _is_inside(part: MapiStorage) -> bool:
    """Say whether an attachment is a picture inside the text."""
    inside = part.numbers.get(_HIDDEN, 0) & 1 or part.numbers.get(_FLAGS, 0) & _INSIDE
    return bool(inside) and part.string(_MIME).lower().startswith("image/")


def _attachment(part: MapiStorage, number: int) -> MailAttachment:
    message = part.message(_DATA)
    called = next(part.strings(*_FILE_NAMES), "")
    if message is not None:
        called = called or next(message.strings(_SUBJECT), f"message {number + 1}")
        called = called if called.lower().endswith((".msg", ".eml")) else f"{called}.msg"
        return MailAttachment(called, partial(_mail, message, called))
    called = called or f"attachment {number + 1}"
    return MailAttachment(called, partial(_data, part, called))


def _data(part: MapiStorage, name: str) -> bytes:
    if part.numbers.get(_METHOD, _BY_VALUE[0]) not in _BY_VALUE:
        raise UnsupportedFormat(f"{name} is an object of another program or lies outside the message.")
    return part.binary(_DATA)
