"""Whether a text is one that an English embedder can read: by its script, and by its words of grammar."""

import re
from functools import lru_cache

from core.text.tokens import STOPWORDS_EN

_ENGLISH_MODELS = frozenset({"all-minilm", "all-minilm-l6-v2", "all-minilm-l12-v2"})
MIN_SAMPLE_LETTERS = 40  # below so many letters, a text is no sample of a language
MIN_PROSE_WORDS = 25  # words from which on grammar shows
FOREIGN_SCRIPT = 0.3  # of the letters
# Share of a question such an embedder makes nothing of above which its vectors say nothing
MAX_UNREAD_SHARE = 0.25
# Of the words of English prose are words of grammar at the very least; a third is usual
MIN_GRAMMAR_SHARE = 0.08

_LETTER = re.compile(r"[^\W\d_]")
_NOT_LATIN = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Letters of other scripts, and codes, which a vocabulary of English word pieces takes apart into scraps.
_SCRAPS = re.compile(r"[^\W\d_\u0000-\u024f]+|\b(?=[\w./-]*\d)(?=[\w./-]*[^\W\d_])[\w./-]{4,}")


def english_model(name: str) -> bool:
    """Say whether an embedding model learnt English alone, by its name on disk, on its hub or on Ollama."""
    return name.lower().rpartition("/")[2].partition(":")[0] in _ENGLISH_MODELS


@lru_cache(maxsize=256)  # a question is asked about in every step of its search
def unread(text: str) -> float:
    """Return the share (0 to 1) of a text's characters that an English embedder cannot read."""
    return sum(map(len, _SCRAPS.findall(text))) / max(1, sum(not sign.isspace() for sign in text))


def other_script(text: str) -> float:
    """Return the share (0 to 1) of a text's letters that are not Latin."""
    foreign = len(_NOT_LATIN.findall(text))
    return foreign / max(1, len(_LETTER.findall(text)))


def is_english(text: str) -> bool | None:
    """Say whether a text is English; None where it is too short, or too little of a sentence, to tell."""
    letters = len(_LETTER.findall(text))
    if letters < MIN_SAMPLE_LETTERS and len(_NOT_LATIN.findall(text)) < MIN_SAMPLE_LETTERS / 2:
        return None
    if len(_NOT_LATIN.findall(text)) > FOREIGN_SCRIPT * letters:
        return False
    words = _WORD.findall(text)
    small = [word for word in words if word.islower()]
    if len(words) < MIN_PROSE_WORDS or len(small) < 0.6 * len(words):
        return None
    return sum(word in STOPWORDS_EN for word in small) >= MIN_GRAMMAR_SHARE * len(words)
