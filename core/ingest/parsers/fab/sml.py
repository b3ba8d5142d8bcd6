"""SECS/GEM logs in SML: each message with its time, direction, meaning and content."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain import Location, Parsed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.raw_tables import rows_of_text
from core.ingest.parsers.source import text_of

_HEAD = re.compile(r"\bS(?P<stream>\d{1,3})F(?P<function>\d{1,3})\b(?P<wait>\s+W)?", re.I)
_TIME = re.compile(
    r"\d{4}[-/.]\d{2}[-/.]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?|\d{2}:\d{2}:\d{2}(?:[.,]\d+)?"
)
_SENT = re.compile(r"\b(send|sent|tx|h->e|host\s*(->|→|to)|=>|>>)", re.I)
_RECEIVED = re.compile(r"\b(recv|received|rcvd|rx|e->h|(equipment|eqp?)\s*(->|→|to)|<=|<<)", re.I)
_VALUE = re.compile(r'<\s*(?P<type>[A-Z]\w*)\s*(?:\[\s*[\d.]*\s*\])?\s*(?P<value>"[^"]*"|\'[^\']*\'|[^<>]*)')
_ALARM = re.compile(
    r"(?P<code>0[xX][\da-fA-F]{1,2}|0[bB][01]{1,8}|\d{1,3}), (?P<id>\d+)(?:, (?P<text>.*))?", re.DOTALL
)
_SET = 0x80  # bit 8 of ALCD
_MEANINGS = {
    (1, 1): "are you there",
    (1, 2): "on line data",
    (1, 3): "selected equipment status request",
    (1, 4): "selected equipment status data",
    (1, 11): "status variable namelist request",
    (1, 13): "establish communications request",
    (1, 14): "establish communications acknowledge",
    (1, 15): "request off-line",
    (1, 17): "request on-line",
    (2, 13): "equipment constant request",
    (2, 15): "new equipment constant send",
    (2, 17): "date and time request",
    (2, 31): "date and time set",
    (2, 33): "define report",
    (2, 35): "link event report",
    (2, 37): "enable or disable event report",
    (2, 41): "host command send",
    (2, 42): "host command acknowledge",
    (5, 1): "alarm report",
    (5, 2): "alarm report acknowledge",
    (5, 3): "enable or disable alarm",
    (5, 5): "list alarms request",
    (6, 1): "trace data send",
    (6, 11): "event report",
    (6, 12): "event report acknowledge",
    (7, 1): "process program load inquire",
    (7, 3): "process program send",
    (7, 5): "process program request",
    (7, 19): "current process program directory request",
    (9, 1): "unrecognised device ID",
    (9, 7): "illegal data",
    (9, 9): "transaction timer timeout",
    (10, 1): "terminal request",
    (10, 3): "terminal display",
    (14, 1): "get attributes request",
    (16, 11): "process job create",
}


@dataclass
class _Message:
    start: int
    lines: list[str]


@dataclass(frozen=True)
class SmlParser:
    """Reads SML logs; every message is a block, and a row of the table of messages."""

    media_types: tuple[str, ...] = ("application/x-secs-sml",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        rows: list[list[object]] = [["time", "direction", "message", "meaning", "values"]]
        for message in _messages(draft, text_of(path, draft).split("\n")):
            rows.append(_write(draft, message))
        made = rows_of_text("messages", rows, header=1, location=Location(rows=(0, max(0, len(rows) - 2))))
        if made is not None and len(rows) > 1:
            draft.table(made.table, f"{' | '.join(map(str, rows[0]))}")
        if alarms := _alarms(rows[1:]):
            named: list[object] = ["time", "alarm", "alarm id", "cleared"]
            draft.rows("alarms", [named, *alarms], location=Location(rows=(0, len(alarms) - 1)), header=1)
        return draft.parsed()


def _alarms(messages: Sequence[Sequence[object]]) -> list[list[object]]:
    """Return the alarms that alarm reports (S5F1: ALCD, ALID, ALTX) set, each with when it was cleared.

    Bit 8 of ALCD says set, without it cleared (SEMI E5). An alarm that was cleared and not set here stands
    without the time it was set.
    """
    found: list[list[object]] = []
    uncleared: dict[str, list[object]] = {}  # by id: those not cleared yet
    for time, _, message, _, values in messages:
        match = _ALARM.fullmatch(str(values or ""))
        if message != "S5F1" or match is None:
            continue
        number, text = match["id"], (match["text"] or "").strip() or f"alarm {match['id']}"
        if int(match["code"], 0) & _SET:
            uncleared[number] = [time, text, number, None]
            found.append(uncleared[number])
        elif (row := uncleared.pop(number, None)) is not None:
            row[3] = time
        else:
            found.append([None, text, number, time])
    return found


def _messages(draft: Draft, lines: list[str]) -> Iterator[_Message]:
    """Cut the log at the message names; a time on the line before belongs to the message."""
    current: _Message | None = None
    for number, line in enumerate(lines):
        if _HEAD.search(line) and not line.lstrip().startswith("<"):
            if current is not None:
                yield current
            lead = current.lines.pop() if current is not None and _lone_time(current.lines) else ""
            current = _Message(number, [f"{lead} {line}".strip() if lead else line])
        elif current is not None:
            current.lines.append(line)
        elif line.strip():
            draft.paragraph(line, Location(lines=(number, number)))
    if current is not None:
        yield current


def _lone_time(lines: list[str]) -> bool:
    return len(lines) > 1 and bool(_TIME.match(lines[-1].strip())) and "<" not in lines[-1]


def _write(draft: Draft, message: _Message) -> list[object]:
    head = message.lines[0]
    match = _HEAD.search(head)
    stream, function = (int(match["stream"]), int(match["function"])) if match else (0, 0)
    meaning = _MEANINGS.get((stream, function), "reply" if function % 2 == 0 else "")
    time = _TIME.search(head)
    direction = "sent" if _SENT.search(head) else "received" if _RECEIVED.search(head) else ""
    values = _values("\n".join(message.lines[1:]) or head)
    text = "\n".join(line.rstrip() for line in message.lines if line.strip() not in ("", "."))
    label = f"S{stream}F{function}" + (f" ({meaning})" if meaning else "")
    place = Location(lines=(message.start, message.start + len(message.lines) - 1))
    draft.paragraph(f"{label}\n{text}", place)
    return [
        time[0] if time else None,
        direction or None,
        f"S{stream}F{function}",
        meaning or None,
        ", ".join(values) or None,
    ]


def _values(text: str) -> list[str]:
    found = []
    for match in _VALUE.finditer(text):
        value = match["value"].strip().strip("\"'").rstrip(".").strip()
        if match["type"] != "L" and value:
            found.append(value)
    return found
