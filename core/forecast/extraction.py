"""Reads values and events for a forecast from prose by a task, and keeps only what stands there literally."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Chunk, DatedEvent, Evidence, Passage, Row
from core.forecast.request import ForecastRequest
from core.i18n.messages import mark
from core.knowledge.base import KnowledgeBase
from core.ports import LLM
from core.tasks import EventDraft, ExtractSeries, SeriesExtracted, ValueDraft
from core.text.codes import THING_CODE
from core.text.dated_changes import find_changes
from core.text.dated_values import is_no_level
from core.text.glossary import query_terms
from core.text.periods import find_periods, frequency_of, year_named
from core.text.quantities import find_quantities, normal_unit
from core.text.tokens import single_spaced

MAX_PIECES = 16  # pieces a task reads
MIN_PERIODS = 3  # different periods the pieces must name before a model is asked for values

NO_WORDS = mark("{value}: its words do not stand in the passage it cites")
NO_DATE = mark("{value}: its date does not stand there")
NO_VALUE = mark("{value}: its value does not stand there")
NO_UNIT = mark("{value}: its unit does not stand there")
NOT_ASKED = mark("{value}: it is not about what is asked")


@dataclass(frozen=True)
class Extraction:
    """The extracted `rows` and `events`, literal in their chunks; `dropped` lists what was not."""

    rows: tuple[Row, ...] = ()
    events: tuple[DatedEvent, ...] = ()
    dropped: tuple[str, ...] = ()

    def joined(self, other: "Extraction") -> "Extraction":
        """Return both; what `other` read of the same words again replaces what was read before."""
        values = {row.key(): row for row in (*self.rows, *other.rows)}
        events = {(event.chunk_id, event.period): event for event in (*self.events, *other.events)}
        dropped = dict.fromkeys((*self.dropped, *other.dropped))
        return Extraction(tuple(values.values()), tuple(events.values()), tuple(dropped))


NO_EXTRACTION = Extraction()


@dataclass(frozen=True)
class Extractor:
    """Asks the task of the prose of the evidence: its passages, and dated changes its documents state."""

    knowledge: KnowledgeBase

    def extract(
        self, llm: LLM, wanted: ForecastRequest, evidence: Sequence[Passage], language: str
    ) -> Extraction:
        """Return what one call reads; nothing is asked without prose. Raises LLMError."""
        pieces = self._pieces(wanted, evidence)
        if not pieces:
            return NO_EXTRACTION
        task = ExtractSeries(
            question=wanted.question, evidence=tuple(piece for piece, _ in pieces), language=language
        )
        return checked(llm.run(task, SeriesExtracted), pieces, wanted)

    def promising(self, wanted: ForecastRequest, evidence: Sequence[Passage]) -> bool:
        """Say whether the prose names enough dates to hold a series."""
        texts = [piece.text for piece, _ in self._pieces(wanted, evidence)]
        return len({dated.period for text in texts for dated in find_periods(text)}) >= MIN_PERIODS

    def _pieces(
        self, wanted: ForecastRequest, evidence: Sequence[Passage]
    ) -> tuple[tuple[Evidence, Chunk], ...]:
        by_document = {p.chunk.document_id: p for p in evidence}
        found = {p.chunk.id: p.chunk for p in evidence if p.chunk.table_id is None}
        for document, passage in by_document.items():
            chunks = [c for c in self.knowledge.chunks(document_id=document) if c.table_id is None]
            around = " ".join(
                (passage.document_title, *(" ".join((*c.heading_path, c.text)) for c in chunks))
            )
            for chunk in chunks:
                changes = find_changes(chunk.text, year_named(passage.document_title) or passage.date[:4])
                if any(concerns(change.text, around, wanted) for change in changes):
                    found.setdefault(chunk.id, chunk)
        return tuple(
            (
                Evidence(
                    n=n,
                    text=chunk.text,
                    source=by_document[chunk.document_id].document_title,
                    date=by_document[chunk.document_id].date,
                    document=chunk.document_id,
                    heading=chunk.heading_path,
                ),
                chunk,
            )
            for n, chunk in enumerate(list(found.values())[:MAX_PIECES], 1)
        )


def concerns(text: str, around: str, wanted: ForecastRequest) -> bool:
    """Say whether a statement is about what the question asks: its code, or its document's and no rival's.

    A code of the same family ("ETCH-05" where "ETCH-03" is asked) names another thing. Without a code in the
    question a word of it must be in the statement or around it.
    """
    if not wanted.codes:
        return bool(wanted.words & query_terms(f"{text} {around}"))
    own, others = _codes(text), _codes(around)
    return bool(own & wanted.codes) or (wanted.codes <= others and not _rivals(own, wanted))


def _codes(text: str) -> set[str]:
    return {code.upper() for code in THING_CODE.findall(text)}


def _rivals(codes: set[str], wanted: ForecastRequest) -> set[str]:
    """Return the codes of the families that the question asks about, unless one it asks about is there."""
    families = {_family(code) for code in wanted.codes}
    return set() if codes & wanted.codes else {code for code in codes if _family(code) in families}


def _family(code: str) -> str:
    return code.rstrip("0123456789")


# -- the check ---------------------------------------------------------------------------------


def checked(
    reply: SeriesExtracted, pieces: Sequence[tuple[Evidence, Chunk]], wanted: ForecastRequest
) -> Extraction:
    """Return the drafts whose words, date, value and unit are in the piece cited, and what was dropped."""
    by_number = {piece.n: (piece, chunk) for piece, chunk in pieces}
    around: dict[str, str] = {}
    for piece, chunk in pieces:
        text = " ".join((around.get(chunk.document_id, ""), piece.source, *piece.heading, piece.text))
        around[chunk.document_id] = text
    rows: list[Row] = []
    events: list[DatedEvent] = []
    dropped: list[str] = []
    drafts: tuple[ValueDraft | EventDraft, ...] = (*reply.values, *reply.events)
    for draft in drafts:
        cited = by_number.get(draft.citation)
        if cited is None or not _is_quoted(draft.quote, cited[0]):
            dropped.append(NO_WORDS.format(value=_label_of(draft)))
            continue
        piece, chunk = cited
        made = _event(draft, piece) if isinstance(draft, EventDraft) else _row(draft, piece, wanted)
        if isinstance(made, str):
            dropped.append(made.format(value=_label_of(draft)))
        elif isinstance(made, Row):
            rows.append(made.model_copy(update={"chunk_id": chunk.id}))
        elif concerns(made.text, around[chunk.document_id], wanted):
            events.append(made.model_copy(update={"chunk_id": chunk.id}))
    return Extraction(tuple(rows), tuple(events), tuple(dict.fromkeys(dropped)))


def _is_quoted(quote: str, piece: Evidence) -> bool:
    return bool(single_spaced(quote)) and single_spaced(quote) in single_spaced(piece.text)


def _label_of(draft: ValueDraft | EventDraft) -> str:
    if isinstance(draft, ValueDraft):
        return " ".join(filter(None, (draft.when, draft.amount, draft.unit)))
    return draft.when


def _dated(when: str, quote: str, piece: Evidence) -> str:
    """Return the period written there, "" if it is not in the words, the heading or the title."""
    around = " ".join((piece.source, *piece.heading))
    written = single_spaced(when)
    if not written or not any(written in single_spaced(text) for text in (quote, piece.text, around)):
        return ""
    year = year_named(piece.text[: piece.text.find(written)])  # "in April 2025 ..., in May ..."
    found = find_periods(written, year or year_named(around) or piece.date[:4])
    return found[0].period if len(found) == 1 else ""


def _event(draft: EventDraft, piece: Evidence) -> DatedEvent | str:
    period = _dated(draft.when, draft.quote, piece)
    if not period or frequency_of(period) == "yearly":
        return NO_DATE
    return DatedEvent(period=period, text=single_spaced(draft.quote), kind=single_spaced(draft.kind))


def _row(draft: ValueDraft, piece: Evidence, wanted: ForecastRequest) -> Row | str:
    period, quote = _dated(draft.when, draft.quote, piece), single_spaced(draft.quote)
    if not period:
        return NO_DATE
    read = _amount(draft, quote)
    if read is None:
        return NO_VALUE
    value, unit = read
    draft_unit = normal_unit(draft.unit) if draft.unit else ""
    if draft_unit and draft_unit != unit and single_spaced(draft.unit) not in single_spaced(piece.text):
        return NO_UNIT
    around = " ".join((draft.of, draft.what, quote, piece.source, *piece.heading))
    named = query_terms(f"{draft.what} {piece.text} {around}") & wanted.words
    of_rival = _rivals(_codes(draft.of) or _codes(quote), wanted)
    if not named or of_rival or not wanted.codes <= _codes(f"{around} {piece.text}"):
        return NOT_ASKED
    return Row(
        entity=draft.of, attribute=draft.what, period=period, value=value, unit=unit or draft_unit, text=quote
    )


def _amount(draft: ValueDraft, quote: str) -> tuple[float, str] | None:
    """Return value and unit of the number as the quote has it; digits of a longer number, of a date or of a
    change are none."""
    masked = quote
    for dated in find_periods(quote):
        masked = masked[: dated.start] + "□" * (dated.end - dated.start) + masked[dated.end :]
    whole = (
        re.compile(rf"(?<![\d.,]){re.escape(single_spaced(draft.amount))}(?!\d|[.,]\d)")
        if draft.amount
        else None
    )
    for match in whole.finditer(masked) if whole else ():
        for quantity in find_quantities(masked):
            if quantity.start <= match.start() < quantity.end and not is_no_level(masked[: quantity.start]):
                return quantity.value, quantity.unit
    return None
