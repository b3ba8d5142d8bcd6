"""Whether the sentence that decides a yes-or-no question says yes or no to it, where its words show that.

One clause has to say all that the sentence says of the question. It says no where it denies once ("not
supported", "forbidden"), or says the opposite of a word of the question by a prefix ("unopened" of "opened");
yes where it denies nothing and says all the question says. Where several clauses share the question's words,
or a bound, a plan or a condition is in the clause, nothing is decided: a wrong yes is worse than none.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from core.llm.builtin.answer.parsed_question import NUMBER_WORDS, ParsedQuestion
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.values import requested_columns
from core.llm.builtin.answer.word_matching import SAME_WORD_LIKENESS, best_likeness, key_of, keys_of

Polarity = Literal["yes", "no"]
YES_EN, NO_EN, YES_ZH, NO_ZH = "Yes:", "No:", "是：", "否："  # what stands before the sentence that decides
LEAD = re.compile(rf"^(?:{YES_EN}|{NO_EN}|{YES_ZH}|{NO_ZH})\s*")
STATED_LIKENESS = 0.5  # how well each word of the question is said where the answer is yes
MIN_STEM = 5  # letters of a word that a prefix makes the opposite of
_CLAUSE = re.compile(
    r"[;；。\n]|[,，:]\s|\s[-–•]\s|\b(?:but|and|or|while|whereas|although|though|except|aber|und|mais|et)\b|但|而",
    re.IGNORECASE,
)
_ENGLISH_DENIES = (
    r"\b(?:not|never|cannot|no(?!\.?\s*\d)|nobody|none|forbid(?:s|den)?|prohibit(?:s|ed)?|impossible|unable|insufficient"
    r"|excluded|lacks)\b|n['’]t\b"
)
_DENIES: Mapping[str, re.Pattern[str]] = {
    language: re.compile(pattern, re.IGNORECASE)
    for language, pattern in {
        "en": _ENGLISH_DENIES,
        "de": r"\b(?:nicht|keine?[nmrs]?|nie(?:mals)?|verboten|untersagt)\b",
        "fr": r"\b(?:pas|jamais|aucune?|interdite?s?)\b",
        "zh": r"不|没有|未|无法|禁止",
    }.items()
}
# What sets a bound or a condition, only plans or asks, or takes back what it denies
_UNDECIDED = re.compile(
    r"\b(?:only|unless|until|till|before|after|than|least|most|minimum|maximum|depend(?:s|ing)?|if|when|whether"
    r"|plan(?:s|ned)?|propos\w+|expect\w*|suppos\w+|intend\w*|would|could|might|should|perhaps|probably|maybe"
    r"|necessarily|yet|always|all|every|each|just|later|earlier|earliest|latest|more|less|fewer|doubt|knows?"
    r"|unknown|unclear"
    r"|drop\w*|cancel\w*|withdraw\w*|withdrawn|refus\w+|reject\w*|fail\w*|clos\w+|end\w*|unlike|instead"
    r"|wenn|nur|falls|seulement|sauf|si)\b|\bfrom\b.+\bto\b|不仅|不但|不少于|不超过|不迟于",
    re.IGNORECASE,
)
_COMPLEMENT = re.compile(
    r"\b(?P<link>(?i:for|by|with|without|on|at|from))\s+(?:the |an? |any |all )?(?P<noun>[a-z][a-z-]{2,40})"
)
_ENDS = (".", "!", "。", "！")
_OPPOSITE = ("un", "in", "im", "non", "dis")
_CELLS: Mapping[str, Polarity] = {
    "yes": "yes",
    "true": "yes",
    "no": "no",
    "false": "no",
    "是": "yes",
    "否": "no",
}


def polarity(parsed: ParsedQuestion, one: Scored) -> Polarity | None:
    """Return what the piece says to the question, None where its words do not show it."""
    if parsed.negated or parsed.language not in _DENIES:
        return None
    if one.unit.kind == "row":
        answers = {_CELLS.get(value.casefold()) for _, value in requested_columns(parsed, one.unit)}
        return answers.pop() if len(answers) == 1 else None
    clause = _deciding_clause(parsed, one)
    if clause is None or _undecided(parsed, clause) or is_of_other(parsed, one):
        return None
    denied = len(_DENIES[parsed.language].findall(clause)) + len(reversed_words(parsed, clause))
    if denied:
        return "no" if denied == 1 else None
    stated = all(match >= STATED_LIKENESS for _, match, _ in one.word_matches.values())
    ended = one.unit.text.rstrip(" \"'”’)").endswith(_ENDS)  # a heading says nothing
    return "yes" if stated and ended else None


def is_of_other(parsed: ParsedQuestion, one: Scored) -> bool:
    """Say whether the clause that decides continues another noun behind a preposition of the question, and
    does not say the question's own: "enough for measuring" is not "for turning"."""
    clause = _deciding_clause(parsed, one) or one.unit.text
    clause_keys, asked = keys_of(clause), dict(_complements(parsed.question))
    return any(
        link in asked and asked[link] != noun and asked[link] not in clause_keys
        for link, noun in _complements(clause)
    )


def _complements(text: str) -> Iterator[tuple[str, str]]:
    """Yield each preposition with the noun behind it."""
    for match in _COMPLEMENT.finditer(text):
        yield match["link"].lower(), key_of(match["noun"].lower())


def denies(text: str) -> bool:
    """Say whether a text denies something, in whichever language."""
    return any(pattern.search(text) for pattern in _DENIES.values())


def _deciding_clause(parsed: ParsedQuestion, one: Scored) -> str | None:
    """Return the clause that says all the question's words which the sentence says, None if none does."""
    clauses = [clause for clause in _CLAUSE.split(one.unit.text) if clause and clause.strip()]
    clause_keys = [
        frozenset(
            word.key
            for word in parsed.words
            if best_likeness(word.key, keys_of(clause)) >= SAME_WORD_LIKENESS
        )
        for clause in clauses
    ]
    together = frozenset[str]().union(*clause_keys)
    whole = [clause for clause, words in zip(clauses, clause_keys, strict=True) if words == together]
    return whole[0] if together and len(whole) == 1 else None


def _undecided(parsed: ParsedQuestion, clause: str) -> bool:
    """Say whether the clause holds a bound, a plan or a condition, or other numbers than the question."""
    asked = parsed.question.lower()
    hedged = any(match.group().lower() not in asked for match in _UNDECIDED.finditer(clause))
    return hedged or not _numbers(asked) <= _numbers(clause.lower())


def _numbers(text: str) -> frozenset[str]:
    words = re.findall(r"[a-z]+|\d+", text)
    return frozenset(word for word in words if word.isdigit() or word in NUMBER_WORDS[1:])


def reversed_words(parsed: ParsedQuestion, text: str) -> list[str]:
    """Return the keys of the question's words of which a text says the opposite by a prefix, each time."""
    asked = {word.text.lower(): word.key for word in parsed.words if len(word.text) >= MIN_STEM}
    opposite = {f"{prefix}{stem}": key for stem, key in asked.items() for prefix in _OPPOSITE}
    return [opposite[word] for word in re.findall(r"[a-z]+", text.lower()) if word in opposite]
