"""What a message holds, whatever file it comes in, and the document it makes.

What the reader saw, who wrote it when, and the attachments as sections.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Literal, NamedTuple

from core.domain import Parsed
from core.errors import EmptyFile, ParseError
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.markup.html import read_html
from core.ingest.parsers.office_97.richtext import read_rtf
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.text import read_prose

MIN_PICTURE_BYTES = 512  # bytes; smaller pictures inside a text are dots and lines
_SHOWN_HEADERS = ("From", "To", "Cc", "Date")
_STORED_HEADERS = ("From", "To", "Message-ID")
HEADERS = tuple(dict.fromkeys((*_SHOWN_HEADERS, *_STORED_HEADERS)))
Inner = Callable[[Path, str], Parsed]


class MailBody(NamedTuple):
    """The text of a message: plain, HTML, or the bytes of RTF."""

    kind: Literal["plain", "html", "rtf"]
    text: str = ""
    data: bytes = b""


class MailAttachment(NamedTuple):
    """A file or a message inside a message, read when it is asked for. `read` raises ParseError."""

    name: str
    read: "Callable[[], bytes | MailContent]"


@dataclass(frozen=True)
class MailContent:
    """A message; its body and attachments are read when they are asked for, each may be damaged."""

    subject: str
    headers: Mapping[str, str]  # those of HEADERS it has
    body: Callable[[], MailBody | None]
    attachments: Callable[[], Sequence[MailAttachment]]
    inline: Callable[[], Sequence[MailAttachment]]  # pictures inside its text
    lost: Sequence[str] = ()  # what of it is damaged, known once it is read


@dataclass(frozen=True)
class MailDocument:
    """Turns a message into a document; `inner` reads an attachment, `nesting` says how deep."""

    inner: Inner
    nesting: int

    def of(self, mail: MailContent, name: str, media_type: str) -> Parsed:
        """Return the document. Raises ParseError."""
        draft = Draft(name, media_type)
        draft.title = mail.subject
        draft.heading(draft.title or "Message", 1)
        headers = mail.headers
        draft.paragraph("\n".join(f"{key}: {headers[key]}" for key in _SHOWN_HEADERS if headers.get(key)))
        draft.metadata.update({key.lower(): headers[key] for key in _STORED_HEADERS if headers.get(key)})
        draft.date = _date(headers.get("Date", ""))
        with Part(draft, "Its text"):
            _body(draft, mail.body())
        attached: list[MailAttachment] = []
        with Part(draft, "Its attachments"):
            attached += mail.attachments()
        with Part(draft, "Pictures in its text"):
            attached += mail.inline()
        for number, each in enumerate(attached):
            with Part(draft, f"Attachment {number + 1}"):
                self._attachment(draft, each, media_type)
        draft.skipped.extend(mail.lost)
        return draft.parsed()

    def _attachment(self, draft: Draft, attachment: MailAttachment, media_type: str) -> None:
        name = attachment.name
        if self.nesting <= 0:
            draft.skipped.append(f"Attachment {name} was not read: too many files within files.")
            return
        try:
            content = attachment.read()
            if isinstance(content, MailContent):
                deeper = MailDocument(self.inner, self.nesting - 1)
                draft.take(deeper.of(content, name, media_type), f"Attachment {name}", 1)
                return
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "attachment"
                path.write_bytes(content)
                draft.take(self.inner(path, name), f"Attachment {name}", 1)
        except EmptyFile:
            draft.skipped.append(f"Attachment {name} is empty.")
        except ParseError as error:
            draft.skipped.append(f"Attachment {name} was not read: {error}")


def headers_of(message: EmailMessage) -> dict[str, str]:
    """Return the headers of an internet message that are shown or kept."""
    return {key: str(message[key]) for key in HEADERS if message[key]}


def _body(draft: Draft, body: MailBody | None) -> None:
    if body is None:
        return
    if body.kind == "html":
        title = draft.title
        read_html(draft, body.text)
        draft.title = title or draft.title
    elif body.kind == "rtf":
        read_rtf(draft, body.data)
    else:
        read_prose(draft, body.text.split("\n"))


def _date(written: str) -> str:
    try:
        return parsedate_to_datetime(written).date().isoformat()
    except (TypeError, ValueError, IndexError):
        return ""
