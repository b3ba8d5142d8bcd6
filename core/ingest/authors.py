"""Who wrote a document, where its page or its data say so: by a label, by the lines under its title.

What a file's own data claim counts where the kind of file names its authors, or where the document's
beginning says the names, too: programs fill it with whoever's account made the file.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from core.domain import AUTHORS, Block, Parsed
from core.text.person_names import (
    MAX_AUTHORS,
    authors_labelled,
    authors_under,
    claimed_names,
    is_names,
    names_on,
    with_raised_marks,
)
from core.text.tokens import words

_NAMES_AUTHORS = ("application/epub+zip", "application/xml", "application/x-ipynb+json")
_MAX_FRONT_BLOCKS = 12  # blocks a document names its authors in
# Characters of a block that may be lines about the document; a longer one is its text
_MAX_FRONT_CHARACTERS = 300


def with_authors(parsed: Parsed) -> Parsed:
    """Return the document with its authors in its metadata, where they are sure."""
    begins = _beginning(parsed.blocks)
    claimed = claimed_names(parsed.metadata.get("author", ""))
    authors = _authors(parsed, begins, claimed)
    if not authors:
        return parsed
    blocks = tuple(_marked(block) if block in begins else block for block in parsed.blocks)
    joined = "; ".join(dict.fromkeys(authors[:MAX_AUTHORS]))
    return parsed.model_copy(update={"blocks": blocks, "metadata": {**parsed.metadata, AUTHORS: joined}})


def _authors(parsed: Parsed, begins: Sequence[Block], claimed: Sequence[str]) -> list[str]:
    if claimed and parsed.media_type in _NAMES_AUTHORS:
        return list(claimed)
    lines = list(_lines(begins))
    if labelled := authors_labelled(lines):
        return labelled
    text_words = {word for line in lines for word in words(line)}
    confirmed = [
        name
        for name in claimed
        if len(words(name)) > 1 and names_on(name) and text_words.issuperset(words(name))
    ]
    if confirmed and len(confirmed) == len(claimed):
        return confirmed
    if placed := parsed.metadata.get(AUTHORS, ""):  # the parser saw how the lines stand on the page
        return placed.split("; ")
    text = "\n".join(block.text for block in parsed.blocks)
    return authors_under(_under_title(parsed.title, begins), text, "; ".join(claimed))


def _beginning(blocks: Sequence[Block]) -> list[Block]:
    """Return the first blocks up to the first long paragraph."""
    return list(
        takewhile(
            lambda block: len(block.text) <= _MAX_FRONT_CHARACTERS or names_on(block.text),
            blocks[:_MAX_FRONT_BLOCKS],
        )
    )


def _lines(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if block.kind not in ("table", "code", "figure"):
            yield from block.text.split("\n")


def _under_title(title: str, begins: Sequence[Block]) -> list[str]:
    """Return the lines below the block that is the title; one that is kept apart stands above the first."""
    title_words = words(title)
    for at, block in enumerate(begins):
        if title_words and words(block.text) == title_words:
            return list(_lines(begins[at + 1 :]))
    return list(_lines(begins[:1])) if begins and is_names(begins[0].text) else []


def _marked(block: Block) -> Block:
    text = "\n".join(map(with_raised_marks, block.text.split("\n")))
    return block if text == block.text else block.model_copy(update={"text": text})
