"""The words and colours of the interface: outcomes, levels, statuses, figures as a reader writes them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from core.domain import Level, Outcome, Support
from core.text.periods import first_day, frequency_of

Colour = Literal["green", "orange", "red", "gray", "blue"]

OUTCOMES: dict[Outcome, tuple[str, Colour, str]] = {
    Outcome.ANSWER: ("Answered", "green", "Every sentence rests on the sources it cites."),
    Outcome.CAVEAT: (
        "Answered with a caveat",
        "orange",
        "Part of this is not fully supported; see the notes.",
    ),
    Outcome.CONFLICT: ("Sources disagree", "red", "The sources contradict each other; both are named."),
    Outcome.GAP: ("Something is missing", "orange", "The library holds only part of what was asked."),
    Outcome.CLOSEST: (
        "Closest passages",
        "gray",
        "The library does not say this outright; these passages come nearest.",
    ),
    Outcome.NOTHING: ("Not in the library", "gray", "Nothing in the library answers this."),
    Outcome.UNFINISHED: (
        "Not finished",
        "orange",
        "It ended before an answer was found; whether the library holds one is not known.",
    ),
}

LEVELS: dict[Level, tuple[str, str]] = {
    Level.DIRECT: ("L0 Direct", "a look-up in what was already distilled"),
    Level.FACTUAL: ("L1 Factual", "one fact, from one place"),
    Level.LINKING: ("L2 Linking", "several facts that must be joined"),
    Level.PREDICTIVE: ("L3 Predictive", "what will happen, from series of the past"),
    Level.CREATIVE: ("L4 Creative", "what could be done, from several points of view"),
}

SUPPORTS: dict[Support, tuple[str, Colour]] = {
    Support.SUPPORTED: ("supported", "green"),
    Support.CONTRADICTED: ("contradicted", "red"),
    Support.MISSING: ("not supported", "gray"),
}

LEGS = {
    "keyword": "words",
    "chunk": "meaning",
    "chunks": "meaning",
    "atom": "atoms",
    "atoms": "atoms",
    "section": "sections",
    "sections": "sections",
    "document": "documents",
    "documents": "documents",
    "graph": "graph",
    "rerank": "rerank",
    "learnt": "readers",
}

INNER_LEGS = ("cosine",)  # the same figure as "meaning", kept for the relevance threshold

RUN_STATUS: dict[str, tuple[str, Colour]] = {
    "queued": ("Waiting", "gray"),
    "running": ("Thinking", "blue"),
    "done": ("Done", "green"),
    "stopped": ("Stopped", "orange"),
    "failed": ("Failed", "red"),
}


KINDS = {
    "application/pdf": "PDF",
    "wordprocessingml": "Word",
    "msword": "Word",
    "spreadsheetml": "Excel",
    "ms-excel": "Excel",
    "presentationml": "PowerPoint",
    "ms-powerpoint": "PowerPoint",
    "opendocument": "OpenDocument",
    "text/html": "HTML",
    "markdown": "Markdown",
    "csv": "CSV",
    "tab-separated": "TSV",
    "ndjson": "JSON lines",
    "json": "JSON",
    "xml": "XML",
    "sql": "SQL",
    "image/": "Image",
    "video/": "Video",
    "audio/": "Audio",
    "text/plain": "Text",
}


def kind(media_type: str) -> str:
    """Name a media type as a reader would: "PDF", "Word"; the type itself where there is no name."""
    return next((name for part, name in KINDS.items() if part in media_type), media_type)


def sentence(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def leg(name: str) -> str:
    """Name a way of searching."""
    return LEGS.get(name, name.replace("_", " "))


def seconds(value: float) -> str:
    """Write a duration: "380 ms", "2.4 s", "3 min 20 s"."""
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 60:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def period(value: str) -> str:
    """Write a period as a reader does: "Mar 2025", "Q2 2025", "week 11, 2025", "18 Mar 2025", "2025"."""
    day = first_day(value)
    match frequency_of(value):
        case "monthly":
            return f"{day:%b %Y}"
        case "quarterly":
            return f"{value[-2:]} {day.year}"
        case "weekly":
            return f"week {int(value[-2:])}, {value[:4]}"
        case "daily":
            return f"{day.day} {day:%b %Y}"
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


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a counted noun: "1 document", "1,312 chunks"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def holdings(counts: Mapping[str, int], order: Sequence[str]) -> str:
    """Write what is held, in Markdown: "**14** documents  ·  **1** relation"."""
    said = []
    for name in order:
        one = f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")
        if name in counts:
            said.append(f"**{counts[name]:,}** {one if counts[name] == 1 else name}")
    return "  ·  ".join(said)


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
    return f"{then.day} {then:%b %Y, %H:%M}"


def ago(value: float) -> str:
    """Say how long something has been quiet: "now", "12 s ago", "5 min ago"."""
    if value < 2:
        return "now"
    if value < 60:
        return f"{value:.0f} s ago"
    return f"{value / 60:.0f} min ago" if value < 3600 else f"{value / 3600:.0f} h ago"
