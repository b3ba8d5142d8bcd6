"""What a file's own data say of the document as a passage: authors, subject, description, publisher.

Programs fill the author of an office file or a PDF with whoever's account made it. Such a name counts only
where the document says it, too; books and articles in XML name their authors.
"""

from core.domain import Block, Parsed
from core.text.tokens import word_set, words

_NAMES_AUTHORS = ("application/epub+zip", "application/xml")
_TOLD = {
    "author": "Authors",
    "contributor": "Contributors",
    "publisher": "Publisher",
    "subject": "Subject",
    "keywords": "Keywords",
    "description": "Description",
}
_NOTHING = word_set("anonymous (anonymous) unspecified (unspecified) unknown untitled none")
_LOOK = 8  # blocks a document names its authors in
_LONGEST = 600  # characters


def with_about(parsed: Parsed) -> Parsed:
    """Return the document with a last section of what its data say, where they say something."""
    lines = [f"{_TOLD[key]}: {said}" for key in _TOLD if (said := _said(parsed, key))]
    if not lines:
        return parsed
    heading = Block(kind="heading", text=f"About {parsed.title}"[:160], level=1)
    return parsed.model_copy(
        update={"blocks": (*parsed.blocks, heading, Block(kind="paragraph", text="\n".join(lines)))}
    )


def _said(parsed: Parsed, key: str) -> str:
    said = " ".join(parsed.metadata.get(key, "").split())[:_LONGEST]
    if not said or said.casefold() in _NOTHING or said.casefold() == parsed.title.casefold():
        return ""
    if key == "author" and parsed.media_type not in _NAMES_AUTHORS:
        begins = {word for block in parsed.blocks[:_LOOK] for word in words(block.text)}
        return said if len(words(said)) > 1 and begins.issuperset(words(said)) else ""
    return said
