"""Pictures that lie in a document beside its text: members of its container, or data in the text itself."""

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from core.domain import Location
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.media.legibility import note_illegible
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.raw_tables import NO_LOCATION


def _nothing(source: str) -> bytes | None:
    """A page by itself holds no pictures besides those in its text."""


@dataclass
class Pictures:
    """Turns the pictures of one document into figures: their description and the text read in them."""

    draft: Draft
    picture_ocr: PictureOcr
    member: Callable[[str], bytes | None] = _nothing
    silent: int = 0  # pictures of which nothing could be said
    count: int = field(default=0, init=False)
    torn: int = field(default=0, init=False)  # pictures in the text itself whose letters are damaged

    def held(self, source: str) -> bytes | None:
        """Return the picture a text names, None where it lies elsewhere. Nothing is ever fetched."""
        if source[:5].lower() != "data:":
            return self.member(source)
        data = data_in(source)
        self.torn += data is None and source[5:].lower().lstrip().startswith("image/")
        return data

    def hang(
        self, data: bytes, caption: str = "", place: Location = NO_LOCATION, links: Sequence[str] = ()
    ) -> None:
        """Add a picture as a figure of its own; one of which nothing is known is counted."""
        seen = self.picture_ocr.see(data)
        if seen.small and not caption:
            return
        self.count += 1
        text = "\n".join(filter(None, [caption, seen.text]))
        if not text:
            self.silent += 1
        if text or seen.image:
            self.draft.add("figure", text or f"Picture {self.count}", place, links=links)
            self.draft.describe(seen.image, caption)

    def close(self) -> None:
        """Say how many pictures are damaged, how many show no text, and how many lines could not be read."""
        note_illegible(self.draft, self.picture_ocr.illegible)
        if self.torn:
            self.draft.skipped.append(f"Damaged pictures, which were left out: {self.torn}.")
        if self.silent:
            self.draft.skipped.append(
                f"Pictures without a description or text that could be read: {self.silent} of {self.count}."
            )


def data_in(source: str) -> bytes | None:
    """Return the bytes of a `data:` URI that says it is a picture, None where it is none or damaged."""
    head, _, body = source.partition(",")
    if not head[5:].lower().lstrip().startswith("image/"):
        return None
    data = unquote_to_bytes(body)
    if not head.lower().rstrip().endswith(";base64"):
        return data
    try:
        return base64.b64decode(data)
    except (binascii.Error, ValueError):
        return None
