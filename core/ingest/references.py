"""What a document points to, as far as its own text says: links, files, citations, identifiers.

Whether some document answers to it is the library's business; one that comes later still does.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.domain import Chunk, Document, Reference, ReferenceKind
from core.text.codes import codes_in, has_letter_and_digit

_SUFFIXES = (
    "pdf|docx?|pptx?|xlsx?|ods|odt|csv|tsv|txt|md|rst|html?|xml|jsonl?|ya?ml|sql|eml|epub|log|png|jpe?g|tiff?"
    "|mp4|ipynb|msg|zip|klarf"
)
_FILE = re.compile(
    rf"(?<![\w/.-])[\w\u4e00-\u9fff][\w\u4e00-\u9fff.+-]{{0,80}}\.(?:{_SUFFIXES})(?![\w-])", re.IGNORECASE
)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"'<>,;，。；]+[^\s\"'<>.,;，。；)\]]")
_OWN_DOI = re.compile(
    rf"^\s*(?:doi\s*:?\s*|(?:doi\s*:?\s*)?https?://(?:dx\.)?doi\.org/)({_DOI.pattern[2:]})\s*$", re.I | re.M
)
_PARTS = re.compile(r"[-_ .:,]+")
_UPPER = re.compile(r"[A-Z0-9]{1,12}")
_CITED = re.compile(r"\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\]")
_ENTRY = re.compile(r"^\s*\[(\d{1,3})\]\s*(\S.{10,400}?)\s*$", re.MULTILINE)
_NUMBERED = re.compile(
    r"(?:document|doc\.?|report|procedure|文件|文档|报告)\s*(?:no\.?|number|id|nr\.?|编号|号)\s*[:：]?\s*([A-Z0-9][A-Z0-9_/-]{2,40})",
    re.IGNORECASE,
)
_MOST_CODES = 500  # identifiers of one document that become references


def own_codes(document: Document, chunks: Sequence[Chunk]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the identifiers a document goes by, and those it is about besides.

    It goes by the one its file name or title begins with, by what stands after "Document No." and by a DOI
    on its own line; it is about every other one in its name and title ("recipes-PE-300").
    """
    named = [code for text in (document.name.rsplit(".", 1)[0], document.title) for code in _runs(text)]
    codes = [code for first, code in named if first]
    for chunk in chunks[:2]:
        codes += [match.group(1).rstrip("-_/") for match in _NUMBERED.finditer(chunk.text)]
        codes += [match.group(1) for match in _OWN_DOI.finditer(chunk.text)][:1]
    codes = [code for code in dict.fromkeys(codes) if any(char.isdigit() for char in code)]
    about = [code for _, code in named if code not in codes]
    return tuple(codes), tuple(dict.fromkeys(about))


def _runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield (stands first, identifier) for runs of capitals and numbers ("SOP-12-wet-clean" holds one)."""
    parts = [part for part in _PARTS.split(text) if part]
    run: list[str] = []
    begins = 0
    for at, part in enumerate([*parts, ""]):
        if _UPPER.fullmatch(part):
            begins = begins if run else at
            run.append(part)
            continue
        code = "-".join(run)
        if len(run) > 1 and has_letter_and_digit(code):
            yield begins == 0, code
        run = []


def references_of(
    document: Document, chunks: Sequence[Chunk], links: Mapping[str, Sequence[str]], own: Sequence[str] = ()
) -> tuple[Reference, ...]:
    """Return the references of a document, each from the first chunk that makes it, none to itself."""
    itself = {document.name.lower(), *(code.lower() for code in own)}
    seen: set[tuple[str, str]] = set()
    found: list[Reference] = []
    codes = 0
    for chunk, kind, text in _stated_references(chunks, links):
        key = (kind, text.lower())
        if key in seen or text.lower() in itself:
            continue
        codes += kind == "identifier"
        if kind == "identifier" and codes > _MOST_CODES:
            continue
        seen.add(key)
        found.append(Reference(document_id=document.id, chunk_id=chunk.id, kind=kind, text=text))
    return tuple(found)


def _stated_references(
    chunks: Sequence[Chunk], links: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Chunk, ReferenceKind, str]]:
    entries = _bibliography(chunks)
    for chunk in chunks:
        for link in links.get(chunk.id, ()):
            if link and not link.startswith(("#", "mailto:", "javascript:", "data:")):
                yield chunk, "link", link
        for kind, text in _in_text(chunk.text, entries):
            yield chunk, kind, text


def _in_text(text: str, entries: Mapping[int, str]) -> Iterator[tuple[ReferenceKind, str]]:
    if "." in text:
        yield from (("file", match.group()) for match in _FILE.finditer(text))
    if "10." in text:
        yield from (("citation", match.group()) for match in _DOI.finditer(text))
    if entries and "[" in text:
        yield from (("citation", entries[number]) for number in _numbers(text) if number in entries)
    yield from (("identifier", code) for code in codes_in(text))


def _bibliography(chunks: Iterable[Chunk]) -> dict[int, str]:
    """Return the numbered entries of the document's list of references."""
    return {
        int(match.group(1)): match.group(2)
        for chunk in chunks
        if "[" in chunk.text
        for match in _ENTRY.finditer(chunk.text)
    }


def _numbers(text: str) -> Iterator[int]:
    for match in _CITED.finditer(text):
        for part in re.split(r"\s*[,;]\s*", match.group(1)):
            ends = [int(number) for number in re.split(r"\s*[–-]\s*", part)]
            yield from range(ends[0], min(ends[-1], ends[0] + 20) + 1)
