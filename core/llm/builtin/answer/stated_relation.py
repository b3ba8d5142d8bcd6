"""Whether a sentence states what the question asks of an event: as it came about, not as it was planned; and
who did it, not only that it was done."""

import re

from core.llm.builtin.answer.parsed_question import FIGURE_KINDS, ParsedQuestion
from core.llm.builtin.answer.quoting import value_span
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.understand.grammar import tagged
from core.llm.builtin.understand.tagged_words import TaggedWord

_PLAN = r"(?:planned|promised|expected|scheduled|due|proposed|intended|estimated|forecast|budgeted|supposed)"
_PLANS = re.compile(rf"\b{_PLAN}\b|计划|预计|预定|原定|拟")
_PAST = re.compile(
    r"\b(?:when|what|which \w+|time|how (?:much|many|long|often)(?: \w+)?) (?:was|were|did|has|have|had)\b|了"
)
_PLANNED = re.compile(rf"\b{_PLAN}\b(?:\W+\w+){{0,3}}\W*$|(?:计划|预计|预定|原定|拟)\S{{0,4}}$")
_DOER = re.compile(r"\b(?:by|from|through|via)\b")


def is_only_planned(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the question asks when or how much something was, and the value is what was planned."""
    low = parsed.question.lower()
    if parsed.kind not in FIGURE_KINDS or scored.unit.kind == "row" or _PLANS.search(low) or not _PAST.search(low):
        return False
    span = value_span(parsed, scored)
    return span is not None and _PLANNED.search(scored.unit.text[: span[0]].lower()) is not None


def leaves_doer_open(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether the question asks who did something, and the text says only that it was done: "the offer
    was declined"."""
    verb = _asked_verb(parsed)
    if not verb:
        return False
    words = tagged(text)
    said = [at for at, word in enumerate(words) if word.lemma == verb]
    return bool(said) and all(_is_open_passive(words, at, text) for at in said)


def _asked_verb(parsed: ParsedQuestion) -> str:
    """Return the base form of the verb of which the question asks who did it, "" where there is none."""
    if parsed.kind != "person" or parsed.language != "en":
        return ""
    words = tagged(parsed.question)
    who = next((at for at, word in enumerate(words) if word.text.lower() == "who"), len(words))
    verb = next((word for word in words[who + 1 :] if word.letter not in "ax"), None)
    return verb.lemma if verb is not None and verb.letter in "vie" else ""


def _is_open_passive(words: tuple[TaggedWord, ...], at: int, text: str) -> bool:
    before = next((word for word in reversed(words[:at]) if word.letter != "a"), None)
    passive = before is not None and before.letter == "b" and words[at].text.lower() != words[at].lemma
    clause = re.split(r"[,;.:]", text[words[at].end :], maxsplit=1)[0]
    return passive and _DOER.search(clause) is None


def states_a_rule_only(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether the question asks to which or when something was done, and the text says only that it is
    done as a rule: "samples are destroyed after a year"."""
    if parsed.language != "en":
        return False
    asked = tagged(parsed.question)
    was = next((at for at, word in enumerate(asked) if word.text.lower() in ("was", "were")), len(asked))
    done = next((word.lemma for word in reversed(asked[was + 1 :]) if word.letter == "e"), "")
    if not done or asked[0].text.lower() not in ("which", "who", "when"):
        return False
    words = tagged(text)
    said = [at for at, word in enumerate(words) if word.lemma == done]
    before = [next((w.text.lower() for w in reversed(words[:at]) if w.letter == "b"), "") for at in said]
    return bool(said) and all(word in ("is", "are") for word in before)


def misses_relation(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a sentence leaves out how it came about, or who did it."""
    unit = scored.unit
    return unit.kind != "row" and (
        is_only_planned(parsed, scored)
        or leaves_doer_open(parsed, unit.text)
        or states_a_rule_only(parsed, unit.text)
    )
