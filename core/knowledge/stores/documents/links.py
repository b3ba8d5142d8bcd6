"""References between documents: an edge stays open until a document answers to it.

A document answers to its title, its file name (with and without suffix) and the identifiers in its metadata.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from core.domain import Document, Reference
from core.knowledge.stores.documents.catalog import IN, many
from core.text.brackets import PARENTHESISED
from core.text.codes import DOCUMENT_NUMBER
from core.text.tokens import IS_CJK, STOP_WORDS, normal

IDENTIFIER = re.compile(
    r"(^|_|\b)(id|identifier|doi|isbn|issn|arxiv|number|no|part|url|source)(_|\b|$)", re.I
)

DOI_LINK = re.compile(r"\bdoi\.org/(?P<doi>10\.\d{4,9}/\S+)", re.I)
# What stands before the number a document goes by, where its name does not begin with it.
NUMBERED = re.compile(
    r"\b(?:report|document|doc|specification|spec|procedure|instruction|drawing|standard|order|memo|notice|"
    r"bulletin|certificate|form|ticket|request|issue|number|no\.?|nr\.?|#)[\s:_-]*$",
    re.I,
)
BRACKETS = re.compile(rf"\s*{PARENTHESISED}\s*$")


def names_of(title: str, file_name: str) -> set[str]:
    """Return the names other texts may use for a document: title, title without brackets, document number.

    A number elsewhere in its name is what it is about: "sensor-log-ETCH-03" is not meant by "ETCH-03".
    """
    plain = BRACKETS.sub("", title)
    stem = PurePosixPath(file_name).stem.replace("_", " ")
    names = {name for name in (title, plain) if _is_a_name(name)}
    numbers = (
        (text[: match.start()], match.group())
        for text in (title, stem)
        for match in DOCUMENT_NUMBER.finditer(text)
    )
    return names | {number for before, number in numbers if not before.strip() or NUMBERED.search(before)}


def _is_a_name(title: str) -> bool:
    if IS_CJK.search(title):
        return len("".join(title.split())) >= 3
    words = [word for word in normal(title).split() if word not in STOP_WORDS]
    return len(words) > 1 or (len(words) == 1 and len(words[0]) >= 4)


def answers_of(document: Document) -> set[str]:
    """Return the normal forms a document answers to."""
    stem = PurePosixPath(document.name).stem
    names = [document.title, document.name, stem, *names_of(document.title, document.name)]
    names += [value for key, value in document.metadata.items() if IDENTIFIER.search(key)]
    return {key for key in map(normal, names) if key}


def key_of(reference: Reference) -> str:
    """Return the normal form of what a reference points to; for links and files, the file's name."""
    if reference.kind == "link" and (doi := DOI_LINK.search(reference.text)):
        return normal(unquote(doi["doi"]))
    if reference.kind in ("link", "file"):
        path = unquote(urlsplit(reference.text).path) or reference.text
        return normal(PurePosixPath(path.replace("\\", "/")).name or reference.text)
    return normal(reference.text)


def put_answers(connection: sqlite3.Connection, documents: Iterable[Document]) -> None:
    """Note what the documents answer to, and close the open references that ask for one of them."""
    keys = [(key, document.id) for document in documents for key in sorted(answers_of(document))]
    connection.executemany("INSERT OR IGNORE INTO answers_to (key, document_id) VALUES (?, ?)", keys)
    rows = connection.execute(
        f"SELECT * FROM links WHERE target_id IS NULL AND key {IN}", (many({key for key, _ in keys}),)
    ).fetchall()
    _put_again(connection, rows)


def put_references(
    connection: sqlite3.Connection, references: Iterable[Reference], stated: bool = True
) -> None:
    """Add references once each; one without a target gets the document that answers to it, if any."""
    for reference in references:
        key = key_of(reference)
        target = reference.target_id or _answering(connection, key, reference.document_id)
        connection.execute(
            "INSERT OR IGNORE INTO links (document_id, chunk_id, kind, text, target_id, key, given)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                reference.document_id,
                reference.chunk_id,
                reference.kind,
                reference.text,
                target,
                key,
                int(stated),
            ),
        )


def settle_citations(connection: sqlite3.Connection, found: Sequence[Reference]) -> None:
    """Let a numbered citation point to the document whose title is in its entry.

    `found` are the places where a document names another by its title: one of them is the entry, and the
    citation stands where the number is used.
    """
    named: dict[str, list[Reference]] = {}
    for reference in found:
        named.setdefault(reference.document_id, []).append(reference)
    rows = connection.execute(
        f"SELECT * FROM links WHERE kind = 'citation' AND target_id IS NULL AND document_id {IN}",
        (many(named),),
    ).fetchall()
    for row in rows:
        entry = row["text"].lower()
        within = [each for each in named[row["document_id"]] if each.text.lower() in entry]
        if within:
            longest = max(within, key=lambda each: len(each.text))
            connection.execute("DELETE FROM links WHERE n = ?", (row["n"],))
            put_references(connection, [_reference(row).model_copy(update={"target_id": longest.target_id})])


def _answering(connection: sqlite3.Connection, key: str, besides: str) -> str | None:
    row = connection.execute(
        "SELECT a.document_id FROM answers_to a JOIN documents d ON d.id = a.document_id"
        " WHERE a.key = ? AND a.document_id <> ? ORDER BY d.n LIMIT 1",
        (key, besides),
    ).fetchone()
    return None if row is None else row[0]


def _put_again(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> None:
    """Delete the rows and put them anew, without target: as new rows the indexes see them."""
    connection.executemany("DELETE FROM links WHERE n = ?", ((row["n"],) for row in rows))
    put_references(connection, (_reference(row).model_copy(update={"target_id": None}) for row in rows))


def unlink_target(connection: sqlite3.Connection, document_id: str) -> None:
    """Open again what points to a document that was deleted; drop what was only found by its title."""
    rows = connection.execute("SELECT * FROM links WHERE target_id = ?", (document_id,)).fetchall()
    connection.execute("DELETE FROM links WHERE target_id = ? AND given = 0", (document_id,))
    _put_again(connection, [row for row in rows if row["given"]])


def _reference(row: sqlite3.Row) -> Reference:
    return Reference(
        document_id=row["document_id"],
        chunk_id=row["chunk_id"],
        kind=row["kind"],
        text=row["text"],
        target_id=row["target_id"],
    )


def references(connection: sqlite3.Connection, document_id: str) -> list[Reference]:
    """Return a document's references."""
    rows = connection.execute("SELECT * FROM links WHERE document_id = ? ORDER BY n", (document_id,))
    return [_reference(row) for row in rows]


def referring(connection: sqlite3.Connection, document_id: str) -> list[Reference]:
    """Return the references of other documents that point to this one."""
    rows = connection.execute("SELECT * FROM links WHERE target_id = ? ORDER BY n", (document_id,))
    return [_reference(row) for row in rows]


def pointed_to(connection: sqlite3.Connection) -> dict[str, set[str]]:
    """Return, per document that others point to, which do."""
    found: dict[str, set[str]] = {}
    rows = "SELECT DISTINCT target_id, document_id FROM links WHERE target_id IS NOT NULL"
    for target, document_id in connection.execute(rows):
        if target != document_id:
            found.setdefault(target, set()).add(document_id)
    return found
