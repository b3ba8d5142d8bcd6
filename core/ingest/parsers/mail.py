"""E-mail: what the reader saw, who wrote it when, and the attachments as sections."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage, Message, MIMEPart
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from core.domain import Parsed
from core.errors import EmptyFile, ParseError
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.markup.html import read_html
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.text import read_prose

Inner = Callable[[Path, str], Parsed]
_MIN_PICTURE_BYTES = 512  # bytes; smaller pictures inside a text are dots and lines
_SHOWN_HEADERS = ("From", "To", "Cc", "Date")


@dataclass(frozen=True)
class MailParser:
    """Reads .eml; `inner` reads an attachment, `nesting` says how deep."""

    inner: Inner
    nesting: int = 4
    media_types: tuple[str, ...] = ("message/rfc822",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        message = message_from_bytes(path.read_bytes(), policy=default)
        draft.title = str(message.get("Subject") or "")
        draft.heading(draft.title or "Message", 1)
        draft.paragraph("\n".join(f"{key}: {message[key]}" for key in _SHOWN_HEADERS if message[key]))
        draft.metadata.update(
            {key.lower(): str(message[key]) for key in ("From", "To", "Message-ID") if message[key]}
        )
        draft.date = _date(message)
        with Part(draft, "Its text"):
            _body(draft, message)
        attached: list[EmailMessage] = []
        with Part(draft, "Its attachments"):
            attached += message.iter_attachments()
        for number, part in enumerate(attached + _inline(message, attached)):
            with Part(draft, f"Attachment {number + 1}"):
                self._attachment(draft, part, number)
        return draft.parsed()

    def _attachment(self, draft: Draft, part: EmailMessage, number: int) -> None:
        name = part.get_filename() or _named(part, number)
        if self.nesting <= 0:
            draft.skipped.append(f"Attachment {name} was not read: too many files within files.")
            return
        content = (
            part.get_content()
            if part.get_content_maintype() in ("text", "message")
            else part.get_payload(decode=True)
        )
        data = content if isinstance(content, bytes) else str(content).encode("utf-8", "replace")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "attachment"
            path.write_bytes(data)
            try:
                draft.take(self.inner(path, name), f"Attachment {name}", 1)
            except EmptyFile:
                draft.skipped.append(f"Attachment {name} is empty.")
            except ParseError as error:
                draft.skipped.append(f"Attachment {name} was not read: {error}")


def _body(draft: Draft, message: EmailMessage) -> None:
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None:
        return
    text = _text(body)
    if body.get_content_type() == "text/html":
        title = draft.title
        read_html(draft, text)
        draft.title = title or draft.title
    else:
        read_prose(draft, text.split("\n"))


def _inline(message: EmailMessage, attached: Sequence[EmailMessage]) -> list[EmailMessage]:
    """Return the pictures inside the text of a message, those that were attached left out."""
    known = {id(part) for part in attached}
    found: list[EmailMessage] = []
    parts = [message]
    while parts:
        part = parts.pop(0)
        if part.get_content_maintype() == "multipart" and id(part) not in known:
            parts.extend(inner for inner in part.iter_parts() if isinstance(inner, EmailMessage))
        elif part.get_content_maintype() == "image" and id(part) not in known:
            data = part.get_payload(decode=True)
            if isinstance(data, bytes) and len(data) >= _MIN_PICTURE_BYTES:
                found.append(part)
    return found


def _named(part: EmailMessage, number: int) -> str:
    """Return what to call an attachment without a name; a message goes by its subject."""
    if part.get_content_type() != "message/rfc822":
        return f"attachment {number + 1}"
    held = part.get_payload()
    inner = held[0] if isinstance(held, list) and held else None
    subject = str(inner.get("Subject") or "") if isinstance(inner, Message) else ""
    return f"{' '.join(subject.split()) or f'message {number + 1}'}.eml"


def _text(body: "MIMEPart[Any, Any]") -> str:
    try:
        return str(body.get_content())
    except (LookupError, ValueError):  # an unknown charset, a broken transfer encoding
        payload = body.get_payload(decode=True)
        return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else str(payload)


def _date(message: EmailMessage) -> str:
    try:
        return parsedate_to_datetime(str(message.get("Date") or "")).date().isoformat()
    except (TypeError, ValueError, IndexError):
        return ""
