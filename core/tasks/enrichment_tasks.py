"""Enriching documents: questions, statements, names, relations, tags, summaries, pictures."""

from core.domain import Value
from core.tasks.task_base import Reply, Task


class TagClass(Value):
    """A class of tags the corpus itself gave, with the terms that belong to it, the most central first.

    `description` says in a few words what they have in common; "" where nobody said it.
    """

    name: str
    terms: tuple[str, ...] = ()
    description: str = ""


class EnrichedPiece(Value):
    """A numbered piece of one document that is to be enriched."""

    n: int
    text: str
    heading: str = ""
    goes_on: bool = False  # it reads on from the piece before it
    prose: bool = True  # not rows of a table, not code


class TagDraft(Value):
    name: str
    tag_class: str = "topic"


class EntityDraft(Value):
    name: str
    kind: str = "thing"
    aliases: tuple[str, ...] = ()


class RelationDraft(Value):
    subject: str
    predicate: str
    object: str


class PieceFacts(Value):
    """What one piece answers, states, names and relates, its tags, and what it says in short."""

    n: int  # Piece.n
    questions: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    entities: tuple[EntityDraft, ...] = ()
    relations: tuple[RelationDraft, ...] = ()
    tags: tuple[TagDraft, ...] = ()
    summary: str = ""


class Enriched(Reply):
    pieces: tuple[PieceFacts, ...] = ()


class Enrich(Task):
    """Say what pieces of one document hold, so that they are found: everything about a piece in one call.

    `before` sums up what stands before the first piece; each summary knows the one before it (PIKE-RAG,
    arXiv 2501.11551, 5.2.1).
    """

    reply = Enriched
    role = "extraction"
    title: str
    classes: tuple[TagClass, ...] = ()
    before: str = ""
    pieces: tuple[EnrichedPiece, ...] = ()


class PieceFactors(Value):
    """What one piece turns on: the terms that a question about it would need."""

    n: int  # EnrichedPiece.n
    factors: tuple[str, ...] = ()


class FactorsNamed(Reply):
    pieces: tuple[PieceFactors, ...] = ()


class NameFactors(Task):
    """Name the key factors of sampled pieces, before they are generalised into classes of tags (PIKE-RAG,
    arXiv 2501.11551, 5.2.2); those `known` from other pieces keep their spelling."""

    reply = FactorsNamed
    role = "extraction"
    known: tuple[str, ...] = ()
    pieces: tuple[EnrichedPiece, ...] = ()


class Classified(Reply):
    classes: tuple[TagClass, ...] = ()


class ClassifyTags(Task):
    """Generalise the key terms of a library into at most `most` named classes (PIKE-RAG, arXiv 2501.11551,
    5.2.2)."""

    reply = Classified
    role = "extraction"
    terms: tuple[str, ...] = ()
    most: int = 8


class Described(Reply):
    text: str = ""


class Describe(Task):
    """Describe a picture (base64 PNG or JPEG). The built-in engine reads no pictures and replies ""."""

    reply = Described
    role = "vision"
    image: str
    caption: str = ""
