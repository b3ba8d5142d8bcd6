"""Says of two questions that they surely ask for the same, so that what answers one answers the other.

Likeness of vectors cannot tell "replaced" from "cleaned", so it decides nothing here: every word that carries
matter must stand in both questions, in whatever form, and nothing that turns a question into another one may
stand in one alone: names, codes, figures, years, negation, opposites, small words of order and number, tense,
modality, what is sought, and who does it to whom. What is left open is "not the same".
"""

import re

from core.llm.builtin.answer.parsed_question import ParsedQuestion, names, read
from core.llm.builtin.answer.word_matching import Word, likeness
from core.llm.builtin.questions.noun_questions import compound, with_of
from core.llm.builtin.questions.opposites import pole_of, poles

SAME_FORM_LIKENESS = 0.85  # how like two words are that are forms of one
_IMPLIED = {  # what the kind of question says already
    "date": {"date", "day", "time", "moment", "日期", "时间", "时候", "日子"},
    "count": {"number", "count", "数量", "总数"},
    "place": {"place", "location", "地点", "位置"},
    "cause": {"reason", "cause", "原因"},
    "person": {"person", "name", "人"},
    "duration": {"length", "time", "period", "时间", "时长"},
}
# "What is", "which are" and "how much is" may ask for the same
INTERCHANGEABLE_KINDS = frozenset({"list", "other", "amount", "duration"})
_LIGHT = {"give", "gave", "given", "make", "made", "take", "took", "taken"}
_SMALL = re.compile(
    r"\b(?:before|after|until|since|within|during|over|under|above|below|between|per|only|except|first|second|third"
    r"|last|next|previous|prior|former|new|old|other|all|any|each|every|both|either|more|less|most|least|fewer|ago"
    r"|again|still|already|yet|now|ever|never|up|down|off|out|from|to|into|onto|toward|towards|against|through|via|if|unless|instead|than|can|could|may|might|must|should"
    r"|shall|will|would|planned|expected|estimated)\b|之前|之后|以前|以后|前|后|除|只|仅|所有|每|首|末|上|下|内"
    r"|可以|可能|必须|应|能|会|将|已|未|再|更|最|不|没|无|非"
)
_TENSES = re.compile(r"\b(?:(was|were|did|had|been)|(is|are|am|do|does|has|have))\b")
_PAST = re.compile(r"\b[a-z]{2,}ed\b")
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|lt|de|nt|ht)\b")
_BY = re.compile(r"\bby (?:whom|who|which|what)\b")
_DO = re.compile(
    r"\b(?:do|does|did|whom)\b|\b(?:can|could|may|might|must|should|shall|will|would|has|have|had)"
    r" (?:the|a|an|this|that|these|those|our|its|their|we|they|it|he|she)\b"
)
_HEAD = re.compile(
    r"\b(?:(?:which|what|whose|how many)(?:'s)?(?: (?:is|are|was|were))?|who(?:'s| is| are| was| were))"
    r"(?: (?:the|a|an))? (\w[\w-]*)"
)
_AUXILIARY = re.compile(
    r"\b(?:who|what|(?:which|what) \w+) (?:can|could|may|might|must|should|shall|will|would|has|have|had)\b"
)
_AMOUNT_ZH = re.compile(r"(?:是|为)多少[？?。]?$")
_SEEN = re.compile(r"\b(?:who|whom|whose|which|what)\b")


def are_equivalent(one: str, other: str) -> bool:
    """Say whether two questions surely ask for the same; False wherever it is not plain."""
    a, b = read(with_of(one)), read(with_of(other))
    if a.language != b.language or not a.words or not b.words:
        return False
    if _kind(a) != _kind(b) and not {_kind(a), _kind(b)} <= INTERCHANGEABLE_KINDS:
        return False
    if a.negated != b.negated or a.years != b.years or a.many != b.many or poles(one) != poles(other):
        return False
    if _signs(a.question) != _signs(b.question) or not _have_same_roles(a, b):
        return False
    if not (_words_covered(a, b) and _words_covered(b, a)):
        return False
    first, second = compound(a.question), compound(b.question)
    if first and second and not (" of " in a.question and " of " in b.question):
        return first == second  # "supplier customer" is the customer of the supplier, not the other way round
    return _have_same_head(a, b) and _have_same_order(a, b)


def _kind(parsed: ParsedQuestion) -> str:
    """Return what kind of answer is sought; 是多少 asks for an amount as 是什么 may, and counts nothing."""
    return "amount" if parsed.kind == "count" and _AMOUNT_ZH.search(parsed.question) else parsed.kind


def _signs(question: str) -> tuple[object, ...]:
    """Return what must be equal: small words, tense, single letters, figures as they are written."""
    low = question.lower()
    tense = _TENSES.search(low)
    past = tense[1] is not None if tense else bool(_PAST.search(low) or _LIGHT & set(low.split()))
    letters = frozenset(re.findall(r"(?<=[a-z] )[B-HJ-Z]\b(?![-'’])", question))
    return frozenset(_SMALL.findall(low)), past, letters, frozenset(re.findall(r"\d+(?:[.,]\d+)*", low))


def _have_same_roles(a: ParsedQuestion, b: ParsedQuestion) -> bool:
    """Say whether what is sought does in both, or is done to in both; of persons that must be plain."""
    one, other = _role(a.question.lower()), _role(b.question.lower())
    return one == other or (a.kind != "person" and "" in (one, other))


def _role(low: str) -> str:
    """Return "does", "done to", or "" where the question has no agent."""
    if not _SEEN.search(low):
        return ""
    if _BY.search(low):
        return "does"
    if _PASSIVE.search(low) or _DO.search(low):
        return "done to"
    return "" if re.search(r"\b(?:is|are|was|were)\b", low) else "does"


def _words_covered(a: ParsedQuestion, b: ParsedQuestion) -> bool:
    """Say whether each word of the one is in the other, but those its kind implies and a light verb
    ("gave approval") where the other question has none."""
    implied = _IMPLIED.get(a.kind, set())
    if not any(word.text.lower() in _LIGHT for word in b.words):
        implied = implied | _LIGHT
    return all(_match(word, a, b) for word in a.words if word.text.lower() not in implied)


def _match(word: Word, a: ParsedQuestion, b: ParsedQuestion) -> Word | None:
    """Return the word of the other question that is this one: itself, a form of it, one of its pole."""
    if names(word, a.question):  # a name is no form of another
        return next((candidate for candidate in b.words if candidate.key == word.key), None)
    pole = pole_of(word.key)
    for candidate in b.words:
        if candidate.key == word.key or (pole is not None and pole_of(candidate.key) == pole):
            return candidate
    forms = (candidate for candidate in b.words if not candidate.figure and not names(candidate, b.question))
    return next((h for h in forms if likeness(word.key, h.key) >= SAME_FORM_LIKENESS), None)


def _have_same_head(a: ParsedQuestion, b: ParsedQuestion) -> bool:
    """Say whether both seek the same of the thing: "which pumps" and "which supplier" do not."""
    first, second = _head(a), _head(b)
    return first is None or second is None or _match(first, a, b) is second


def _head(parsed: ParsedQuestion) -> Word | None:
    """Return the word right behind the question word."""
    found = _HEAD.search(parsed.question.lower())
    return next(
        (
            word
            for word in parsed.words
            if found
            and word.start == found.start(1)
            and not parsed.question[word.end :].startswith(("'s", "’s"))
        ),
        None,
    )


def _have_same_order(a: ParsedQuestion, b: ParsedQuestion) -> bool:
    """Say whether what could change places is in the same order: names, and all words where no question
    word holds a role."""
    one, other = a.question.lower(), b.question.lower()
    whole = a.language != "en" or not (_SEEN.search(one) and _SEEN.search(other))
    passive = _BY.search(one) or _BY.search(other)
    if not passive and _AUXILIARY.search(one) and _AUXILIARY.search(other):
        whole = True  # "who may members appoint", "who may appoint members"
    moved = [
        counterpart.start
        for word in a.words
        if (whole and a.kind in ("yesno", "other", "list", "person"))
        or (names(word, a.question) and not word.figure)
        if (counterpart := _match(word, a, b)) is not None
    ]
    return moved == sorted(moved)
