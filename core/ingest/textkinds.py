"""Which kind of text a text is, by how its lines look; the extension decides only what they leave open."""

import json
import re

from core.ingest.decoding import decode

_BY_EXTENSION = {
    ".txt": "text/plain",
    ".text": "text/plain",
    ".log": "text/x-log",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".rst": "text/x-rst",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".tab": "text/tab-separated-values",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".sql": "application/sql",
    ".eml": "message/rfc822",
    ".jsonl": "application/x-ndjson",
    ".ndjson": "application/x-ndjson",
    ".json": "application/json",
    ".ipynb": "application/x-ipynb+json",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".xml": "application/xml",
    ".klarf": "application/x-klarf",
    ".sml": "application/x-secs-sml",
}
_HTML = re.compile(
    r"<!doctype\s+html|<html[\s>]|<(head|body|div|p|table|h[1-6]|ul|ol|section|article)[\s>]", re.I
)
_XML = re.compile(r"\s*(<\?xml\s|<!DOCTYPE\s+(?!html)|<[A-Za-z_][\w.:-]*(\s[^<>]*)?/?>)", re.S)
_KLARF12 = re.compile(r"^\s*FileVersion\s+1\s+\d\s*;", re.M)
_KLARF18 = re.compile(r'^\s*Record\s+FileRecord\s+"1\.\d"', re.M)
_SML = re.compile(
    r"\bS\d{1,3}F\d{1,3}\b[^\n]*(\n\s*)?<\s*(L|A|B|U\d|I\d|F\d|BOOLEAN)\b|^\s*<\s*L\s*\[\d+\]", re.M
)
_SQL = re.compile(
    r"^\s*(CREATE\s+(TABLE|DATABASE|SCHEMA|INDEX|VIEW|TEMP)|INSERT\s+(INTO|IGNORE)|COPY\s+[\w.\"]+\s*(\(|FROM)"
    r"|DROP\s+TABLE|ALTER\s+TABLE|BEGIN\s+TRANSACTION|PRAGMA\s+\w+)",
    re.I | re.M,
)
_MAIL = re.compile(
    r"^(Received|Return-Path|Message-ID|MIME-Version|Delivered-To|From|Subject|Date|To):", re.I
)
_MARKDOWN = (
    re.compile(r"^#{1,6}\s+\S", re.M),
    re.compile(r"^\s*```", re.M),
    re.compile(r"\[[^\]\n]+\]\([^)\s]+\)"),
    re.compile(r"^\s*\|?\s*:?-{3,}:?\s*\|", re.M),
    re.compile(r"\*\*\S[^*\n]*\*\*"),
)
_RST = (
    re.compile(r"^\.\. [\w-]+::", re.M),
    re.compile(r":\w+:`[^`]+`"),
    re.compile(r"^[^\s].*\n(=|-|~|\^|\")\1{3,}\s*$", re.M),
)
_JSON = "application/json"
_NOTEBOOK = "application/x-ipynb+json"
_JSON_MARK = re.compile(r'"(?P<key>\w+)"\s*:|"(?:[^"\\]|\\.)*"|[{}\[\]]', re.S)
_CELL_TYPE = re.compile(r'"cell_type"\s*:\s*"(?:code|markdown|raw|heading|html)"')
_FEWEST_DELIMITERS = 2  # on each line of a plain text that is a table
_FEWEST_COLONS = 3  # on each line of records parted by them
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}\b")
_YAML = re.compile(r"^(---\s*$|[\w.-]+:(\s+\S.*)?$|\s*- \S)", re.M)


def kind_of_text(head: bytes, extension: str) -> str | None:
    """Return the media type of a text by its first bytes, or None where they are not text."""
    text = decode(head)
    if text is None:
        return None
    text = text.lstrip("\ufeff\n ")
    return (
        _certain(text, extension)
        or _tabular(text, extension)
        or _BY_EXTENSION.get(extension)
        or _likely(text)
    )


def _certain(text: str, extension: str) -> str | None:
    """Kinds that say what they are, whatever the file is called."""
    if _KLARF18.match(text) or _KLARF12.search(text[:2000]):
        return "application/x-klarf"
    if text[:1] in "{[" and (media_type := _json(text)):
        named = extension == ".ipynb" and media_type == _JSON
        return _NOTEBOOK if named or (media_type == _JSON and _is_notebook(text)) else media_type
    if text.startswith("<") and not _SML.search(text[:4000]):
        return _markup(text, extension)
    if _SML.search(text[:8000]) and extension not in (".md", ".html"):
        return "application/x-secs-sml"
    if _is_mail(text):
        return "message/rfc822"
    return None


def _tabular(text: str, extension: str) -> str | None:
    """An export under the name of a plain text: the same three fields or more on every line."""
    lines = _whole_lines(text)
    delimiter = _delimiter(lines) if extension in (".txt", ".text") else None
    if delimiter is None and extension in (".txt", ".text", "") and _is_parted_by_colons(lines):
        return "text/csv"
    if delimiter in (None, ",") or lines[0].count(delimiter) < _FEWEST_DELIMITERS or lines[0].startswith("|"):
        return None
    return _delimited_by(delimiter)


def _markup(text: str, extension: str) -> str | None:
    if extension in (".md", ".markdown", ".rst", ".txt") and not text.lower().startswith(
        ("<!doctype", "<html", "<?xml")
    ):
        return None
    looks_html = bool(_HTML.match(text)) or bool(re.search(r"<html[\s>]", text[:2000], re.I))
    declared = text.startswith("<?xml") and not _HTML.search(text)
    if looks_html or (extension in (".html", ".htm", ".xhtml") and not declared):
        return "text/html"
    return "application/xml" if _XML.match(text) else None


def _json(text: str) -> str | None:
    lines = [line for line in text.split("\n", 3)[:3] if line.strip()]
    whole = [line for line in lines if _loads(line)]
    if len(lines) >= 2 and len(whole) >= 2:
        return "application/x-ndjson"
    if re.match(r'\{\s*(\}|"(?:[^"\\]|\\.)*"\s*:)|\[\s*([\[{"\d\-\]]|true|false|null)', text):
        return _JSON
    return None


def _is_notebook(text: str) -> bool:
    """Say whether a JSON text is an object of cells, or of worksheets of them, as far as it is at hand."""
    keys: set[str] = set()
    depth = 0
    for mark in _JSON_MARK.finditer(text):
        depth += (mark[0][0] in "{[") - (mark[0][0] in "}]")
        if depth == 1 and mark["key"]:
            keys.add(mark["key"])
    has_signature = "nbformat" in keys or _CELL_TYPE.search(text) is not None
    return has_signature and not keys.isdisjoint(("cells", "worksheets"))


def _loads(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_mail(text: str) -> bool:
    head = text.split("\n\n", 1)[0].split("\n")[:60]
    names = {match.group(1).lower() for line in head if (match := _MAIL.match(line))}
    return len(names) >= 3 and bool(_MAIL.match(head[0]) or re.match(r"[\w-]+:\s", head[0]))


def _likely(text: str) -> str:
    """Kinds without a mark, for a name that does not tell."""
    lines = _whole_lines(text)
    if _SQL.search(text[:8000]) and text.count(";") >= 1:
        return "application/sql"
    if sum(bool(pattern.search(text)) for pattern in _RST) >= 2 or _RST[0].search(text):
        return "text/x-rst"
    if sum(bool(pattern.search(text)) for pattern in _MARKDOWN) >= 2 or _MARKDOWN[0].match(text):
        return "text/markdown"
    if delimiter := _delimiter(lines):
        return _delimited_by(delimiter)
    if len(lines) >= 3 and all(_YAML.match(line) or line.startswith((" ", "#")) for line in lines):
        return "application/yaml"
    return "text/plain"


def _whole_lines(text: str) -> list[str]:
    """Return the first lines with anything on them, without the last, which may be cut."""
    return [line for line in text.split("\n")[:-1] or [text] if line.strip()][:50]


def _delimited_by(delimiter: str) -> str:
    return "text/tab-separated-values" if delimiter == "\t" else "text/csv"


def _delimiter(lines: list[str]) -> str | None:
    """A delimiter that stands equally often on every line makes a table."""
    if len(lines) < 3:
        return None
    for delimiter in "\t;|,":
        counts = {line.count(delimiter) for line in lines}
        if len(counts) == 1 and counts != {0} and (delimiter != "," or _short(lines, delimiter)):
            return delimiter
    return None


def _is_parted_by_colons(lines: list[str]) -> bool:
    """Say whether lines are records of a system, "daemon:x:2:2::/usr/sbin": as many colons on each and no
    space behind one. Times and addresses of hardware have colons too."""
    content_lines = [line for line in lines if not line.startswith("#")]
    counts = {line.count(":") for line in content_lines}
    if len(content_lines) < 3 or len(counts) != 1 or min(counts) < _FEWEST_COLONS:
        return False
    records = [
        line for line in content_lines if not _CLOCK.search(line) and any(len(p) > 2 for p in line.split(":"))
    ]
    return len(records) == len(content_lines) and not any(
        ": " in line or "://" in line for line in content_lines
    )


def _short(lines: list[str], delimiter: str) -> bool:
    """Prose has commas too, but its parts are long."""
    parts = [part for line in lines for part in line.split(delimiter)]
    return sum(len(part) for part in parts) / len(parts) < 30
