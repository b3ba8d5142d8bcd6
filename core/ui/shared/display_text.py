"""The words and colours of the interface: outcomes, levels, statuses, figures as a reader writes them.

Mappings are English, looked up where they are shown; functions answer in the reader's language.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from babel.dates import format_date, format_datetime

from core.domain import BUILT_IN, Effort, Level, Outcome, SubQuestionType
from core.i18n.escaping import Safe, join
from core.i18n.messages import Message, language, mark, plain, say_plain, tn
from core.i18n.outcome_texts import NOT_ANSWERED
from core.text.periods import first_day, frequency_of

Colour = Literal["green", "orange", "red", "gray", "blue"]

EFFORTS: dict[Effort, Message] = {
    "quick": mark("Quick"),
    "balanced": mark("Balanced"),
    "thorough": mark("Thorough"),
}
OUTCOMES: dict[Outcome, tuple[Message, Colour, Message]] = {
    Outcome.ANSWER: (mark("Answered"), "green", mark("Every sentence rests on the sources it cites.")),
    Outcome.CAVEAT: (
        mark("Answered with a caveat"),
        "orange",
        mark("Part of this is not fully supported; see the notes."),
    ),
    Outcome.CONFLICT: (
        mark("Sources disagree"),
        "red",
        mark("The sources contradict each other; both are named."),
    ),
    Outcome.GAP: (
        mark("Something is missing"),
        "orange",
        mark("The library holds only part of what was asked."),
    ),
    Outcome.CLOSEST: (
        mark("Closest passages"),
        "gray",
        mark("The library does not say this outright; these passages come nearest."),
    ),
    Outcome.NOTHING: (mark("Not in the library"), "gray", NOT_ANSWERED),
    Outcome.UNFINISHED: (
        mark("Not finished"),
        "orange",
        mark("It ended before an answer was found; whether the library holds one is not known."),
    ),
}

PART_TYPES: dict[SubQuestionType, Message] = {
    "factual": mark("factual"),
    "reasoning": mark("reasoning"),
    "global": mark("global"),
    "bridging": mark("bridging"),
    "comparative": mark("comparative"),
    "quantitative": mark("quantitative"),
    "summarising": mark("summarising"),
}
LEVELS: dict[Level, tuple[Message, Message]] = {
    Level.DIRECT: (mark("L0 Direct"), mark("a look-up in what was already distilled")),
    Level.FACTUAL: (mark("L1 Factual"), mark("one fact, from one place")),
    Level.LINKING: (mark("L2 Linking"), mark("several facts that must be joined")),
    Level.PREDICTIVE: (mark("L3 Predictive"), mark("what will happen, from series of the past")),
    Level.CREATIVE: (mark("L4 Creative"), mark("what could be done, from several points of view")),
}

LEGS = {
    "keyword": mark("words"),
    "chunk": mark("meaning"),
    "chunks": mark("meaning"),
    "atom": mark("atoms"),
    "atoms": mark("atoms"),
    "section": mark("sections"),
    "sections": mark("sections"),
    "document": mark("documents"),
    "documents": mark("documents"),
    "graph": mark("graph"),
    "rerank": mark("rerank"),
    "theme": mark("theme"),
    "learnt": mark("readers"),
}

INNER_LEGS = ("cosine",)  # the same figure as "meaning", kept for the relevance threshold
RUN_STATUS: dict[str, tuple[Message, Colour]] = {
    "queued": (mark("Waiting"), "gray"),
    "running": (mark("Thinking"), "blue"),
    "done": (mark("Done"), "green"),
    "stopped": (mark("Stopped"), "orange"),
    "failed": (mark("Failed"), "red"),
}

KINDS = {
    "application/pdf": Message("PDF"),
    "wordprocessingml": Message("Word"),
    "msword": Message("Word"),
    "spreadsheetml": Message("Excel"),
    "ms-excel": Message("Excel"),
    "presentationml": Message("PowerPoint"),
    "ms-powerpoint": Message("PowerPoint"),
    "opendocument": Message("OpenDocument"),
    "epub": Message("EPUB"),
    "rtf": Message("RTF"),
    "yaml": Message("YAML"),
    "/zip": Message("ZIP"),
    "rfc822": mark("E-mail"),
    "ms-outlook": mark("E-mail"),
    "ipynb": mark("Jupyter notebook"),
    "klarf": Message("KLARF"),
    "text/html": Message("HTML"),
    "markdown": Message("Markdown"),
    "csv": Message("CSV"),
    "tab-separated": Message("TSV"),
    "ndjson": mark("JSON lines"),
    "json": Message("JSON"),
    "xml": Message("XML"),
    "sql": Message("SQL"),
    "image/": mark("Image"),
    "video/": mark("Video"),
    "audio/": mark("Audio"),
    "text/plain": mark("Text"),
}

THINGS = {
    "document": mark("document"),
    "documents": mark("documents"),
    "section": mark("section"),
    "sections": mark("sections"),
    "chunk": mark("chunk"),
    "chunks": mark("chunks"),
    "atom": mark("atom"),
    "atoms": mark("atoms"),
    "entity": mark("entity"),
    "entities": mark("entities"),
    "relations": mark("relations"),
    "references": mark("references"),
    "tag": mark("tag"),
    "tags": mark("tags"),
    "tables": mark("tables"),
    "question": mark("question"),
    "statement": mark("statement"),
    "summaries": mark("summaries"),
    "thing": mark("thing"),
    "text": mark("text"),
    "table": mark("table"),
    "figure": mark("figure"),
    "code": mark("code"),
    "media": mark("recording"),
    "identifier": mark("identifier"),
}
ENTITIES = {  # what entities are, in general words; other words are the library's own
    "person": mark("person"), "people": mark("people"), "organisation": mark("organisation"),
    "organization": mark("organization"), "company": mark("company"), "supplier": mark("supplier"),
    "customer": mark("customer"), "place": mark("place"), "product": mark("product"), "part": mark("part"),
    "item": mark("item"), "tool": mark("tool"), "equipment": mark("equipment"), "machine": mark("machine"),
    "material": mark("material"), "procedure": mark("procedure"), "process": mark("process"),
    "method": mark("method"), "task": mark("task"), "event": mark("event"), "term": mark("term"),
    "acronym": mark("acronym"), "title": mark("title"), "heading": mark("heading"), "lot": mark("lot"),
    "recipe": mark("recipe"), "unit": mark("unit"), "mentions": mark("mentions"),
}  # fmt: skip


ROLES = {"reader": mark("reader"), "editor": mark("editor"), "admin": mark("admin")}


def role(name: str) -> str:
    """Return what somebody is in the library, in the reader's words."""
    return say_plain(ROLES[name]) if name in ROLES else name


def effort(name: str) -> str:
    """Return an effort in the reader's words, "" for none."""
    return next((say_plain(label) for known, label in EFFORTS.items() if known == name), "")


def engine(name: str) -> str:
    """Return what answered: the name of a model, or the built-in engine in the reader's words."""
    return plain("built-in engine") if name == BUILT_IN else name


def kind(media_type: str) -> str:
    """Name a media type as a reader would: "PDF", "Word"; the type itself where there is no name."""
    return next((say_plain(name) for part, name in KINDS.items() if part in media_type), media_type)


def sentence(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def leg(name: str) -> str:
    """Name a way of searching."""
    return say_plain(LEGS[name]) if name in LEGS else name.replace("_", " ")


def seconds(value: float) -> str:
    """Write a duration: "380 ms", "2.4 s", "3 min 20 s"."""
    if value < 1:
        return plain("{value:.0f} ms", value=value * 1000)
    if value < 60:
        return plain("{value:.1f} s", value=value)
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return plain("{minutes} min {seconds} s", minutes=minutes, seconds=rest)
    hours, minutes = divmod(minutes, 60)
    return plain("{hours} h {minutes} min", hours=hours, minutes=minutes)


def period(value: str) -> str:
    """Write a period as a reader does: "Mar 2025", "Q2 2025", "week 11, 2025", "18 Mar 2025", "2025"."""
    day = first_day(value)
    match frequency_of(value):
        case "monthly":
            return format_date(day, plain("MMM y"), locale=language())
        case "quarterly":
            return plain("{quarter} {year}", quarter=value[-2:], year=day.year)
        case "weekly":
            return plain("week {week}, {year}", week=int(value[-2:]), year=value[:4])
        case "daily":
            return format_date(day, plain("d MMM y"), locale=language())
        case _:
            return value


def size(value: int) -> str:
    """Write a number of bytes: "812 B", "3.4 MB"."""
    amount = float(value)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    raise AssertionError("unreachable")


def totals(counts: Mapping[str, int], order: Sequence[str]) -> Safe:
    """Write what is held: "**14** documents  ·  **1** relation"."""
    return join("  ·  ", [counted(name, counts[name]) for name in order if name in counts])


def counted(name: str, n: int) -> Safe:
    """Write a number of what the library holds, the number in bold."""
    match name:
        case "documents":
            return tn("**{n:,}** document", "**{n:,}** documents", n)
        case "sections":
            return tn("**{n:,}** section", "**{n:,}** sections", n)
        case "chunks":
            return tn("**{n:,}** chunk", "**{n:,}** chunks", n)
        case "tables":
            return tn("**{n:,}** table", "**{n:,}** tables", n)
        case "atoms":
            return tn("**{n:,}** atom", "**{n:,}** atoms", n)
        case "entities":
            return tn("**{n:,}** entity", "**{n:,}** entities", n)
        case "relations":
            return tn("**{n:,}** relation", "**{n:,}** relations", n)
        case "references":
            return tn("**{n:,}** reference", "**{n:,}** references", n)
        case "tags":
            return tn("**{n:,}** tag", "**{n:,}** tags", n)
        case _:
            return tn("**{n:,}** {what}", "**{n:,}** {what}", n, what=name)


def thing(name: str) -> str:
    """Name a kind of thing in the library."""
    return say_plain(known) if (known := (THINGS | ENTITIES).get(name)) else name.replace("_", " ")


def distinct(labels: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of ids, with the beginning of the id where two would read the same.

    A Streamlit choice is known by what it reads: of two alike the wrong one may come back.
    """
    often = Counter(labels.values())
    return {name: label if often[label] == 1 else f"{label}  ·  {name[:6]}" for name, label in labels.items()}


def moment(at: float) -> str:
    """Write a time of day, with the date unless it is today."""
    then = datetime.fromtimestamp(at)
    if then.date() == datetime.now().date():
        return f"{then:%H:%M}"
    return format_datetime(then, plain("d MMM y, HH:mm"), locale=language())


def ago(value: float) -> str:
    """Say how long something has been quiet: "now", "12 s ago", "5 min ago"."""
    if value < 2:
        return plain("now")
    if value < 60:
        return plain("{seconds:.0f} s ago", seconds=value)
    if value < 3600:
        return plain("{minutes:.0f} min ago", minutes=value / 60)
    return plain("{hours:.0f} h ago", hours=value / 3600)
