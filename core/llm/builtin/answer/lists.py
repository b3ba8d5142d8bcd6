"""Lists in a passage: their items, the line that leads to them, sentences and cells that enumerate."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.parsed_question import ParsedQuestion, sought
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.values import fields_of, requested_columns
from core.llm.builtin.answer.word_matching import SAME_WORD_LIKENESS, best_likeness, keys_of
from core.llm.builtin.understand.grammar import tagged
from core.llm.builtin.understand.tagged_words import TaggedWord
from core.text.list_items import ITEM, leading_items

MAX_SECTION_CHARACTERS = 1_200  # characters of a section that is quoted whole
MIN_ITEMS = 2
MIN_PARTS = 3  # of a sentence that enumerates
NOUN_LETTERS, BEFORE_NOUN_LETTERS = frozenset("nmN"), frozenset("bADhjsocega")  # see `tagged`
_LEADS = re.compile(r"[:：](?=\s*\n|$)")
_JOINS = re.compile(r"\s(?:and|or|et|ou|und|oder|y|e)\s|[,;，、；・和与及/|]")


@dataclass(frozen=True)
class Listing:
    """A list in a passage: the line that leads to it, and its items with the number of the piece of each."""

    lead: str = ""
    items: tuple[tuple[int, str], ...] = ()


def list_after_colon(unit: Unit) -> Listing:
    """Return the piece up to its colon, and the list that this leads to; no items where it leads to none."""
    text = unit.evidence.text
    colon = _LEADS.search(text, unit.start, unit.end + 1) if unit.kind == "sentence" else None
    if colon is None:
        return Listing()
    items = leading_items(text[colon.end() :])
    last = sum(bool(line.strip()) for line in text[colon.end() :].split("\n")) == len(items)
    return _complete_listing(unit, text[unit.start : colon.end()], items, last)


def list_around(unit: Unit) -> Listing:
    """Return the list that a piece leads to or is in, with the line before it; no items for none.

    The items follow each other line by line; a line that is indented continues the item before it. A list
    that is too long to be quoted whole is none.
    """
    if unit.kind == "row" or (led := list_after_colon(unit)).items:
        return Listing() if unit.kind == "row" else led
    text = unit.evidence.text
    items: list[tuple[int, int]] = []
    lead = before = ""
    at = 0
    for line in text.splitlines(keepends=True):
        if ITEM.match(line):
            lead = lead if items else before
            items.append((at, at + len(line)))
        elif items and line[:1].isspace() and line.strip():
            items[-1] = (items[-1][0], at + len(line))
        elif line.strip():
            if _encloses(items, unit):
                break
            items, before = [], line.strip()
        at += len(line)
    if not _encloses(items, unit):
        return Listing()
    texts = [" ".join(text[start:end].split()) for start, end in items]
    return _complete_listing(unit, lead, texts, not text[items[-1][1] :].strip())


def _complete_listing(unit: Unit, lead: str, items: Sequence[str], last: bool) -> Listing:
    """Return the list, where it is the last of its passage with the items by which others continue it."""
    all_items = tuple((unit.evidence.n, item) for item in items) + (unit.evidence.rest if last else ())
    if len(all_items) < MIN_ITEMS or sum(len(item) for _, item in all_items) > MAX_SECTION_CHARACTERS:
        return Listing()
    return Listing(lead, all_items)


def _encloses(items: Sequence[tuple[int, int]], unit: Unit) -> bool:
    return bool(items) and items[0][0] <= unit.start and unit.end <= items[-1][1]


@lru_cache(maxsize=1_000)
def asks_list(parsed: ParsedQuestion) -> bool:
    """Say whether several things are asked for: "which officers sign", "authors of the report"."""
    plural = parsed.kind == "other" and bool(sought_plural(parsed))
    return parsed.kind == "list" or parsed.many > 1 or plural


def sought_plural(parsed: ParsedQuestion) -> str:
    """Return the noun behind "which" or "what", else the first one, where it is an English plural."""
    words = tagged(parsed.question) if parsed.language == "en" else ()
    asking = next((at for at, word in enumerate(words) if word.text.lower() in ("which", "what")), -1)
    head: TaggedWord | None = None
    for word in words[asking + 1 :]:
        if word.letter in NOUN_LETTERS:
            head = word
        elif head or (asking >= 0 and word.letter not in BEFORE_NOUN_LETTERS):
            break
    return head.text if head is not None and head.tag == "NN2" else ""


def enumerates(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a piece, quoted with the list around it, names several things side by side, as many as the
    question says it asks for.

    A list of which an item says more of the question than what leads to it does not answer it; what a label
    announces ("Precautions: ...") does.
    """
    unit = scored.unit
    if is_announced(parsed, unit):
        return True
    if unit.kind == "row":
        return max((_parts(value) for value in _cells_sought(parsed, unit)), default=0) >= _min_items(parsed)
    listing = list_around(unit)
    if listing.items:
        led = _question_words_in(parsed, f"{listing.lead} {_titles_above(unit)}")
        of_item = any(_question_words_in(parsed, item) > led for _, item in listing.items)
        return parsed.many in (0, len(listing.items)) and not of_item
    return names_several(parsed, scored) or _parts(unit.text) >= max(parsed.many, MIN_PARTS)


def is_announced(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether several things are asked for, and the piece begins with a label that says the first word of
    what is sought."""
    if parsed.kind != "list" or unit.kind == "row":
        return False
    label = next((label for label, _ in fields_of(unit.text) if unit.text.startswith(label)), "")
    return (
        best_likeness(next((word.key for word in sought(parsed)), ""), keys_of(label)) >= SAME_WORD_LIKENESS
    )


def is_introduced(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether the line before the list around a piece, or the heading right over it, says what is sought;
    also where it is in no list."""
    listing = list_around(unit)
    led = keys_of(" ".join((listing.lead, *unit.evidence.heading[-1:])))
    return not listing.items or any(
        best_likeness(word.key, led) >= SAME_WORD_LIKENESS for word in sought(parsed)
    )


def names_several(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether what was read as the answer is itself an enumeration."""
    span = scored.read.span
    return span is not None and _parts(scored.unit.text[slice(*span)]) >= _min_items(parsed)


def _cells_sought(parsed: ParsedQuestion, unit: Unit) -> list[str]:
    """Return the cells of the columns asked for: those whose names say what is sought, else all."""
    columns = requested_columns(parsed, unit)
    wanted = [word.key for word in sought(parsed)]
    named = [
        value
        for name, value in columns
        if any(best_likeness(key, keys_of(name)) >= SAME_WORD_LIKENESS for key in wanted)
    ]
    return named or [value for _, value in columns]


def _question_words_in(parsed: ParsedQuestion, text: str) -> int:
    keys = keys_of(text)
    return sum(best_likeness(word.key, keys) >= SAME_WORD_LIKENESS for word in parsed.words)


def _titles_above(unit: Unit) -> str:
    return f"{unit.evidence.source} {unit.evidence.name} {' '.join(unit.evidence.heading)}"


def _min_items(parsed: ParsedQuestion) -> int:
    return max(parsed.many, MIN_ITEMS)


def _parts(text: str) -> int:
    """Return how many things a text names side by side, at most."""
    return sum(bool(part.strip()) for part in _JOINS.split(text))
