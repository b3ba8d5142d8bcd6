"""The rule for ExtractSeries: sentences that hold a value with its date, and statements of dated changes."""

from core.domain import Evidence
from core.tasks import EventDraft, ExtractSeries, SeriesExtracted, ValueDraft
from core.text.dated_changes import find_changes
from core.text.dated_values import read_values
from core.text.glossary import query_terms
from core.text.periods import year_named


def extract_series(task: ExtractSeries) -> SeriesExtracted:
    """Return the values whose quantity the question names, and every dated change the pieces state."""
    asked = query_terms(task.question)
    values: list[ValueDraft] = []
    events: list[EventDraft] = []
    for piece in task.evidence:
        year = year_named(" ".join((piece.source, *piece.heading))) or piece.date[:4]
        values += _values(piece, year, asked)
        events += [
            EventDraft(when=found.when, quote=found.text, citation=piece.n)
            for found in find_changes(piece.text, year)
        ]
    return SeriesExtracted(values=tuple(values), events=tuple(events))


def _values(piece: Evidence, year: str, asked: frozenset[str]) -> list[ValueDraft]:
    lead = piece.heading[-1] if piece.heading else piece.source
    return [
        ValueDraft(
            what=read.attribute,
            of=read.entity,
            when=read.when,
            amount=read.amount,
            unit="",  # is in the amount
            quote=read.text,
            citation=piece.n,
        )
        for read in read_values(piece.text, year, lead)
        if read.amount and query_terms(read.attribute) & asked
    ]
