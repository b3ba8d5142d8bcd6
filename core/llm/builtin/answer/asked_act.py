"""The sentence of a question that asks: whether a piece mentions that, and of what it asks who did it."""

import re

from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.question_text import asking_sentence
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.word_matching import key_of, keys_of
from core.llm.builtin.understand.grammar import tagged
from core.llm.builtin.understand.tagged_words import TaggedWord
from core.text.how_often import asks_how_often
from core.text.tokens import word_set

_FULL_MATCH = (1.0, 1.0, 1.0)
MIN_WORD_MATCH = 0.5  # how well a word is met that is at least meant

_WHEN = re.compile(
    r"when\b|(?:for )?how (?:long\b|many (?:\w+ )?(?:seconds|minutes|hours|days|weeks|months|years)\b)",
    re.IGNORECASE,
)
_DONE_ZH = re.compile(r"多久(?:需要|应该|[要需应该会])?(?P<act>[\u4e00-\u9fff]{1,4}?)一次")
_LASTS = word_set("take last need require be have do go pass elapse spend give make use")


def misses_asking_sentence(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether other sentences tell what it is about, and hardly a word of the one that asks is said; or
    whether it is asked when or how long something was done, and nothing says that it is: "out of order since
    22 March" is not the day on which it was repaired."""
    if (act := _done(parsed)) and scored.word_matches.get(act, _FULL_MATCH)[2] < MIN_WORD_MATCH:
        return True
    asked = keys_of(asking_sentence(parsed.question)) & parsed.keys
    if not asked or asked == parsed.keys:
        return False
    matched = [scored.word_matches[key][0] >= MIN_WORD_MATCH for key in asked if key in scored.word_matches]
    return sum(matched) <= len(matched) / 2


def _done(parsed: ParsedQuestion) -> str:
    """Return the key of what the question asks when or how long it was done, "" where it asks for another
    thing, or only how long something took."""
    if parsed.language != "en" or parsed.kind not in ("date", "duration", "count"):
        return ""
    last = _last_act(parsed.question)
    if _WHEN.match(parsed.question) is None or last is None:
        return ""
    return {word.start: word.key for word in parsed.words}.get(last.start, "")


def _last_act(question: str) -> TaggedWord | None:
    """Return the last verb of an English question that says what is done, None where it is only "take"."""
    words = tagged(question)
    ends = next((word for word in reversed(words) if word.text[0].isalnum()), None)
    verbs = (word for word in reversed(words) if word.letter in "ei" or (word is ends and word.letter == "v"))
    last = next(verbs, None)
    return last if last is not None and last.lemma not in _LASTS else None


def act_of_frequency(parsed: ParsedQuestion) -> str:
    """Return what is asked how often it is done, "" where that is not asked: in English the key of the verb,
    in Chinese what stands before 一次."""
    if not asks_how_often(parsed.question):
        return ""
    if parsed.language != "en":
        done = _DONE_ZH.search(parsed.question)
        return done["act"] if done else ""
    verb = _last_act(parsed.question)
    return key_of(verb.text.lower()) if verb is not None else ""


def asked_verb(parsed: ParsedQuestion) -> str:
    """Return the base form of the verb of which the question asks who did it, "" where there is none."""
    if parsed.kind != "person" or parsed.language != "en":
        return ""
    words = tagged(parsed.question)
    who = next((at for at, word in enumerate(words) if word.text.lower() == "who"), len(words))
    verb = next((word for word in words[who + 1 :] if word.letter not in "ax"), None)
    return verb.lemma if verb is not None and verb.letter in "vie" else ""
