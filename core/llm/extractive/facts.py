"""Reads facts off set phrases: who directed it, when she was born, whose son he was, where it lies."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.nations import PATTERN as NATION
from core.llm.extractive.nations import is_people
from core.llm.extractive.phrases import (
    ASKS,
    DEED_ASKED,
    DEEDS,
    FEMALE,
    LIFE,
    PLACE_AFTER,
    ROLE_ASKED,
    ROLES,
    SAME_ROLE,
    STATES,
)
from core.llm.extractive.questions import read
from core.llm.extractive.reading import Line
from core.llm.extractive.spans import DATE
from core.tasks import Evidence
from core.text.proper_names import Named, names_in
from core.text.tokens import content_words, words


class Fact(NamedTuple):
    """What a sentence says in answer, how surely (0 to 1), and in which evidence."""

    answer: str
    surety: float
    n: int


Reader = Callable[[str, str], str]


def facts(question: str, lines: Sequence[Line], evidence: Sequence[Evidence]) -> list[Fact]:
    """Return what set phrases of the evidence say in answer, surest first."""
    reader = _reader(question)
    subjects = [frozenset(content_words(re.sub(r"\([^()]*\)", "", name))) for name in read(question).names]
    subjects = [subject for subject in subjects if subject]
    if reader is None or not subjects:
        return []
    sources = {
        piece.n: frozenset(content_words(re.sub(r"\([^()]*\)", "", piece.source))) for piece in evidence
    }
    found = []
    for line in lines[:40]:
        about = max(_about(subject, line.text, sources[line.n]) for subject in subjects)
        if about < 0.5:
            continue
        said = reader(line.text, question)
        if said and not set(content_words(said)) <= set().union(*subjects):
            found.append(Fact(said, about - 0.02 * line.at, line.n))
    return sorted(found, key=lambda fact: -fact.surety)


def _about(subject: frozenset[str], text: str, source: frozenset[str]) -> float:
    """Say how surely a sentence is about the subject: its source is named so, or it says the name."""
    shared = len(subject & source)
    titled = shared / len(subject | source) if source else 0.0
    if shared and (subject <= source or source <= subject):
        titled = max(titled, 0.8)
    said = 0.6 * len(subject & frozenset(content_words(text))) / len(subject)
    return max(titled, said)


def _reader(question: str) -> Reader | None:
    """Return the function that reads the asked fact from a sentence, None where no set phrase fits."""
    frame = read(question).frame.lower()
    for key, pattern in ASKS:
        if pattern.search(frame):
            return _READERS[key]
    role = None
    asked = ROLE_ASKED.search(frame)
    verb = DEED_ASKED.match(frame)
    if asked is not None and re.search(r"\b(?:who|what|whose|which|name)\b", frame):
        role = SAME_ROLE.get(asked.group(1), asked.group(1))
    elif verb is not None:
        role = DEEDS[verb.group(1)]
    if role is None or role not in ROLES:
        return None
    return _by_role(role)


def saying_role(question: str, lines: Sequence[Line]) -> list[Line]:
    """Return only the sentences that say the role or deed a question asks for, all where it asks for none."""
    frame = read(question).frame.lower()
    asked, verb = ROLE_ASKED.search(frame), DEED_ASKED.match(frame)
    word = asked.group(1) if asked else verb.group(1) if verb else ""
    if not word:
        return list(lines)
    stems = frozenset(words(word))
    kin = stems.union(*(synonyms(stem) for stem in stems))
    return [line for line in lines if not kin.isdisjoint(words(line.text))]


def _by_role(role: str) -> Reader:
    pattern = re.compile(rf"\b(?:{ROLES[role]})", re.IGNORECASE)
    before = re.compile(
        rf"^[,\s]*(?:who |also |has |had )?(?:{'|'.join(v for v, r in DEEDS.items() if r == role) or '-'})\b"
    )

    def read_role(text: str, question: str) -> str:
        names = [named for named in names_in(text) if not is_people(named.name)]
        for match in pattern.finditer(text):
            for named in _after(names, text, match.end()):
                if role == "father" and FEMALE.match(named.name):
                    continue
                return _title(named, text)
        for named in names:
            if before.match(text[named.end : named.end + 30]) and named.name not in question:
                return _title(named, text)
        return ""

    return read_role


def _after(names: list[Named], text: str, at: int) -> list[Named]:
    """Return the names that follow a phrase closely, in the same breath."""
    return [
        named
        for named in names
        if at <= named.start <= at + 60
        and not re.search(r"[.;](?:\s|$)|\b(?:was|were|which|that)\b", text[at : named.start])
    ]


def _title(named: Named, text: str) -> str:
    """Return a name with the rank that belongs to it: "Ernest, Duke of Bavaria", "Albert III"."""
    rank = re.match(
        r",? (?:\d\w+ )?(?:Duke|Earl|Count|Baron|King|Prince|Marquess|Viscount|Margrave|Duchess|"
        r"Countess|Elector|Landgrave|Queen|Lord) of [A-Z]\w+(?:-[A-Z]\w+)*",
        text[named.end :],
    )
    return named.name + (rank.group() if rank else "")


def _life(text: str) -> str:
    """Return what the first brackets say of a life: "born 3 May 1950, Oslo", "1901 – 3 May 1959"."""
    match = LIFE.search(text[:260])
    inside = match.group(1) if match else ""
    return inside if re.search(r"\d{3}", inside) else ""


def _dates(text: str) -> tuple[str, str]:
    inside = _life(text)
    parts = re.split(r"\s?[–—]\s?|\s-\s?|\s?-\s(?=\w)", inside)
    first = DATE.search(parts[0]) if not re.match(r"\s*(?:died|d\.)", parts[0]) else None
    last = DATE.search(parts[-1]) if len(parts) > 1 or re.match(r"\s*(?:died|d\.)", inside) else None
    return first.group() if first else "", last.group() if last else ""


def _born_on(text: str, _question: str) -> str:
    said = re.search(r"\bborn\b[^.;)]{0,40}", text)
    date = DATE.search(said.group()) if said else None
    return date.group() if date else _dates(text)[0]


def _died_on(text: str, _question: str) -> str:
    last = _dates(text)[1]
    if last:
        return last
    said = re.search(r"\b(?:died|death|killed|passed away|assassinated|executed)\b[^.;]{0,70}", text)
    date = DATE.search(said.group()) if said else None
    return date.group() if date else ""


def _lifespan(text: str, question: str) -> str:
    first, last = _born_on(text, question), _died_on(text, question)
    return f"{first} to {last}" if first and last else ""


def _place(key: str) -> Reader:
    def read_place(text: str, _question: str) -> str:
        names = [
            named for named in names_in(text) if not is_people(named.name) and not DATE.fullmatch(named.name)
        ]
        for match in PLACE_AFTER[key].finditer(text):
            for named in names:
                if match.end() <= named.start <= match.end() + 12:
                    state = STATES.match(text[named.end :])
                    return named.name + (state.group() if state else "")
        inside = _life(text)
        if inside and key in {"born in", "died in"}:
            half = re.split(r"\s?[–—]\s?|\s-\s", inside)
            part = half[0] if key == "born in" else (half[-1] if len(half) > 1 else "")
            after = re.search(r"\d{3,4}\)?,? (?:in )?([A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*)", part)
            if after and not re.match(r"^(?:AD|BC|CE)$", after.group(1)):
                return after.group(1)
        return ""

    return read_place


def _nation(text: str, _question: str) -> str:
    said = re.search(r"\b(?:is|was|are|were)\b.{0,80}", text)
    match = NATION.search(said.group()) if said else None
    match = match or NATION.search(text)
    return match.group() if match else ""


def _country(text: str, _question: str) -> str:
    named = [match.group() for match in NATION.finditer(text) if not is_people(match.group())]
    return named[-1] if named else _nation(text, "")


def _released(text: str, _question: str) -> str:
    said = re.search(
        r"\b(?:released|published|founded|established|opened|built|formed|created|premiered|"
        r"aired|launched|started|began)\b[^.;]{0,80}",
        text,
    )
    date = DATE.search(said.group()) if said else None
    first = DATE.search(text) if date is None else date
    return first.group() if first else ""


def _seated(text: str, question: str) -> str:
    """Return where something lies that is said to in passing: "Nordvak Ceramics, Trondheim, makes ..."."""
    for name in read(question).names:
        said = re.search(rf"{re.escape(name)}, ((?:[A-Z][\w’'-]+ ?){{1,3}}), [a-z]+s\b", text)
        if said:
            return said.group(1).strip()
    return ""


_READERS: dict[str, Reader] = {
    "lies in": _seated,
    "born on": _born_on,
    "died on": _died_on,
    "lifespan": _lifespan,
    "born in": _place("born in"),
    "died in": _place("died in"),
    "buried in": _place("buried in"),
    "studied at": _place("studied at"),
    "employer": _by_role("employer"),
    "nation": _nation,
    "country": _country,
    "released on": _released,
}
