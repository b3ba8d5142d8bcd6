"""Answers one question from the evidence, or abstains: an answer, the closest passages, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.domain import Evidence, Sentence
from core.llm.builtin.answer.admission import MATCHED_LIKENESS
from core.llm.builtin.answer.answer_confidence import (
    LIKELY_PASSAGE,
    is_accepted,
    likely_passages,
    most_confident,
)
from core.llm.builtin.answer.computed_result import can_answer, result_sentences
from core.llm.builtin.answer.editions import in_force, is_of_other_edition, other_editions
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.fitted_weights import piece_weights
from core.llm.builtin.answer.lacking_words import lacking_words
from core.llm.builtin.answer.lists import MAX_SECTION_CHARACTERS
from core.llm.builtin.answer.parsed_question import (
    KINDS_ANSWERED_BY_SECTION,
    ParsedQuestion,
    names,
    read,
)
from core.llm.builtin.answer.polarity import Polarity, is_of_other, polarity, reversed_words
from core.llm.builtin.answer.question_text import points_to_passage
from core.llm.builtin.answer.quoting import (
    answer_sentences,
    beginning,
    emphasised,
    passage_quote,
    quoted,
    section_quote,
    value_span,
)
from core.llm.builtin.answer.scorer import Scored, Scorer
from core.llm.builtin.answer.stated_causes import asks_cause, causes_first, states_cause
from core.llm.builtin.answer.summary import summarised
from core.llm.builtin.answer.theme_summary import theme_summary
from core.llm.builtin.answer.values import (
    named_by,
    requested_columns,
)
from core.llm.builtin.answer.word_matching import likeness, words_of
from core.llm.builtin.answer.works_on import without_own_works
from core.text.library_questions import means_document
from core.text.list_items import is_list
from core.text.thing_questions import everything_of
from core.text.value_order import contradict

Found = Literal["answer", "conflict", "closest passages", "nothing"]
MAX_CLOSEST = 4  # passages that are shown where none answers
RESULT = "result"  # the kind of evidence that a query computed
MIN_SHARE_TO_SHOW = 0.2  # share of the question's words a passage and its document must say to be shown
MAX_SIGNAL_DIFFERENCE = 0.05  # of question coverage, up to which two pieces count as equal
FORM_CELLS = 2  # cells of a row of a form, a label and its value
MIN_NAMED_SHARE = 0.5  # share of a cell's words from which the question names its row by it
SURE_OF_YES_OR_NO = 0.75  # chance from which a sentence is quoted without deciding yes or no
COMPUTED_CONFIDENCE = 0.95  # of what a query computed, or a heading announces


@dataclass(frozen=True)
class Finding:
    """What reading came to. `sentences` tell the answer, or the closest passages; `lacking` are words of the
    question that nothing read says."""

    outcome: Found
    sentences: tuple[Sentence, ...] = ()
    confidence: float = 0.0
    lacking: tuple[str, ...] = ()
    value: str = ""
    likely: bool = False  # the first of the closest passages most likely holds the answer
    instead: tuple[str, ...] = ()  # editions found, where the question names another, which is lacking
    says: Polarity | None = None  # what the answer says to a yes-or-no question


def decide_outcome(
    question: str, evidence: Sequence[Evidence], scorer: Scorer, *, plainly: bool = False
) -> Finding:
    """Return what the evidence says to the question: a piece with what stands around it, or, where it is used
    further on, only what the piece `plainly` states."""
    parsed = read(question)
    computed = [
        piece for piece in evidence if piece.kind == RESULT and not is_of_other_edition(question, piece)
    ]
    found = [piece for piece in evidence if piece.kind != RESULT]
    evidence = in_force(question, found)
    if computed and all(can_answer(parsed, piece) for piece in computed):
        sentences, value = result_sentences(parsed, computed)
        return (
            Finding("answer", sentences, COMPUTED_CONFIDENCE, value=value)
            if sentences
            else Finding("nothing")
        )
    if of_theme := theme_summary(question, evidence, scorer):
        return Finding("answer", of_theme, COMPUTED_CONFIDENCE)
    thing = everything_of(question)
    about = evidence if not thing else [p for p in evidence if means_document(thing, p.source, p.name)]
    if (thing or parsed.kind == "summary") and (summary := summarised(parsed, about, scorer)):
        return Finding("answer", summary, COMPUTED_CONFIDENCE)
    if section := _section_headed(parsed, evidence, scorer):
        return Finding("answer", section_quote(section), COMPUTED_CONFIDENCE)
    scored = scorer.score(parsed, units(evidence))
    if not scored:
        return Finding("nothing")
    lacking, instead = other_editions(question, found)
    if thing or instead or points_to_passage(question):
        # No sentence says all that is known, none of another edition what is asked, nor what "it" is
        closest = _closest(parsed, likely_passages(parsed, scored, evidence)[:MAX_CLOSEST])
        return Finding("closest passages", closest, lacking=lacking, instead=instead)
    return _outcome_of_scored(question, parsed, scored, evidence, scorer, plainly)


def _outcome_of_scored(
    question: str,
    parsed: ParsedQuestion,
    scored: Sequence[Scored],
    evidence: Sequence[Evidence],
    scorer: Scorer,
    plainly: bool,
) -> Finding:
    """Return what the pieces that were weighed come to."""
    chance, likely = most_confident(parsed, without_own_works(question, scored, evidence), evidence)
    says = polarity(parsed, likely) if likely is not None and parsed.kind == "yesno" else None
    clear = likely is not None and not _is_ambiguous_row(parsed, likely, scored)
    quotable = likely is not None and _is_quotable(parsed, likely, chance)
    decided = says is not None or parsed.kind != "yesno" or quotable
    if likely is not None and clear and decided and is_accepted(parsed, likely, chance):
        if plainly:
            sentences = answer_sentences(parsed, likely)
            return Finding("answer", sentences, chance, value=_value(parsed, likely))
        contrary = () if says else _contrary(question, parsed, likely, scored, evidence, scorer)
        if contrary:
            return Finding("conflict", (*answer_sentences(parsed, likely), *contrary), chance)
        return Finding(
            "answer", passage_quote(parsed, likely), chance, value=_value(parsed, likely), says=says
        )
    lacking = lacking_words(scored[:MAX_CLOSEST])
    if max(one.signals["all"] for one in scored) < MIN_SHARE_TO_SHOW:
        return Finding("nothing", confidence=chance, lacking=lacking)
    passages = causes_first(parsed, likely_passages(parsed, scored, evidence), evidence)
    apt = likely is not None and (states_cause(likely) or not asks_cause(parsed))
    if plainly or likely is None or not clear or not apt or chance < LIKELY_PASSAGE:
        closest = _closest(parsed, passages[:MAX_CLOSEST])
        quoted_text = " ".join(sentence.text for sentence in closest).replace("**", "").casefold()
        lacking = tuple(word for word in lacking if word.casefold() not in quoted_text)
        return Finding("closest passages", closest, chance, lacking)
    beside = [one for one in passages if one.unit.evidence.n != likely.unit.evidence.n]
    shown = (*passage_quote(parsed, likely), *_closest(parsed, beside[: MAX_CLOSEST - 1]))
    return Finding("closest passages", shown, chance, likely=True)


def _is_quotable(parsed: ParsedQuestion, one: Scored, chance: float) -> bool:
    """Say whether a sentence is quoted that decides neither yes nor no: it, with what stands over it, says
    every word of the question, or its opposite, and its document every name."""
    named = {word.key for word in parsed.words if names(word, parsed.question)}
    opposed = reversed_words(parsed, one.unit.text)
    matched = [
        all_of[2 if key in named else 1] for key, all_of in one.word_matches.items() if key not in opposed
    ]
    return (
        min(matched, default=0.0) >= MATCHED_LIKENESS
        and chance >= SURE_OF_YES_OR_NO
        and not is_of_other(parsed, one)
    )


def _section_headed(parsed: ParsedQuestion, evidence: Sequence[Evidence], scorer: Scorer) -> Evidence | None:
    """Return the passage whose own heading is what the question asks for ("current medications of ...").

    Every word of the question that is no name must stand in the heading, every name in the document.
    """
    if parsed.kind not in ("list", "manner", "other"):
        return None
    attribute = [word for word in parsed.words if not names(word, parsed.question)]
    if not attribute:
        return None
    for piece in evidence:
        if (
            not piece.heading
            or piece.rows
            or not (parsed.kind in KINDS_ANSWERED_BY_SECTION or is_list(piece.text))
        ):
            continue
        heading = {word.key for word in words_of(piece.heading[-1])}
        whole = {word.key for word in words_of(_about(piece, evidence))}
        in_heading = all(any(likeness(word.key, key) >= 0.8 for key in heading) for word in attribute)
        named = all(
            any(likeness(word.key, key) >= 0.8 for key in whole)
            for word in parsed.words
            if word not in attribute
        )
        if in_heading and named and is_list(piece.text) and len(piece.text) <= MAX_SECTION_CHARACTERS:
            return piece
    return None


def _about(piece: Evidence, evidence: Sequence[Evidence]) -> str:
    """Return all that was found of the piece's document, with its title and name."""
    same = " ".join(other.text for other in evidence if other.document and other.document == piece.document)
    return f"{piece.source} {piece.name} {' '.join(piece.heading)} {same}"


def _contrary(
    question: str,
    parsed: ParsedQuestion,
    best: Scored,
    scored: Sequence[Scored],
    evidence: Sequence[Evidence],
    scorer: Scorer,
) -> tuple[Sentence, ...]:
    """Return what other documents answer by themselves, where it is another value of the same measure.

    They are asked only where a piece of theirs says as much of the question as the answer does.
    """
    mine = _value(parsed, best)
    near = [
        one
        for one in scored[1:6]
        if one.unit.evidence.document != best.unit.evidence.document
        and one.chance >= piece_weights().threshold
        and abs(one.signals["around"] - best.signals["around"]) < MAX_SIGNAL_DIFFERENCE
    ]
    if not any(contradict(mine, _value(parsed, one)) for one in near):
        return ()
    others = [piece for piece in evidence if piece.document != best.unit.evidence.document]
    found = decide_outcome(question, others, scorer, plainly=True)
    return found.sentences if found.outcome == "answer" and contradict(mine, found.value) else ()


def _is_ambiguous_row(parsed: ParsedQuestion, best: Scored, scored: Sequence[Scored]) -> bool:
    """Say whether another row of the same document is named by the question as well and says another value:
    of the months of a year, each with its figure, none is the figure."""
    asked = requested_columns(parsed, best.unit) if best.unit.kind == "row" else []
    if best.unit.kind == "row" and not asked and len(best.unit.cells) > FORM_CELLS:
        return any(_is_as_near(other, best) for other in scored)
    share, label = named_by(parsed, best.unit) if asked else (0.0, "")
    if share < MIN_NAMED_SHARE:
        return False
    rows = [one for one in scored if one.unit.kind == "row" and one is not best]
    return any(
        other.unit.evidence.document == best.unit.evidence.document
        and other.signals["around"] >= best.signals["around"]
        and named_by(parsed, other.unit)[1] == label
        and {name for name, _ in other.unit.cells} == {name for name, _ in best.unit.cells}
        and requested_columns(parsed, other.unit) != asked
        for other in rows
    )


def _is_as_near(other: Scored, best: Scored) -> bool:
    """Say whether another row of the same table says as much of the question: which is meant, nobody said."""
    if other.unit.kind != "row" or other.unit.cells == best.unit.cells:
        return False
    columns = [{name for name, _ in one.unit.cells} for one in (other, best)]
    same = other.unit.evidence.document == best.unit.evidence.document and columns[0] == columns[1]
    return same and other.signals["own"] >= best.signals["own"] - MAX_SIGNAL_DIFFERENCE


def _value(parsed: ParsedQuestion, scored: Scored) -> str:
    """Return the value that answers, "" where none is clear."""
    span = value_span(parsed, scored)
    return scored.unit.text[slice(*span)].strip(" .,;") if span else ""


def _closest(parsed: ParsedQuestion, pieces: Sequence[Scored]) -> tuple[Sentence, ...]:
    """Return the pieces in their order, the question's words in bold."""
    return tuple(quoted(emphasised(parsed, beginning(one.unit.text)), one.unit.evidence.n) for one in pieces)
