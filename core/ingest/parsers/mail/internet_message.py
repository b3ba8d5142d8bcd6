"""Internet messages (RFC 5322 and MIME), as mail programs save them under .eml."""

from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage, Message, MIMEPart
from email.policy import default
from functools import partial
from pathlib import Path
from typing import Any

from core.domain import Parsed
from core.ingest.parsers.mail.mail_content import (
    MIN_PICTURE_BYTES,
    Inner,
    MailAttachment,
    MailBody,
    MailContent,
    MailDocument,
    headers_of,
)


@dataclass(frozen=True)
class MailParser:
    """Reads .eml; `inner` reads an attachment, `nesting` says how deep."""

    inner: Inner
    nesting: int = 4
    media_types: tuple[str, ...] = ("message/rfc822",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        mail = content_of(message_from_bytes(path.read_bytes(), policy=default))
        return MailDocument(self.inner, self.nesting).of(mail, name, media_type)


def content_of(message: EmailMessage) -> MailContent:
    """Return what an internet message holds."""
    attached: list[EmailMessage] = []

    def attachments() -> list[MailAttachment]:
        attached.extend(message.iter_attachments())
        return [_attachment(part, number) for number, part in enumerate(attached)]

    def inline() -> list[MailAttachment]:
        pictures = _inline(message, attached)
        return [_attachment(part, number) for number, part in enumerate(pictures, start=len(attached))]

    return MailContent(
        subject=str(message.get("Subject") or ""),
        headers=headers_of(message),
        body=partial(_body, message),
        attachments=attachments,
        inline=inline,
    )


def _body(message: EmailMessage) -> MailBody | None:
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None:
        return None
    return MailBody("html" if body.get_content_type() == "text/html" else "plain", _text(body))


def _attachment(part: EmailMessage, number: int) -> MailAttachment:
    return MailAttachment(part.get_filename() or _named(part, number), partial(_data, part))


def _data(part: EmailMessage) -> bytes:
    content = (
        part.get_content()
        if part.get_content_maintype() in ("text", "message")
        else part.get_payload(decode=True)
    )
    return content if isinstance(content, bytes) else str(content).encode("utf-8", "replace")


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
            if isinstance(data, bytes) and len(data) >= MIN_PICTURE_BYTES:
                found.append(part)
    return found


def _named(part: EmailMessage, number: int) -> str:
    """Return what to call an attachment without a name; a message goes by its subject."""
    if part.get_content_type() != "message/rfc822":
        return f"attachment {number + 1}"
    payload = part.get_payload()
    inner = payload[0] if isinstance(payload, list) and payload else None
    subject = str(inner.get("Subject") or "") if isinstance(inner, Message) else ""
    return f"{' '.join(subject.split()) or f'message {number + 1}'}.eml"


def _text(body: "MIMEPart[Any, Any]") -> str:
    try:
        return str(body.get_content())
    except (LookupError, ValueError):  # an unknown charset, a broken transfer encoding
        payload = body.get_payload(decode=True)
        return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else str(payload)
