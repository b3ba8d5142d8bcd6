"""The rule for Review: does a cited piece state the claim, and does the claim answer what it stands for?

A claim is stated where one sentence or one row holds its figures and most of its words: a figure from another
row, column or year has its words elsewhere. What is neither plainly stated nor plainly not is left open
(`sure` is False) for a model, where there is one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Evidence, Support
from core.llm.builtin.answer.evidence_units import Unit, units
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.polarity import LEAD
from core.llm.builtin.answer.quoting import unnumbered
from core.llm.builtin.answer.scorer import Scorer
from core.llm.builtin.answer.word_matching import (
    TRANSLATION_LIKENESS,
    Word,
    best_likeness,
    keys_of,
    likeness,
    matches_any,
    words_of,
)
from core.tasks import ClaimVerdict, Review, Reviewed
from core.text.thing_questions import theme_of
from core.text.tokens import is_cjk

# Share of a claim's words one sentence or row must hold, with what stands above it
MIN_SUPPORTED_SHARE = 0.75
SAME_SUBJECT_SHARE = 0.6  # from here on a piece mentions the same, and another figure contradicts
MAX_ABSENT_SHARE = 0.25  # below, no piece mentions the claim
TO_THE_POINT = 0.34  # share of the question's words that the claim or what is above its source says
_CLAUSE = re.compile(r"[;；,，]\s*|\bbut\b|\binstead\b|而是")
_MARK = re.compile(r"\*\*|\[\d+(?:\s*,\s*\d+)*\]")
_STATES_ABSENCE = re.compile(
    r"\b(?:nothing|not say|no (?:information|mention|evidence)|does not (?:say|hold|mention))\b|没有|未提",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _UnitMatch:
    """How well a piece says a claim: the share of its words, and of its figures."""

    unit: Unit
    words: float
    figures: bool
    negates: bool


def review(task: Review, scorer: Scorer) -> Reviewed:
    """Return a verdict a claim, and the parts no supported claim answers."""
    by_number = {piece.n: piece for piece in task.evidence}
    verdicts = []
    for claim in task.claims:
        cited = [by_number[n] for n in claim.citations if n in by_number]
        support, why, sure = _judged(claim.text, cited, task, scorer)
        verdicts.append(ClaimVerdict(index=claim.index, support=support, reason=why, sure=sure))
    open_parts = tuple(part.question for part in task.parts if not part.answer)
    return Reviewed(claims=tuple(verdicts), left_open=open_parts)


def _judged(claim: str, cited: Sequence[Evidence], task: Review, scorer: Scorer) -> tuple[Support, str, bool]:
    """Return how the cited pieces support a claim, why, and whether that is sure."""
    text = LEAD.sub("", _MARK.sub("", claim))
    if not cited:
        nothing = _STATES_ABSENCE.search(text) is not None
        return (Support.SUPPORTED, "", True) if nothing else (Support.MISSING, "cites nothing", True)
    best = _best(text, cited, scorer)
    if best is None or best.words < MAX_ABSENT_SHARE:
        other = any(is_cjk(piece.text) != is_cjk(text) for piece in cited)  # words cannot tell
        return Support.MISSING, "no cited piece speaks of it", not other
    if best.negates and best.figures and _denies_and_states(text):
        return Support.MISSING, "denies one thing and states another", False
    if not best.figures and _is_in_other_pieces(text, best.unit.evidence, cited):
        return Support.MISSING, "its figures stand in several pieces", False
    if best.words >= SAME_SUBJECT_SHARE and (not best.figures or best.negates):
        why = "the cited piece says the opposite" if best.figures else "the cited piece has another figure"
        return Support.CONTRADICTED, why, best.words >= MIN_SUPPORTED_SHARE
    if best.figures and best.words >= MIN_SUPPORTED_SHARE:
        if _answers(text, best.unit, task):
            return Support.SUPPORTED, "", True
        # by its words, which may be others than the question's
        return Support.MISSING, "stated, but not what was asked", False
    return Support.MISSING, "only partly stated", False


def _best(text: str, cited: Sequence[Evidence], scorer: Scorer) -> _UnitMatch | None:
    """Return the piece that says most of the claim, the shortest of those that say as much: a longer one may
    deny something else. One with all its figures goes before."""
    flat_texts = [
        (piece, _flat(f"{_named(piece)} {' '.join(piece.heading)} {text}"))
        for piece in cited
        for text in (piece.text, _MARK.sub("", piece.text), _MARK.sub("", unnumbered(piece.text)))
    ]
    parts = [_flat(part) for part in text.split(" · ")]  # what a document is called, what its headings are
    if all(any(part in each for _, each in flat_texts) for part in parts):
        piece = next(piece for piece, each in flat_texts if parts[0] in each)
        return _UnitMatch(Unit(piece, "sentence", text, 0, 0), 1.0, True, False)
    words = words_of(text)
    if not words:
        return None
    pieces = units(cited)
    scorer.meaning.prepare([w.key for w in words] + [w.key for unit in pieces for w in unit.words])
    matches = [_match(words, text, unit, scorer) for unit in pieces]
    return max(
        matches,
        key=lambda one: (
            one.figures and one.words >= SAME_SUBJECT_SHARE,
            round(one.words, 3),
            -len(one.unit.text),
        ),
        default=None,
    )


def _match(words: Sequence[Word], text: str, unit: Unit, scorer: Scorer) -> _UnitMatch:
    own = unit.word_keys
    above = unit.heading_keys | keys_of(f"{unit.evidence.source} {unit.evidence.table}")
    share = figures = 0.0
    counted = 0
    for word in words:
        best = best_likeness(word.key, own)
        if word.figure:
            counted += 1
            stated = matches_any(word.key, own | above)
            figures += stated
            share += stated
            continue
        best = max(best, 0.9 * best_likeness(word.key, above))
        if best < 0.8:
            best = max([best, *(scorer.meaning.near(word.key, key) for key in own)])
        share += best
    negates = _negative(text) != _negative(_claimed_text(unit, text))
    return _UnitMatch(unit, share / len(words), figures == counted, negates)


def _claimed_text(unit: Unit, text: str) -> str:
    """Return what a claim tells of a piece: of a row the cells it says, for another may deny something else
    ("limit without approval")."""
    folded = text.casefold()
    cells = [f"{name} {value}" for name, value in unit.cells if value and value.casefold() in folded]
    return "; ".join(cells) if unit.kind == "row" and cells else unit.text


def _is_in_other_pieces(text: str, best: Evidence, cited: Sequence[Evidence]) -> bool:
    """Say whether the figures of a claim that the piece does not hold stand in another one it cites."""

    figures = (word.key for word in words_of(text) if word.figure)
    lacking = [figure for figure in figures if not matches_any(figure, keys_of(best.text))]
    return bool(lacking) and all(
        any(matches_any(one, keys_of(each.text)) for each in cited) for one in lacking
    )


def _negative(text: str) -> bool:
    return (
        re.search(r"\b(?:not|no(?!\.?\s*\d)|never|without|cannot|neither)\b|n't\b|不|没有|未", text.lower())
        is not None
    )


def _denies_and_states(text: str) -> bool:
    """Say whether a claim denies in one clause and states in another, as one on a false premise does."""
    clauses = [clause for clause in _CLAUSE.split(text) if len(clause.strip()) > 1]
    denied = sum(_negative(clause) for clause in clauses)
    return 0 < denied < len(clauses)


def _answers(text: str, unit: Unit, task: Review) -> bool:
    """Say whether the claim, with what stands above its source, mentions the question or a part."""
    sums_up = read(task.question).kind == "summary" or theme_of(task.question)
    if unit.evidence.kind == "result" or sums_up:
        return True  # a query was written for the question; a summary need not repeat its words
    claim_keys = {word.key for word in (*words_of(text), *unit.heading_words, *unit.passage_words)}
    for question in (task.question, *(part.question for part in task.parts)):
        asked = read(question).words
        share = sum(
            any(likeness(word.key, key) >= TRANSLATION_LIKENESS for key in claim_keys) for word in asked
        )
        if not asked or share / len(asked) >= TO_THE_POINT:
            return True
    return False


def _named(piece: Evidence) -> str:
    """Return what a piece's document is called, its title, file and date, and what its table is."""
    columns = " ".join(column.name for column in piece.columns)
    return f"{piece.source} {piece.name} {piece.date} {piece.table} {columns}"


def _flat(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
