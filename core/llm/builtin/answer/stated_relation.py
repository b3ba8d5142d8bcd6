"""Whether a piece states what the question asks of an event: as it came about, not as it was planned, or is
done as a rule; who did it, not only that it was done; what did not happen, where that is asked; and of others
than the one they are compared with."""

import re

from core.llm.builtin.answer.asked_act import act_of_frequency, asked_verb, misses_asking_sentence
from core.llm.builtin.answer.clause_values import clause_at, sentence_at
from core.llm.builtin.answer.editions import is_of_other_edition
from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.other_things import is_of_other_thing
from core.llm.builtin.answer.parsed_question import FIGURE_KINDS, ParsedQuestion
from core.llm.builtin.answer.polarity import denies
from core.llm.builtin.answer.quoting import value_span
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.standard_of_comparison import compares_by_degree, standard_of_comparison
from core.llm.builtin.answer.stated_conditions import (
    asks_end,
    asks_kind_of_amount,
    contradicted,
    is_inside,
    is_no_end,
    is_of_each,
    is_of_now,
    lacks_frequency,
    lacks_rate,
    lacks_remainder,
    names_end,
    opposes_bound,
)
from core.llm.builtin.answer.values import named_by, requested_columns, spans_of
from core.llm.builtin.answer.word_matching import keys_of, matches_any, words_of
from core.llm.builtin.questions.opposites import poles
from core.llm.builtin.understand.grammar import tagged
from core.llm.builtin.understand.tagged_words import TaggedWord
from core.text.how_often import find_frequencies
from core.text.periods import find_dates
from core.text.tokens import is_cjk

_PLAN = r"(?:planned|promised|expected|scheduled|due|proposed|intended|estimated|forecast|budgeted|supposed)"
_PLANS = re.compile(rf"\b{_PLAN}\b|计划|预计|预定|原定|拟")
_PAST = re.compile(r"\b(?:when|what|which \w+|time|how \w+(?: \w+)?) (?:was|were|did|has|have|had)\b|了")
_PLANNED = re.compile(
    rf"\b(?:{_PLAN}|will|shall|(?:is|are|was|were) to be)\b(?:\W+\w+){{0,3}}\W*$"
    r"|(?:计划|预计|预定|原定|拟)\S{0,4}$"
)
_BOUND = re.compile(r"(?<!not )\bexceed(?:s|ed)\b(?:\W+\w+){0,4}\W*$")  # what stands behind is another figure
_LEAVES_OUT = re.compile(
    r"\b(?:except\w*|without|missing|lack\w*|absent|fail\w*|only|unless|other than|apart from|un\w{4,}|non"
    r"|ohne|außer|sans|sauf)\b|n['’]t\b|除|缺",
    re.IGNORECASE,
)
_THAN_STATE = re.compile(  # two figures of a row compared: no row says so itself
    r"\bthan (?:we|they|it|i|you|is|are|was|were|there|planned|ordered|allowed|permitted|expected|needed"
    r"|required)\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(r"\b(?:than|more|less|fewer|exceed\w*|other|only)\b|比|更|除", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|unless|in case|should|whenever)\b[^,;.:]*$", re.IGNORECASE)
_SIDES = ("course", "way", "allowed", "place", "part")  # tables of opposites
_DID = re.compile(r"\bdid\b", re.IGNORECASE)
_DOER = re.compile(r"\b(?:by|from|through|via)\b")


def misses_relation(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a piece leaves out how it came about, who did it, or that it did not happen, or breaks a
    condition of the question."""
    text = scored.unit.text
    return (
        _is_only_planned(parsed, scored)
        or _affirms(parsed, text)
        or _is_standard(parsed, scored.unit)
        or misses_asking_sentence(parsed, scored)
        or bool(contradicted(parsed, text, scored.unit.titles))
        or opposes_bound(parsed, text)
        or is_inside(parsed, text)
        or lacks_frequency(parsed, text)
        or lacks_remainder(parsed, text)
        or _is_how_often_of_another(parsed, scored.unit)
        or _is_of_another_kind(parsed, scored)
        or (scored.unit.kind == "row" and _is_no_row_of_it(parsed, scored.unit))
        or (scored.unit.kind != "row" and is_of_other_thing(parsed, scored))
        or (scored.unit.kind != "row" and (_leaves_doer_open(parsed, text) or _states_a_rule(parsed, text)))
        or (
            scored.unit.kind != "row"
            and (_states_a_condition(parsed, text) or _is_at_other_side(parsed, text))
        )
    )


def _is_how_often_of_another(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether what is asked how often it is done is said in the passage, and each sentence that says how
    often says another thing: the band that "is checked every 3 months" is not replaced then."""
    act = act_of_frequency(parsed)
    if not act or unit.kind == "row" or not _says(act, unit.evidence.text):
        return False
    places = find_frequencies(unit.text)
    return bool(places) and not any(_says(act, sentence_at(unit.text, place)) for place in places)


def _says(act: str, text: str) -> bool:
    return act in text if is_cjk(act) else act in keys_of(text)


def _is_no_row_of_it(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether a row does not answer: it is of another edition, of several names or of what another cell
    does, or is asked to say that one thing is more than another."""
    return (
        _THAN_STATE.search(parsed.question) is not None
        or is_of_other_edition(parsed.question, unit.evidence)
        or _names_several(parsed, unit)
        or _is_done_by_another_cell(parsed, unit)
    )


def _is_done_by_another_cell(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether only a cell that was not requested says what is done: for "which alarm is raised" the
    action "raise E-104", not the column "alarm" of limits."""
    verbs = {word.start for word in tagged(parsed.question) if word.letter in "veig"}
    requested = requested_columns(parsed, unit)
    known = keys_of(" ".join((named_by(parsed, unit)[1], *(f"{name} {value}" for name, value in requested))))
    others = keys_of(" ".join(value for name, value in unit.cells if (name, value) not in requested))
    return any(
        word.start in verbs and matches_any(word.key, others) and not matches_any(word.key, known)
        for word in parsed.words
    )


def _is_of_another_kind(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the value, or the row, is no rate where one is asked for ("per wafer"), that of each where
    what several come to is, or that of now where the one before is."""
    if not asks_kind_of_amount(parsed.question):
        return False
    text = scored.unit.text
    if scored.unit.kind == "row" and asks_end(parsed):
        days = [name for name, value in requested_columns(parsed, scored.unit) if find_dates(value)]
        return bool(days) and not any(map(names_end, days))
    span = value_span(parsed, scored)
    if span is not None and is_no_end(parsed, text[: span[0]]):
        return True
    clause = clause_at(text, span) if span and scored.unit.kind != "row" else text
    if lacks_rate(parsed, clause) or is_of_now(parsed, text, span[0] if span else None):
        return True
    return span is not None and is_of_each(parsed, text[span[1] :])


def _affirms(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether the question asks for what is not so, and the text denies nothing."""
    if not parsed.negated or parsed.kind in ("yesno", "cause", "compare", "summary"):
        return False
    return not denies(text) and not _LEAVES_OUT.search(text)


def _is_standard(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether a piece mentions what others are compared with, and compares nothing; no row says that it
    is more or less so than another."""
    thing = standard_of_comparison(parsed)
    if not thing or (unit.kind != "row" and _COMPARES.search(unit.text)):
        return False
    if unit.kind == "row" and compares_by_degree(parsed):
        return True
    own = keys_of("; ".join(value for _, value in unit.cells)) if unit.kind == "row" else unit.word_keys
    return all(matches_any(key, own) for key in thing)


def _names_several(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether a row holds several names, and the question who did it says none of their columns."""
    if not asked_verb(parsed) or requested_columns(parsed, unit):
        return False
    texts = [value for _, value in unit.cells if not any(sign.isdigit() for sign in value)]
    return sum(bool(spans_of(parsed, value)) for value in texts) > 1


def _is_only_planned(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the question asks when or how much something was, and the value is what was planned, or
    what it was more than."""
    low, unit = parsed.question.lower(), scored.unit
    if parsed.kind not in (*FIGURE_KINDS, "other") or _PLANS.search(low) or not _PAST.search(low):
        return False
    if unit.kind == "row":
        columns = [name.lower() for name, value in unit.cells if spans_of(parsed, value)]
        return parsed.kind == "date" and bool(columns) and all(map(_PLANS.search, columns))
    span = value_span(parsed, scored)
    before = unit.text[: span[0]].lower() if span is not None else ""
    return _PLANNED.search(before) is not None or _BOUND.search(before) is not None


def _leaves_doer_open(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether the question asks who did something, and the text says only that it was done: "the offer
    was declined"."""
    verb = asked_verb(parsed)
    if not verb:
        return False
    words = tagged(text)
    mentions = [at for at, word in enumerate(words) if word.lemma == verb]
    return bool(mentions) and all(_is_open_passive(words, at, text) for at in mentions)


def _is_open_passive(words: tuple[TaggedWord, ...], at: int, text: str) -> bool:
    before = next((word for word in reversed(words[:at]) if word.letter != "a"), None)
    passive = before is not None and before.letter == "b" and words[at].text.lower() != words[at].lemma
    clause = re.split(r"[,;.:]", text[words[at].end :], maxsplit=1)[0]
    return passive and _DOER.search(clause) is None


def _states_a_rule(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether the question asks to which, when or whether something was done, and the text says only that
    it is done as a rule: "samples are destroyed after a year"."""
    if parsed.language != "en":
        return False
    asked = tagged(parsed.question)
    was = next((at for at, word in enumerate(asked) if word.text.lower() in ("was", "were")), len(asked))
    done = next((word.lemma for word in reversed(asked[was + 1 :]) if word.letter == "e"), "")
    if not done or asked[0].text.lower() not in ("which", "who", "when", "was", "were"):
        return False
    words = tagged(text)
    mentions = [at for at, word in enumerate(words) if word.lemma == done]
    before = [next((w.text.lower() for w in reversed(words[:at]) if w.letter == "b"), "") for at in mentions]
    return bool(mentions) and all(word in ("is", "are") for word in before)


def _is_at_other_side(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether a text is about the start of something of which the question asks the end, about what goes
    in where it asks what comes out, and the like, and not about what is asked."""
    if parsed.kind in ("yesno", "cause", "compare", "summary"):
        return False
    asked, stated = poles(parsed.question, *_SIDES), poles(text, *_SIDES)
    others = {pole.split()[0] for pole in stated - asked}
    return any(pole.split()[0] in others for pole in asked - stated)


def _states_a_condition(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether the question asks what came about, and the text says only what is to be done if it does:
    "shut down if the test shows a loss of more than 8 %" is not what the test did show."""
    did = _DID.search(parsed.question)
    if did is None or parsed.kind == "yesno":
        return False
    acting = {word.key for word in parsed.words if word.start > did.start()}
    places = [word.start for word in words_of(text) if matches_any(word.key, acting)]
    return bool(places) and all(_CONDITION.search(text[:place]) for place in places)
