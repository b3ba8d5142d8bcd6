"""Questions that name no more than a thing and what is sought of it, in the three ways English says that:
"the lead time of the chuck", "the chuck's lead time", "chuck lead time"."""

import re

from core.llm.builtin.answer.parsed_question import language_of
from core.text.tokens import is_stopword, words

MAX_BARE_WORDS = 10  # of a question without a verb
_ASKING = r"(?:what|which|who)(?:['’]s|\s+(?:is|are|was|were))"
_WORD = r"[^\W_][\w-]*"
_POSSESSIVE = re.compile(
    rf"\s*(?P<asking>{_ASKING}\s+)?(?P<thing>(?:(?!of\b){_WORD}\s+){{0,5}}{_WORD})['’]s\s+(?P<rest>[^'’]+)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:the|a|an)\s+", re.IGNORECASE)
_WHAT_IS = re.compile(r"\s*what(?:['’]s|\s+(?:is|are))\s+", re.IGNORECASE)
_VERBAL = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|be|been|do|does|did|has|have|had|can"
    r"|could|may|might|must|should|shall|will|would|not|no|and|or|please|give|show|tell|list|name|find|compare"
    r"|explain|describe|summarize|summarise)\b",
    re.IGNORECASE,
)


def with_of(question: str) -> str:
    """Return "what is the lead time of the chuck" for "what is the chuck's lead time"; any other question as
    it stands."""
    found = _POSSESSIVE.fullmatch(question)
    if found is None or _VERBAL.search(found["thing"]) or language_of(question) != "en":
        return question
    sought = found["rest"].rstrip(" ?.!")
    end = _sought_end(sought)
    return f"{found['asking'] or ''}the {sought[:end]} of {found['thing']}{sought[end:]}?"


def _sought_end(text: str) -> int:
    """Return where the first words that are no grammar end: those of "lead time in weeks" behind "time"."""
    end = 0
    for word in re.finditer(rf"\s*({_WORD})", text):
        if word.start() != end or is_stopword(word[1].lower()):
            break
        end = word.end()
    return end or len(text)


def compound(question: str) -> tuple[str, ...]:
    """Return the words of a question for an attribute of a thing, the thing's first as in "chuck lead time";
    () for a question that says more."""
    if language_of(question) != "en":
        return ()
    phrase = _ARTICLE.sub("", _WHAT_IS.sub("", question, count=1).strip(" ?.!"))
    if _VERBAL.search(phrase) or len(phrase.split()) > MAX_BARE_WORDS or "'" in phrase or "’" in phrase:
        return ()
    sought, *things = re.split(r"\s+of\s+", phrase)
    if len(things) > 1 or any(
        is_stopword(word) for part in (sought, *things) for word in part.lower().split()
    ):
        return ()
    return tuple(word for part in (*things, sought) for word in words(part))
