"""Makes a passage of a file's metadata: authors, subject, keywords, description, publisher.

The authors are those of `core.ingest.authors`, written as a sentence that answers who wrote the document.
"""

from core.domain import AUTHORS, Block, Parsed
from core.text.tokens import word_set

_LABELS = {
    "contributor": "Contributors",
    "publisher": "Publisher",
    "subject": "Subject",
    "keywords": "Keywords",
    "description": "Description",
}
_NOTHING = word_set("anonymous (anonymous) unspecified (unspecified) unknown untitled none")
_MAX_ABSTRACT_CHARACTERS = 600  # characters


def with_about(parsed: Parsed) -> Parsed:
    """Return the document with a last section "About ..." of its metadata, unchanged where there is none."""
    lines = [
        *_authors(parsed),
        *(f"{_LABELS[key]}: {value}" for key in _LABELS if (value := _metadata_value(parsed, key))),
    ]
    if not lines:
        return parsed
    heading = Block(kind="heading", text=f"About {parsed.title}"[:160], level=1)
    return parsed.model_copy(
        update={"blocks": (*parsed.blocks, heading, Block(kind="paragraph", text="\n".join(lines)))}
    )


def _metadata_value(parsed: Parsed, key: str) -> str:
    value = " ".join(parsed.metadata.get(key, "").split())[:_MAX_ABSTRACT_CHARACTERS]
    if not value or value.casefold() in _NOTHING or value.casefold() == parsed.title.casefold():
        return ""
    return value


def _authors(parsed: Parsed) -> list[str]:
    """Return the sentence that says who wrote the document, in its language where that is Chinese."""
    names = [name for name in parsed.metadata.get(AUTHORS, "").split("; ") if name]
    if not names:
        return []
    if parsed.language == "zh":
        return [f"《{parsed.title}》的作者是{'、'.join(names)}。"]
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    one = len(names) == 1
    return [f"{parsed.title} was written by {listed}. Author{'' if one else 's'}: {', '.join(names)}."]
