"""Where a document's bytes still are: the kept original, or a path it was added from."""

from collections.abc import Iterator
from pathlib import Path

from core.i18n.messages import mark
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.documents.originals import digest_of
from core.text.filenames import path_of

GONE = mark("The original of {title} is gone; what was read of it before stays.")
PUT_BACK = mark("Put the file back where it was and run `strata reread`.")


def original_of(knowledge: KnowledgeBase, document_id: str) -> Path | None:
    """Return a file with a document's bytes, None where there is none any more."""
    files = _files(knowledge, document_id)
    return next((each for each in files if digest_of(each) == document_id), None)


def has_original(knowledge: KnowledgeBase, document_id: str) -> bool:
    """Say whether there is a file that may hold a document's bytes; it is not read."""
    return any(_files(knowledge, document_id))


def _files(knowledge: KnowledgeBase, document_id: str) -> Iterator[Path]:
    if (original := knowledge.original(document_id)) is not None:
        yield original
    paths = (path_of(entry.path) for entry in knowledge.entries(document_id))
    yield from (path for path in paths if path.is_absolute() and path.is_file())
