"""Words of an English question with their parts of speech, from a small tagger that is packaged."""

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

MAX_WORD_LETTERS = 50  # letters of a word; the tagger's time grows faster than a word's length
NOUN_PHRASE = r"(?:[DAh]?(?:a(?=[jsoce])|[jsoc]|[eg](?=[jsocnmN])|[nmN#]'?(?=[DAjsocegnmN#]))*[nmN#])"
_BASE_FORMS = frozenset(["VVI", "VVB"])
_UNLIKELY = 5.0  # how much less likely (in natural logarithms) a verb may be than the likeliest reading
_lock = Lock()


class TaggedWord(NamedTuple):
    """A word of a frame at [start, end), with its base form and its letter."""

    text: str
    lemma: str
    tag: str  # of the C5 tag set of the British National Corpus
    letter: str
    start: int
    end: int


def shape_of(words: Sequence[TaggedWord]) -> str:
    """Return the letters of words with their parts of speech."""
    return "".join(word.letter for word in words)


def surface(words: Sequence[TaggedWord], frame: str) -> str:
    """Return the piece of a frame that the words cover."""
    return frame[words[0].start : words[-1].end] if words else ""


@lru_cache(maxsize=1)
def _tagger() -> Any:
    from HanTa.HanoverTagger import HanoverTagger

    return HanoverTagger("morphmodel_en.pgz")


def tags_of(texts: list[str]) -> list[tuple[str, str, str]]:
    """Return each word, its base form and its tag (hidden Markov model over morphemes: Wartena, HanTa)."""
    with _lock:
        found: list[tuple[str, str, str]] = _tagger().tag_sent(texts)
    return found


@lru_cache(maxsize=4096)
def may_be_verb(word: str) -> bool:
    """Say whether a word may be the base form of a verb: "chair" and "play" may, "valve" hardly."""
    with _lock:
        known: list[tuple[str, float]] = _tagger().tag_word(word.lower())
    chances = dict(known)
    best = max(chances.values(), default=0.0)
    return any(tag in _BASE_FORMS and chance > best - _UNLIKELY for tag, chance in chances.items())
