"""How an answer is quoted: a sentence, a row or a whole section, the value marked, the source cited."""

import re
from collections.abc import Sequence

from core.domain import Evidence, Sentence
from core.llm.builtin.answer.clause_values import in_best_clause, sentence_at
from core.llm.builtin.answer.evidence_units import Unit, closed
from core.llm.builtin.answer.lists import (
    MAX_SECTION_CHARACTERS,
    asks_list,
    is_announced,
    list_after_colon,
    list_around,
    names_several,
)
from core.llm.builtin.answer.parsed_question import KINDS_ANSWERED_BY_SECTION, ParsedQuestion
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.values import (
    answer_columns,
    fields_of,
    named_by,
    span_in,
    value_of,
)
from core.llm.builtin.answer.word_matching import keys_of, matches_any, words_of
from core.text.list_items import ITEM, is_list
from core.text.prompt_injection import ORDERS
from core.text.sentences import sentence_spans

CONTEXT_CHARACTERS = 600  # characters that are quoted of a passage that holds the answer
MIN_SPAN_CHANCE = 0.5  # chance from which the place where an answer was read is its value
SHORT_LINE_CHARACTERS = 40  # a shorter line that is no sentence is quoted with its paragraph
SHORT_SECTION_CHARACTERS = 300  # ... where this is no longer
_WHO_IS = re.compile(r"^[Ww]ho(?:['’]s| is| was) (?P<name>(?:[A-Z][\w.'’-]* ?)+)\?*$")
_MARKER = re.compile(r"^\s*(\*\*)?[-*•·▪‣–—]\s+")
_NUMBERED = re.compile(r"^\s*(\*\*)?\d{1,2}[.)]\s+(?=\D)")
_NEXT_FIELD = re.compile(r"\n(?=[^:：\n.]{2,60}[:：]\s+\S)")
_MARK = re.compile(r"\*\*")
MAX_SHOWN_CHARACTERS = 500  # of a passage among the closest


def answer_sentences(parsed: ParsedQuestion, scored: Scored) -> tuple[Sentence, ...]:
    """Return the sentences that tell a piece as the answer."""
    unit = scored.unit
    if unit.kind == "row":
        return row_quote(parsed, unit)
    whole = asks_list(parsed) and not names_several(parsed, scored)
    listing = list_around(unit) if whole else list_after_colon(unit)
    if listing.items:  # of a list its first item alone would be half an answer
        lines = ((unit.evidence.n, quoted(listing.lead, unit.evidence.n).text), *listing.items)
        return tuple(Sentence(text=line, citations=(n,)) for n, line in lines if line)
    if (
        parsed.kind in KINDS_ANSWERED_BY_SECTION
        and is_list(unit.evidence.text)
        and not is_announced(parsed, unit)
    ):
        return section_quote(unit.evidence)
    if parsed.kind in KINDS_ANSWERED_BY_SECTION:
        return (quoted(_paragraph(unit), unit.evidence.n),)
    if parsed.kind == "cause" or scored.signals["untyped"]:
        return (quoted(_with_next(parsed, unit), unit.evidence.n),)
    if len(unit.text) < SHORT_LINE_CHARACTERS and not closed(unit.text):
        return (quoted(_paragraph(unit, SHORT_SECTION_CHARACTERS), unit.evidence.n),)
    return (quoted(marked(unit.text, value_span(parsed, scored)), unit.evidence.n),)


def value_span(parsed: ParsedQuestion, scored: Scored) -> tuple[int, int] | None:
    """Return where in the piece the value stands: by the rules, else where reading it found the answer."""
    text, found = scored.unit.text, value_of(parsed, scored.unit)
    if found is None and scored.read.span is not None and scored.read.chance >= MIN_SPAN_CHANCE:
        found = _within_field(text, scored.read.span)
        if parsed.kind == "person" and any(sign.isdigit() for sign in text[slice(*found)]):
            return None  # nobody is called so
    who = _WHO_IS.match(parsed.question)
    if found and who and keys_of(who["name"]).isdisjoint(keys_of(sentence_at(text, found))):
        return None  # what a sentence says of others
    return found and in_best_clause(parsed, text, found)


def _within_field(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return as much of a span as stands before the next line with a label of its own: a value ends there."""
    following = _NEXT_FIELD.search(text, span[0])
    return span[0], min(span[1], following.start()) if following else span[1]


def passage_quote(parsed: ParsedQuestion, scored: Scored) -> tuple[Sentence, ...]:
    """Return the sentences that tell a piece with those around it, up to `CONTEXT_CHARACTERS`; the value is
    marked, where none is clear the piece itself. Rows, lists and sections are quoted as they are."""
    unit = scored.unit
    sentences = answer_sentences(parsed, scored)
    if unit.kind == "row" or len(sentences) > 1 or len(sentences[0].text) >= CONTEXT_CHARACTERS:
        return sentences
    start, end = _context_span(unit)
    text = unit.evidence.text[start:end]
    span = value_span(parsed, scored) or (0, len(unit.text))
    shift = unit.start - start
    return (quoted(marked(text, (span[0] + shift, span[1] + shift)), unit.evidence.n),)


def _context_span(unit: Unit) -> tuple[int, int]:
    """Return where the sentences around a piece begin and end: whole ones, by turns before and behind, up to
    one that gives orders to an assistant. An item of a list that is a sentence stands for itself: the items
    beside it are of other matters."""
    text = unit.evidence.text
    if _is_field_of_form(unit):
        return unit.start, unit.end
    first, past = _item_around(unit) if closed(unit.text) else (0, len(text))
    spans = [(start, end) for start, end in sentence_spans(text) if first <= start and end <= past]
    orders = [start for start, end in spans if ORDERS.search(text[start:end])]
    before = [start for start, end in spans if end <= unit.start]
    before = before[max((before.index(at) + 1 for at in orders if at in before), default=0) :]
    last = min((at for at in orders if at >= unit.end), default=len(text))
    behind = [end for start, end in spans if unit.end <= start < last]
    start, end = unit.start, unit.end
    while before or behind:
        if before:
            start, before = (
                (before[-1], before[:-1]) if end - before[-1] <= CONTEXT_CHARACTERS else (start, [])
            )
        if behind:
            end, behind = (behind[0], behind[1:]) if behind[0] - start <= CONTEXT_CHARACTERS else (end, [])
    return start, end


def _is_field_of_form(unit: Unit) -> bool:
    """Say whether a piece is one line of a form: a label with its value, another one above or below."""
    lines = unit.evidence.text.split("\n")
    at = unit.evidence.text.count("\n", 0, unit.start)
    return _is_field(unit.text) and any(map(_is_field, lines[max(0, at - 1) : at] + lines[at + 1 : at + 2]))


def _is_field(line: str) -> bool:
    """Say whether a line is one label with its value."""
    labels = [label for label, _ in fields_of(line)]
    return len(labels) == 1 and "\n" not in line and line.lstrip().startswith(labels[0])


def _item_around(unit: Unit) -> tuple[int, int]:
    """Return where the list item of a piece begins and ends, the whole passage where it is in none."""
    text = unit.evidence.text
    item: int | None = None
    at = 0
    for line in text.splitlines(keepends=True):
        if at > unit.start and (item is None or ITEM.match(line) or not line.strip()):
            break
        if ITEM.match(line):
            item = at
        elif not line.strip():
            item = None
        at += len(line)
    return (item, at) if item is not None and unit.end <= at else (0, len(text))


def beginning(text: str) -> str:
    """Return as much of a text as is shown of a passage, whole words of it."""
    cut = text[:MAX_SHOWN_CHARACTERS]
    if len(cut) == len(text) or text[len(cut)].isspace():
        return cut
    return cut.rsplit(maxsplit=1)[0] if " " in cut else cut


def unnumbered(text: str) -> str:
    """Return a text without the numbers of its items, as one of them is quoted alone."""
    return "\n".join(_NUMBERED.sub(r"\1", _MARKER.sub(r"\1", line)) for line in text.split("\n"))


def quoted(text: str, number: int) -> Sentence:
    """Return a quotation as one line with its citation, without the marks of the items that it runs together
    and without the number of a single one."""
    lines = [line for line in text.split("\n") if any(sign.isalnum() for sign in line)]  # no rules of "===="
    counted = sum(_NUMBERED.match(line) is not None for line in lines)
    bare = [_MARKER.sub(r"\1", line) for line in lines]
    if counted == 1:
        bare = [_NUMBERED.sub(r"\1", line) for line in bare]
    return Sentence(text=" ".join(" ".join(bare).split()), citations=(number,))


def marked(text: str, span: tuple[int, int] | None) -> str:
    """Return the text with the value in bold."""
    plain = _MARK.sub("", text)
    if span is None or plain != text:
        return plain
    start, end = span
    value = text[start:end]
    end -= len(value) - len(value.rstrip(" .,;"))
    start += len(value) - len(value.lstrip())
    return f"{text[:start]}**{text[start:end]}**{text[end:]}" if end > start else text


def section_quote(evidence: Evidence, most: int = MAX_SECTION_CHARACTERS) -> tuple[Sentence, ...]:
    """Return a whole passage under its heading, a sentence a line, items as items."""
    lines = [line.strip() for line in evidence.text[:most].split("\n") if any(c.isalnum() for c in line)]
    items = [line if ITEM.match(line) else f"- {line}" for line in lines]
    return tuple(Sentence(text=_MARK.sub("", item), citations=(evidence.n,)) for item in items)


def row_quote(parsed: ParsedQuestion, unit: Unit) -> tuple[Sentence, ...]:
    """Return "column of row: value", and the row as it stands with its columns."""
    columns = answer_columns(parsed, unit)
    label = named_by(parsed, unit)[1]
    whole = "; ".join(f"{name}: {value}" for name, value in unit.cells)
    sentences = [
        Sentence(
            text=f"{name} {'of ' + label if label else ''}".rstrip() + f": **{value}**",
            citations=(unit.evidence.n,),
        )
        for name, value in columns
        if value != label
    ]
    if unit.text == whole or len(unit.cells) > len(columns) + 1 or not sentences:
        sentences.append(quoted(_MARK.sub("", unit.text), unit.evidence.n))
    return tuple(sentences)


def _with_next(parsed: ParsedQuestion, unit: Unit) -> str:
    """Return the piece with the sentence behind it, which often gives the reason or the figure."""
    text = unit.evidence.text
    behind = text[unit.end : unit.end + 400].strip()
    spans = sentence_spans(behind)
    following = behind[: spans[0][1]] if spans else ""
    whole = f"{unit.text} {following}" if following else unit.text
    return marked(whole, span_in(parsed, whole)) if len(whole) < 600 else unit.text


def _paragraph(unit: Unit, most: int = MAX_SECTION_CHARACTERS) -> str:
    """Return the paragraph or list item the piece is in, or the piece where that is over `most` long."""
    text = unit.evidence.text
    start = max(text.rfind("\n\n", 0, unit.start), 0)
    end = text.find("\n\n", unit.end)
    end = len(text) if end < 0 else end
    if end - start > most:
        return unit.text
    lines = [line.strip() for line in text[start:end].split("\n") if line.strip()]
    items = [at for at, line in enumerate(lines) if ITEM.match(line)]
    if len(items) < 2:
        return " ".join(lines)
    at = next((n for n, line in enumerate(lines) if unit.text[:40].split("\n")[0] in line), 0)
    if ITEM.match(lines[at]):
        after = next((n for n in items if n > at), len(lines))
        return " ".join(lines[at:after])
    return " ".join(lines)


def emphasised(parsed: ParsedQuestion, text: str) -> str:
    """Return the text with the words of the question in it in bold."""
    plain = _MARK.sub("", text)
    spans = [(word.start, word.end) for word in words_of(plain) if matches_any(word.key, parsed.keys)]
    for start, end in reversed(_merged(spans)):
        plain = f"{plain[:start]}**{plain[start:end]}**{plain[end:]}"
    return plain


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order that do not touch."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(set(spans)):
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
