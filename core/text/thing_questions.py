"""Questions for all that is known of a thing, and where a text names it."""

import re
from functools import lru_cache

_EVERYTHING = re.compile(
    r"^(?:what (?:is known|do we know) about (?P<thing>[^?]+?)|(?P<thing_zh>[^？?]+?)的情况是什么)[?？]?$",
    re.IGNORECASE,
)


def everything_of(question: str) -> str:
    """Return the thing a question asks everything about, "" where it asks for one property."""
    match = _EVERYTHING.match(question.strip())
    return (match["thing"] or match["thing_zh"]).strip() if match is not None else ""


def is_named(thing: str, text: str) -> bool:
    """Say whether a text names a thing, as a word of its own."""
    return _pattern(thing).search(text) is not None


@lru_cache(maxsize=500)
def _pattern(thing: str) -> re.Pattern[str]:
    """Return what finds a name that is no part of a longer one: "ETCH-03" in "ETCH-03 B", not "ETCH-031"."""
    first, last = (re.match(r"[A-Za-z\d]", sign) is not None for sign in (thing[:1], thing[-1:]))
    before, behind = r"(?<![A-Za-z\d])(?<![A-Za-z\d]-)" * first, r"(?![A-Za-z\d]|-[A-Za-z\d])" * last
    return re.compile(f"{before}{re.escape(thing)}{behind}", re.IGNORECASE)
